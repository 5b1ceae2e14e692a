//! The queries of a scene, through a cache.

use crate::cache::{HintSlot, TriangleCache};
use crate::query::overlap::{all_overlaps, visit_overlaps};
use crate::query::sweep::{first_hit, first_time, is_stopped_at_start};
use crate::query::sweep_where::first_accepted_hit;
use crate::scene::{Filter, HitTarget, Scene, SceneHit};
use crate::traverse::neighborhood::TriangleRef;
use crate::{Capsule, Motion, Overlap, SweepHit};

impl TriangleCache {
    /// As [`Scene::sweep`], with the same bits.
    #[allow(clippy::too_many_arguments, reason = "those of the scene's query, and the hint")]
    pub fn sweep(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        hint: HintSlot,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_with(scene, (capsule, motion), filter, hint, true)
    }

    /// As [`TriangleCache::sweep`], with or without barycentric coordinates.
    #[allow(clippy::too_many_arguments, reason = "those of the scene's query, and the hint")]
    #[inline]
    pub(crate) fn sweep_with(
        &mut self,
        scene: &Scene,
        swept: (&Capsule, &Motion),
        filter: &Filter,
        hint: HintSlot,
        barycentrics: bool,
    ) -> Option<SceneHit<SweepHit>> {
        let hit = self.query(scene, swept, (filter.sides, Some(hint)), |source| {
            first_hit(scene.content(), source, swept, filter, barycentrics)
        })?;
        self.remember(scene, hint, || TriangleRef::of(scene, &hit.target));
        Some(hit)
    }

    /// Whether the hinted triangle stops a sweep at its start. `false` proves nothing: another
    /// body may stop it.
    pub(crate) fn is_stopped_again(
        &self,
        scene: &Scene,
        swept: (&Capsule, &Motion),
        filter: &Filter,
        hint: HintSlot,
    ) -> bool {
        let last = self.hints[hint as usize].filter(|_| self.revision == Some(scene.revision()));
        last.is_some_and(|last| is_stopped_at_start(scene.content(), last, swept, filter))
    }

    /// The time of the hit of [`TriangleCache::sweep`].
    pub(crate) fn sweep_time(
        &mut self,
        scene: &Scene,
        swept: (&Capsule, &Motion),
        filter: &Filter,
        hint: HintSlot,
    ) -> Option<f64> {
        let (time, triangle) = self.query(scene, swept, (filter.sides, Some(hint)), |source| {
            first_time(scene.content(), source, swept, filter)
        })?;
        self.remember(scene, hint, || triangle);
        Some(time)
    }

    /// As [`Scene::sweep_where`], with the same bits.
    #[allow(clippy::too_many_arguments, reason = "those of the scene's query, and the hint")]
    pub fn sweep_where(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        hint: HintSlot,
        accept: impl Fn(&HitTarget) -> bool,
    ) -> Option<SceneHit<SweepHit>> {
        let swept = (capsule, motion);
        let hit = self.query(scene, swept, (filter.sides, Some(hint)), |source| {
            first_accepted_hit(scene.content(), source, swept, filter, &accept)
        })?;
        self.remember(scene, hint, || TriangleRef::of(scene, &hit.target));
        Some(hit)
    }

    /// As [`Scene::overlap_all`], with the same bits.
    pub fn overlap_all(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<SceneHit<Overlap>>,
    ) {
        self.query(scene, (capsule, &Motion::ZERO), (filter.sides, None), |source| {
            all_overlaps(scene.content(), source, capsule, filter, out);
        });
    }

    /// Calls `visit` with every overlap of [`TriangleCache::overlap_all`], in any order.
    pub(crate) fn visit_overlaps(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        filter: &Filter,
        visit: &mut dyn FnMut(SceneHit<Overlap>),
    ) {
        self.query(scene, (capsule, &Motion::ZERO), (filter.sides, None), |source| {
            visit_overlaps(scene.content(), source, capsule, filter, visit);
        });
    }

    /// Stores a hint. A hit with a dynamic body keeps the old one: the static triangle is still
    /// the best guess. So does a hit in a scene of another revision, where the slot of a triangle
    /// means nothing.
    #[inline]
    fn remember(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        triangle: impl FnOnce() -> Option<TriangleRef>,
    ) {
        if self.is_on
            && self.revision == Some(scene.revision())
            && let Some(triangle) = triangle()
        {
            self.hints[hint as usize] = Some(triangle);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cache::{HintSlot, TriangleCache};
    use crate::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
    use crate::{Capsule, Motion};
    use glam::{DVec3, Vec3};
    use std::sync::Arc;

    /// A floor of `2 · strips` triangles around the origin.
    fn floor(strips: u32) -> Scene {
        let side = |x: f32| {
            (0..=strips).map(move |y| Vec3::new(x, 40.0 * y as f32 / strips as f32 - 20.0, 0.0))
        };
        let vertices: Vec<Vec3> = side(-20.0).chain(side(20.0)).collect();
        let right = strips + 1;
        let triangles: Vec<[u32; 3]> = (0..strips)
            .flat_map(|y| [[y, right + y, right + y + 1], [y, right + y + 1, y + 1]])
            .collect();
        let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default());
        let mut scene = Scene::new();
        let body = mesh.map(|mesh| Body::mesh(Arc::new(mesh), Pose::IDENTITY));
        assert!(matches!(body, Ok(Ok(_))));
        body.into_iter().flatten().for_each(|body| {
            scene.insert(body);
        });
        scene
    }

    /// A sweep that is too long for the cache leaves it as it was filled, from another scene. So
    /// its hit must not become a hint.
    #[test]
    fn a_hit_in_another_scene_is_no_hint() {
        let (few, many) = (floor(1), floor(400));
        let filter = Filter::default();
        let at = |y: f64, z: f64| Capsule::from_feet(DVec3::new(0.0, y, z), DVec3::Z, 0.4, 1.8);
        let down = |length: f64| Motion::new(DVec3::new(0.0, 0.0, -length));
        let (Ok(near), Ok(high), Ok(short), Ok(long)) =
            (at(0.0, 0.01), at(19.0, 4000.0), down(0.1), down(8000.0))
        else {
            unreachable!("all are in range")
        };
        let mut cache = TriangleCache::new();
        assert!(cache.sweep(&few, &near, &short, &filter, HintSlot::Step).is_some());
        assert!(cache.sweep(&many, &high, &long, &filter, HintSlot::Step).is_some());
        assert!(!cache.is_stopped_again(&few, (&near, &short), &filter, HintSlot::Step));
    }
}

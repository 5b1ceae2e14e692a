//! The queries of a scene, by way of a cache.

use crate::cache::{HintSlot, TriangleCache};
use crate::scene::{Filter, HitTarget, Scene, SceneHit};
use crate::traverse::neighborhood::TriangleRef;
use crate::traverse::neighborhood_view::CandidateCount;
use crate::{Capsule, Motion, Overlap, SweepHit};

impl TriangleCache {
    /// The bits of [`Scene::sweep`].
    #[allow(clippy::too_many_arguments, reason = "those of the scene's own query, and whose it is")]
    pub fn sweep(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_told(scene, hint, (capsule, motion), filter, true)
    }

    /// As [`TriangleCache::sweep`]; the hit says where on a triangle it is if `weights` does.
    #[allow(clippy::too_many_arguments, reason = "those of the scene's own query, and whose it is")]
    #[inline]
    pub(crate) fn sweep_told(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        query: (&Capsule, &Motion),
        filter: &Filter,
        weights: bool,
    ) -> Option<SceneHit<SweepHit>> {
        let mut alone = None;
        let hit = self.by_shortcut(scene, query, (filter.sides, Some(hint)), |by| match by {
            Some(shortcut) => match shortcut.survey(scene, filter) {
                CandidateCount::Clear => None,
                CandidateCount::One(at) => {
                    alone = Some(at);
                    scene.sweep_one((shortcut, at), query, filter, weights)
                }
                CandidateCount::Open => scene.sweep_by(Some(shortcut), query, filter, weights),
            },
            None => scene.sweep_by(None, query, filter, weights),
        });
        if let Some(hit) = &hit {
            self.remember(scene, hint, || alone.or_else(|| TriangleRef::of(scene, &hit.target)));
        }
        hit
    }

    /// Whether a sweep is stopped at its start by what was hit last in its pass, as far as that is known.
    pub(crate) fn is_stopped_again(
        &self,
        scene: &Scene,
        hint: HintSlot,
        query: (&Capsule, &Motion),
        filter: &Filter,
    ) -> bool {
        let last = self.hints[hint as usize].filter(|_| self.revision == Some(scene.revision()));
        last.is_some_and(|place| scene.is_stopped_by(place, query, filter))
    }

    /// The time of [`TriangleCache::sweep`]'s answer.
    pub(crate) fn sweep_time(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        query: (&Capsule, &Motion),
        filter: &Filter,
    ) -> Option<f64> {
        let (time, place) =
            self.by_shortcut(scene, query, (filter.sides, Some(hint)), |by| match by {
                Some(shortcut) => scene.sweep_time(shortcut, query, filter),
                None => scene.sweep(query.0, query.1, filter).map(|hit| (hit.hit.time, None)),
            })?;
        self.remember(scene, hint, || place);
        Some(time)
    }

    /// The bits of [`Scene::sweep_where`].
    #[allow(clippy::too_many_arguments, reason = "those of the scene's own query, and whose it is")]
    pub fn sweep_where(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        accept: impl Fn(&HitTarget) -> bool,
    ) -> Option<SceneHit<SweepHit>> {
        let query = (capsule, motion);
        let hit = self.by_shortcut(scene, query, (filter.sides, Some(hint)), |by| {
            scene.sweep_where_by(by, query, filter, &accept)
        });
        if let Some(hit) = &hit {
            self.remember(scene, hint, || TriangleRef::of(scene, &hit.target));
        }
        hit
    }

    /// The bits of [`Scene::overlap_all`].
    pub fn overlap_all(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<SceneHit<Overlap>>,
    ) {
        let still = (capsule, &Motion::ZERO);
        self.by_shortcut(scene, still, (filter.sides, None), |by| {
            scene.overlap_all_by(by, capsule, filter, out);
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
        let still = (capsule, &Motion::ZERO);
        self.by_shortcut(scene, still, (filter.sides, None), |by| {
            scene.visit_overlaps(by, capsule, filter, visit);
        });
    }

    /// Where something was hit. If that is something that moves, it leaves the hint as it was: the static triangle is still the best guess. So
    /// does a hit in another scene than the one that was gathered from: hints are places in that.
    #[inline]
    fn remember(
        &mut self,
        scene: &Scene,
        hint: HintSlot,
        at: impl FnOnce() -> Option<TriangleRef>,
    ) {
        if self.is_on
            && self.revision == Some(scene.revision())
            && let Some(place) = at()
        {
            self.hints[hint as usize] = Some(place);
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
        scene.commit();
        scene
    }

    /// A sweep too long for the cache passes it by and leaves what it has gathered, so what it hits must not become a hint there.
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
        assert!(cache.sweep(&few, HintSlot::Step, &near, &short, &filter).is_some());
        assert!(cache.sweep(&many, HintSlot::Step, &high, &long, &filter).is_some());
        assert!(!cache.is_stopped_again(&few, HintSlot::Step, (&near, &short), &filter));
    }
}

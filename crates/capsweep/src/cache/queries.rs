//! The queries of a scene, through a cache.

use crate::cache::{HintSlot, TriangleCache};
use crate::query::closest::closest_points;
use crate::query::overlap::{all_overlaps, deepest_overlap, visit_overlaps};
use crate::query::ray::first_ray_hit;
use crate::query::sweep::{first_hit, first_time, is_stopped_at_start};
use crate::query::sweep_where::first_accepted_hit;
use crate::scene::{Filter, HitTarget, Scene, SceneHit};
use crate::traverse::neighborhood::TriangleRef;
use crate::{Capsule, ClosestPoints, Limit, Motion, Overlap, Ray, RayHit, SweepHit};

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
        // Returned as it is: taking the hit out of the option would copy it twice.
        let found = self.query(scene, swept, (filter.sides, Some(hint)), |source| {
            first_hit(scene.content(), source, swept, filter, barycentrics)
        });
        if let Some(hit) = &found {
            self.remember(scene, hint, || TriangleRef::of(scene, &hit.target));
        }
        found
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

    /// As [`Scene::overlap`], with the same bits.
    ///
    /// ```
    /// use capsweep::cache::TriangleCache;
    /// use capsweep::scene::{Body, Filter, Scene, Shape};
    /// use capsweep::{Capsule, Limit, Motion, Ray, Sphere};
    /// use glam::{DVec3, dvec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert(Body::shape(Shape::Sphere(Sphere::new(dvec3(0.9, 0.0, 0.0), 0.5)?)));
    /// let (mut cache, filter) = (TriangleCache::new(), Filter::default());
    ///
    /// let capsule = Capsule::from_center(DVec3::ZERO, DVec3::Z * 0.5, 0.5)?;
    /// let overlap = cache.overlap(&scene, &capsule, &filter).expect("0.1 m deep");
    /// assert_eq!(Some(overlap), scene.overlap(&capsule, &filter));
    /// let limit = Limit::new(1.0)?;
    /// let closest = cache.closest(&scene, &capsule, limit, &filter);
    /// assert_eq!(closest, scene.closest(&capsule, limit, &filter));
    /// let ray = Ray::new(DVec3::ZERO, Motion::new(DVec3::X)?)?;
    /// assert_eq!(cache.ray(&scene, &ray, &filter), scene.ray(&ray, &filter));
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn overlap(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        filter: &Filter,
    ) -> Option<SceneHit<Overlap>> {
        self.query(scene, (capsule, &Motion::ZERO), (filter.sides, None), |source| {
            deepest_overlap(scene.content(), source, capsule, filter)
        })
    }

    /// As [`Scene::closest`], with the same bits.
    ///
    /// The cache is filled for everything within `limit`, if that is no further than
    /// [`CacheOptions::longest_motion`](crate::cache::CacheOptions::longest_motion) allows.
    pub fn closest(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        limit: Limit,
        filter: &Filter,
    ) -> Option<SceneHit<ClosestPoints>> {
        self.query_near(scene, (capsule, limit.metres()), |source| {
            closest_points(scene.content(), source, (capsule, limit), filter)
        })
    }

    /// As [`Scene::ray`], with the same bits.
    ///
    /// A ray within the cache's [box](Self::bounds) is answered from it. No ray fills it: that is
    /// for [`TriangleCache::update`], and for queries with a capsule.
    pub fn ray(&mut self, scene: &Scene, ray: &Ray, filter: &Filter) -> Option<SceneHit<RayHit>> {
        self.query_along(scene, ray, filter.sides, |source| {
            first_ray_hit(scene.content(), source, ray, filter)
        })
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

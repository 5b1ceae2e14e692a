//! The scene as one character queries it. No other part of the controller knows where the geometry
//! comes from.

use crate::cache::{HintSlot, TriangleCache};
use crate::controller::input::Surroundings;
use crate::query::Depenetration;
use crate::scene::{Bodies, BodyId, Filter, HitTarget, Scene, SceneHit, StartOverlaps};
use crate::{Capsule, Motion, Overlap, Ray, RayHit, Sides, SweepHit};
use glam::DVec3;

/// A scene, the character's cache, and the filter of its move.
pub(crate) struct World<'a> {
    scene: &'a Scene,
    cache: &'a mut TriangleCache,
    filter: Filter,
    /// The character's own body.
    ignore: Option<BodyId>,
}

impl<'a> World<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        cache: &'a mut TriangleCache,
        Surroundings { filter, ignore }: Surroundings,
    ) -> Self {
        let filter = Filter { start_overlaps: StartOverlaps::Report, ..filter };
        Self { scene, cache, filter, ignore }
    }

    /// First hit, overlaps at the start included. `hint`: the cache tests the triangle first that
    /// the last sweep with the same hint hit.
    #[inline]
    pub(crate) fn sweep(
        &mut self,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_by(hint, (capsule, motion), self.filter)
    }

    /// Time of the first hit, without the rest of it.
    pub(crate) fn sweep_time(
        &mut self,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<f64> {
        if self.ignore.is_none() {
            return self.cache.sweep_time(self.scene, (capsule, motion), &self.filter, hint);
        }
        self.sweep(hint, capsule, motion).map(|hit| hit.hit.time)
    }

    /// Whether the triangle that the last sweep with this hint hit stops a sweep at its start.
    /// False if no such triangle is known.
    pub(crate) fn is_stopped_again(
        &self,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
    ) -> bool {
        self.ignore.is_none()
            && self.cache.is_stopped_again(self.scene, (capsule, motion), &self.filter, hint)
    }

    /// First hit, without surfaces that `capsule` overlaps at the start.
    pub(crate) fn sweep_past_overlaps(
        &mut self,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<SceneHit<SweepHit>> {
        let filter = Filter { start_overlaps: StartOverlaps::Skip, ..self.filter };
        self.sweep_by(HintSlot::Side, (capsule, motion), filter)
    }

    /// First hit, without those of `body`.
    pub(crate) fn sweep_past_body(
        &self,
        (capsule, motion): (&Capsule, &Motion),
        body: BodyId,
        start_overlaps: StartOverlaps,
    ) -> Option<SceneHit<SweepHit>> {
        let filter = Filter { start_overlaps, ..self.filter };
        let others = |target: &HitTarget| !target.body.names_same(body) && !self.ignores(target);
        self.scene.sweep_where(capsule, motion, &filter, others)
    }

    /// First hit with `body`, without surfaces that `capsule` overlaps at the start.
    pub(crate) fn sweep_onto_body(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        body: BodyId,
    ) -> Option<SceneHit<SweepHit>> {
        let filter = Filter { start_overlaps: StartOverlaps::Skip, ..self.filter };
        let its_own = |target: &HitTarget| target.body.names_same(body);
        self.scene.sweep_where(capsule, motion, &filter, its_own)
    }

    /// First hit with a front, without surfaces that `capsule` overlaps at the start.
    pub(crate) fn sweep_to_front(
        &mut self,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<SceneHit<SweepHit>> {
        let sides = Sides::Front;
        let filter = Filter { sides, start_overlaps: StartOverlaps::Skip, ..self.filter };
        self.sweep_by(HintSlot::Up, (capsule, motion), filter)
    }

    #[inline]
    fn sweep_by(
        &mut self,
        hint: HintSlot,
        (capsule, motion): (&Capsule, &Motion),
        filter: Filter,
    ) -> Option<SceneHit<SweepHit>> {
        match self.ignore {
            None => self.cache.sweep_with(self.scene, (capsule, motion), &filter, hint, false),
            Some(own) => {
                let others = |target: &HitTarget| !target.body.names_same(own);
                self.cache.sweep_where(self.scene, capsule, motion, &filter, hint, others)
            }
        }
    }

    /// The deepest overlap.
    pub(crate) fn overlap(&self, capsule: &Capsule) -> Option<SceneHit<Overlap>> {
        self.scene.overlap_where(capsule, &self.filter, &|target| !self.ignores(target))
    }

    /// The push that frees `capsule` of everything it overlaps.
    pub(crate) fn depenetrate(&self, capsule: &Capsule) -> Depenetration {
        self.scene
            .depenetrate_on_either_side(capsule, &self.filter, &|target| !self.ignores(target))
    }

    /// Whether any overlap of `capsule` meets `condition`.
    pub(crate) fn any_overlap(
        &mut self,
        capsule: &Capsule,
        condition: impl Fn(&Overlap) -> bool,
    ) -> bool {
        let ignore = self.ignore;
        let ignored = |target: &HitTarget| ignore.is_some_and(|own| target.body.names_same(own));
        let mut found = false;
        self.cache.visit_overlaps(self.scene, capsule, &self.filter, &mut |overlap| {
            found |= condition(&overlap.hit) && !ignored(&overlap.target);
        });
        found
    }

    fn ignores(&self, target: &HitTarget) -> bool {
        self.ignore.is_some_and(|own| target.body.names_same(own))
    }

    /// Whether `capsule` overlaps anything.
    pub(crate) fn overlaps(&mut self, capsule: &Capsule) -> bool {
        self.overlaps_among(capsule, self.filter.bodies)
    }

    /// Whether `capsule` overlaps a dynamic body.
    pub(crate) fn overlaps_dynamic(&mut self, capsule: &Capsule) -> bool {
        self.overlaps_among(capsule, Bodies::Dynamic)
    }

    /// Whether the scene has dynamic bodies that the filter lets through.
    pub(crate) fn has_dynamic_bodies(&self) -> bool {
        self.filter.bodies != Bodies::Static && self.scene.has_dynamic()
    }

    fn overlaps_among(&mut self, capsule: &Capsule, bodies: Bodies) -> bool {
        let filter = Filter { bodies, ..self.filter };
        match self.ignore {
            None => self.scene.overlaps(capsule, &filter),
            Some(_) => self.sweep_by(HintSlot::Side, (capsule, &Motion::ZERO), filter).is_some(),
        }
    }

    /// First wall along a ray: a surface of the sides that a sweep can hit.
    pub(crate) fn ray_to_wall(&self, origin: DVec3, motion: &Motion) -> Option<SceneHit<RayHit>> {
        self.ray(origin, motion, self.filter.sides)
    }

    /// First surface along a ray that starts inside the character. The ray skips solids that hold
    /// its origin, so also the character's own body.
    pub(crate) fn ray(
        &self,
        origin: DVec3,
        motion: &Motion,
        sides: Sides,
    ) -> Option<SceneHit<RayHit>> {
        let filter = Filter { sides, start_overlaps: StartOverlaps::Skip, ..self.filter };
        self.scene.ray(&Ray::new(origin, *motion).ok()?, &filter)
    }
}

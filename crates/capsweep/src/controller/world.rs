//! Every question that a move asks of the scene. Nothing else in the controller knows where the geometry comes from.

use crate::cache::{HintSlot, TriangleCache};
use crate::controller::input::Surroundings;
use crate::query::Depenetration;
use crate::scene::{Bodies, BodyId, Filter, HitTarget, Scene, SceneHit, StartOverlaps};
use crate::{Capsule, Motion, Overlap, Ray, RayHit, Sides, SweepHit};
use glam::DVec3;

/// What a character can collide with.
pub(crate) struct World<'a> {
    scene: &'a Scene,
    cache: &'a mut TriangleCache,
    filter: Filter,
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

    /// First touch; overlaps at the start included. `hint` tells the cache which sweeps are alike.
    #[inline]
    pub(crate) fn sweep(
        &mut self,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_by(hint, (capsule, motion), self.filter)
    }

    /// When the first touch is.
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

    /// Whether a sweep is stopped at its start by what the last one with this hint ran into, as far as that is known.
    pub(crate) fn is_stopped_again(
        &self,
        hint: HintSlot,
        capsule: &Capsule,
        motion: &Motion,
    ) -> bool {
        self.ignore.is_none()
            && self.cache.is_stopped_again(self.scene, (capsule, motion), &self.filter, hint)
    }

    /// First touch with what is not overlapped at the start.
    pub(crate) fn sweep_past_overlaps(
        &mut self,
        capsule: &Capsule,
        motion: &Motion,
    ) -> Option<SceneHit<SweepHit>> {
        let filter = Filter { start_overlaps: StartOverlaps::Skip, ..self.filter };
        self.sweep_by(HintSlot::Side, (capsule, motion), filter)
    }

    /// First touch with another body than `body`.
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

    /// First touch with `body`, if that is not overlapped at the start.
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

    /// First touch with the front of what is not overlapped at the start.
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

    /// What `capsule` overlaps most.
    pub(crate) fn overlap(&self, capsule: &Capsule) -> Option<SceneHit<Overlap>> {
        self.scene.overlap_where(capsule, &self.filter, &|target| !self.ignores(target))
    }

    /// The short way out of everything that `capsule` overlaps.
    pub(crate) fn depenetrate(&self, capsule: &Capsule) -> Depenetration {
        self.scene
            .depenetrate_on_either_side(capsule, &self.filter, &|target| !self.ignores(target))
    }

    /// Everything that `capsule` overlaps, deepest first.
    pub(crate) fn overlap_all(&mut self, capsule: &Capsule, out: &mut Vec<SceneHit<Overlap>>) {
        self.cache.overlap_all(self.scene, capsule, &self.filter, out);
        if self.ignore.is_some() {
            out.retain(|overlap| !self.ignores(&overlap.target));
        }
    }

    fn ignores(&self, target: &HitTarget) -> bool {
        self.ignore.is_some_and(|own| target.body.names_same(own))
    }

    /// Whether `capsule` overlaps anything.
    pub(crate) fn overlaps(&mut self, capsule: &Capsule) -> bool {
        self.overlaps_among(capsule, self.filter.bodies)
    }

    /// Whether something that can move has come to overlap `capsule`.
    pub(crate) fn overlaps_dynamic(&mut self, capsule: &Capsule) -> bool {
        self.overlaps_among(capsule, Bodies::Dynamic)
    }

    /// Whether anything that can move is in sight.
    pub(crate) fn moves(&self) -> bool {
        self.filter.bodies != Bodies::Static && self.scene.has_dynamic()
    }

    fn overlaps_among(&mut self, capsule: &Capsule, bodies: Bodies) -> bool {
        let filter = Filter { bodies, ..self.filter };
        match self.ignore {
            None => self.scene.overlaps(capsule, &filter),
            Some(_) => self.sweep_by(HintSlot::Side, (capsule, &Motion::ZERO), filter).is_some(),
        }
    }

    /// What a sweep could hit along a ray from inside of the character.
    pub(crate) fn wall(&self, origin: DVec3, motion: &Motion) -> Option<SceneHit<RayHit>> {
        self.ray(origin, motion, self.filter.sides)
    }

    /// First surface along a ray from inside of the character, of those that face it or of all. Its own body holds the origin and is passed over.
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

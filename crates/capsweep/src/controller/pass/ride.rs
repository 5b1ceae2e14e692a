//! The ride: motion with the body under the character's feet.

use crate::cache::HintSlot;
use crate::controller::input::{Carrier, MoveInput, Ride};
use crate::controller::outcome::{Ground, Pass};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Footing};
use crate::scene::{SceneHit, StartOverlaps};
use crate::{Motion, SweepHit};
use glam::{DQuat, DVec3};

impl MoveContext<'_> {
    /// Lifts the character with the body under its feet. Returns the rest of the body's
    /// displacement, which the side and down passes make.
    ///
    /// The lift is swept, so it stops at a ceiling. The body is at its next pose already and
    /// overlaps the character; a sweep that leads out of an overlap is not stopped by it.
    pub(crate) fn ride(&mut self, state: &CharacterState, input: &MoveInput) -> DVec3 {
        let Some(carrier) = &input.carrier else { return DVec3::ZERO };
        if carrier.ride == Ride::Boarded {
            self.ride_aboard(carrier);
            return DVec3::ZERO;
        }
        let Some(footing) = &state.footing else { return DVec3::ZERO };
        if !carrier.body.names_same(footing.body) || carrier.ride == Ride::Manual {
            return DVec3::ZERO;
        }
        let whole = carrier.forward(footing.point) - footing.point;
        let rise = whole.dot(self.up);
        let level = match carrier.ride {
            Ride::Full => whole - self.up * rise,
            Ride::Vertical | Ride::Manual | Ride::Boarded => DVec3::ZERO,
        };
        self.out.carried.displacement = level + self.up * rise;
        self.out.carried.rotation = carrier.rotation();
        if rise <= 0.0 {
            return level + self.up * rise;
        }
        let lift = self.up * rise;
        self.out.stats.up += 1;
        let mut hit = self.sweep_vertical(HintSlot::Up, self.center, rise);
        if hit.as_ref().is_some_and(|hit| self.is_lifted_by(hit, carrier)) {
            let sweep = self.capsule_at(self.center).zip(self.in_range(Motion::new(lift)));
            hit = sweep.and_then(|(capsule, motion)| {
                let report = StartOverlaps::Report;
                self.world.sweep_past_body((&capsule, &motion), carrier.body, report)
            });
        }
        match &hit {
            None => self.center += lift,
            Some(hit) => {
                self.center += lift * hit.hit.time;
                self.out.carried.blocked = true;
                self.out.touching.above = true;
                self.add_contact(Pass::Ride, hit);
            }
        }
        level
    }

    /// Moves the character with its transport, by one sweep past the transport's own surfaces:
    /// they keep their places relative to the character.
    #[cold]
    fn ride_aboard(&mut self, carrier: &Carrier) {
        let feet = self.center - self.up * (self.half_axis.length() + self.skinned_radius());
        let whole = carrier.forward(feet) - feet;
        self.out.carried.displacement = whole;
        self.out.carried.rotation = carrier.rotation();
        let Some(motion) = self.in_range(Motion::new(whole)).filter(|motion| !motion.is_zero())
        else {
            return;
        };
        let Some(capsule) = self.capsule_at(self.center) else { return };
        self.out.stats.up += 1;
        let report = StartOverlaps::Report;
        let hit = self.world.sweep_past_body((&capsule, &motion), carrier.body, report);
        match &hit {
            None => self.center += whole,
            Some(hit) => {
                self.center += whole * hit.hit.time;
                self.out.carried.blocked = true;
                self.add_contact(Pass::Ride, hit);
            }
        }
    }

    /// Whether the hit of a lift is the lifting body itself, from below. A sweep also reports
    /// two-sided surfaces that it leads out of.
    fn is_lifted_by(&self, hit: &SceneHit<SweepHit>, carrier: &Carrier) -> bool {
        hit.hit.starts_overlapping()
            && hit.target.body.names_same(carrier.body)
            && hit.hit.normal.as_dvec3().dot(self.up) > 0.0
    }
}

impl Carrier {
    /// The body's rotation.
    pub(crate) fn rotation(&self) -> DQuat {
        self.next.rotation() * self.previous.rotation().conjugate()
    }

    /// Where the body's motion takes a point of it.
    pub(crate) fn forward(&self, point: DVec3) -> DVec3 {
        self.next.point_to_world(self.previous.point_to_local(point))
    }

    /// Where a point of the body was before its motion.
    fn back(&self, point: DVec3) -> DVec3 {
        self.previous.point_to_world(self.next.point_to_local(point))
    }
}

impl MoveInput {
    /// The footing after the motion of the body under it, with that motion's velocity.
    pub(crate) fn carried(&self, footing: Footing) -> Footing {
        match &self.carrier {
            Some(carrier)
                if carrier.body.names_same(footing.body) && carrier.ride != Ride::Manual =>
            {
                let point = carrier.forward(footing.point);
                let still = DVec3::ZERO;
                let velocity =
                    if self.dt > 0.0 { (point - footing.point) / self.dt } else { still };
                Footing { point, velocity, ..footing }
            }
            _ => footing,
        }
    }

    /// Velocity of the ground at its contact point; 0 if the input has no carrier for it.
    pub(crate) fn velocity_of(&self, ground: &Ground) -> DVec3 {
        match &self.carrier {
            Some(carrier) if carrier.body.names_same(ground.target.body) && self.dt > 0.0 => {
                (ground.point - carrier.back(ground.point)) / self.dt
            }
            _ => DVec3::ZERO,
        }
    }
}

//! A planned move: makes it, and removes the velocity that contacts stop.

use crate::Motion;
use crate::controller::NonWalkable;
use crate::controller::input::{Carrier, MoveInput, MoveStyle, Ride};
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::state::LocomotionState;
use crate::controller::outcome::{Contact, MoveOutcome, Pass};
use crate::error::ShapeError;
use crate::tolerance::STUCK_FRACTION;
use glam::DVec3;

/// A planned move.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedMove {
    /// Seconds.
    pub(super) dt: f64,
    pub(super) displacement: DVec3,
    /// Velocity after it, without collisions.
    pub(super) velocity: DVec3,
    /// Velocity that the ground adds if the character leaves it.
    pub(super) inherited: DVec3,
    pub(super) style: MoveStyle,
    /// As [`MoveInput::floor`].
    pub(super) floor: Option<f64>,
}

impl Tick<'_> {
    /// Makes a planned move. Returns the state after it, in the mode of `state`.
    ///
    /// In the second part of a split tick the outcome covers both parts. The first part made the
    /// whole ride.
    pub(super) fn make(
        &mut self,
        state: &LocomotionState,
        plan: &PlannedMove,
    ) -> Result<LocomotionState, ShapeError> {
        let still = |carrier| Carrier { ride: Ride::Manual, ..carrier };
        let carrier = self.input.carrier;
        let input = MoveInput {
            displacement: Motion::new(plan.displacement)?,
            dt: self.input.dt,
            surroundings: self.input.surroundings,
            slippery: self.input.slippery,
            carrier: if self.is_split { carrier.map(still) } else { carrier },
            style: plan.style,
            hover: self.input.abilities.hover,
            floor: plan.floor,
        };
        let earlier = self.is_split.then(|| self.outcome.without_contacts());
        if earlier.is_none() {
            self.outcome.contacts.clear();
        }
        let first = self.outcome.contacts.len();
        let controller = &self.locomotion.controller;
        controller.move_on(self.scene, self.cache, &state.character, &input, self.outcome);
        let mut velocity = self.velocity_after(plan, first);
        if plan.dt > 0.0 && plan.is_stuck(self.outcome, first) {
            // A stuck character gains no speed, so that it falls from rest once it is free.
            let up = self.up;
            let (fall, made) = (velocity.dot(up), self.outcome.achieved.dot(up).abs() / plan.dt);
            velocity += up * (fall.clamp(-made, made) - fall);
        }
        if let Some(earlier) = earlier {
            self.outcome.add_earlier(&earlier);
        }
        Ok(LocomotionState { character: self.outcome.state, velocity, ..*state })
    }

    /// The velocity after a move, without the parts that contacts removed. The contacts of the
    /// move start at number `first`.
    fn velocity_after(&self, plan: &PlannedMove, first: usize) -> DVec3 {
        let (up, outcome) = (self.up, &*self.outcome);
        let mut velocity = plan.velocity;
        let walks = plan.style == MoveStyle::Walk;
        if walks && outcome.is_grounded() {
            return velocity - up * velocity.dot(up);
        }
        if outcome.ground.is_none_or(|ground| !ground.touched) {
            velocity += plan.inherited;
        }
        if outcome.touching.above {
            velocity -= up * velocity.dot(up).max(0.0);
        }
        let slides = self.locomotion.controller.config.non_walkable == NonWalkable::Slide;
        for contact in outcome.contacts.iter().skip(first) {
            let normal = match contact.pass {
                Pass::Side => self.level(contact.normal.as_dvec3()).normalize_or_zero(),
                Pass::Free => contact.normal.as_dvec3(),
                // The ground below a swimmer or flyer carries it, but removes no velocity.
                Pass::Down if !walks => continue,
                // A slide keeps the part of its velocity along the slope. A character that stays
                // on the slope loses its fall.
                Pass::Down if slides => contact.normal.as_dvec3(),
                Pass::Down => up,
                Pass::Ride | Pass::Recovery | Pass::Up | Pass::Step => continue,
            };
            velocity -= normal * velocity.dot(normal).min(0.0);
        }
        velocity
    }
}

impl PlannedMove {
    /// Whether the character is stuck and loses its speed: in too little room, or in a groove. The
    /// contacts of the move start at number `first`.
    fn is_stuck(&self, outcome: &MoveOutcome, first: usize) -> bool {
        let stopped = || outcome.achieved.length() <= STUCK_FRACTION * self.displacement.length();
        let fell = |contact: &Contact| contact.pass == Pass::Down;
        outcome.obstruction.is_overlap()
            || (outcome.contacts.iter().skip(first).any(fell) && stopped())
    }
}

#[cfg(test)]
mod tests {
    use super::PlannedMove;
    use crate::Feature;
    use crate::controller::MoveStyle;
    use crate::controller::{Contact, Controller, ControllerConfig, MoveOutcome, Pass};
    use crate::scene::{Body, Scene, Shape};
    use crate::{Capsule, HalfSpace, Motion, Region};
    use glam::{DVec3, Vec3};

    #[test]
    fn a_fall_that_makes_a_fiftieth_of_its_length_keeps_its_speed() {
        let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
        let state = controller.spawn(DVec3::ZERO).unwrap();
        let plan = PlannedMove {
            dt: 0.1,
            displacement: DVec3::Z * -2.0,
            velocity: DVec3::ZERO,
            inherited: DVec3::ZERO,
            style: MoveStyle::Walk,
            floor: None,
        };
        let mut scene = Scene::new();
        let ground = HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap();
        scene.insert(Body::shape(Shape::HalfSpace(ground)));
        let ball = Capsule::new(DVec3::Z, DVec3::Z, 0.5).unwrap();
        let fall = Motion::new(DVec3::Z * -2.0).unwrap();
        let target = scene.sweep(&ball, &fall, &crate::scene::Filter::default()).unwrap().target;
        let contact = |pass| Contact {
            pass,
            point: DVec3::ZERO,
            normal: Vec3::Z,
            face_normal: Vec3::Z,
            feature: Feature::Face,
            region: Region::Bottom,
            target,
        };
        let is_stuck = |made: f64, pass| {
            let mut outcome = MoveOutcome::unmoved(state);
            outcome.achieved = DVec3::Z * -made;
            outcome.contacts.push(contact(pass));
            plan.is_stuck(&outcome, 0)
        };
        // A hundredth of 2 m is 0.02 m.
        assert!(is_stuck(0.004, Pass::Down) && is_stuck(0.019, Pass::Down));
        assert!(!is_stuck(0.021, Pass::Down) && !is_stuck(0.04, Pass::Down));
        assert!(!is_stuck(0.0, Pass::Side));
    }
}

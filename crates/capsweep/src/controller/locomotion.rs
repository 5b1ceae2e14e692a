//! Locomotion: turns velocities, gravity and jumps into moves.

use crate::Motion;
use crate::cache::TriangleCache;
use crate::controller::input::{Carrier, MoveInput, Surroundings};
use crate::controller::outcome::{Contact, MoveOutcome, Pass};
use crate::controller::state::CharacterState;
use crate::controller::{ConfigError, Controller, NonWalkable};
use crate::error::{MAX_POSITION, MAX_SIZE, ShapeError, check_number, check_position, xyz};
use crate::scene::Scene;
use crate::tolerance::STUCK_FRACTION;
use glam::DVec3;

/// How a character falls, jumps and steers in the air. Units are metres and seconds, or the
/// scene's unit. Every value is 0 to 10⁶. Start from [`human`](Self::human) or [`wow`](Self::wow).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionConfig {
    /// Acceleration of a fall (m/s²). Presets: 9.81 `human`, 19.29 `wow`.
    pub gravity: f64,
    /// Largest speed of a fall (m/s). Presets: 55 `human`, 60.15 `wow`.
    pub terminal_speed: f64,
    /// Upward speed at the start of a jump (m/s). Presets: 3.13 `human`, 7.96 `wow`.
    pub jump_speed: f64,
    /// How fast the level velocity in the air changes towards [`LocomotionInput::walk`] (m/s²). 0
    /// keeps the velocity of the take-off. Presets: 8 `human`, 0 `wow`.
    pub air_acceleration: f64,
}

impl LocomotionConfig {
    /// A person on Earth, with jumps half a metre high.
    pub fn human() -> Self {
        Self { gravity: 9.81, terminal_speed: 55.0, jump_speed: 3.13, air_acceleration: 8.0 }
    }

    /// A character of World of Warcraft, in yards. Its jump is 1.64 high and takes 0.825 s.
    pub fn wow() -> Self {
        Self {
            gravity: 19.291_105_27,
            terminal_speed: 60.148_003,
            jump_speed: 7.955_547,
            air_acceleration: 0.0,
        }
    }
}

/// A character and its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionState {
    /// The character.
    pub character: CharacterState,
    /// Velocity in the air (m/s). On the ground, the velocity with which it would leave the
    /// ground: its walk, without the ground's own velocity.
    pub velocity: DVec3,
}

impl LocomotionState {
    /// A character at rest.
    pub fn at_rest(character: CharacterState) -> Self {
        Self { character, velocity: DVec3::ZERO }
    }
}

/// One tick's input.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionInput {
    /// Velocity to walk with (m/s). Its part along `up` is ignored. In the air the character
    /// steers towards it.
    pub walk: DVec3,
    /// Jump, if the character stands on walkable ground; false by default.
    pub jump: bool,
    /// Duration of the tick (seconds), 0 or more.
    pub dt: f64,
    /// As [`MoveInput::surroundings`].
    pub surroundings: Surroundings,
    /// As [`MoveInput::slippery`].
    pub slippery: bool,
    /// As [`MoveInput::carrier`].
    pub carrier: Option<Carrier>,
}

impl LocomotionInput {
    /// Walks with velocity `walk` (m/s) for `dt` seconds, among everything and without a jump.
    pub fn new(walk: DVec3, dt: f64) -> Self {
        let surroundings = Surroundings::default();
        Self { walk, jump: false, dt, surroundings, slippery: false, carrier: None }
    }
}

/// Walks, falls and jumps with a [`Controller`].
///
/// Displacements are exact for constant acceleration. So the length of a tick does not change how
/// far a character falls, jumps and walks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Locomotion {
    controller: Controller,
    config: LocomotionConfig,
}

impl Locomotion {
    /// Locomotion with this controller and configuration.
    ///
    /// # Errors
    /// If a number of `config` is not finite, out of range or negative.
    pub fn new(controller: Controller, config: LocomotionConfig) -> Result<Self, ConfigError> {
        let LocomotionConfig { gravity, terminal_speed, jump_speed, air_acceleration } = config;
        for (field, value) in [
            ("gravity", gravity),
            ("terminal_speed", terminal_speed),
            ("jump_speed", jump_speed),
            ("air_acceleration", air_acceleration),
        ] {
            check_number(field, value, MAX_SIZE)?;
            if value < 0.0 {
                return Err(ShapeError::Negative { field, value }.into());
            }
        }
        Ok(Self { controller, config })
    }

    /// The controller.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// The configuration.
    pub fn config(&self) -> &LocomotionConfig {
        &self.config
    }

    /// Moves a character for `input.dt` seconds. Returns its next state and the move's outcome.
    ///
    /// Contacts take the velocity into the surface away. A character that leaves moving ground
    /// keeps the ground's velocity; a jump also keeps its upward part.
    ///
    /// # Errors
    /// If a number of `input` or the state's velocity is not finite or out of range, or `dt` is
    /// negative.
    pub fn tick(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &LocomotionState,
        input: &LocomotionInput,
    ) -> Result<(LocomotionState, MoveOutcome), ShapeError> {
        let mut outcome = MoveOutcome::unmoved(state.character);
        let state = self.tick_into(scene, cache, state, input, &mut outcome)?;
        Ok((state, outcome))
    }

    /// As [`Locomotion::tick`], into an existing outcome: repeated ticks allocate nothing.
    ///
    /// # Errors
    /// As [`Locomotion::tick`].
    #[allow(clippy::too_many_arguments, reason = "those of `tick`, and the outcome to reuse")]
    pub fn tick_into(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &LocomotionState,
        input: &LocomotionInput,
        outcome: &mut MoveOutcome,
    ) -> Result<LocomotionState, ShapeError> {
        let plan = self.plan(state, input)?;
        let move_input = MoveInput {
            displacement: Motion::new(plan.displacement)?,
            dt: input.dt,
            surroundings: input.surroundings,
            slippery: input.slippery,
            carrier: input.carrier,
        };
        self.controller.move_into(scene, cache, &state.character, &move_input, outcome);
        let mut velocity = self.velocity_after(&plan, outcome);
        if input.dt > 0.0 && plan.is_stuck(outcome) {
            // A stuck character gains no speed, so that it falls from rest once it is free.
            let up = self.controller.up;
            let (fall, made) = (velocity.dot(up), outcome.achieved.dot(up).abs() / input.dt);
            velocity += up * (fall.clamp(-made, made) - fall);
        }
        Ok(LocomotionState { character: outcome.state, velocity })
    }

    /// The displacement of a tick, and the velocity after it without collisions.
    fn plan(
        &self,
        state: &LocomotionState,
        input: &LocomotionInput,
    ) -> Result<PlannedMove, ShapeError> {
        check_position(xyz!("walk"), input.walk)?;
        check_position(xyz!("velocity"), state.velocity)?;
        check_number("dt", input.dt, MAX_POSITION)?;
        if input.dt < 0.0 {
            return Err(ShapeError::Negative { field: "dt", value: input.dt });
        }
        let up = self.controller.up;
        let walk = input.walk - up * input.walk.dot(up);
        let ground = state.character.footing().filter(|footing| footing.walkable);
        let Some(ground) = ground else {
            let rising = state.velocity.dot(up);
            let level = state.velocity - up * rising;
            let (glide, level) = self.steer(level, walk, input.dt);
            let (fall, rising) = self.fall(rising, input.dt);
            let velocity = level + up * rising;
            return Ok(PlannedMove {
                displacement: glide + up * fall,
                velocity,
                inherited: DVec3::ZERO,
            });
        };
        if !input.jump {
            let (fall, rising) = self.fall(0.0, input.dt);
            let displacement = walk * input.dt + up * fall;
            return Ok(PlannedMove {
                displacement,
                velocity: walk + up * rising,
                inherited: ground.velocity,
            });
        }
        // A jump keeps the ground's velocity: its rise too, but not its fall.
        let lift = ground.velocity.dot(up);
        let drift = ground.velocity - up * lift;
        let (fall, rising) = self.fall(self.config.jump_speed + lift.max(0.0), input.dt);
        let carried = if input.carrier.is_some() { DVec3::ZERO } else { drift * input.dt };
        Ok(PlannedMove {
            displacement: walk * input.dt + carried + up * fall,
            velocity: walk + drift + up * rising,
            inherited: DVec3::ZERO,
        })
    }

    /// Displacement along `up` during `dt`, and the speed after it, from an upward `speed`.
    fn fall(&self, speed: f64, dt: f64) -> (f64, f64) {
        let LocomotionConfig { gravity, terminal_speed, .. } = self.config;
        let speed = speed.max(-terminal_speed);
        let after = speed - gravity * dt;
        if after >= -terminal_speed {
            return (speed * dt - 0.5 * gravity * dt * dt, after);
        }
        let falling = (speed + terminal_speed) / gravity;
        let fallen = speed * falling - 0.5 * gravity * falling * falling;
        (fallen - terminal_speed * (dt - falling), -terminal_speed)
    }

    /// Displacement during `dt` in the air, and the velocity after it, from `velocity` towards
    /// `desired`.
    fn steer(&self, velocity: DVec3, desired: DVec3, dt: f64) -> (DVec3, DVec3) {
        let acceleration = self.config.air_acceleration;
        let change = desired - velocity;
        let Some(direction) = change.try_normalize() else { return (velocity * dt, velocity) };
        let needed = change.length();
        let gained = acceleration * dt;
        if gained <= needed {
            let after = velocity + direction * gained;
            return ((velocity + after) * (0.5 * dt), after);
        }
        let turning = needed / acceleration;
        ((velocity + desired) * (0.5 * turning) + desired * (dt - turning), desired)
    }

    /// The velocity after a move, without the parts that contacts took away.
    fn velocity_after(&self, plan: &PlannedMove, outcome: &MoveOutcome) -> DVec3 {
        let up = self.controller.up;
        let mut velocity = plan.velocity;
        if outcome.is_grounded() {
            return velocity - up * velocity.dot(up);
        }
        if outcome.ground.is_none_or(|ground| !ground.touched) {
            velocity += plan.inherited;
        }
        if outcome.touching.above {
            velocity -= up * velocity.dot(up).max(0.0);
        }
        let slides = self.controller.config.non_walkable == NonWalkable::Slide;
        for contact in &outcome.contacts {
            let normal = match contact.pass {
                Pass::Side => {
                    let normal = contact.normal.as_dvec3();
                    (normal - up * normal.dot(up)).normalize_or_zero()
                }
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

/// A planned move.
struct PlannedMove {
    displacement: DVec3,
    /// Velocity after it, without collisions.
    velocity: DVec3,
    /// Velocity that the ground adds if the character leaves it.
    inherited: DVec3,
}

impl PlannedMove {
    /// Whether the character is stuck and loses its speed: in too little room, or in a groove.
    fn is_stuck(&self, outcome: &MoveOutcome) -> bool {
        let stopped = || outcome.achieved.length() <= STUCK_FRACTION * self.displacement.length();
        let fell = |contact: &Contact| contact.pass == Pass::Down;
        outcome.obstruction.is_overlap() || (outcome.contacts.iter().any(fell) && stopped())
    }
}

#[cfg(test)]
mod tests {
    use super::PlannedMove;
    use crate::Feature;
    use crate::controller::{Contact, Controller, ControllerConfig, MoveOutcome, Pass};
    use crate::scene::{Body, Scene, Shape};
    use crate::{Capsule, HalfSpace, Motion, Region};
    use glam::{DVec3, Vec3};

    #[test]
    fn a_fall_that_makes_a_fiftieth_of_its_length_keeps_its_speed() {
        let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
        let state = controller.spawn(DVec3::ZERO).unwrap();
        let plan = PlannedMove {
            displacement: DVec3::Z * -2.0,
            velocity: DVec3::ZERO,
            inherited: DVec3::ZERO,
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
            plan.is_stuck(&outcome)
        };
        // A hundredth of 2 m is 0.02 m.
        assert!(is_stuck(0.004, Pass::Down) && is_stuck(0.019, Pass::Down));
        assert!(!is_stuck(0.021, Pass::Down) && !is_stuck(0.04, Pass::Down));
        assert!(!is_stuck(0.0, Pass::Side));
    }
}

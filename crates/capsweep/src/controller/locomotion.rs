//! From velocities, gravity and jumps to displacements: a character that just works.

use crate::Motion;
use crate::cache::TriangleCache;
use crate::controller::input::{Carrier, MoveInput, Surroundings};
use crate::controller::outcome::{Contact, MoveOutcome, Pass};
use crate::controller::state::CharacterState;
use crate::controller::{ConfigError, Controller, NonWalkable};
use crate::error::{MAX_POSITION, MAX_SIZE, ShapeError, check_number, check_position, xyz};
use crate::scene::Scene;
use glam::DVec3;

/// How a character falls, jumps and steers in the air. Metres and seconds, or the scene's units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionConfig {
    /// Acceleration of a fall.
    pub gravity: f64,
    /// Fastest fall.
    pub terminal_speed: f64,
    /// Speed with which a jump leaves the ground.
    pub jump_speed: f64,
    /// How fast the level velocity follows the wish in the air; 0 keeps that of the take-off.
    pub air_acceleration: f64,
}

impl LocomotionConfig {
    /// A person on Earth who jumps half a metre high.
    pub fn human() -> Self {
        Self { gravity: 9.81, terminal_speed: 55.0, jump_speed: 3.13, air_acceleration: 8.0 }
    }

    /// A character of World of Warcraft, in yards: it rises 1.64 and is in the air for 0.825 s.
    pub fn wow() -> Self {
        Self {
            gravity: 19.291_105_27,
            terminal_speed: 60.148_003,
            jump_speed: 7.955_547,
            air_acceleration: 0.0,
        }
    }
}

/// A character and how fast it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionState {
    /// The character.
    pub character: CharacterState,
    /// Its velocity in the air; on the ground, that with which it would leave it.
    pub velocity: DVec3,
}

impl LocomotionState {
    /// A character at rest.
    pub fn at_rest(character: CharacterState) -> Self {
        Self { character, velocity: DVec3::ZERO }
    }
}

/// What a character wants for `dt` seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionInput {
    /// Velocity to walk with; what of it is not level is ignored.
    pub walk: DVec3,
    /// Whether to jump, if there is ground to jump from.
    pub jump: bool,
    /// Seconds that pass.
    pub dt: f64,
    /// What it collides with.
    pub surroundings: Surroundings,
    /// As in [`MoveInput::slippery`].
    pub slippery: bool,
    /// As in [`MoveInput::carrier`].
    pub carrier: Option<Carrier>,
}

impl LocomotionInput {
    /// Walking with `walk` for `dt` seconds.
    pub fn new(walk: DVec3, dt: f64) -> Self {
        let surroundings = Surroundings::default();
        Self { walk, jump: false, dt, surroundings, slippery: false, carrier: None }
    }
}

/// Walks, falls and jumps with a [`Controller`].
///
/// Displacements are exact for constant acceleration, so how far a character falls, jumps and walks does not depend on how often it is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Locomotion {
    controller: Controller,
    config: LocomotionConfig,
}

impl Locomotion {
    /// Moves by `controller` and `config`.
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

    /// What it moves by.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// What it falls and jumps by.
    pub fn config(&self) -> &LocomotionConfig {
        &self.config
    }

    /// Moves a character for `input.dt` seconds.
    ///
    /// # Errors
    /// If a number of `input` is not finite or leads out of range, or `dt` is negative.
    pub fn tick(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &LocomotionState,
        input: &LocomotionInput,
    ) -> Result<(LocomotionState, MoveOutcome), ShapeError> {
        let mut outcome = MoveOutcome::still(state.character);
        let state = self.tick_into(scene, cache, state, input, &mut outcome)?;
        Ok((state, outcome))
    }

    /// As [`Locomotion::tick`], into an outcome whose memory is used again.
    ///
    /// # Errors
    /// As [`Locomotion::tick`].
    #[allow(clippy::too_many_arguments, reason = "a move, and the memory that it uses again")]
    pub fn tick_into(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &LocomotionState,
        input: &LocomotionInput,
        outcome: &mut MoveOutcome,
    ) -> Result<LocomotionState, ShapeError> {
        let flight = self.plan(state, input)?;
        let step = MoveInput {
            displacement: Motion::new(flight.displacement)?,
            dt: input.dt,
            surroundings: input.surroundings,
            slippery: input.slippery,
            carrier: input.carrier,
        };
        self.controller.move_into(scene, cache, &state.character, &step, outcome);
        let mut velocity = self.settle(&flight, outcome);
        if input.dt > 0.0 && flight.is_held(outcome) {
            // It falls from rest once it is free.
            let up = self.controller.up;
            let (fall, made) = (velocity.dot(up), outcome.achieved.dot(up).abs() / input.dt);
            velocity += up * (fall.clamp(-made, made) - fall);
        }
        Ok(LocomotionState { character: outcome.state, velocity })
    }

    /// Where a character wants to go, and how fast it would be then.
    fn plan(&self, state: &LocomotionState, input: &LocomotionInput) -> Result<Flight, ShapeError> {
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
            return Ok(Flight {
                displacement: glide + up * fall,
                velocity,
                inherited: DVec3::ZERO,
            });
        };
        if !input.jump {
            let (fall, rising) = self.fall(0.0, input.dt);
            let displacement = walk * input.dt + up * fall;
            return Ok(Flight {
                displacement,
                velocity: walk + up * rising,
                inherited: ground.velocity,
            });
        }
        // A jump takes along what the ground had: its lift too, but not its fall.
        let lift = ground.velocity.dot(up);
        let drift = ground.velocity - up * lift;
        let (fall, rising) = self.fall(self.config.jump_speed + lift.max(0.0), input.dt);
        let carried = if input.carrier.is_some() { DVec3::ZERO } else { drift * input.dt };
        Ok(Flight {
            displacement: walk * input.dt + carried + up * fall,
            velocity: walk + drift + up * rising,
            inherited: DVec3::ZERO,
        })
    }

    /// Displacement along up, and speed after it, of somebody who rises with `speed` now.
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

    /// Displacement and velocity after it of somebody who steers from `velocity` to `wish` in the air.
    fn steer(&self, velocity: DVec3, wish: DVec3, dt: f64) -> (DVec3, DVec3) {
        let acceleration = self.config.air_acceleration;
        let change = wish - velocity;
        let Some(towards) = change.try_normalize() else { return (velocity * dt, velocity) };
        let needed = change.length();
        let gained = acceleration * dt;
        if gained <= needed {
            let after = velocity + towards * gained;
            return ((velocity + after) * (0.5 * dt), after);
        }
        let turning = needed / acceleration;
        ((velocity + wish) * (0.5 * turning) + wish * (dt - turning), wish)
    }

    /// The velocity after a move, less what was run into.
    fn settle(&self, flight: &Flight, outcome: &MoveOutcome) -> DVec3 {
        let up = self.controller.up;
        let mut velocity = flight.velocity;
        if outcome.is_grounded() {
            return velocity - up * velocity.dot(up);
        }
        if outcome.ground.is_none_or(|ground| !ground.touched) {
            velocity += flight.inherited;
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
                // What slides keeps what of its fall runs along the slope; what stays has none.
                Pass::Down if slides => contact.normal.as_dvec3(),
                Pass::Down => up,
                Pass::Ride | Pass::Recovery | Pass::Up | Pass::Step => continue,
            };
            velocity -= normal * velocity.dot(normal).min(0.0);
        }
        velocity
    }
}

/// A move that was planned.
struct Flight {
    displacement: DVec3,
    /// Velocity after it, if nothing is in the way.
    velocity: DVec3,
    /// What the ground adds to it if it is left.
    inherited: DVec3,
}

impl Flight {
    /// Whether what the character is stuck in takes its speed: too little room, or a groove.
    fn is_held(&self, outcome: &MoveOutcome) -> bool {
        let stuck = || outcome.achieved.length() <= HELD * self.displacement.length();
        let fell = |contact: &Contact| contact.pass == Pass::Down;
        outcome.obstruction.is_overlap() || (outcome.contacts.iter().any(fell) && stuck())
    }
}

/// Less than this part of a motion is no headway.
const HELD: f64 = 0.01;

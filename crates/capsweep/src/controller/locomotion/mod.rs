//! Locomotion: turns velocities, gravity, jumps and water into moves. One file for each mode.
//!
//! [`Tick::mode_of`] is the state machine: it selects the mode of a character. The mode plans a
//! displacement and the velocity after it; [`Tick::make`] moves the character. A fall that enters
//! water splits the tick at that moment, and the rest of the tick swims.

mod config;
mod fall;
mod fly;
mod input;
mod plan;
mod state;
mod steering;
mod swim;
mod trace;
mod transport;
mod walk;
mod water;
mod water_walk;

pub use config::LocomotionConfig;
pub(in crate::controller) use config::check_amount;
pub use input::{Abilities, LocomotionInput};
pub use state::{Boarded, LocomotionState, Mode};
pub use steering::{Speeds, Steering};
pub use trace::TraceTick;
pub use transport::RelativePosition;
pub use water::Water;

use crate::cache::TriangleCache;
use crate::controller::outcome::MoveOutcome;
use crate::controller::state::CharacterState;
use crate::controller::{ConfigError, Controller};
use crate::error::ShapeError;
use crate::scene::Scene;
use glam::DVec3;

/// Walks, falls, jumps, swims and flies with a [`Controller`].
///
/// Displacements are exact for constant acceleration. So how far a character falls, jumps, swims,
/// flies and walks does not depend on the length of a tick.
///
/// ```
/// use capsweep::HalfSpace;
/// use capsweep::cache::TriangleCache;
/// use capsweep::controller::{
///     Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
///     LocomotionState, Mode, Speeds, Steering, Water,
/// };
/// use capsweep::scene::{Body, Scene, Shape};
/// use glam::{DVec3, dvec3};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A bed that falls away along x, and water with its surface at height 0.
/// let mut scene = Scene::new();
/// let bed = HalfSpace::new(DVec3::ZERO, dvec3(0.3, 0.0, 1.0))?;
/// scene.insert(Body::shape(Shape::HalfSpace(bed)));
///
/// let controller = Controller::new(ControllerConfig::wow())?;
/// let locomotion = Locomotion::new(controller, LocomotionConfig::wow())?;
/// let mut cache = TriangleCache::default();
/// let mut state = LocomotionState::at_rest(controller.spawn(DVec3::ZERO)?);
///
/// let ahead = Steering { forward: 1, ..Steering::default() };
/// for _ in 0..120 {
///     let velocity = ahead.velocity(&Speeds::wow(), state.mode, DVec3::Z)?;
///     let water = Water::Plane { surface: 0.0 };
///     let input = LocomotionInput { water, ..LocomotionInput::new(velocity, 1.0 / 60.0) };
///     let (next, _outcome) = locomotion.tick(&scene, &mut cache, &state, &input)?;
///     state = next;
/// }
/// // It walked into the water until the water was deep enough, and swims.
/// assert_eq!(state.mode, Mode::Swim);
/// let feet = controller.feet(&state.character);
/// assert!(feet.x > 10.0 && feet.z < -1.5);
/// # Ok(())
/// # }
/// ```
///
/// In the repository, `docs/movement.md` explains the modes.
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
        config.check()?;
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
    /// Contacts remove the velocity into the surface. A character that leaves moving ground keeps
    /// the ground's velocity; a jump also keeps its upward part. A tick in which the character
    /// falls into or onto water takes three moves: one finds the water, and the outcome is that of
    /// the other two.
    ///
    /// # Errors
    /// If a number of `input` or a velocity of the state is not finite or out of range, or `dt` is
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
        input.check(state)?;
        let rooted = input.abilities.rooted;
        let mut tick = Tick {
            locomotion: self,
            scene,
            cache,
            input,
            outcome,
            up: self.controller.up,
            desired: if rooted { DVec3::ZERO } else { input.walk },
            jump: input.jump && !rooted,
            is_split: false,
        };
        let (state, boarded) = tick.board(state);
        let state = tick.knocked_back(state);
        let next = tick.advance(&state, input.dt)?;
        Ok(LocomotionState { mode: tick.mode_of(&next), boarded, ..next })
    }
}

/// A tick in progress. The modes are its methods, one file each.
struct Tick<'a> {
    locomotion: &'a Locomotion,
    scene: &'a Scene,
    cache: &'a mut TriangleCache,
    input: &'a LocomotionInput,
    outcome: &'a mut MoveOutcome,
    /// Unit length.
    up: DVec3,
    /// The desired velocity; 0 for a rooted character.
    desired: DVec3,
    jump: bool,
    /// The tick was split, and its first part is done.
    is_split: bool,
}

impl Tick<'_> {
    /// Moves the character for `dt` seconds in its mode.
    fn advance(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let mode = self.mode_of(state);
        let state = &LocomotionState { mode, ..*state };
        match mode {
            Mode::Walk => self.walk(state, dt),
            Mode::Fall => self.fall(state, dt),
            Mode::Swim => self.swim(state, dt),
            Mode::Fly => self.fly(state, dt),
            Mode::WaterWalk => self.water_walk(state, dt),
        }
    }

    /// The mode of a character in this state.
    ///
    /// Deep water has priority: a character in it swims, unless it rises out of it by a jump or in
    /// flight. The feet of a swimmer may be above the float line by a slack. This hysteresis keeps
    /// the mode from flickering on sloped surfaces and quantised heights.
    fn mode_of(&self, state: &LocomotionState) -> Mode {
        let character = &state.character;
        let grounded = character.is_grounded();
        let rising = !grounded && state.velocity.dot(self.up) > 0.0;
        let takes_off = self.input.abilities.fly && self.desired.dot(self.up) > 0.0;
        if let Some(below) = self.depth_below_float_line(character) {
            let slack = Self::float_slack(character);
            let swims = state.mode == Mode::Swim;
            let deep = if swims { below >= -slack } else { below >= 0.0 && !rising };
            if deep && !(takes_off && below <= slack) {
                return Mode::Swim;
            }
        }
        if !rising && self.stands_on_water(state) {
            return Mode::WaterWalk;
        }
        if self.input.abilities.fly && (!grounded || takes_off) {
            return Mode::Fly;
        }
        Mode::of_footing(character)
    }

    /// The state after a knock-back, if the input has one.
    fn knocked_back(&self, state: LocomotionState) -> LocomotionState {
        self.input.knock_back.map_or(state, |velocity| state.in_the_air(velocity))
    }

    fn feet(&self, character: &CharacterState) -> DVec3 {
        self.locomotion.controller.feet(character)
    }

    /// A velocity without its part along `up`.
    fn level(&self, velocity: DVec3) -> DVec3 {
        velocity - self.up * velocity.dot(self.up)
    }
}

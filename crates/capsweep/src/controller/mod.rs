//! The character controller: characters that walk, climb, slide, jump and ride.
//!
//! A [`Controller`] is a checked [`ControllerConfig`]. A [`CharacterState`] is a character between
//! two moves. [`Controller::move_by`] takes a scene, a [cache](crate::cache), a state and a
//! [`MoveInput`]. It returns a [`MoveOutcome`] with the next state. Only the cache changes, and no
//! bit of the outcome depends on it. [`Locomotion`] turns velocities and gravity into moves: it
//! walks, falls, jumps, swims and flies.
//!
//! ```
//! use capsweep::cache::TriangleCache;
//! use capsweep::controller::{Controller, ControllerConfig, MoveInput};
//! use capsweep::scene::{Body, Scene, Shape};
//! use capsweep::{HalfSpace, Motion};
//! use glam::DVec3;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::new();
//! scene.insert(Body::shape(Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z)?)));
//!
//! let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
//! let mut cache = TriangleCache::default();
//! let mut character = controller.spawn(DVec3::ZERO)?;
//! let walk = MoveInput::new(Motion::new(DVec3::new(0.1, 0.0, -0.01))?);
//! for _ in 0..10 {
//!     let outcome = controller.move_by(&scene, &mut cache, &character, &walk);
//!     assert!(outcome.is_grounded());
//!     character = outcome.state;
//! }
//! assert!((controller.feet(&character) - DVec3::new(1.0, 0.0, 0.0)).length() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! In the repository, `docs/controller.md` explains the move in one picture and one table, and
//! `docs/movement.md` the modes of locomotion.

#![allow(
    clippy::inline_always,
    reason = "a move is a chain of vectors; calls that are not inlined pass them through memory"
)]

mod batch;
mod config;
mod crowd;
mod input;
mod locomotion;
mod outcome;
mod pass;
mod place;
mod state;
mod trace;
mod walkable;
mod world;

pub use batch::MoveJob;
pub use config::{Ceiling, Climbing, ConfigError, ControllerConfig, FootingRule, NonWalkable};
pub use input::{Carrier, MoveInput, MoveStyle, Ride, Surroundings};
pub use locomotion::{
    Abilities, Boarded, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState, Mode,
    RelativePosition, Speeds, Steering, TraceTick, Water,
};
pub use outcome::{
    Carried, Contact, Ground, MoveOutcome, MoveStats, Obstruction, Pass, Recovery, Touching,
};
pub use state::{CharacterParts, CharacterState, Clearance, Footing};
pub use trace::{Change, Difference, TraceMove, differences};
pub use walkable::{ContactNormals, WalkLimits, is_walkable};

use glam::DVec3;

/// Moves characters by one configuration. It has no other state, so any number of characters and
/// threads can share it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controller {
    config: ControllerConfig,
    /// Unit length.
    up: DVec3,
}

impl Controller {
    /// A controller with this configuration.
    ///
    /// # Errors
    /// If a number of `config` is not finite or out of range.
    pub fn new(config: ControllerConfig) -> Result<Self, ConfigError> {
        let up = config.check()?;
        Ok(Self { config, up })
    }

    /// The configuration.
    pub fn config(&self) -> &ControllerConfig {
        &self.config
    }

    /// The up direction, of unit length.
    pub fn up(&self) -> DVec3 {
        self.up
    }
}

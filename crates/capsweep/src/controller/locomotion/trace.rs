//! Recorded ticks: all inputs of a tick except the scene, and its result.

use crate::cache::TriangleCache;
use crate::controller::locomotion::config::LocomotionConfig;
use crate::controller::locomotion::input::LocomotionInput;
use crate::controller::locomotion::state::LocomotionState;
use crate::controller::locomotion::{Locomotion, MoveOutcome};
use crate::controller::trace::{Difference, changes_of_state, differences};
use crate::controller::{ConfigError, Controller, ControllerConfig};
use crate::error::ShapeError;
use crate::scene::Scene;

/// A recorded tick. It covers what a [`TraceMove`] does not: velocities, modes, and ticks of two
/// moves. With the feature `serde` it is one line of JSON.
///
/// [`TraceMove`]: crate::controller::TraceMove
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TraceTick {
    /// The controller's configuration.
    pub controller: ControllerConfig,
    /// The locomotion's configuration.
    pub config: LocomotionConfig,
    /// The character before the tick.
    pub state: LocomotionState,
    /// The tick's input.
    pub input: LocomotionInput,
    /// The character after the tick.
    pub next: LocomotionState,
    /// The outcome of the tick's moves.
    pub outcome: MoveOutcome,
}

impl TraceTick {
    /// Makes a tick and records it.
    ///
    /// # Errors
    /// As [`Locomotion::tick`].
    pub fn record(
        locomotion: &Locomotion,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &LocomotionState,
        input: &LocomotionInput,
    ) -> Result<Self, ShapeError> {
        let (next, outcome) = locomotion.tick(scene, cache, state, input)?;
        let (controller, config) = (*locomotion.controller.config(), locomotion.config);
        Ok(Self { controller, config, state: *state, input: *input, next, outcome })
    }

    /// Repeats the tick and returns every difference from the recorded result. In the same scene
    /// there is none, to the bit.
    ///
    /// # Errors
    /// If a number of the recorded configurations, state or input is invalid.
    pub fn replay(&self, scene: &Scene) -> Result<Vec<Difference>, ConfigError> {
        let locomotion = Locomotion::new(Controller::new(self.controller)?, self.config)?;
        let mut cache = TriangleCache::off();
        let (next, outcome) = locomotion.tick(scene, &mut cache, &self.state, &self.input)?;
        let mut found = differences(&self.outcome, &outcome);
        found.extend(changes_of_state(&self.next, &next));
        Ok(found)
    }
}

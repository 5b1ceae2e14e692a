//! The input of a tick.

use crate::controller::input::{Carrier, Surroundings};
use crate::controller::locomotion::config::check_amount;
use crate::controller::locomotion::state::LocomotionState;
use crate::controller::locomotion::water::Water;
use crate::error::{MAX_POSITION, MAX_SIZE, ShapeError, check_number, check_position, xyz};
use glam::DVec3;

/// One tick's input.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotionInput {
    /// The desired velocity (m/s). Its part along `up` counts while the character swims or flies.
    /// In the air the character steers towards it. [`Steering::velocity`] makes one from keys.
    ///
    /// [`Steering::velocity`]: crate::controller::Steering::velocity
    pub walk: DVec3,
    /// Jump, if the character stands on walkable ground or floats at the surface of water; false
    /// by default.
    pub jump: bool,
    /// Duration of the tick (seconds), 0 or more.
    pub dt: f64,
    /// As [`MoveInput::surroundings`].
    ///
    /// [`MoveInput::surroundings`]: crate::controller::MoveInput::surroundings
    pub surroundings: Surroundings,
    /// As [`MoveInput::slippery`].
    ///
    /// [`MoveInput::slippery`]: crate::controller::MoveInput::slippery
    pub slippery: bool,
    /// As [`MoveInput::carrier`].
    ///
    /// [`MoveInput::carrier`]: crate::controller::MoveInput::carrier
    pub carrier: Option<Carrier>,
    /// Abilities and the root of the character; none by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub abilities: Abilities,
    /// A velocity (m/s) that the character has from the start of the tick: it leaves the ground
    /// with it, and then moves as usual. `None` by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub knock_back: Option<DVec3>,
    /// Where the water is; the scene's liquids by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub water: Water,
}

impl LocomotionInput {
    /// Moves with the desired velocity `walk` (m/s) for `dt` seconds, without a jump. The
    /// character collides with the whole scene.
    pub fn new(walk: DVec3, dt: f64) -> Self {
        Self {
            walk,
            jump: false,
            dt,
            surroundings: Surroundings::default(),
            slippery: false,
            carrier: None,
            abilities: Abilities::default(),
            knock_back: None,
            water: Water::Scene,
        }
    }

    /// Checks every number of the input and of the state's velocities.
    pub(super) fn check(&self, state: &LocomotionState) -> Result<(), ShapeError> {
        check_position(xyz!("walk"), self.walk)?;
        check_position(xyz!("velocity"), state.velocity)?;
        if let Some(boarded) = &state.boarded {
            check_position(xyz!("boarded.velocity"), boarded.velocity)?;
        }
        check_amount("dt", self.dt, MAX_POSITION)?;
        if let Some(velocity) = self.knock_back {
            check_position(xyz!("knock_back"), velocity)?;
        }
        if let Water::Plane { surface } = self.water {
            check_number("water.surface", surface, MAX_POSITION)?;
        }
        check_amount("abilities.hover", self.abilities.hover, MAX_SIZE)
    }
}

/// Abilities of a character beyond walking, falling, jumping and swimming, and its root.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[allow(clippy::struct_excessive_bools, reason = "independent abilities")]
pub struct Abilities {
    /// It flies in the air, and takes off when its desired velocity points up.
    pub fly: bool,
    /// As [`MoveInput::hover`] (metres): height of the feet over the ground; 0 for none.
    ///
    /// [`MoveInput::hover`]: crate::controller::MoveInput::hover
    pub hover: f64,
    /// The surface of water carries it.
    pub water_walking: bool,
    /// It falls no faster than [`LocomotionConfig::slow_fall_speed`].
    ///
    /// [`LocomotionConfig::slow_fall_speed`]: crate::controller::LocomotionConfig::slow_fall_speed
    pub slow_fall: bool,
    /// It is rooted: its desired velocity counts as 0, and it does not jump. Gravity, transports
    /// and knock-back still move it.
    pub rooted: bool,
}

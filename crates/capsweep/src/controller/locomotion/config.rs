//! How a character falls, jumps and swims: plain data, checked once by [`Locomotion::new`].
//!
//! [`Locomotion::new`]: crate::controller::Locomotion::new

use crate::controller::ConfigError;
use crate::error::{MAX_SIZE, ShapeError, check_number};

/// How a character falls, jumps, swims and steers in the air. Units are metres and seconds, or the
/// scene's unit. Every value is 0 to 10⁶ unless its field says otherwise. Start from
/// [`human`](Self::human) or [`wow`](Self::wow).
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
    ///
    /// [`LocomotionInput::walk`]: crate::controller::LocomotionInput::walk
    pub air_acceleration: f64,
    /// Upward speed at the start of a jump out of water (m/s). Presets: 3.13 `human`, 9.10 `wow`.
    pub swim_jump_speed: f64,
    /// Largest speed of a fall with [`Abilities::slow_fall`] (m/s). A faster fall slows to it at
    /// once. Presets: 2 `human`, 7 `wow`.
    ///
    /// [`Abilities::slow_fall`]: crate::controller::Abilities::slow_fall
    pub slow_fall_speed: f64,
    /// Depth of the feet at which a character swims, as a fraction of its height: 0 to 1. Presets:
    /// 0.75 `human` and `wow`.
    pub swim_depth: f64,
    /// Speed at which a swimmer without desired vertical velocity rises (m/s).
    /// Presets: 0.3 `human`, 0 `wow`.
    pub float_speed: f64,
}

impl LocomotionConfig {
    /// A person on Earth, with jumps half a metre high.
    pub fn human() -> Self {
        Self {
            gravity: 9.81,
            terminal_speed: 55.0,
            jump_speed: 3.13,
            air_acceleration: 8.0,
            swim_jump_speed: 3.13,
            slow_fall_speed: 2.0,
            swim_depth: 0.75,
            float_speed: 0.3,
        }
    }

    /// A character of World of Warcraft, in yards. Its jump is 1.64 high and takes 0.825 s; its
    /// jump out of water is 2.145 high.
    pub fn wow() -> Self {
        Self {
            gravity: 19.291_105_27,
            terminal_speed: 60.148_003,
            jump_speed: 7.955_547,
            air_acceleration: 0.0,
            swim_jump_speed: 9.096_748,
            slow_fall_speed: 7.0,
            swim_depth: 0.75,
            float_speed: 0.0,
        }
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (field, value, limit) in [
            ("gravity", self.gravity, MAX_SIZE),
            ("terminal_speed", self.terminal_speed, MAX_SIZE),
            ("jump_speed", self.jump_speed, MAX_SIZE),
            ("air_acceleration", self.air_acceleration, MAX_SIZE),
            ("swim_jump_speed", self.swim_jump_speed, MAX_SIZE),
            ("slow_fall_speed", self.slow_fall_speed, MAX_SIZE),
            ("swim_depth", self.swim_depth, 1.0),
            ("float_speed", self.float_speed, MAX_SIZE),
        ] {
            check_amount(field, value, limit)?;
        }
        Ok(())
    }
}

/// Checks that a number is 0 to `limit`.
pub(in crate::controller) fn check_amount(
    field: &'static str,
    value: f64,
    limit: f64,
) -> Result<(), ShapeError> {
    check_number(field, value, limit)?;
    if value < 0.0 { Err(ShapeError::Negative { field, value }) } else { Ok(()) }
}

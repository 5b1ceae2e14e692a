//! Speed limits, allowances and the query budget of a validator.

use crate::controller::{ConfigError, Speeds};
use crate::error::{MAX_SIZE, ShapeError, check_number};

/// Largest speeds of a character's own movement (m/s), 0 to 10⁶.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpeedLimits {
    /// On the ground and in the air: horizontal speed.
    pub ground: f64,
    /// In water: speed in any direction.
    pub swim: f64,
    /// While it flies: speed in any direction.
    pub fly: f64,
}

impl SpeedLimits {
    /// No movement of its own: a rooted character.
    pub const ROOTED: Self = Self { ground: 0.0, swim: 0.0, fly: 0.0 };

    /// A person, in metres: runs at 5 m/s and swims at 2 m/s.
    pub fn human() -> Self {
        Self { ground: 5.0, swim: 2.0, fly: 5.0 }
    }

    /// A character of World of Warcraft, in yards.
    pub fn wow() -> Self {
        Self::of(&Speeds::wow())
    }

    /// The fastest of each mode.
    pub fn of(speeds: &Speeds) -> Self {
        Self {
            ground: speeds.walk.max(speeds.run).max(speeds.run_back),
            swim: speeds.swim.max(speeds.swim_back),
            fly: speeds.fly.max(speeds.fly_back),
        }
    }

    /// The largest of all.
    pub(crate) fn fastest(&self) -> f64 {
        self.ground.max(self.swim).max(self.fly)
    }

    /// The larger of each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            ground: self.ground.max(other.ground),
            swim: self.swim.max(other.swim),
            fly: self.fly.max(other.fly),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ShapeError> {
        let Self { ground, swim, fly } = *self;
        check_amounts(
            MAX_SIZE,
            [("speeds.ground", ground), ("speeds.swim", swim), ("speeds.fly", fly)],
        )
    }
}

/// Largest errors of an honest claim.
///
/// The allowances are credited once per chain of claims. Only time and distance that a character
/// leaves unused refill them, so a cheat that gains 1 cm per claim uses them up.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Allowances {
    /// Half of the step that coordinates are rounded to (metres); 0 for exact coordinates.
    pub position: f64,
    /// How far a character may be ahead of its speed limit (seconds of full speed). It covers the
    /// jitter of claim times.
    pub latency: f64,
    /// How far the client's clock may be ahead of the server's (seconds).
    pub clock: f64,
}

impl Default for Allowances {
    /// Positions in f32 up to 16 km from the origin, 50 ms of jitter, a clock 250 ms ahead.
    fn default() -> Self {
        Self { position: 0.001, latency: 0.05, clock: 0.25 }
    }
}

/// Configuration of a [`Validator`](crate::validate::Validator).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ValidatorConfig {
    /// Largest errors of honest claims.
    pub allowances: Allowances,
    /// Limit of scene queries for one claim; beyond it the verdict is `Undecided`. 20 000 by
    /// default, some 20 ms.
    pub max_queries: u32,
}

impl Default for ValidatorConfig {
    fn default() -> Self {
        Self { allowances: Allowances::default(), max_queries: 20_000 }
    }
}

impl ValidatorConfig {
    /// `radius`: of the character. A larger error of positions would leave no body to test.
    pub(crate) fn check(&self, radius: f64) -> Result<(), ConfigError> {
        let Allowances { position, latency, clock } = self.allowances;
        let allowances = [("allowances.latency", latency), ("allowances.clock", clock)];
        check_amounts(MAX_SIZE, allowances)?;
        check_amounts(radius, [("allowances.position", position)])?;
        Ok(())
    }
}

/// Checks that numbers are between 0 and `most`.
pub(crate) fn check_amounts<const N: usize>(
    most: f64,
    fields: [(&'static str, f64); N],
) -> Result<(), ShapeError> {
    for (field, value) in fields {
        check_number(field, value, most)?;
        if value < 0.0 {
            return Err(ShapeError::Negative { field, value });
        }
    }
    Ok(())
}

//! The configuration of a controller: plain data, checked once by [`Controller::new`].
//!
//! [`Controller::new`]: crate::controller::Controller::new

use crate::SlopeLimit;
use crate::error::{MAX_SIZE, ShapeError, check_direction, check_number, check_radius, xyz};
use core::fmt;
use glam::DVec3;

/// How high an edge a character climbs: `PhysX`'s climbing mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Climbing {
    /// Any edge that the round bottom gets over once the capsule is raised by the step offset:
    /// edges up to the step offset plus the radius.
    #[default]
    Easy,
    /// No edge that touches the character higher than the step offset above the ground.
    Constrained,
}

/// What a character does on ground that is too steep to walk on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NonWalkable {
    /// It stands there and cannot climb further.
    #[default]
    Prevent,
    /// It slides down without friction, and can still steer across the slope.
    Slide,
}

/// What a character does under a ceiling that is not level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ceiling {
    /// It slides along the ceiling.
    #[default]
    Slide,
    /// The ceiling stops it.
    Stop,
}

/// Where the feet of a standing character are. The collision body is the same with both rules: the
/// capsule rests on the surface, and is never inside anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FootingRule {
    /// At the lowest point of the skin. On a slope that is above the surface straight below, by
    /// `r / cos α − r` for a skin of radius r.
    #[default]
    Capsule,
    /// At the surface straight below the axis, as in World of Warcraft: see
    /// [`CharacterState::sink`](crate::controller::CharacterState::sink). Without walkable ground
    /// there, within the larger of step offset and snap distance, the character does not stand: it
    /// slides off the edge that holds it.
    Point,
}

/// The size and the rules of movement of a character.
///
/// Start from a preset: [`physx`](Self::physx), [`human`](Self::human) or [`wow`](Self::wow).
/// Lengths are metres, or whatever unit the scene has. They are 0 to 10⁶ unless a field says
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ControllerConfig {
    /// Up direction, of any length but zero. It is the direction of the capsule's axis, and slopes
    /// and steps are measured against it.
    pub up: DVec3,
    /// Radius of the capsule without the skin, above 0. Presets: 0.4 `physx`, 0.3 `human`, 0.3056
    /// `wow`. [Spawned](crate::controller::Controller::spawn) characters have it.
    pub radius: f32,
    /// Height of the capsule from end to end, without the skin. Less than two radii makes a
    /// sphere. Presets: 1.8 `physx` and `human`, 2.031 `wow`.
    pub total_height: f32,
    /// Thickness of the skin, above 0: the gap that the character keeps to every surface, along
    /// the surface's normal. A larger one keeps more distance; a smaller one fits through narrower
    /// gaps. Presets: 0.1 `physx`, 0.02 `human` and `wow`.
    pub contact_offset: f32,
    /// Height of the highest step that the character climbs without a jump, measured from the
    /// ground. 0 climbs none; the character's height is the most. Presets: 0.5 `physx`, 0.4
    /// `human`, 1 `wow`.
    pub step_offset: f32,
    /// Steepest slope that the character walks on. `SlopeLimit::from_degrees(90.0)` makes
    /// everything but upright walls walkable. Presets: 45° `physx`, 50° `human` and `wow`.
    pub slope_limit: SlopeLimit,
    /// How far a grounded character follows ground that falls away, such as stairs. 0
    /// lets it fall instead. Presets: 0 `physx`, 0.4 `human`, 1.25 `wow`.
    pub snap_distance: f32,
    /// How far the axis may stand beyond the edge that carries it before the character slides off.
    /// `None`, as in all presets: as far as the round bottom rests on the edge. Walkable ground
    /// below the axis, within the step offset, carries the character in any case.
    pub perch_limit: Option<f32>,
    /// Where the feet of a standing character are. `Capsule` in `physx` and `human`, `Point` in
    /// `wow`. With `Point` the perch limit has no effect.
    #[cfg_attr(feature = "serde", serde(default))]
    pub footing: FootingRule,
    /// How high an edge may be. `Easy` in `physx`, `Constrained` in `human` and `wow`.
    pub climbing: Climbing,
    /// What happens on steep ground. `Prevent` in `physx`, `Slide` in `human` and `wow`.
    pub non_walkable: NonWalkable,
    /// What happens under ceilings. `Slide` in all presets.
    pub ceiling: Ceiling,
    /// Most sweeps of one pass, 1 to [`ControllerConfig::MAX_ITERATIONS`]; 10 in all presets.
    /// With fewer, a character stops earlier in corners and on rough ground.
    pub max_iterations: u8,
    /// A pass ends when less than this is left of its motion; 10⁻⁶ in all presets.
    pub min_distance: f64,
}

impl ControllerConfig {
    /// Largest [`ControllerConfig::max_iterations`].
    pub const MAX_ITERATIONS: u8 = 32;

    /// The defaults of `PhysX`'s capsule controller, for a capsule of its samples' size.
    pub fn physx(up: DVec3) -> Self {
        Self {
            up,
            radius: 0.4,
            total_height: 1.8,
            contact_offset: 0.1,
            step_offset: 0.5,
            slope_limit: SlopeLimit::PHYSX,
            snap_distance: 0.0,
            perch_limit: None,
            footing: FootingRule::Capsule,
            climbing: Climbing::Easy,
            non_walkable: NonWalkable::Prevent,
            ceiling: Ceiling::Slide,
            max_iterations: 10,
            min_distance: 1e-6,
        }
    }

    /// A person in metres: a thin skin, steps of 0.4 m, slopes of 50°. It stays on the ground
    /// down stairs and ramps, and slides on steep ground.
    pub fn human(up: DVec3) -> Self {
        Self {
            radius: 0.3,
            total_height: 1.8,
            contact_offset: 0.02,
            step_offset: 0.4,
            slope_limit: SlopeLimit::DEGREES_50,
            snap_distance: 0.4,
            climbing: Climbing::Constrained,
            non_walkable: NonWalkable::Slide,
            ..Self::physx(up)
        }
    }

    /// A human of World of Warcraft, in yards, Z up.
    ///
    /// Radius and height are the game's. Its client climbs steps of 0.989, and stays on the ground
    /// over drops of 1.214. The step offset and the snap distance round these up. Its feet stand
    /// on the terrain straight below. The slope limit of 50° is unconfirmed.
    pub fn wow() -> Self {
        Self {
            radius: 0.3056,
            total_height: 2.031,
            contact_offset: 0.02,
            step_offset: 1.0,
            snap_distance: 1.25,
            footing: FootingRule::Point,
            ..Self::human(DVec3::Z)
        }
    }

    /// The up direction with unit length, or the first error.
    pub(crate) fn check(&self) -> Result<DVec3, ConfigError> {
        let up = check_direction("up", xyz!("up"), self.up)?;
        check_radius("radius", self.radius)?;
        check_radius("contact_offset", self.contact_offset)?;
        let lengths = [
            ("total_height", f64::from(self.total_height)),
            ("step_offset", f64::from(self.step_offset)),
            ("snap_distance", f64::from(self.snap_distance)),
            ("perch_limit", f64::from(self.perch_limit.unwrap_or(0.0))),
            ("min_distance", self.min_distance),
        ];
        for (field, value) in lengths {
            check_number(field, value, MAX_SIZE)?;
            if value < 0.0 {
                return Err(ShapeError::Negative { field, value }.into());
            }
        }
        let tall = self.total_height.max(2.0 * self.radius);
        if self.step_offset > tall {
            return Err(ConfigError::StepTooHigh { step_offset: self.step_offset, tall });
        }
        if !(1..=Self::MAX_ITERATIONS).contains(&self.max_iterations) {
            return Err(ConfigError::Iterations { max_iterations: self.max_iterations });
        }
        Ok(up)
    }
}

/// Why a configuration is invalid.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A length, direction or radius is not finite or out of range.
    Number(ShapeError),
    /// The step offset exceeds the character's height.
    StepTooHigh {
        /// The step offset (metres).
        step_offset: f32,
        /// The character's height (metres).
        tall: f32,
    },
    /// The number of iterations is 0, or above [`ControllerConfig::MAX_ITERATIONS`].
    Iterations {
        /// The number of iterations.
        max_iterations: u8,
    },
}

impl From<ShapeError> for ConfigError {
    fn from(error: ShapeError) -> Self {
        Self::Number(error)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(error) => error.fmt(f),
            Self::StepTooHigh { step_offset, tall } => write!(
                f,
                "step_offset is {step_offset}: it must not exceed the character's height, {tall}"
            ),
            Self::Iterations { max_iterations } => write!(
                f,
                "max_iterations is {max_iterations}: it must be 1 to {}; 10 is usual",
                ControllerConfig::MAX_ITERATIONS
            ),
        }
    }
}

// No source: the message of `Number` already is that of the inner error.
impl core::error::Error for ConfigError {}

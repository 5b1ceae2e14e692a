//! How a character moves: plain data, checked once by [`Controller::new`](crate::controller::Controller::new).

use crate::SlopeLimit;
use crate::error::{MAX_SIZE, ShapeError, check_direction, check_number, check_radius, xyz};
use core::fmt;
use glam::DVec3;

/// How high a character may climb over an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Climbing {
    /// Whatever the round bottom gets over once the capsule is raised by the step offset: edges of up to the step offset plus
    /// the radius.
    #[default]
    Easy,
    /// Nothing that it touches higher than the step offset above its feet (pitfall B.8).
    Constrained,
}

/// What happens on ground that is too steep to walk on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NonWalkable {
    /// It stands there, and cannot go further up.
    #[default]
    Prevent,
    /// It slides down, and can still steer across the slope.
    Slide,
}

/// What happens under a ceiling that is not level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ceiling {
    /// It slides along the ceiling.
    #[default]
    Slide,
    /// The ceiling stops it.
    Stop,
}

/// How a character moves. Lengths are metres (or whatever unit the scene is in).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ControllerConfig {
    /// Which way is up, of any length but zero: the capsule's axis, and what slopes and steps are measured against.
    pub up: DVec3,
    /// Radius of the capsule of a character that is [spawned](crate::controller::Controller::spawn).
    pub radius: f32,
    /// Its height from end to end.
    pub total_height: f32,
    /// Skin: the gap that is kept to everything, along the normal.
    pub contact_offset: f32,
    /// Highest step that is climbed without jumping, from the ground up; 0 for none.
    pub step_offset: f32,
    /// Steepest slope that can be walked on; [`SlopeLimit::from_degrees`]\(90) for no limit but upright walls.
    pub slope_limit: SlopeLimit,
    /// How far a character that stands is kept on ground that falls away; 0 for not at all.
    pub snap_distance: f32,
    /// How far the axis may stand beyond the edge that carries it, in metres, before the character slides off. `None`: as far
    /// as the round bottom rests on the edge. Ground below the axis within the step offset carries it in any case.
    pub perch_limit: Option<f32>,
    /// How high edges may be climbed.
    pub climbing: Climbing,
    /// What happens on ground that is too steep.
    pub non_walkable: NonWalkable,
    /// What happens under ceilings.
    pub ceiling: Ceiling,
    /// Most sweeps of one pass (pitfall B.6); 1 to [`ControllerConfig::MOST_ITERATIONS`].
    pub max_iterations: u8,
    /// A pass ends when less than this is left of its motion.
    pub min_distance: f64,
}

impl ControllerConfig {
    /// Largest [`ControllerConfig::max_iterations`].
    pub const MOST_ITERATIONS: u8 = 32;

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
            climbing: Climbing::Easy,
            non_walkable: NonWalkable::Prevent,
            ceiling: Ceiling::Slide,
            max_iterations: 10,
            min_distance: 1e-6,
        }
    }

    /// A person in metres: a thin skin, steps of 0.4, slopes of 50°, kept on stairs and ramps on the way down.
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
    /// Radius and height are the game's; steps of 0.989 up and 1.214 down have been seen of its client, and are rounded up here. The
    /// slope limit of 50° is hearsay.
    pub fn wow() -> Self {
        Self {
            radius: 0.3056,
            total_height: 2.031,
            contact_offset: 0.02,
            step_offset: 1.0,
            snap_distance: 1.25,
            ..Self::human(DVec3::Z)
        }
    }

    /// Everything that is wrong with it but for the first thing found; the unit up direction if nothing is.
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
        if !(1..=Self::MOST_ITERATIONS).contains(&self.max_iterations) {
            return Err(ConfigError::Iterations { max_iterations: self.max_iterations });
        }
        Ok(up)
    }
}

/// Why a configuration was refused.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number that no length, direction or radius can be.
    Number(ShapeError),
    /// A step higher than the character.
    StepTooHigh {
        /// What it was.
        step_offset: f32,
        /// The character's height.
        tall: f32,
    },
    /// No iteration at all, or too many to keep planes for.
    Iterations {
        /// What it was.
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
                ControllerConfig::MOST_ITERATIONS
            ),
        }
    }
}

// No source: the message of `Number` is that of the error that it holds.
impl core::error::Error for ConfigError {}

//! Converts a file's axes and unit to Z up and metres.

use crate::error::{Fault, Reason};
use crate::{LoadOptions, UpAxis};
use capsweep::scene::{AxisConversion, AxisSystem, MAX_SCALE, MIN_SCALE};
use glam::{DMat3, DVec3, Vec3};

/// The conversion of a file's axes to Z up, and its unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    conversion: AxisConversion,
    unit: f64,
}

impl Axes {
    /// The axes that `options` set; by default Y up and metres.
    pub(crate) fn from_options(options: &LoadOptions) -> Result<Self, Fault> {
        let unit = options.unit.unwrap_or(1.0);
        if (MIN_SCALE..=MAX_SCALE).contains(&unit) {
            let system = match options.up.unwrap_or(UpAxis::Y) {
                UpAxis::Y => AxisSystem::Y_UP,
                UpAxis::Z => AxisSystem::Z_UP,
            };
            return Ok(Self { conversion: system.to(AxisSystem::Z_UP), unit });
        }
        let message =
            format!("a unit of {unit} m: it must lie between {MIN_SCALE:e} and {MAX_SCALE:e}");
        Err(Reason::Unsupported(message).into())
    }

    /// Metres in a unit of the file.
    pub(crate) fn unit(self) -> f64 {
        self.unit
    }

    /// Rotates a local position to Z up and keeps the file's unit. Exact.
    pub(crate) fn rotate(self, position: Vec3) -> Vec3 {
        self.conversion.vector_f32(position)
    }

    /// Converts a position in the world to Z up and metres.
    pub(crate) fn to_world(self, position: DVec3) -> DVec3 {
        self.unit * self.conversion.vector(position)
    }

    /// Converts a linear map in the file's axes to one of [rotated](Self::rotate) vertices, with
    /// results in metres.
    pub(crate) fn linear_to_world(self, linear: DMat3) -> DMat3 {
        self.conversion.linear(linear) * self.unit
    }
}

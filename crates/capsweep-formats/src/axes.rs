//! Converts a file's axes and unit to Z up and metres.

use crate::error::{Fault, Reason};
use crate::{LoadOptions, UpAxis};
use capsweep::scene::{MAX_SCALE, MIN_SCALE};
use glam::{DMat3, DVec3, Vec3};

/// A file's up axis and unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    up: UpAxis,
    unit: f64,
}

impl Axes {
    /// The axes that `options` set; by default Y up and metres.
    pub(crate) fn from_options(options: &LoadOptions) -> Result<Self, Fault> {
        let unit = options.unit.unwrap_or(1.0);
        if (MIN_SCALE..=MAX_SCALE).contains(&unit) {
            return Ok(Self { up: options.up.unwrap_or(UpAxis::Y), unit });
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
        match self.up {
            UpAxis::Z => position,
            UpAxis::Y => Vec3::new(position.x, -position.z, position.y),
        }
    }

    /// Converts a position in the world to Z up and metres.
    pub(crate) fn to_world(self, position: DVec3) -> DVec3 {
        self.unit * self.rotate_f64(position)
    }

    /// Converts a linear map in the file's axes to one of [rotated](Self::rotate) vertices, with
    /// results in metres.
    pub(crate) fn linear_to_world(self, linear: DMat3) -> DMat3 {
        let rotated = match self.up {
            UpAxis::Z => linear,
            // The columns are the images of the new axes: x, y (−z in the file) and z (y there).
            UpAxis::Y => DMat3::from_cols(
                self.rotate_f64(linear.x_axis),
                self.rotate_f64(-linear.z_axis),
                self.rotate_f64(linear.y_axis),
            ),
        };
        rotated * self.unit
    }

    fn rotate_f64(self, v: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Z => v,
            UpAxis::Y => DVec3::new(v.x, -v.z, v.y),
        }
    }
}

//! From a file's axes and unit to Z up and metres.

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
    /// What `options` say, or Y up in metres.
    pub(crate) fn of(options: &LoadOptions) -> Result<Self, Fault> {
        let unit = options.unit.unwrap_or(1.0);
        if (MIN_SCALE..=MAX_SCALE).contains(&unit) {
            return Ok(Self { up: options.up.unwrap_or(UpAxis::Y), unit });
        }
        let what =
            format!("a unit of {unit} m: it must lie between {MIN_SCALE:e} and {MAX_SCALE:e}");
        Err(Reason::Unsupported(what).into())
    }

    /// Metres in a unit of the file.
    pub(crate) fn unit(self) -> f64 {
        self.unit
    }

    /// A local position: turned, and still in the file's unit. Exact.
    pub(crate) fn turn(self, position: Vec3) -> Vec3 {
        match self.up {
            UpAxis::Z => position,
            UpAxis::Y => Vec3::new(position.x, -position.z, position.y),
        }
    }

    /// A position in the world, in metres.
    pub(crate) fn place(self, position: DVec3) -> DVec3 {
        self.unit * self.turned(position)
    }

    /// What `linear` does in the file's axes, done to [turned](Self::turn) vertices; the result is in metres.
    pub(crate) fn linear(self, linear: DMat3) -> DMat3 {
        let turned = match self.up {
            UpAxis::Z => linear,
            // The columns are the images of x, of −z (now y) and of y (now z).
            UpAxis::Y => DMat3::from_cols(
                self.turned(linear.x_axis),
                self.turned(-linear.z_axis),
                self.turned(linear.y_axis),
            ),
        };
        turned * self.unit
    }

    fn turned(self, v: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Z => v,
            UpAxis::Y => DVec3::new(v.x, -v.z, v.y),
        }
    }
}

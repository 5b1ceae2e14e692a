//! The error of constructors, and the checks behind it.

use crate::tolerance::{MIN_ROTATION_LENGTH, UNIT_LENGTH_ERROR};
use core::fmt;
use glam::{DQuat, DVec3};

/// Largest magnitude of a position's coordinate (metres): beyond it f64 resolves less than 0.1
/// µm.
pub const MAX_POSITION: f64 = 1e9;

/// Largest size (metres): a radius, a half extent, the length of a capsule's axis.
pub const MAX_SIZE: f64 = 1e6;

/// The reason why a shape or a motion is refused. Every variant names the field; nearly all carry
/// the value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN or infinite.
    NotFinite {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that may be infinite is NaN.
    NotANumber {
        /// The name of the field.
        field: &'static str,
    },
    /// A number is finite but larger than [`MAX_POSITION`] or [`MAX_SIZE`] allows.
    OutOfRange {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The largest magnitude allowed.
        limit: f64,
    },
    /// A size that must be greater than zero is not.
    NotPositive {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// A size that may be zero is negative.
    Negative {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// The magnitude of a number is too close to zero to divide by.
    TooSmall {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The smallest magnitude allowed.
        limit: f64,
    },
    /// The minimum of a box exceeds its maximum.
    Inverted {
        /// The axis: `x`, `y` or `z`.
        field: &'static str,
        /// The minimum given.
        min: f64,
        /// The maximum given.
        max: f64,
    },
    /// A redundant number contradicts the others.
    Disagrees {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The value that follows from the others.
        expected: f64,
    },
    /// Axes that must be unit and at right angles are not.
    NotOrthonormal {
        /// The name of the field.
        field: &'static str,
        /// The largest error of a product of two of them.
        value: f64,
    },
    /// The columns of a matrix are not at right angles: it shears, which a pose cannot hold.
    Sheared {
        /// The name of the field.
        field: &'static str,
        /// The largest cosine between two columns, in magnitude.
        value: f64,
    },
    /// The last row of a matrix is not 0, 0, 0, 1: it projects, which a pose cannot hold.
    Projective {
        /// The name of the field.
        field: &'static str,
        /// The largest error of a number in that row.
        value: f64,
    },
    /// The columns of a matrix lie in one plane: its rank is below 3, and it flattens shapes.
    Flattens {
        /// The name of the field.
        field: &'static str,
        /// The volume that the columns span, each scaled to length 1.
        value: f64,
    },
    /// Two axes of a coordinate system lie along the same line.
    ParallelAxes {
        /// The names of the two axes.
        field: &'static str,
    },
    /// A vector or a quaternion that must give a direction is too short to have one.
    NoDirection {
        /// The name of the field.
        field: &'static str,
        /// Its length.
        value: f64,
    },
}

impl ShapeError {
    /// The field that was refused.
    pub fn field(&self) -> &'static str {
        match *self {
            Self::NotFinite { field, .. }
            | Self::NotANumber { field }
            | Self::OutOfRange { field, .. }
            | Self::NotPositive { field, .. }
            | Self::Negative { field, .. }
            | Self::TooSmall { field, .. }
            | Self::Inverted { field, .. }
            | Self::Disagrees { field, .. }
            | Self::NotOrthonormal { field, .. }
            | Self::Sheared { field, .. }
            | Self::Projective { field, .. }
            | Self::Flattens { field, .. }
            | Self::ParallelAxes { field }
            | Self::NoDirection { field, .. } => field,
        }
    }
}

/// Prints a number as it was given. Sizes come in as f32, and `0.4_f32` should not print as
/// 0.4000000059604645.
struct AsGiven(f64);

impl fmt::Display for AsGiven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let narrow = self.0 as f32;
        if f64::from(narrow) == self.0 { narrow.fmt(f) } else { self.0.fmt(f) }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { field, value } => {
                write!(f, "{field} is {value}: it must be a finite number")
            }
            Self::NotANumber { field } => {
                write!(f, "{field} is NaN: it must be a number, and may be infinite")
            }
            Self::OutOfRange { field, value, limit } => {
                write!(f, "{field} is {value:e}: its magnitude must not exceed {limit:e}")
            }
            Self::NotPositive { field, value } => {
                write!(f, "{field} is {}: it must be greater than 0", AsGiven(value))
            }
            Self::Negative { field, value } => {
                write!(f, "{field} is {}: it must be 0 or greater", AsGiven(value))
            }
            Self::TooSmall { field, value, limit } => {
                write!(f, "{field} is {value:e}: its magnitude must be at least {limit:e}")
            }
            Self::Inverted { field, min, max } => {
                write!(f, "{field}: the minimum {min} exceeds the maximum {max}; swap them")
            }
            Self::Disagrees { field, value, expected } => {
                write!(f, "{field} is {value}: the other fields give {expected}")
            }
            Self::NotOrthonormal { field, value } => {
                write!(f, "{field} are not orthonormal: error {value:e}")
            }
            Self::Sheared { field, value } => {
                write!(
                    f,
                    "{field} shears: the cosine between two of its columns is {value:e}; \
                     apply it to the vertices instead"
                )
            }
            Self::Projective { field, value } => {
                write!(f, "the last row of {field} is off by {value:e}: it must be 0, 0, 0, 1")
            }
            Self::Flattens { field, value } => {
                write!(
                    f,
                    "{field} flattens: its unit columns span a volume of {value:e}; \
                     it must have rank 3"
                )
            }
            Self::ParallelAxes { field } => {
                write!(f, "{field} lie along the same line: each axis needs a line of its own")
            }
            Self::NoDirection { field, value } => {
                write!(f, "{field} has length {value}: it is too short to give a direction")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

/// The three field names of a vector called `$name`.
macro_rules! xyz {
    ($name:literal) => {
        [concat!($name, ".x"), concat!($name, ".y"), concat!($name, ".z")]
    };
}
pub(crate) use xyz;

/// Checks that a number is finite and that its magnitude does not exceed `limit`.
pub(crate) fn check_number(field: &'static str, value: f64, limit: f64) -> Result<(), ShapeError> {
    if !value.is_finite() {
        Err(ShapeError::NotFinite { field, value })
    } else if value.abs() > limit {
        Err(ShapeError::OutOfRange { field, value, limit })
    } else {
        Ok(())
    }
}

/// Checks that each coordinate is in the range of positions.
#[inline]
pub(crate) fn check_position(fields: [&'static str; 3], value: DVec3) -> Result<(), ShapeError> {
    // The comparison is false for NaN.
    if value.abs().cmple(DVec3::splat(MAX_POSITION)).all() {
        return Ok(());
    }
    for (field, coordinate) in fields.into_iter().zip(value.to_array()) {
        check_number(field, coordinate, MAX_POSITION)?;
    }
    Ok(())
}

/// A radius: finite, greater than zero, at most [`MAX_SIZE`].
pub(crate) fn check_radius(field: &'static str, value: f32) -> Result<(), ShapeError> {
    let value = f64::from(value);
    check_number(field, value, MAX_SIZE)?;
    if value > 0.0 { Ok(()) } else { Err(ShapeError::NotPositive { field, value }) }
}

/// The unit vector along `value`, which may have any length above zero.
///
/// A vector that is unit to rounding keeps its bits.
pub(crate) fn check_direction(
    name: &'static str,
    fields: [&'static str; 3],
    value: DVec3,
) -> Result<DVec3, ShapeError> {
    for (field, coordinate) in fields.into_iter().zip(value.to_array()) {
        check_number(field, coordinate, f64::MAX)?;
    }
    if (value.length() - 1.0).abs() <= UNIT_LENGTH_ERROR {
        return Ok(value);
    }
    let (length, direction) = length_and_direction(value);
    direction.ok_or(ShapeError::NoDirection { field: name, value: length })
}

/// The unit quaternion along `rotation`, which may have any length from [`MIN_ROTATION_LENGTH`].
///
/// A quaternion that is unit to rounding keeps its bits, so one that was written to a file reads
/// back unchanged.
pub(crate) fn check_rotation(rotation: DQuat) -> Result<DQuat, ShapeError> {
    let parts = ["rotation.x", "rotation.y", "rotation.z", "rotation.w"];
    for (field, value) in parts.into_iter().zip(rotation.to_array()) {
        check_number(field, value, MAX_SIZE)?;
    }
    let length = rotation.length();
    if length < MIN_ROTATION_LENGTH {
        return Err(ShapeError::NoDirection { field: "rotation", value: length });
    }
    // Normalising leaves a length within 4 ε of 1.
    if (length - 1.0).abs() <= UNIT_LENGTH_ERROR {
        return Ok(rotation);
    }
    Ok(rotation * (1.0 / length))
}

/// Length and unit direction of a vector, accurate down to the smallest normal f64. Shorter
/// vectors have length 0 and no direction.
///
/// Dividing by the largest coordinate first keeps the squares from overflow and underflow.
pub(crate) fn length_and_direction(vector: DVec3) -> (f64, Option<DVec3>) {
    let largest = vector.abs().max_element();
    if largest < f64::MIN_POSITIVE {
        return (0.0, None);
    }
    let scaled = vector / largest;
    (scaled.length() * largest, Some(scaled.normalize()))
}

use crate::error::{
    MAX_POSITION, ShapeError, check_direction, check_number, check_position, length_and_direction,
    xyz,
};
use crate::tolerance::MIN_DIRECTION_LENGTH;
use glam::DVec3;

/// A straight displacement. It is finite, and may be zero.
///
/// Queries take the whole displacement instead of a unit direction and a distance. So a caller
/// cannot forget to normalise a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "MotionParts", into = "MotionParts"))]
pub struct Motion {
    vector: DVec3,
    length: f64,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    MotionParts of Motion { vector: DVec3, length: f64 }
    by Motion::from_parts
);

impl Motion {
    /// No motion at all: a sweep then answers like an overlap test.
    pub const ZERO: Self = Self { vector: DVec3::ZERO, length: 0.0 };

    /// The displacement `vector`, in metres.
    ///
    /// # Errors
    /// If a coordinate is not finite or its magnitude exceeds [`crate::MAX_POSITION`].
    #[inline]
    pub fn new(vector: DVec3) -> Result<Self, ShapeError> {
        match Self::new_fast(vector) {
            Some(motion) => Ok(motion),
            None => Self::checked(vector),
        }
    }

    /// Fast path of [`Motion::new`]: `None` if the vector may be out of range, or is zero.
    #[inline]
    pub(crate) fn new_fast(vector: DVec3) -> Option<Self> {
        Self::with_length(vector, vector.length())
    }

    /// [`Motion::new_fast`], of a vector whose length is known.
    #[inline]
    pub(crate) fn with_length(vector: DVec3, length: f64) -> Option<Self> {
        // The length bounds every coordinate, and no square underflowed. False for NaN.
        (length > MIN_DIRECTION_LENGTH && length < MAX_POSITION).then_some(Self { vector, length })
    }

    /// [`Motion::new`], number by number, to name the field in the error.
    #[cold]
    fn checked(vector: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("motion"), vector)?;
        let length = vector.length();
        let length =
            if length > MIN_DIRECTION_LENGTH { length } else { length_and_direction(vector).0 };
        Ok(Self { vector, length })
    }

    /// `distance` metres along `direction`, which may have any length but zero.
    ///
    /// # Errors
    /// If a number is not finite or out of range, if `distance` is negative, or if `direction` is
    /// zero.
    pub fn along(direction: DVec3, distance: f64) -> Result<Self, ShapeError> {
        check_number("distance", distance, MAX_POSITION)?;
        if distance < 0.0 {
            return Err(ShapeError::Negative { field: "distance", value: distance });
        }
        let direction = check_direction("direction", xyz!("direction"), direction)?;
        Ok(Self { vector: direction * distance, length: distance })
    }

    /// The motion with this vector and this length, as [`Motion::along`] makes them.
    ///
    /// The length may then be off by a few roundings, and by more for subnormal numbers.
    ///
    /// # Errors
    /// As [`Motion::new`], and if the length is not that of the vector.
    pub fn from_parts(vector: DVec3, length: f64) -> Result<Self, ShapeError> {
        let expected = Self::new(vector)?.length;
        // False for NaN.
        let agrees =
            (length - expected).abs() <= 16.0 * f64::EPSILON * expected + f64::MIN_POSITIVE;
        if agrees && length >= 0.0 {
            Ok(Self { vector, length })
        } else {
            Err(ShapeError::Disagrees { field: "length", value: length, expected })
        }
    }

    /// The displacement.
    pub fn vector(&self) -> DVec3 {
        self.vector
    }

    /// The length in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The unit direction; `None` if the motion is zero.
    pub fn direction(&self) -> Option<DVec3> {
        length_and_direction(self.vector).1
    }

    /// Whether the motion is zero.
    pub fn is_zero(&self) -> bool {
        self.length == 0.0
    }

    /// The motion, longer by `contact_offset` metres.
    ///
    /// Sweep with it to see hits within the offset past the end;
    /// [`SweepHit::safe_advance`](crate::SweepHit::safe_advance) then subtracts the same amount.
    /// A zero motion has no direction and stays zero.
    ///
    /// # Errors
    /// If `contact_offset` is negative or not finite, or the result is out of range.
    pub fn extended(&self, contact_offset: f64) -> Result<Self, ShapeError> {
        check_number("contact_offset", contact_offset, MAX_POSITION)?;
        if contact_offset < 0.0 {
            return Err(ShapeError::Negative { field: "contact_offset", value: contact_offset });
        }
        match self.direction() {
            Some(direction) => Self::along(direction, self.length + contact_offset),
            None => Ok(*self),
        }
    }
}

impl From<Motion> for DVec3 {
    fn from(motion: Motion) -> Self {
        motion.vector
    }
}

impl TryFrom<DVec3> for Motion {
    type Error = ShapeError;

    fn try_from(vector: DVec3) -> Result<Self, ShapeError> {
        Self::new(vector)
    }
}

use crate::error::{ShapeError, check_position, xyz};
use glam::DVec3;

/// An axis-aligned box. All coordinates are finite, and `min ≤ max` on every axis.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "AabbParts", into = "AabbParts"))]
pub struct Aabb {
    min: DVec3,
    max: DVec3,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(AabbParts of Aabb { min: DVec3, max: DVec3 } by Aabb::new);

impl Aabb {
    /// The box between two corners.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range, or if `min` exceeds `max` on an axis.
    pub fn new(min: DVec3, max: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("min"), min)?;
        check_position(xyz!("max"), max)?;
        for (axis, field) in ["x", "y", "z"].into_iter().enumerate() {
            if min[axis] > max[axis] {
                return Err(ShapeError::Inverted { field, min: min[axis], max: max[axis] });
            }
        }
        Ok(Self { min, max })
    }

    /// A box whose corners come from checked shapes, so that it is known to be valid.
    pub(crate) fn from_corners(min: DVec3, max: DVec3) -> Self {
        debug_assert!(min.cmple(max).all(), "corners {min} and {max} are inverted");
        Self { min, max }
    }

    /// The corner with the smallest coordinates.
    pub fn min(&self) -> DVec3 {
        self.min
    }

    /// The corner with the largest coordinates.
    pub fn max(&self) -> DVec3 {
        self.max
    }

    /// The centre of the box.
    pub fn center(&self) -> DVec3 {
        self.min + (self.max - self.min) * 0.5
    }

    /// The edge lengths in metres.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The smallest box that contains both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// This box grown by `margin` (metres, ≥ 0) on all six sides.
    #[must_use]
    pub(crate) fn grown(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Whether the two boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `other` lies inside this box, surface included.
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Whether `point` lies inside, surface included.
    pub fn contains_point(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}

use crate::error::{ShapeError, check_direction, check_position, xyz};
use glam::DVec3;

/// A half-space: all points behind a plane. It is solid, so a capsule anywhere below overlaps.
///
/// The normal is f64: at 10⁶ m from the plane's point an f32 normal would be 6 cm off.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "HalfSpaceParts", into = "HalfSpaceParts"))]
pub struct HalfSpace {
    point: DVec3,
    normal: DVec3,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    HalfSpaceParts of HalfSpace { point: DVec3, normal: DVec3 }
    by HalfSpace::new
);

impl HalfSpace {
    /// The half-space behind the plane through `point`. `normal` points out of it and may have any
    /// length but zero.
    ///
    /// # Errors
    /// If a number is not finite or out of range, or `normal` is zero.
    pub fn new(point: DVec3, normal: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("point"), point)?;
        let normal = check_direction("normal", xyz!("normal"), normal)?;
        Ok(Self { point, normal })
    }

    /// A point on the surface.
    pub fn point(&self) -> DVec3 {
        self.point
    }

    /// The unit normal, pointing out of the solid.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The height of `point` over the surface in metres; negative inside.
    pub fn signed_distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.point)
    }
}

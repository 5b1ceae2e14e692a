use crate::Aabb;
use crate::error::{ShapeError, check_position, xyz};
use glam::DVec3;

/// A point in the world, finite and in range: the target of
/// [`sweep_capsule_point`](crate::sweep_capsule_point) and the like.
///
/// ```
/// use capsweep::Point;
/// use glam::dvec3;
///
/// assert_eq!(Point::new(dvec3(1.0, 2.0, 3.0))?.position(), dvec3(1.0, 2.0, 3.0));
/// assert!(Point::new(dvec3(1.0, f64::NAN, 3.0)).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PointParts", into = "PointParts"))]
pub struct Point {
    position: DVec3,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(PointParts of Point { position: DVec3 } by Point::new);

impl Point {
    /// The point at `position`.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range.
    pub fn new(position: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("position"), position)?;
        Ok(Self { position })
    }

    /// Where it is.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The box around the point: both of its corners are the point.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_corners(self.position, self.position)
    }
}

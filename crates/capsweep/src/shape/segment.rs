use crate::error::{ShapeError, check_position, length_and_direction, xyz};
use crate::{Aabb, Point};
use glam::DVec3;

/// A segment from `a` to `b`, finite and in range.
///
/// It has no inside and no sides. A segment without length is a point: queries answer as for
/// [`Point`], in bits.
///
/// ```
/// use capsweep::Segment;
/// use glam::dvec3;
///
/// let segment = Segment::new(dvec3(0.0, 0.0, 1.0), dvec3(4.0, 0.0, 1.0))?;
/// assert_eq!((segment.length(), segment.at(0.25)), (4.0, dvec3(1.0, 0.0, 1.0)));
/// assert!(Segment::new(dvec3(f64::NAN, 0.0, 0.0), dvec3(4.0, 0.0, 1.0)).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SegmentParts", into = "SegmentParts"))]
pub struct Segment {
    a: DVec3,
    b: DVec3,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(SegmentParts of Segment { a: DVec3, b: DVec3 } by Segment::new);

impl Segment {
    /// The segment from `a` to `b`; a point if they are equal.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range.
    pub fn new(a: DVec3, b: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("a"), a)?;
        check_position(xyz!("b"), b)?;
        Ok(Self { a, b })
    }

    /// The segment without length at a point.
    pub(crate) fn from_point(point: &Point) -> Self {
        Self { a: point.position(), b: point.position() }
    }

    /// The start.
    pub fn a(&self) -> DVec3 {
        self.a
    }

    /// The end.
    pub fn b(&self) -> DVec3 {
        self.b
    }

    /// The vector from `a` to `b`.
    pub fn vector(&self) -> DVec3 {
        self.b - self.a
    }

    /// The length in metres.
    pub fn length(&self) -> f64 {
        length_and_direction(self.vector()).0
    }

    /// The unit vector from `a` to `b`; `None` for a point.
    pub fn direction(&self) -> Option<DVec3> {
        length_and_direction(self.vector()).1
    }

    /// Whether it has no length: `a` and `b` are equal.
    pub fn is_point(&self) -> bool {
        self.a == self.b
    }

    /// The point at a fraction of the length: exactly `a` at 0 and exactly `b` at 1. A fraction
    /// outside 0 to 1 gives a point on the line beyond the ends.
    pub fn at(&self, fraction: f64) -> DVec3 {
        if fraction == 1.0 { self.b } else { self.a + self.vector() * fraction }
    }

    /// The smallest axis-aligned box around the segment.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_corners(self.a.min(self.b), self.a.max(self.b))
    }
}

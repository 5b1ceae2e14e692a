//! Closest points of a capsule and one shape.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, ClosestPoints, HalfSpace, Obb, Point, Segment, Sphere, Triangle};

/// Closest points of `capsule` and a triangle.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &TriangleTarget::new(&frame, triangle))
}

/// Closest points of `capsule` and a segment.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins. A
/// segment without length answers like a [`Point`], in bits.
///
/// ```
/// use capsweep::{Capsule, Feature, Segment};
/// use glam::{DVec3, dvec3};
///
/// let person = Capsule::new(DVec3::ZERO, DVec3::Z, 0.5)?;
/// let rope = Segment::new(dvec3(2.0, -1.0, 0.5), dvec3(2.0, 3.0, 0.5))?;
/// let closest = capsweep::closest_capsule_segment(&person, &rope);
/// assert_eq!((closest.distance, closest.feature), (1.5, Feature::Edge(0)));
/// assert_eq!(closest.on_geometry, dvec3(2.0, 0.0, 0.5));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn closest_capsule_segment(capsule: &Capsule, segment: &Segment) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &RoundTarget::segment(&frame, segment))
}

/// Closest points of `capsule` and a point.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
///
/// ```
/// use capsweep::{Capsule, Point, Region};
/// use glam::{DVec3, dvec3};
///
/// let person = Capsule::new(DVec3::ZERO, DVec3::Z, 0.5)?;
/// let lamp = Point::new(dvec3(0.0, 0.0, 4.0))?;
/// let closest = capsweep::closest_capsule_point(&person, &lamp);
/// assert_eq!((closest.distance, closest.region), (2.5, Region::Top));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn closest_capsule_point(capsule: &Capsule, point: &Point) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &RoundTarget::point(&frame, point))
}

/// Closest points of `capsule` and a solid box.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_box(capsule: &Capsule, obb: &Obb) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &BoxTarget::new(&frame, obb))
}

/// Closest points of `capsule` and a solid sphere.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &RoundTarget::sphere(&frame, sphere))
}

/// Closest points of `capsule` and another capsule.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_capsule(capsule: &Capsule, other: &Capsule) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &RoundTarget::capsule(&frame, other))
}

/// Closest points of `capsule` and a half-space.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &HalfSpaceTarget::new(&frame, half_space))
}

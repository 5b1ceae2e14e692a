//! The overlap of a capsule at rest and one shape: its depth, and the shortest push-out.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Obb, Overlap, Point, Segment, Sphere, Triangle};

/// The overlap of `capsule` and a triangle, with the shortest push-out.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Moving by `normal · depth` leaves them
/// touching to 5 µm, also where the axis pierces the triangle.
pub fn overlap_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &TriangleTarget::new(&frame, triangle))
}

/// The overlap of `capsule` and a segment, with the shortest push-out.
///
/// `None` if they are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Where
/// the axis crosses the segment, the push-out is perpendicular to both. A segment without length
/// answers like a [`Point`], in bits.
///
/// ```
/// use capsweep::{Capsule, Segment};
/// use glam::{DVec3, dvec3};
///
/// let ball = Capsule::new(DVec3::ZERO, DVec3::ZERO, 0.5)?;
/// let edge = Segment::new(dvec3(-9.0, 0.0, -0.375), dvec3(9.0, 0.0, -0.375))?;
/// let overlap = capsweep::overlap_capsule_segment(&ball, &edge).expect("it is inside the ball");
/// assert_eq!((overlap.depth, overlap.normal.as_dvec3()), (0.125, DVec3::Z));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn overlap_capsule_segment(capsule: &Capsule, segment: &Segment) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &RoundTarget::segment(&frame, segment))
}

/// The overlap of `capsule` and a point, with the shortest push-out.
///
/// `None` if the point is outside or touches within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). If the point is on the axis, the push-out is
/// perpendicular to the axis, by the radius.
///
/// ```
/// use capsweep::{Capsule, Point};
/// use glam::DVec3;
///
/// let person = Capsule::new(DVec3::ZERO, DVec3::Z, 0.5)?;
/// let inside = Point::new(DVec3::new(0.125, 0.0, 0.5))?;
/// let overlap = capsweep::overlap_capsule_point(&person, &inside).expect("it is inside");
/// assert_eq!((overlap.depth, overlap.normal.as_dvec3()), (0.375, DVec3::NEG_X));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn overlap_capsule_point(capsule: &Capsule, point: &Point) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &RoundTarget::point(&frame, point))
}

/// The overlap of `capsule` and a solid box, with the shortest push-out.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_box(capsule: &Capsule, obb: &Obb) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &BoxTarget::new(&frame, obb))
}

/// The overlap of `capsule` and a solid sphere, with the shortest push-out.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &RoundTarget::sphere(&frame, sphere))
}

/// The overlap of `capsule` and another capsule, with the shortest push-out.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Where the axes cross, the push-out is
/// perpendicular to both.
pub fn overlap_capsule_capsule(capsule: &Capsule, other: &Capsule) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &RoundTarget::capsule(&frame, other))
}

/// The overlap of `capsule` and a half-space. The push-out is along the plane's normal.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &HalfSpaceTarget::new(&frame, half_space))
}

//! The overlap of a capsule at rest and one shape: its depth, and the shortest push-out.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Obb, Overlap, Sphere, Triangle};

/// The overlap of `capsule` and a triangle, with the shortest push-out.
///
/// `None` if the surfaces are apart or touch within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Moving by `normal · depth` leaves them
/// touching to 5 µm, also where the axis pierces the triangle.
pub fn overlap_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> Option<Overlap> {
    let frame = CapsuleFrame::new(capsule);
    contract::overlap(&frame, &TriangleTarget::new(&frame, triangle))
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

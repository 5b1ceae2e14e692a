//! The shortest way out of one shape that a capsule overlaps.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Obb, Overlap, Sphere, Triangle};

/// The shortest way out of a triangle that `capsule` overlaps (rule 5).
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Moving by `normal · depth`
/// leaves them touching to 5 µm, also where the axis pierces the triangle.
pub fn overlap_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &TriangleTarget::new(&view, triangle))
}

/// The shortest way out of a solid box that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_box(capsule: &Capsule, obb: &Obb) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &BoxTarget::new(&view, obb))
}

/// The shortest way out of a solid sphere that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &RoundTarget::sphere(&view, sphere))
}

/// The shortest way out of another capsule that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). Where the axes cross, out is
/// across both of them.
pub fn overlap_capsule_capsule(capsule: &Capsule, other: &Capsule) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &RoundTarget::capsule(&view, other))
}

/// The way out of the half-space that `capsule` overlaps: along its normal.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE).
pub fn overlap_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &HalfSpaceTarget::new(&view, half_space))
}

//! Closest points of a capsule and one shape.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, ClosestPoints, HalfSpace, Obb, Sphere, Triangle};

/// Closest points of `capsule` and a triangle.
///
/// In an overlap the distance is negative, and the points are those that the push-out joins.
pub fn closest_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> ClosestPoints {
    let frame = CapsuleFrame::new(capsule);
    contract::closest(&frame, &TriangleTarget::new(&frame, triangle))
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

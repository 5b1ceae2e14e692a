//! Closest points of a capsule and one shape.

use crate::pair::contract::{self, CapsuleFrame};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, ClosestPoints, HalfSpace, Obb, Sphere, Triangle};

/// Closest points of `capsule` and a triangle (rules 2.3, 5.3).
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &TriangleTarget::new(&view, triangle))
}

/// Closest points of `capsule` and a solid box.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_box(capsule: &Capsule, obb: &Obb) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &BoxTarget::new(&view, obb))
}

/// Closest points of `capsule` and a solid sphere.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &RoundTarget::sphere(&view, sphere))
}

/// Closest points of `capsule` and another capsule.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_capsule(capsule: &Capsule, other: &Capsule) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &RoundTarget::capsule(&view, other))
}

/// Closest points of `capsule` and a half-space.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &HalfSpaceTarget::new(&view, half_space))
}

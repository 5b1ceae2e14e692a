use crate::contract::{self, CapsuleFrame};
use crate::target::TriangleTarget;
use crate::{Capsule, ClosestPoints, Triangle};

/// Closest points of `capsule` and a triangle (rules 2.3, 5.3).
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &TriangleTarget::new(&view, triangle))
}

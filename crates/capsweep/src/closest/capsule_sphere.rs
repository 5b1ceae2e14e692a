use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, ClosestPoints, Sphere};

/// Closest points of `capsule` and a solid sphere.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &RoundTarget::sphere(&view, sphere))
}

use crate::contract::{self, CapsuleFrame};
use crate::target::HalfSpaceTarget;
use crate::{Capsule, ClosestPoints, HalfSpace};

/// Closest points of `capsule` and a half-space.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &HalfSpaceTarget::new(&view, half_space))
}

use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, ClosestPoints};

/// Closest points of `capsule` and another capsule.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_capsule(capsule: &Capsule, other: &Capsule) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &RoundTarget::capsule(&view, other))
}

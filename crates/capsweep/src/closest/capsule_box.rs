use crate::contract::{self, CapsuleFrame};
use crate::target::BoxTarget;
use crate::{Capsule, ClosestPoints, Obb};

/// Closest points of `capsule` and a solid box.
///
/// Where they overlap the distance is negative and the points are those that push-out brings together.
pub fn closest_capsule_box(capsule: &Capsule, obb: &Obb) -> ClosestPoints {
    let view = CapsuleFrame::of(capsule);
    contract::closest(&view, &BoxTarget::new(&view, obb))
}

use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, Overlap, Sphere};

/// The shortest way out of a solid sphere that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::BOUND).
pub fn overlap_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &RoundTarget::sphere(&view, sphere))
}

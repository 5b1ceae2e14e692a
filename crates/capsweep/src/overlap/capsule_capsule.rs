use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, Overlap};

/// The shortest way out of another capsule that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::BOUND). Where the axes cross, out is
/// across both of them.
pub fn overlap_capsule_capsule(capsule: &Capsule, other: &Capsule) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &RoundTarget::capsule(&view, other))
}

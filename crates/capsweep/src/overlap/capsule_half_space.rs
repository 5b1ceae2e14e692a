use crate::contract::{self, CapsuleFrame};
use crate::target::HalfSpaceTarget;
use crate::{Capsule, HalfSpace, Overlap};

/// The way out of the half-space that `capsule` overlaps: along its normal.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::BOUND).
pub fn overlap_capsule_half_space(capsule: &Capsule, half_space: &HalfSpace) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &HalfSpaceTarget::new(&view, half_space))
}

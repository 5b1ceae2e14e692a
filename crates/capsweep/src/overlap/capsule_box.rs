use crate::contract::{self, CapsuleFrame};
use crate::target::BoxTarget;
use crate::{Capsule, Obb, Overlap};

/// The shortest way out of a solid box that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::BOUND).
pub fn overlap_capsule_box(capsule: &Capsule, obb: &Obb) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &BoxTarget::new(&view, obb))
}

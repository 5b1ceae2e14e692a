use crate::contract::{self, View};
use crate::target::RoundTarget;
use crate::{Capsule, Overlap};

/// The shortest way out of another capsule that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`BOUND`](crate::BOUND). Where the axes cross, out is
/// across both of them.
pub fn overlap_capsule_capsule(capsule: &Capsule, other: &Capsule) -> Option<Overlap> {
    let view = View::of(capsule);
    contract::overlap(&view, &RoundTarget::capsule(&view, other))
}

use crate::contract::{self, View};
use crate::target::RoundTarget;
use crate::{Capsule, Overlap, Sphere};

/// The shortest way out of a solid sphere that `capsule` overlaps.
///
/// `None` if the surfaces are apart or touch within [`BOUND`](crate::BOUND).
pub fn overlap_capsule_sphere(capsule: &Capsule, sphere: &Sphere) -> Option<Overlap> {
    let view = View::of(capsule);
    contract::overlap(&view, &RoundTarget::sphere(&view, sphere))
}

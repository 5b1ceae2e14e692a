use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, Motion, Sides, Sphere, SweepHit};

/// First touch of `capsule`, moving by `motion`, and a solid sphere (rule 10.2).
///
/// `None` if they do not meet, or if they overlap at the start, `sides` is [`Sides::Front`] and the
/// motion leads out.
pub fn sweep_capsule_sphere(
    capsule: &Capsule,
    motion: &Motion,
    sphere: &Sphere,
    sides: Sides,
) -> Option<SweepHit> {
    let view = CapsuleFrame::of(capsule);
    contract::sweep(&view, motion, &RoundTarget::sphere(&view, sphere), sides)
}

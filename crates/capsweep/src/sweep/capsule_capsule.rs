use crate::contract::{self, CapsuleFrame};
use crate::target::RoundTarget;
use crate::{Capsule, Motion, Sides, SweepHit};

/// First touch of `capsule`, moving by `motion`, and another capsule that stands still (rule 10.2).
///
/// `None` if they do not meet, or if they overlap at the start, `sides` is [`Sides::Front`] and the
/// motion leads out.
pub fn sweep_capsule_capsule(
    capsule: &Capsule,
    motion: &Motion,
    other: &Capsule,
    sides: Sides,
) -> Option<SweepHit> {
    let view = CapsuleFrame::of(capsule);
    contract::sweep(&view, motion, &RoundTarget::capsule(&view, other), sides)
}

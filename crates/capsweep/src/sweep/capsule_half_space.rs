use crate::contract::{self, CapsuleFrame};
use crate::target::HalfSpaceTarget;
use crate::{Capsule, HalfSpace, Motion, Sides, SweepHit};

/// First touch of `capsule`, moving by `motion`, and everything behind a plane.
///
/// `None` if they do not meet, or if they overlap at the start, `sides` is [`Sides::Front`] and the
/// motion leads out.
pub fn sweep_capsule_half_space(
    capsule: &Capsule,
    motion: &Motion,
    half_space: &HalfSpace,
    sides: Sides,
) -> Option<SweepHit> {
    let view = CapsuleFrame::of(capsule);
    contract::sweep(&view, motion, &HalfSpaceTarget::new(&view, half_space), sides)
}

use crate::contract::{self, CapsuleFrame};
use crate::target::BoxTarget;
use crate::{Capsule, Motion, Obb, Sides, SweepHit};

/// First touch of `capsule`, moving by `motion`, and a solid box (rule 10.2).
///
/// `None` if they do not meet, or if they overlap at the start, `sides` is [`Sides::Front`] and the
/// motion leads out.
pub fn sweep_capsule_box(
    capsule: &Capsule,
    motion: &Motion,
    obb: &Obb,
    sides: Sides,
) -> Option<SweepHit> {
    let view = CapsuleFrame::of(capsule);
    contract::sweep(&view, motion, &BoxTarget::new(&view, obb), sides)
}

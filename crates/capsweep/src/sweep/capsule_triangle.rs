use crate::contract::{CapsuleFrame, Sweep};
use crate::target::TriangleTarget;
use crate::{Capsule, Motion, Sides, SweepHit, Triangle};

/// First touch of `capsule`, moving by `motion`, and a triangle (rule 4).
///
/// `None` if they do not meet, or if `sides` is [`Sides::Front`] and the motion runs along or out
/// of the triangle's front. At the reported time the gap is 0 to [`CONTACT_TOLERANCE`](crate::BOUND)
/// for motions up to 1 km and triangles up to 4 km, slivers and degenerate triangles included.
pub fn sweep_capsule_triangle(
    capsule: &Capsule,
    motion: &Motion,
    triangle: &Triangle,
    sides: Sides,
) -> Option<SweepHit> {
    let view = CapsuleFrame::of(capsule);
    let sweep = Sweep::new(&view, motion, sides);
    sweep.first_touch(&TriangleTarget::swept(&sweep, triangle)?)
}

//! First touch of a moving capsule and one shape: no scene needed.

use crate::pair::contract::{self, CapsuleFrame, Sweep};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Motion, Obb, Sides, Sphere, SweepHit, Triangle};

/// First touch of `capsule`, moving by `motion`, and a triangle (rule 4).
///
/// `None` if they do not meet, or if `sides` is [`Sides::Front`] and the motion runs along or out
/// of the triangle's front. At the reported time the gap is 0 to [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE)
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

//! The first touch of a moving capsule and one shape.

use crate::pair::contract::{self, CapsuleFrame, Sweep};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Motion, Obb, Sides, Sphere, SweepHit, Triangle};

/// The first touch of `capsule`, moving by `motion`, and a triangle.
///
/// `None` if they do not touch, or if `sides` is [`Sides::Front`] and the motion runs along or out
/// of the triangle's front. At the reported time the gap is 0 to within
/// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE). That holds for motions up to 1 km and
/// triangles up to 4 km, slivers and degenerate triangles included.
pub fn sweep_capsule_triangle(
    capsule: &Capsule,
    motion: &Motion,
    triangle: &Triangle,
    sides: Sides,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, sides);
    sweep.first_hit(&TriangleTarget::swept(&sweep, triangle)?)
}

/// The first touch of `capsule`, moving by `motion`, and a solid box.
///
/// `None` if they do not touch. Also `None` if they overlap at the start, `sides` is
/// [`Sides::Front`] and the motion leads out or along.
pub fn sweep_capsule_box(
    capsule: &Capsule,
    motion: &Motion,
    obb: &Obb,
    sides: Sides,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &BoxTarget::new(&frame, obb), sides)
}

/// The first touch of `capsule`, moving by `motion`, and a solid sphere.
///
/// `None` if they do not touch. Also `None` if they overlap at the start, `sides` is
/// [`Sides::Front`] and the motion leads out or along.
pub fn sweep_capsule_sphere(
    capsule: &Capsule,
    motion: &Motion,
    sphere: &Sphere,
    sides: Sides,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &RoundTarget::sphere(&frame, sphere), sides)
}

/// The first touch of `capsule`, moving by `motion`, and another capsule at rest.
///
/// `None` if they do not touch. Also `None` if they overlap at the start, `sides` is
/// [`Sides::Front`] and the motion leads out or along.
pub fn sweep_capsule_capsule(
    capsule: &Capsule,
    motion: &Motion,
    other: &Capsule,
    sides: Sides,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &RoundTarget::capsule(&frame, other), sides)
}

/// The first touch of `capsule`, moving by `motion`, and everything behind a plane.
///
/// `None` if they do not touch. Also `None` if they overlap at the start, `sides` is
/// [`Sides::Front`] and the motion leads out or along.
pub fn sweep_capsule_half_space(
    capsule: &Capsule,
    motion: &Motion,
    half_space: &HalfSpace,
    sides: Sides,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &HalfSpaceTarget::new(&frame, half_space), sides)
}

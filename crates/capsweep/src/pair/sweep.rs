//! The first touch of a moving capsule and one shape.

use crate::pair::contract::{self, CapsuleFrame, Sweep};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget, TriangleTarget};
use crate::{Capsule, HalfSpace, Motion, Obb, Point, Segment, Sides, Sphere, SweepHit, Triangle};

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

/// The first touch of `capsule`, moving by `motion`, and a segment: an edge on its own.
///
/// `None` if they do not touch. Like a degenerate triangle, a segment has no sides and no inside,
/// so none is skipped because of the motion. If they overlap at the start, the hit is at time 0
/// with a `depth`, also if the motion leads out. A motion along the segment hits its near end. A
/// segment without length answers like a [`Point`], in bits.
///
/// ```
/// use capsweep::{Capsule, Feature, Motion, Segment};
/// use glam::{DVec3, Vec3, dvec3};
///
/// // A ball falls onto the nosing of a stair.
/// let ball = Capsule::new(dvec3(0.0, 0.0, 3.0), dvec3(0.0, 0.0, 3.0), 0.5)?;
/// let nosing = Segment::new(dvec3(-1.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0))?;
/// let fall = Motion::new(dvec3(0.0, 0.0, -4.0))?;
/// let hit = capsweep::sweep_capsule_segment(&ball, &fall, &nosing).expect("it is below");
/// assert!((hit.distance - 1.5).abs() < 1e-9);
/// assert_eq!((hit.feature, hit.normal), (Feature::Edge(0), Vec3::Z));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn sweep_capsule_segment(
    capsule: &Capsule,
    motion: &Motion,
    segment: &Segment,
) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &RoundTarget::segment(&frame, segment), NO_SIDES)
}

/// The first touch of `capsule`, moving by `motion`, and a point: a vertex on its own.
///
/// `None` if they do not touch. A point has no sides and no inside, so none is skipped because of
/// the motion. If it is inside the capsule at the start, the hit is at time 0 with a `depth`, also
/// if the motion leads out.
///
/// ```
/// use capsweep::{Capsule, Feature, Motion, Point, Region};
/// use glam::{DVec3, dvec3};
///
/// // The side of an upright capsule meets the tip of a spike: 3-4-5.
/// let person = Capsule::new(DVec3::ZERO, DVec3::Z, 0.5)?;
/// let tip = Point::new(dvec3(2.0, 0.3, 0.5))?;
/// let walk = Motion::new(dvec3(4.0, 0.0, 0.0))?;
/// let hit = capsweep::sweep_capsule_point(&person, &walk, &tip).expect("it is ahead");
/// assert!((hit.distance - 1.6).abs() < 1e-7);
/// assert_eq!((hit.feature, hit.region), (Feature::Vertex(0), Region::Side));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn sweep_capsule_point(capsule: &Capsule, motion: &Motion, point: &Point) -> Option<SweepHit> {
    let frame = CapsuleFrame::new(capsule);
    contract::sweep(&frame, motion, &RoundTarget::point(&frame, point), NO_SIDES)
}

/// The sides of a target without sides and inside. [`Sides::Both`] skips nothing.
const NO_SIDES: Sides = Sides::Both;

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

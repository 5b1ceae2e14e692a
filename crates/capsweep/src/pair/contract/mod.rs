//! The contract, written once for every pair: what counts as overlapping, as touching and as a
//! hit, and what is reported then. `docs/conventions.md` says it in words.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

mod contact;
mod gap;
mod sweep;

pub(crate) use contact::Source;
pub(crate) use gap::{IsPierced, closest, overlap, separation};
pub(crate) use sweep::{Impact, ImpactContact, Sweep, sweep};

use crate::kernel::PushOut;
use crate::kernel::{Entry, FlatPieceTest, SweepInput};
use crate::kernel::{Nearest, Segment};
use crate::math::{F32x8, F64x4, Vec3Soa};
use crate::{Capsule, Region};
use glam::DVec3;

/// A target seen from the capsule's centre: a core (polygon, box, half-space) and a radius
/// around it.
pub(crate) trait Target: Copy {
    /// Radius around the core; 0 where the core is the shape.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// Closest points of the axis and the core.
    fn nearest<L: F32x8>(&self, axis: &Segment) -> Nearest;

    /// The middle of a line contact that `nearest` is part of, or `nearest` itself.
    fn line_contact<L: F32x8>(&self, _axis: &Segment, nearest: Nearest) -> Nearest {
        nearest
    }

    /// The contact of an axis of which a motion brought an end, and nothing else, to the inside of a face: the face's normal and the points.
    fn under_end<L: F32x8>(&self, _axis: &Segment, _motion: DVec3) -> Option<(DVec3, Nearest)> {
        None
    }

    /// Shortest way for an axis centred on the origin to clear the core that it pierces.
    fn push_out(&self, half_axis: DVec3) -> PushOut;

    /// What the target's planes say of the sweep, if it has any.
    fn flats<L: F32x8>(&self, _way: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::UNSEEN
    }

    /// Time of the first touch; the capsule is clear of the target at the start. `flats` are the target's own.
    fn enter<L: F32x8>(&self, way: &SweepInput, flats: &FlatPieceTest) -> Option<Entry>;

    /// The touched face's own normal on the side of the contact's, which comes from `source`; `None` if it is that.
    fn face_normal(&self, _normal: DVec3, _source: Source) -> Option<DVec3> {
        None
    }

    /// Weights of the triangle's vertices at a point on it.
    fn barycentrics<L: F32x8>(&self, _contact: &Nearest) -> Option<[f64; 3]> {
        None
    }

    /// Whether the target has an inside: solids that a motion leads out of are skipped in
    /// [`Sides::Front`](crate::Sides::Front); a surface that is skipped is no target.
    fn is_solid(&self) -> bool {
        true
    }
}

/// The capsule with its centre at the origin. Subtracting `p0` first keeps every difference as
/// exact as the inputs, so a sweep at x = 16 384 is as exact as at 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CapsuleFrame {
    p0: DVec3,
    half_axis: DVec3,
    radius: f64,
}

impl CapsuleFrame {
    pub(crate) fn of(capsule: &Capsule) -> Self {
        let half_axis = capsule.axis() * 0.5;
        Self { p0: capsule.p0(), half_axis, radius: f64::from(capsule.radius()) }
    }

    /// A world position seen from the capsule's centre.
    pub(crate) fn relative(&self, world: DVec3) -> DVec3 {
        (world - self.p0) - self.half_axis
    }

    /// As [`CapsuleFrame::relative`], the same bits, for points side by side.
    #[inline(always)]
    pub(crate) fn relative_to<F: F64x4>(&self, world: Vec3Soa<F>) -> Vec3Soa<F> {
        world.sub(Vec3Soa::all(self.p0)).sub(Vec3Soa::all(self.half_axis))
    }

    fn world(&self, relative: DVec3) -> DVec3 {
        self.p0 + (relative + self.half_axis)
    }

    pub(crate) fn half_axis(&self) -> DVec3 {
        self.half_axis
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    fn axis(&self) -> Segment {
        Segment { start: -self.half_axis, vector: self.half_axis * 2.0 }
    }

    fn region(&self, axis_t: f64) -> Region {
        if self.half_axis == DVec3::ZERO { Region::Sphere } else { Region::at(axis_t) }
    }
}

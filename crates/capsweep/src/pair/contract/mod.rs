//! The contract, written once for every pair: what counts as an overlap, a touch and a hit, and
//! what is reported then. `docs/conventions.md` states it in words.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

mod contact;
mod distance;
mod gap;
mod sweep;

pub(crate) use contact::NormalSource;
pub(crate) use distance::{AxisDistance, axis_distance};
pub(crate) use gap::{closest, is_pierced, overlap, separation};
pub(crate) use sweep::{Impact, ImpactContact, Sweep, sweep};

use crate::kernel::PushOut;
use crate::kernel::{ClosestPair, RelativeSegment};
use crate::kernel::{Entry, FlatPieceTest, SweepInput};
use crate::math::{F32x8, F64x4, Vec3Soa};
use crate::{Capsule, Region, Segment};
use glam::DVec3;

/// A target in the capsule's frame: a core (polygon, box or half-space) and a radius around it.
pub(crate) trait Target: Copy {
    /// Radius around the core (metres); 0 where the core is the shape.
    fn convex_radius(&self) -> f64 {
        0.0
    }

    /// Closest points of the axis and the core.
    fn closest_pair<L: F32x8>(&self, axis: &RelativeSegment) -> ClosestPair;

    /// The middle of the line contact that `nearest` belongs to; `nearest` itself if there is
    /// none.
    fn line_contact<L: F32x8>(
        &self,
        _axis: &RelativeSegment,
        nearest: ClosestPair,
    ) -> ClosestPair {
        nearest
    }

    /// The face's normal and the closest points, where `motion` brought one end of the axis, and
    /// nothing else, to the inside of a face.
    fn end_on_face<L: F32x8>(
        &self,
        _axis: &RelativeSegment,
        _motion: DVec3,
    ) -> Option<(DVec3, ClosestPair)> {
        None
    }

    /// Shortest translation that clears the core of an axis that pierces it and is centred on the
    /// origin.
    fn push_out(&self, half_axis: DVec3) -> PushOut;

    /// The test of the target's flat pieces; undecided if it has none.
    fn test_flats<L: F32x8>(&self, _input: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::UNDECIDED
    }

    /// The first touch of a capsule that does not touch at the start. `flats` is the result of
    /// [`Target::test_flats`].
    fn enter<L: F32x8>(&self, input: &SweepInput, flats: &FlatPieceTest) -> Option<Entry>;

    /// The touched face's own normal, on the side of the contact normal, which comes from
    /// `source`. `None` if the two are the same.
    fn face_normal(&self, _normal: DVec3, _source: NormalSource) -> Option<DVec3> {
        None
    }

    /// Weights of the triangle's vertices at `nearest.on_target`; `None` for other shapes.
    fn barycentrics<L: F32x8>(&self, _nearest: &ClosestPair) -> Option<[f64; 3]> {
        None
    }

    /// Whether the target has an inside. In [`Sides::Front`](crate::Sides::Front) a sweep skips a
    /// solid that the motion leads out of. Triangles are skipped before they become targets.
    fn is_solid(&self) -> bool {
        true
    }
}

/// The capsule with its centre at the origin.
///
/// Subtracting `p0` first keeps every difference as exact as the inputs. So a sweep at x = 16 384
/// is as exact as one at 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CapsuleFrame {
    p0: DVec3,
    half_axis: DVec3,
    radius: f64,
}

impl CapsuleFrame {
    pub(crate) fn new(capsule: &Capsule) -> Self {
        let half_axis = capsule.axis() * 0.5;
        Self { p0: capsule.p0(), half_axis, radius: f64::from(capsule.radius()) }
    }

    /// The frame of a capsule whose radius does not count: of its axis alone.
    pub(crate) fn of_axis(axis: &Segment) -> Self {
        Self { p0: axis.a(), half_axis: axis.vector() * 0.5, radius: 0.0 }
    }

    /// A world position relative to the capsule's centre.
    pub(crate) fn relative(&self, world: DVec3) -> DVec3 {
        (world - self.p0) - self.half_axis
    }

    /// [`CapsuleFrame::relative`] of one point per lane, with the same bits.
    #[inline(always)]
    pub(crate) fn relative_lanes<F: F64x4>(&self, world: Vec3Soa<F>) -> Vec3Soa<F> {
        world.sub(Vec3Soa::all(self.p0)).sub(Vec3Soa::all(self.half_axis))
    }

    fn to_world(self, relative: DVec3) -> DVec3 {
        self.p0 + (relative + self.half_axis)
    }

    pub(crate) fn half_axis(&self) -> DVec3 {
        self.half_axis
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    fn axis(&self) -> RelativeSegment {
        RelativeSegment { start: -self.half_axis, vector: self.half_axis * 2.0 }
    }

    fn region(&self, axis_t: f64) -> Region {
        if self.half_axis == DVec3::ZERO { Region::Sphere } else { Region::at(axis_t) }
    }
}

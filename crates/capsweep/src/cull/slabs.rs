//! A moving box against boxes, in f32: good for culling only.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, F32x4, F32x8, Node};
use crate::math::{Lane, Vec3Soa};

/// Unit roundoff of f32.
pub(crate) const EPSILON: f32 = f32::EPSILON * 0.5;

/// Latest time of any sweep here (no unit). Motions that last longer are shorter than 10⁻³⁰ m; what they cover
/// later is far below the margins, and the product with a motion of zero stays zero.
pub(crate) const LATEST: f64 = 1e30;

/// Time that a unit of the boxes takes at most: what moves more slowly moves less than any margin while it is of interest, and the
/// product with the largest coordinate, 10⁹, is still an f32.
const SLOWEST: f32 = 1e28;

/// Factor (no unit) on what was rounded a few times, by an ulp or two each.
pub(crate) const SLACK: f32 = 1.0 + 16.0 * EPSILON;

/// Weight (no unit) of the time when the centre meets a box, against that when the moving box does, in the order of a walk. It only
/// matters for speed; an eighth decides between boxes that are met at about the same time, and above all at the start.
const CENTER_COUNTS: f32 = 0.125;

/// A moving box, and when it meets others. Aligned, so that no four numbers lie across two lines of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Slabs {
    /// One over the motion, huge where it is zero: the time that a unit of the boxes takes.
    pub(crate) pace: [f32; 4],
    /// The box at the start: the corner that leads, and the one that trails.
    front_corner: [f32; 4],
    rear_corner: [f32; 4],
    /// When these would pass the origin along each axis.
    front_time: [f32; 4],
    rear_time: [f32; 4],
    /// Time from when the leading corner passes a plane across each axis to when the centre does.
    lag: [f32; 4],
    /// 1 where the motion runs towards smaller coordinates, else 0: the side of a box that it meets first.
    first: [u32; 4],
    /// Latest time of interest.
    pub(crate) limit: f32,
}

impl Slabs {
    /// The half extents must make room for the rounding of all coordinates: eight ulps of the largest. There is room in
    /// that for the rounding of times, too: a few ulps of a time are as much as a few ulps of the distance that is covered in it.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        center: L::F32x4,
        half_extents: L::F32x4,
        motion: L::F32x4,
        limit: f64,
    ) -> Self {
        let speed = motion.abs().max(L::F32x4::load([1.0 / SLOWEST; 4])).with_sign_of(motion);
        let pace = L::F32x4::load([1.0; 4]) / speed;
        let corner = half_extents.with_sign_of(motion);
        let (front_corner, rear_corner) = (center + corner, center - corner);
        let from = L::F32x4::load([-0.0; 4]);
        Self {
            pace: pace.store(),
            front_corner: front_corner.store(),
            rear_corner: rear_corner.store(),
            front_time: from.minus_product(front_corner, pace).store(),
            rear_time: from.minus_product(rear_corner, pace).store(),
            lag: (half_extents * pace.abs()).store(),
            first: motion.signs(),
            limit: latest(limit),
        }
    }

    /// Nothing after `time` is of interest any more.
    #[inline(always)]
    pub(crate) fn lower_limit(&mut self, time: f64) {
        self.limit = self.limit.min(latest(time));
    }

    /// Bits of the boxes that the moving box meets within the limit, when it does, and their order: what the centre runs into as well
    /// is more likely to stop it.
    #[inline(always)]
    pub(crate) fn enter<L: F32x8>(&self, node: &Node) -> (u32, L, L) {
        let ([enter_x, enter_y, enter_z], leave) = self.pass::<L>(node);
        let enter = L::splat(0.0).max(enter_x).max(enter_y).max(enter_z);
        let center_x = enter_x + L::splat(self.lag[0]);
        let center_y = enter_y + L::splat(self.lag[1]);
        let center_z = enter_z + L::splat(self.lag[2]);
        let center = center_x.max(center_y).max(center_z).min(L::splat(self.limit));
        let order = enter + center * L::splat(CENTER_COUNTS);
        (enter.le_mask(leave), enter, order.if_at_most(enter, leave))
    }

    /// As [`Slabs::enter`] for a box that is hardly larger than its centre. What it starts in comes first, and of that what it would have met first.
    #[inline(always)]
    pub(crate) fn enter_by_point<L: F32x8>(&self, node: &Node) -> (u32, L, L) {
        let ([x, y, z], leave) = self.pass::<L>(node);
        let order = x.max(y).max(z);
        let enter = order.max(L::splat(0.0));
        (enter.le_mask(leave), enter, order.if_at_most(enter, leave))
    }

    /// When the moving box meets a node's boxes on each axis, and when it has left them on any, or the limit is reached.
    #[inline(always)]
    fn pass<L: F32x8>(&self, node: &Node) -> ([L; 3], L) {
        let timed = node.timed::<L>(self.pace);
        let (front, rear) = (timed.from(self.front_corner), timed.from(self.rear_corner));
        let [x, y, z, _] = self.first.map(|side| side as usize & 1);
        let (enter_x, leave_x) = (timed.passes::<0>(x, front), timed.passes::<0>(x ^ 1, rear));
        let (enter_y, leave_y) = (timed.passes::<1>(y, front), timed.passes::<1>(y ^ 1, rear));
        let (enter_z, leave_z) = (timed.passes::<2>(z, front), timed.passes::<2>(z ^ 1, rear));
        let leave = node.if_used(L::splat(self.limit)).min(leave_x).min(leave_y).min(leave_z);
        ([enter_x, enter_y, enter_z], leave)
    }

    /// As [`Slabs::enter`] for boxes that are not on a grid.
    #[inline(always)]
    pub(crate) fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        let ([x, y, z], [to_x, to_y, to_z]) = (boxes.min, boxes.max);
        let (bits, enter) = self.enter_spans([(x, to_x), (y, to_y), (z, to_z)]);
        (bits & boxes.filled(), enter)
    }

    /// As [`Slabs::enter`] for the boxes of triangles.
    #[inline(always)]
    pub(crate) fn enter_triangles<L: F32x8>(
        &self,
        a: Vec3Soa<L>,
        b: Vec3Soa<L>,
        c: Vec3Soa<L>,
    ) -> (u32, L) {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        self.enter_spans([(low.x, high.x), (low.y, high.y), (low.z, high.z)])
    }

    /// As [`Slabs::enter`] for boxes given by their ends on each axis.
    #[inline(always)]
    fn enter_spans<L: F32x8>(&self, [x, y, z]: [(L, L); 3]) -> (u32, L) {
        let (enter_x, leave_x) = self.enter_span(0, x);
        let (enter_y, leave_y) = self.enter_span(1, y);
        let (enter_z, leave_z) = self.enter_span(2, z);
        // In this order NaN stays NaN, and passes no test.
        let enter = L::splat(0.0).max(enter_x).max(enter_y).max(enter_z);
        let leave = L::splat(self.limit).min(leave_x).min(leave_y).min(leave_z);
        (enter.le_mask(leave), enter)
    }

    /// When the moving box meets a span on an axis, and when it has left it.
    #[inline(always)]
    fn enter_span<L: F32x8>(&self, axis: usize, (low, high): (L, L)) -> (L, L) {
        let pace = self.pace[axis];
        let (near, far) = low.swapped_if_negative(high, L::splat(pace));
        let enter = L::splat(self.front_time[axis]).plus_product(near, L::splat(pace));
        let leave = L::splat(self.rear_time[axis]).plus_product(far, L::splat(pace));
        (enter, leave)
    }
}

/// An f32 that is not less than a time, nor much more: it is off by half an ulp as it is rounded, or by less than the smallest normal number.
#[inline(always)]
fn latest(time: f64) -> f32 {
    time.min(LATEST) as f32 * (1.0 + f32::EPSILON) + f32::MIN_POSITIVE
}

/// The smallest f32 that is not less.
#[inline(always)]
pub(crate) fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

//! [`Slabs`]: the slab test of a moving box against boxes, in f32.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, F32x4, F32x8, GridBox, Node};
use crate::math::{Lane, Vec3Soa};
use crate::tolerance::{MAX_INV_MOTION, MAX_TIME};

/// Unit roundoff of f32.
pub(crate) const EPSILON: f32 = f32::EPSILON * 0.5;

/// Factor (no unit) that rounds up: it covers a few roundings of an ulp or two each.
pub(crate) const ROUND_UP_FACTOR: f32 = 1.0 + 16.0 * EPSILON;

/// Weight (no unit) of the time when the centre enters a box, against the time when the moving box
/// enters it. Their weighted sum orders a traversal; it matters only for speed. An eighth decides
/// between boxes that are entered at about the same time, above all at the start.
const CENTER_WEIGHT: f32 = 0.125;

/// A moving box, prepared for slab tests. Fourth lanes have no meaning. Aligned, so that no load
/// straddles two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Slabs {
    /// One over the motion on each axis: time per unit of length. At most [`MAX_INV_MOTION`].
    pub(crate) inv_motion: [f32; 4],
    /// The leading and the trailing corner of the box at the start.
    front_corner: [f32; 4],
    rear_corner: [f32; 4],
    /// When these corners would pass coordinate 0 on each axis.
    front_time: [f32; 4],
    rear_time: [f32; 4],
    /// Time between the leading corner's and the centre's passage through a plane, on each axis.
    center_delay: [f32; 4],
    /// Side of a box that the motion reaches first: 1 (upper) if it runs towards smaller
    /// coordinates, else 0.
    first_side: [u32; 4],
    /// Boxes that are entered later are skipped.
    limit: f32,
}

impl Slabs {
    /// The half extents must include a margin for the rounding of all coordinates: eight ulps of
    /// the largest. That covers the rounding of times too: a few ulps of a time are a few ulps of
    /// the distance covered in it.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        center: L::F32x4,
        half_extents: L::F32x4,
        motion: L::F32x4,
        limit: f64,
    ) -> Self {
        let speed =
            motion.abs().max(L::F32x4::load([1.0 / MAX_INV_MOTION; 4])).with_sign_of(motion);
        let inv_motion = L::F32x4::load([1.0; 4]) / speed;
        let corner = half_extents.with_sign_of(motion);
        let (front_corner, rear_corner) = (center + corner, center - corner);
        let zero = L::F32x4::load([-0.0; 4]);
        Self {
            inv_motion: inv_motion.store(),
            front_corner: front_corner.store(),
            rear_corner: rear_corner.store(),
            front_time: zero.minus_product(front_corner, inv_motion).store(),
            rear_time: zero.minus_product(rear_corner, inv_motion).store(),
            center_delay: (half_extents * inv_motion.abs()).store(),
            first_side: motion.signs(),
            limit: round_time_up(limit),
        }
    }

    #[inline(always)]
    pub(crate) fn limit(&self) -> f32 {
        self.limit
    }

    /// The box around the path up to the limit. It is rounded by a few ulps of the path, which
    /// the half extents cover.
    #[inline(always)]
    pub(crate) fn path<L: F32x8>(&self) -> GridBox {
        let half = L::F32x4::splat(0.5);
        let (front, rear) = (L::F32x4::load(self.front_corner), L::F32x4::load(self.rear_corner));
        let path = L::F32x4::splat(self.limit) / L::F32x4::load(self.inv_motion);
        GridBox::along::<L>((front + rear) * half, ((front - rear) * half).abs(), path)
    }

    /// Skips boxes that are entered after `time`.
    #[inline(always)]
    pub(crate) fn lower_limit(&mut self, time: f64) {
        self.limit = self.limit.min(round_time_up(time));
    }

    /// Bits of the boxes that the moving box enters within the limit, the times of entry, and the
    /// order to visit them in. Boxes that the centre enters too come earlier: they are more likely
    /// to stop the motion.
    #[inline(always)]
    pub(crate) fn enter<L: F32x8>(&self, node: &Node) -> (u32, L, L) {
        let ([enter_x, enter_y, enter_z], leave) = self.slab_times::<L>(node);
        let enter = L::splat(0.0).max(enter_x).max(enter_y).max(enter_z);
        let center_x = enter_x + L::splat(self.center_delay[0]);
        let center_y = enter_y + L::splat(self.center_delay[1]);
        let center_z = enter_z + L::splat(self.center_delay[2]);
        let center = center_x.max(center_y).max(center_z).min(L::splat(self.limit));
        let order = enter + center * L::splat(CENTER_WEIGHT);
        (enter.le_mask(leave), enter, order.if_at_most(enter, leave))
    }

    /// As [`Slabs::enter`], for a box that is hardly larger than a point. The order is by the time
    /// of entry on the whole line: boxes that contain the start have negative times, so they come
    /// first.
    #[inline(always)]
    pub(crate) fn enter_by_point<L: F32x8>(&self, node: &Node) -> (u32, L, L) {
        let ([x, y, z], leave) = self.slab_times::<L>(node);
        let order = x.max(y).max(z);
        let enter = order.max(L::splat(0.0));
        (enter.le_mask(leave), enter, order.if_at_most(enter, leave))
    }

    /// When the moving box enters a node's boxes on each axis, and when it has left them on any
    /// axis or the limit is reached.
    #[inline(always)]
    fn slab_times<L: F32x8>(&self, node: &Node) -> ([L; 3], L) {
        let times = node.plane_times::<L>(self.inv_motion);
        let (front, rear) =
            (times.at_origin(self.front_corner), times.at_origin(self.rear_corner));
        // The compiler needs no bounds check for an index of one bit.
        let [x, y, z, _] = self.first_side.map(|side| side as usize & 1);
        let (enter_x, leave_x) =
            (times.at_planes::<0>(x, front), times.at_planes::<0>(x ^ 1, rear));
        let (enter_y, leave_y) =
            (times.at_planes::<1>(y, front), times.at_planes::<1>(y ^ 1, rear));
        let (enter_z, leave_z) =
            (times.at_planes::<2>(z, front), times.at_planes::<2>(z ^ 1, rear));
        let leave = node.if_used(L::splat(self.limit)).min(leave_x).min(leave_y).min(leave_z);
        ([enter_x, enter_y, enter_z], leave)
    }

    /// As [`Slabs::enter`], for boxes that are not on a grid: their bits and times of entry.
    #[inline(always)]
    pub(crate) fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        let ([x, y, z], [to_x, to_y, to_z]) = (boxes.min, boxes.max);
        let (bits, enter) = self.enter_spans([(x, to_x), (y, to_y), (z, to_z)]);
        (bits & boxes.filled(), enter)
    }

    /// As [`Slabs::enter_boxes`], for the boxes of triangles.
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

    /// As [`Slabs::enter_boxes`], for boxes given by their spans on each axis.
    #[inline(always)]
    fn enter_spans<L: F32x8>(&self, [x, y, z]: [(L, L); 3]) -> (u32, L) {
        let (enter_x, leave_x) = self.enter_span(0, x);
        let (enter_y, leave_y) = self.enter_span(1, y);
        let (enter_z, leave_z) = self.enter_span(2, z);
        // With the operands in this order NaN stays NaN, which passes no test.
        let enter = L::splat(0.0).max(enter_x).max(enter_y).max(enter_z);
        let leave = L::splat(self.limit).min(leave_x).min(leave_y).min(leave_z);
        (enter.le_mask(leave), enter)
    }

    /// When the moving box enters a span on an axis, and when it leaves it.
    #[inline(always)]
    fn enter_span<L: F32x8>(&self, axis: usize, (low, high): (L, L)) -> (L, L) {
        let inv_motion = self.inv_motion[axis];
        let (near, far) = low.swapped_if_negative(high, L::splat(inv_motion));
        let enter = L::splat(self.front_time[axis]).plus_product(near, L::splat(inv_motion));
        let leave = L::splat(self.rear_time[axis]).plus_product(far, L::splat(inv_motion));
        (enter, leave)
    }
}

/// An f32 that is not less than a time, and hardly more. The cast is off by half an ulp, or by
/// less than the smallest normal number.
#[inline(always)]
fn round_time_up(time: f64) -> f32 {
    time.min(MAX_TIME) as f32 * (1.0 + f32::EPSILON) + f32::MIN_POSITIVE
}

/// The smallest f32 that is not less than `value`.
#[inline(always)]
pub(crate) fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

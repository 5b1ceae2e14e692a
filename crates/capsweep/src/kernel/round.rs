//! A moving point against round pieces: the balls and tubes at the corners and edges of a prism,
//! four at a time.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::SweepInput;
use crate::kernel::prism::earliest;
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::{LINE_MISS, PIECE_OVERLAP, WELL_SPREAD_SQ};

/// Finds the earliest entry into the round pieces that are tested.
pub(crate) struct RoundPieces<F> {
    motion: Vec3Soa<F>,
    motion_squared: F,
    radius: F,
    /// The radius up to which pieces count: larger by more than rounding, so that no motion slips
    /// between two pieces.
    padded_radius: F,
    /// A line whose squared distance from a centre exceeds this misses, beyond any rounding.
    miss_squared: F,
    limit: F,
    pub(crate) first_entry: Option<f64>,
}

impl<F: F64x4> RoundPieces<F> {
    /// `size` is the largest coordinate of the prism.
    #[inline(always)]
    pub(crate) fn new(input: &SweepInput, size: f64) -> Self {
        let padded_radius = input.radius + size * PIECE_OVERLAP;
        let miss = padded_radius + size * LINE_MISS;
        Self {
            motion: Vec3Soa::all(input.motion),
            motion_squared: F::splat(input.motion_squared),
            radius: F::splat(input.radius),
            padded_radius: F::splat(padded_radius),
            miss_squared: F::splat(miss * miss),
            limit: F::splat(input.limit),
            first_entry: None,
        }
    }

    /// Tests the balls around `center` whose bit in `open` is set.
    #[inline(always)]
    pub(crate) fn enter_balls(&mut self, center: Vec3Soa<F>, open: u32) {
        if open == 0 {
            return;
        }
        let aside = center.cross(self.motion);
        let near = aside.dot(aside).le_mask(self.miss_squared * self.motion_squared);
        if open & near != 0 {
            let zero = F::splat(0.0);
            let offset = Vec3Soa { x: zero - center.x, y: zero - center.y, z: zero - center.z };
            let (entered, times) = self.enter_discs(offset, self.motion);
            self.keep_earliest(open & near & entered, times);
        }
    }

    /// Prepares the tubes along these edges.
    #[inline(always)]
    pub(crate) fn tubes(&self, edge: Vec3Soa<F>) -> Tubes<F> {
        let across = edge.cross(self.motion);
        Tubes { edge, length_squared: edge.dot(edge), across, across_squared: across.dot(across) }
    }

    /// Tests the walls of the tubes around the edges that begin at `start`. The balls at their
    /// ends are pieces of their own.
    ///
    /// The parts of offset and motion across an edge move in a plane, against a disc. A motion
    /// along the edge has no such part and never enters the wall. A point that starts inside the
    /// unbounded tube is past one of its ends.
    #[inline(always)]
    pub(crate) fn enter_tubes(&mut self, tubes: &Tubes<F>, start: Vec3Soa<F>, open: u32) {
        if open == 0 {
            return;
        }
        let Tubes { edge, length_squared, across, across_squared } = *tubes;
        // The distance of two lines, measured along their common perpendicular.
        let aside = across.dot(start);
        let spread = length_squared * self.motion_squared * F::splat(WELL_SPREAD_SQ);
        let near = (aside * aside).le_mask(self.miss_squared * across_squared)
            | across_squared.le_mask(spread);
        let zero = F::splat(0.0);
        let open = open & near & zero.lt_mask(length_squared);
        if open == 0 {
            return;
        }
        // Position along the edge times its squared length, at the start and at the limit. A point
        // that stays past an end, beyond any rounding, is ruled out without a division.
        let (from_start, speed_along) = (zero - start.dot(edge), self.motion.dot(edge));
        let travel = speed_along * self.limit;
        let at_limit = from_start + travel;
        let slack = (from_start.abs() + travel.abs() + length_squared) * F::splat(LINE_MISS);
        let past_end = from_start.max(at_limit).lt_mask(zero - slack)
            | (length_squared + slack).lt_mask(from_start.min(at_limit));
        let open = open & !past_end;
        if open == 0 {
            return;
        }
        let (along, offset_along) = (speed_along / length_squared, from_start / length_squared);
        let on_line = start.add(edge.scale(offset_along));
        let offset = Vec3Soa { x: zero - on_line.x, y: zero - on_line.y, z: zero - on_line.z };
        let (entered, times) = self.enter_discs(offset, self.motion.sub(edge.scale(along)));
        let edge_t = offset_along + times * along;
        let on_edge = zero.le_mask(edge_t) & edge_t.le_mask(F::splat(1.0));
        self.keep_earliest(open & entered & on_edge, times);
    }

    /// The mask of the lanes in which a moving point comes within the radius of a centre, and the
    /// times. The point starts at `offset` from the centre and moves by `motion` in unit time.
    ///
    /// A lane is not set if the point starts inside, moves away, passes by, or enters after the
    /// limit.
    ///
    /// Let `b = −o·m`, `d = |o|` and `q` be the offset at the closest approach. The entry root
    /// of `|o + t·m|² = r²` is `(d − r)(d + r) / (b + √(m²·(r − |q|)(r + |q|)))`. No
    /// term cancels. The textbook `b² − m²·(d² − r²)` loses all digits for a start 10⁸
    /// radii away. And `c / 2a` divides by zero when the motion vanishes.
    #[inline(always)]
    fn enter_discs(&self, offset: Vec3Soa<F>, motion: Vec3Soa<F>) -> (u32, F) {
        let zero = F::splat(0.0);
        let radius = self.radius;
        let approach = zero - offset.dot(motion);
        let speed_squared = motion.dot(motion);
        let closest = offset.add(motion.scale(approach / speed_squared));
        // A motion whose square underflows gives NaN here, and enters nothing.
        let missed_by = closest.dot(closest).sqrt();
        let distance = offset.dot(offset).sqrt();
        let gap = distance - radius;
        let inside = zero.max(radius - missed_by);
        let chord = (speed_squared * inside * (radius + missed_by)).sqrt();
        let times = gap * (distance + radius) / (approach + chord);
        let entered = zero.lt_mask(approach)
            & missed_by.lt_mask(self.padded_radius)
            & zero.lt_mask(gap)
            & times.le_mask(self.limit);
        (entered, times)
    }

    #[inline(always)]
    fn keep_earliest(&mut self, entered: u32, times: F) {
        if entered != 0 {
            let first = earliest(entered, times.store());
            self.limit = F::splat(first);
            self.first_entry = Some(first);
        }
    }
}

/// The tubes around edges: the values that do not depend on where along the axis they are.
#[derive(Clone, Copy)]
pub(crate) struct Tubes<F> {
    edge: Vec3Soa<F>,
    length_squared: F,
    /// `edge × motion`.
    across: Vec3Soa<F>,
    across_squared: F,
}

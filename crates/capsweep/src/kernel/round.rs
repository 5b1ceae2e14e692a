//! A point against round things: the balls and tubes at the corners and edges of a prism, four at a time.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::SweepInput;
use crate::kernel::prism::earliest;
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::{BORDER, LINE_MISS, WELL_SPREAD_SQ};

/// The earliest entry into any of the round pieces that it is shown.
pub(crate) struct Round<F> {
    motion: Vec3Soa<F>,
    motion_squared: F,
    radius: F,
    /// How wide the pieces count: more than rounding wider than they are, so that no motion slips between them.
    wide: F,
    /// A line further from a centre than the root of this passes by, beyond any rounding.
    clear_squared: F,
    limit: F,
    pub(crate) entered: Option<f64>,
}

impl<F: F64x4> Round<F> {
    /// `reach` is the largest coordinate of the prism.
    #[inline(always)]
    pub(crate) fn new(way: &SweepInput, reach: f64) -> Self {
        let wide = way.radius + reach * BORDER;
        let clear = wide + reach * LINE_MISS;
        let motion = way.motion;
        Self {
            motion: Vec3Soa { x: F::splat(motion.x), y: F::splat(motion.y), z: F::splat(motion.z) },
            motion_squared: F::splat(way.motion_squared),
            radius: F::splat(way.radius),
            wide: F::splat(wide),
            clear_squared: F::splat(clear * clear),
            limit: F::splat(way.limit),
            entered: None,
        }
    }

    /// The balls around `center`, where `open` has a bit.
    #[inline(always)]
    pub(crate) fn enter_balls(&mut self, center: Vec3Soa<F>, open: u32) {
        if open == 0 {
            return;
        }
        let aside = center.cross(self.motion);
        let near = aside.dot(aside).le_mask(self.clear_squared * self.motion_squared);
        if open & near != 0 {
            let zero = F::splat(0.0);
            let offset = Vec3Soa { x: zero - center.x, y: zero - center.y, z: zero - center.z };
            let (met, times) = self.enter_discs(offset, self.motion);
            self.take(open & near & met, times);
        }
    }

    /// The tubes along edges like these.
    #[inline(always)]
    pub(crate) fn tubes(&self, edge: Vec3Soa<F>) -> Tubes<F> {
        let across = edge.cross(self.motion);
        Tubes { edge, length_squared: edge.dot(edge), across, across_squared: across.dot(across) }
    }

    /// The tubes around the edges from `start`, through their round walls; the balls at their ends are pieces of their own.
    ///
    /// The parts of offset and motion across an edge move in a plane, against a disc. A motion along
    /// the edge has none and never enters the wall; an origin inside the endless tube is past an end.
    #[inline(always)]
    pub(crate) fn enter_tubes(&mut self, tubes: &Tubes<F>, start: Vec3Soa<F>, open: u32) {
        if open == 0 {
            return;
        }
        let Tubes { edge, length_squared, across, across_squared } = *tubes;
        // The distance of two lines is measured across both.
        let aside = across.dot(start);
        let spread = length_squared * self.motion_squared * F::splat(WELL_SPREAD_SQ);
        let near = (aside * aside).le_mask(self.clear_squared * across_squared)
            | across_squared.le_mask(spread);
        let zero = F::splat(0.0);
        let open = open & near & zero.lt_mask(length_squared);
        if open == 0 {
            return;
        }
        // The place along the edge, times its length squared, at the start and at the limit. One that stays past an end, beyond any rounding,
        // need not be divided.
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
        let (met, times) = self.enter_discs(offset, self.motion.sub(edge.scale(along)));
        let place = offset_along + times * along;
        self.take(open & met & zero.le_mask(place) & place.le_mask(F::splat(1.0)), times);
    }

    /// When a point at `offset` from a centre, moving by `motion` in unit time, comes within the
    /// radius, and bits of the lanes where it does: not if it starts there, moves away, passes by, or enters after the limit.
    ///
    /// With `b = −o·m`, `d = |o|` and `q` the offset at the closest approach, the entry root of
    /// `|o + t·m|² = r²` is `(d − r)(d + r) / (b + √(m²·(r − |q|)(r + |q|)))`. No term cancels: the
    /// textbook `b² − m²·(d² − r²)` loses everything once the point starts 10⁸ radii away, and `c / 2a`
    /// divides by nothing when the motion vanishes.
    #[inline(always)]
    fn enter_discs(&self, offset: Vec3Soa<F>, motion: Vec3Soa<F>) -> (u32, F) {
        let zero = F::splat(0.0);
        let radius = self.radius;
        let towards = zero - offset.dot(motion);
        let speed_squared = motion.dot(motion);
        let closest = offset.add(motion.scale(towards / speed_squared));
        // A motion too slow to square makes NaN here; it arrives nowhere.
        let missed_by = closest.dot(closest).sqrt();
        let distance = offset.dot(offset).sqrt();
        let gap = distance - radius;
        let inside = zero.max(radius - missed_by);
        let chord = (speed_squared * inside * (radius + missed_by)).sqrt();
        let times = gap * (distance + radius) / (towards + chord);
        let met = zero.lt_mask(towards)
            & missed_by.lt_mask(self.wide)
            & zero.lt_mask(gap)
            & times.le_mask(self.limit);
        (met, times)
    }

    #[inline(always)]
    fn take(&mut self, met: u32, times: F) {
        if met != 0 {
            let first = earliest(met, times.store());
            self.limit = F::splat(first);
            self.entered = Some(first);
        }
    }
}

/// The tubes around edges: what those at both ends of the axis share.
#[derive(Clone, Copy)]
pub(crate) struct Tubes<F> {
    edge: Vec3Soa<F>,
    length_squared: F,
    /// Across edge and motion.
    across: Vec3Soa<F>,
    across_squared: F,
}

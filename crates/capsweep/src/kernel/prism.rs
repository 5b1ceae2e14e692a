//! The heart of every sweep: a moving point against a rounded prism.
//!
//! A capsule touches a polygon when its centre is within `radius` of the *prism* that the polygon
//! sweeps out along the capsule's axis (`polygon ⊕ [−half_axis, half_axis]`). The rounded prism is
//! convex; its surface is made of pieces: flat caps (an end of the capsule on the face), flat sides
//! (the middle of the capsule on an edge), tubes (an end on an edge, the middle on a vertex) and
//! balls (an end on a vertex). Every piece, taken whole, lies inside the rounded prism, so none is
//! entered too early; together they cover its surface, so the earliest entry is the answer.
//!
//! Pieces of a kind are worked out side by side, one to a lane: lane `i` has vertex `i` and the edge that starts there.
//! Lanes past the last vertex start over, and find nothing new.
//!
//! Where pieces join they are made to overlap by more than rounding (`BORDER`): a flat counts only well inside its
//! border, a tube or a ball also a hair outside its surface. So a motion that grazes two pieces cannot miss both.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::SweepInput;
use crate::kernel::polygon::{ALL, Corners, Polygon, mended};
use crate::kernel::round::Round;
use crate::math::normals::span_of;
use crate::math::{F32x8, F64x4, Vec3Soa};
use crate::tolerance::{
    BORDER, CONTACT_TOLERANCE, FLUSH, LINE, MIN_DIRECTION_LENGTH, PIERCE, WELL_SPREAD_SQ,
};
use glam::DVec3;

/// What the flat pieces say about the approach: nearly everything, at a fraction of the cost of the round ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatPieceTest {
    pub(crate) outcome: Outcome,
    /// Whether one of their planes keeps the start more than the bound away.
    pub(crate) start_is_clear: bool,
    /// Whether the motion may run into the cap at `−half_axis`, and into that at `half_axis`.
    caps: [bool; 2],
    /// Bit `i`: whether the motion may run into the side over edge `i`.
    sides: u32,
}

/// A first touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    pub(crate) spot: ContactSite,
}

/// Where a first touch is. As wide as the time beside it: whatever lies between would be copied in parts, and waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum ContactSite {
    Anywhere,
    /// An end of the axis alone touches, and the inside of the polygon: what follows is simple then.
    Face,
}

impl Entry {
    /// One that may be anywhere.
    pub(crate) fn anywhere(time: f64) -> Self {
        Self { time, spot: ContactSite::Anywhere }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    /// A plane keeps the capsule out for the whole motion.
    Clear,
    /// The capsule enters through a flat, and as the body is convex, nowhere else.
    Entered(Entry),
    /// An end of the axis alone touches the inside of the polygon at the start.
    Resting {
        /// How fast the motion runs against the plane (metres in unit time).
        speed: f64,
    },
    /// None of these: a tube or a ball may be in the way.
    Open,
}

impl FlatPieceTest {
    /// Nothing is known.
    pub(crate) const UNSEEN: Self =
        Self { outcome: Outcome::Open, start_is_clear: false, caps: [true; 2], sides: u32::MAX };

    #[inline(always)]
    pub(crate) fn of<L: F32x8, const N: usize>(polygon: &Polygon<N>, way: &SweepInput) -> Self {
        FlatPieces { polygon, way }.look::<L::F64x4>()
    }

    /// When the capsule first touches `polygon`, whose flats these are; `None` if not within the limit.
    ///
    /// The capsule must not touch it at the start.
    #[inline(always)]
    pub(crate) fn enter<L: F32x8, const N: usize>(
        &self,
        polygon: &Polygon<N>,
        way: &SweepInput,
    ) -> Option<Entry> {
        match self.outcome {
            Outcome::Clear => None,
            Outcome::Entered(entry) => Some(entry),
            // A face of a box that is apart from the capsule, but for rounding.
            Outcome::Resting { .. } => Some(Entry::anywhere(0.0)),
            Outcome::Open => self.enter_round::<L::F64x4, N>(polygon, way).map(Entry::anywhere),
        }
    }
}

struct FlatPieces<'a, const N: usize> {
    polygon: &'a Polygon<N>,
    way: &'a SweepInput,
}

impl<const N: usize> FlatPieces<'_, N> {
    #[inline(always)]
    fn look<F: F64x4>(self) -> FlatPieceTest {
        let mut flats = FlatPieceTest::UNSEEN;
        if N == 1 {
            return flats;
        }
        let corners = Corners::<F>::of(self.polygon);
        if let Some(front) = self.polygon.normal
            && self.cap(&mut flats, front, &corners)
        {
            return flats;
        }
        self.sides(&mut flats, &corners);
        flats.start_is_clear = flats.start_is_clear || self.boxes_are_apart(&corners);
        flats
    }

    /// Whether the boxes around polygon and capsule are further apart at the start than the bound: where the capsule flies past an edge of a
    /// wall, none of the planes above may be.
    #[inline(always)]
    fn boxes_are_apart<F: F64x4>(&self, corners: &Corners<F>) -> bool {
        let reach = self.way.half_axis.abs() + DVec3::splat(self.way.radius + CONTACT_TOLERANCE);
        let apart = |along: F, reach: f64| {
            F::splat(reach).lt_mask(along) == ALL || along.lt_mask(F::splat(-reach)) == ALL
        };
        let Vec3Soa { x, y, z } = corners.start;
        apart(x, reach.x) || apart(y, reach.y) || apart(z, reach.z)
    }

    /// The cap that faces the motion, the lower end of the axis against the polygon itself; whether it settles the outcome.
    #[inline(always)]
    fn cap<F: F64x4>(&self, flats: &mut FlatPieceTest, front: DVec3, corners: &Corners<F>) -> bool {
        let way = self.way;
        let approach = front.dot(way.motion);
        let speed = approach.abs();
        // Seen from the side that the motion comes from.
        let turn = if approach > 0.0 { -1.0 } else { 1.0 };
        let rise = front.dot(way.half_axis) * turn;
        let height = front.dot(corners.start.first()) * turn;
        let reach = rise.abs() + way.radius;
        if rise.abs() > FLUSH && speed > way.backward {
            flats.caps = [rise < 0.0, rise > 0.0];
        }
        let (gap, bottom) = (-height - reach, height - reach);
        flats.start_is_clear = gap > CONTACT_TOLERANCE;
        // Too far away, or on the other side, where the motion leads further away.
        if (gap > CONTACT_TOLERANCE && gap > speed * way.limit)
            || (gap <= CONTACT_TOLERANCE && bottom > CONTACT_TOLERANCE)
        {
            flats.outcome = Outcome::Clear;
            return true;
        }
        let lower_end = way.half_axis * if rise > 0.0 { -1.0 } else { 1.0 };
        // Half of the bound is beyond any doubt within it, however the gap is worked out. A capsule thinner than that may reach through.
        let is_over = way.radius + gap > PIERCE;
        let rests = gap.abs() <= 0.5 * CONTACT_TOLERANCE && is_over && rise.abs() > LINE;
        if rests && corners.lie_well_under(front, lower_end) {
            flats.outcome = Outcome::Resting { speed };
            return true;
        }
        if gap > 0.0 && gap <= speed * way.limit {
            let time = gap / speed;
            if corners.lie_well_under(front, way.motion * time + lower_end) {
                // An axis along the face touches it in many points.
                let spot =
                    if rise.abs() > LINE { ContactSite::Face } else { ContactSite::Anywhere };
                flats.outcome = Outcome::Entered(Entry { time, spot });
                return true;
            }
        }
        false
    }

    /// The sides over the edges: the middle of the axis against each edge.
    #[inline(always)]
    fn sides<F: F64x4>(&self, flats: &mut FlatPieceTest, corners: &Corners<F>) {
        let way = self.way;
        let Corners { start, edge } = *corners;
        let (axis, motion) = (Vec3Soa::<F>::all(way.half_axis), Vec3Soa::<F>::all(way.motion));
        let (normal, known) = self.side_normals(edge, axis);
        if known == 0 {
            return;
        }
        let approach = normal.dot(motion);
        let zero = F::splat(0.0);
        let turn = zero.if_less(approach, F::splat(-1.0), F::splat(1.0));
        let (normal, speed) = (normal.scale(turn), approach.abs());
        let height = normal.dot(start);
        let (mut low, mut high) = (height, height);
        let mut other = start.next::<N>();
        for _ in 2..N {
            other = other.next::<N>();
            let height = normal.dot(other);
            (low, high) = (height.min(low), height.max(high));
        }
        // Where the polygon rises above the edge, this side of the prism looks away from the motion.
        let outer = (high - height).le_mask(F::splat(FLUSH));
        flats.sides = outer | speed.le_mask(F::splat(way.backward)) | !known;
        let radius = F::splat(way.radius);
        let (gap, body_gap) = (zero - height - radius, zero - high - radius);
        let bound = F::splat(CONTACT_TOLERANCE);
        let clear = bound.lt_mask(body_gap) & known;
        flats.start_is_clear |= clear != 0;
        let travel = speed * F::splat(way.limit);
        let too_far = clear & travel.lt_mask(body_gap);
        let behind = known & !clear & bound.lt_mask(low - radius);
        if too_far | behind != 0 {
            flats.outcome = Outcome::Clear;
            return;
        }
        // A flat below the surface of the body is not where it is entered.
        let on_top = gap.le_mask(body_gap + F::splat(FLUSH));
        let mut met = known & on_top & zero.lt_mask(gap) & gap.le_mask(travel);
        if met == 0 {
            return;
        }
        let times = gap / speed;
        let foot = motion.scale(times).sub(normal.scale(radius)).sub(start);
        // Coordinates of the foot in the skewed frame of edge and axis.
        let (across_axis, across_edge) = (normal.cross(axis), normal.cross(edge));
        let margin = start.largest().max(edge.largest()).max(axis.largest()).max(foot.largest())
            * F::splat(BORDER);
        let along = edge.dot(across_axis);
        let (width, height) = (along.abs(), axis.dot(across_edge).abs());
        let from_start = foot.dot(across_axis) * zero.if_less(along, F::splat(1.0), F::splat(-1.0));
        let from_middle = foot.dot(across_edge).abs();
        let (from_ends, from_sides) =
            (margin * axis.dot(axis).sqrt(), margin * edge.dot(edge).sqrt());
        met &= from_ends.lt_mask(from_start)
            & from_start.lt_mask(width - from_ends)
            & from_middle.lt_mask(height - from_sides);
        if met != 0 {
            flats.outcome = Outcome::Entered(Entry::anywhere(earliest(met, times.store())));
        }
    }

    /// Unit normals of the planes that each edge spans with the axis, and bits of the lanes that have one.
    #[inline(always)]
    fn side_normals<F: F64x4>(&self, edge: Vec3Soa<F>, axis: Vec3Soa<F>) -> (Vec3Soa<F>, u32) {
        let cross = edge.cross(axis);
        let cross_squared = cross.dot(cross);
        let spread =
            edge.dot(edge) * F::splat(WELL_SPREAD_SQ * self.way.half_axis.length_squared());
        let well_spread =
            spread.lt_mask(cross_squared) & F::splat(MIN_DIRECTION_LENGTH).lt_mask(cross_squared);
        let normals = cross.over(cross_squared.sqrt());
        if well_spread == ALL {
            return (normals, ALL);
        }
        // Some edges are all but parallel to the axis, or have no length. Those that are so exactly, as the corners of houses are, span
        // nothing.
        let parallel = cross.largest().le_mask(F::splat(0.0));
        if well_spread | parallel == ALL {
            return (normals, well_spread);
        }
        let (polygon, half_axis) = (*self.polygon, self.way.half_axis);
        mended(normals, well_spread, move |lane| span_of(polygon.edge(lane).vector, half_axis))
    }
}

/// The smallest of the lanes whose bit is set.
#[inline(always)]
pub(crate) fn earliest(bits: u32, times: [f64; 4]) -> f64 {
    let mut first = f64::INFINITY;
    for (lane, time) in times.into_iter().enumerate() {
        if bits & (1 << lane) != 0 && time < first {
            first = time;
        }
    }
    first
}

impl FlatPieceTest {
    /// Earliest entry into the round pieces. One between flats that all look away from the motion cannot be entered:
    /// its normals lie between theirs.
    #[inline(always)]
    fn enter_round<F: F64x4, const N: usize>(
        &self,
        polygon: &Polygon<N>,
        way: &SweepInput,
    ) -> Option<f64> {
        let axis = Vec3Soa::<F>::all(way.half_axis);
        let corners = Corners::<F>::of(polygon);
        let reach = corners.reach().first().max(way.half_axis.abs().max_element());
        let mut round = Round::new(way, reach);
        let open = |cap: bool, sides: u32| if cap { ALL } else { sides };
        let mut at_vertex = 0;
        for lane in 0..4 {
            let sides = self.sides >> (lane % N) | self.sides >> ((lane + N - 1) % N);
            at_vertex |= (sides & 1) << lane;
        }
        if N < 3 {
            at_vertex = ALL;
        }
        let [below, above] = self.caps;
        let (along_edges, along_axis) = (round.tubes(corners.edge), round.tubes(axis.add(axis)));
        // In loops: the code of each kind of piece is much, and should be there once.
        let corners_at = |end: f64| corners.start.add(axis.scale(F::splat(end)));
        for (tubes, end, open) in [
            (&along_edges, -1.0, if N > 1 { open(below, self.sides) } else { 0 }),
            (&along_edges, 1.0, if N > 1 { open(above, self.sides) } else { 0 }),
            (&along_axis, -1.0, at_vertex),
        ] {
            round.enter_tubes(tubes, corners_at(end), open);
        }
        for (end, open) in [(-1.0, open(below, at_vertex)), (1.0, open(above, at_vertex))] {
            round.enter_balls(corners_at(end), open);
        }
        round.entered
    }
}

//! The sweep solver: a moving point against a rounded prism.
//!
//! A capsule touches a polygon when its centre is within `radius` of a *prism*. The polygon
//! sweeps out this prism along the capsule's axis: `polygon ⊕ [−half_axis, half_axis]`. The
//! rounded prism is convex. Its surface consists of these pieces:
//!
//! - flat caps: an end of the capsule on the face
//! - flat sides: the middle of the capsule on an edge
//! - tubes: an end on an edge, or the middle on a vertex
//! - balls: an end on a vertex
//!
//! Every piece, taken whole, lies inside the rounded prism, so none is entered too early. Together
//! they cover its surface, so the earliest entry is the answer.
//!
//! Pieces of one kind are computed together, one per lane: lane `i` has vertex `i` and the edge
//! that starts there. Lanes past the last vertex start over, and find nothing new.
//!
//! Where pieces join, they overlap by more than rounding ([`PIECE_OVERLAP`]). A flat counts only
//! well inside its border; a tube or a ball also slightly outside its surface. So a motion that
//! grazes two pieces cannot miss both. `docs/numerics.md` has the derivation.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::SweepInput;
use crate::kernel::polygon::{ALL, Polygon, PolygonLanes, repair_normals};
use crate::kernel::round::RoundPieces;
use crate::math::normals::plane_normal;
use crate::math::{F32x8, F64x4, Vec3Soa};
use crate::tolerance::{
    CONTACT_TOLERANCE, COPLANAR_DISTANCE, LINE_CONTACT_GAP, MIN_DIRECTION_LENGTH, PIECE_OVERLAP,
    PIERCE, WELL_SPREAD_SQ,
};
use glam::DVec3;

/// The result of testing the flat pieces. It decides most sweeps, at a fraction of the cost of the
/// round pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatPieceTest {
    pub(crate) outcome: FlatOutcome,
    /// Whether a plane keeps the start further away than the contact tolerance.
    pub(crate) start_is_clear: bool,
    /// Whether the motion may enter the cap at `−half_axis`, and the one at `half_axis`.
    caps: [bool; 2],
    /// Bit `i`: whether the motion may enter the side over edge `i`.
    side_flats: u32,
}

/// A first touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    pub(crate) site: ContactSite,
}

/// The site of a first touch, as far as it is known.
///
/// `repr(u64)` makes it as wide as the time beside it, so an [`Entry`] is stored in two words. A
/// narrower tag stalls the copy of an entry until its stores are done. That costs 2 to 3 % of the
/// time of a drop or a dash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum ContactSite {
    /// Not known: it follows from the closest points at the time of the touch.
    Unknown,
    /// Only an end of the axis touches, inside the polygon. The contact follows from the plane.
    Face,
}

impl Entry {
    /// An entry at an unknown site.
    pub(crate) fn at_unknown_site(time: f64) -> Self {
        Self { time, site: ContactSite::Unknown }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum FlatOutcome {
    /// A plane keeps the capsule out for the whole motion.
    Separated,
    /// The capsule enters through a flat. The body is convex, so it enters nowhere else.
    Entered(Entry),
    /// At the start, only an end of the axis touches, inside the polygon.
    Resting {
        /// Speed of the motion against the plane (metres in unit time).
        speed: f64,
    },
    /// The flats do not decide: the motion may enter a tube or a ball.
    Undecided,
}

impl FlatPieceTest {
    /// The test of a target without flats: every piece may be entered.
    pub(crate) const UNDECIDED: Self = Self {
        outcome: FlatOutcome::Undecided,
        start_is_clear: false,
        caps: [true; 2],
        side_flats: u32::MAX,
    };

    #[inline(always)]
    pub(crate) fn new<L: F32x8, const N: usize>(polygon: &Polygon<N>, input: &SweepInput) -> Self {
        FlatPieces { polygon, input }.test::<L::F64x4>()
    }

    /// The first touch of the capsule and `polygon`, whose flats were tested; `None` if there is
    /// none up to the limit.
    ///
    /// The capsule must not touch the polygon at the start.
    #[inline(always)]
    pub(crate) fn enter<L: F32x8, const N: usize>(
        &self,
        polygon: &Polygon<N>,
        input: &SweepInput,
    ) -> Option<Entry> {
        match self.outcome {
            FlatOutcome::Separated => None,
            FlatOutcome::Entered(entry) => Some(entry),
            // Only faces of boxes come here: by rounding, the capsule touches the face at the
            // start but not the box.
            FlatOutcome::Resting { .. } => Some(Entry::at_unknown_site(0.0)),
            FlatOutcome::Undecided => {
                self.enter_round::<L::F64x4, N>(polygon, input).map(Entry::at_unknown_site)
            }
        }
    }
}

struct FlatPieces<'a, const N: usize> {
    polygon: &'a Polygon<N>,
    input: &'a SweepInput,
}

impl<const N: usize> FlatPieces<'_, N> {
    #[inline(always)]
    fn test<F: F64x4>(self) -> FlatPieceTest {
        let mut flats = FlatPieceTest::UNDECIDED;
        if N == 1 {
            return flats;
        }
        let corners = PolygonLanes::<F>::from_polygon(self.polygon);
        if let Some(front) = self.polygon.normal
            && self.test_cap(&mut flats, front, &corners)
        {
            return flats;
        }
        self.test_sides(&mut flats, &corners);
        flats.start_is_clear = flats.start_is_clear || self.boxes_are_apart(&corners);
        flats
    }

    /// Whether the axis-aligned boxes of polygon and capsule are further apart at the start than
    /// the contact tolerance. Where the capsule passes the edge of a wall, no plane of a flat may
    /// show it.
    #[inline(always)]
    fn boxes_are_apart<F: F64x4>(&self, corners: &PolygonLanes<F>) -> bool {
        let reach =
            self.input.half_axis.abs() + DVec3::splat(self.input.radius + CONTACT_TOLERANCE);
        let apart = |along: F, reach: f64| {
            F::splat(reach).lt_mask(along) == ALL || along.lt_mask(F::splat(-reach)) == ALL
        };
        let Vec3Soa { x, y, z } = corners.start;
        apart(x, reach.x) || apart(y, reach.y) || apart(z, reach.z)
    }

    /// Tests the cap that faces the motion: the lower end of the axis against the polygon itself.
    /// Returns whether that decides the outcome.
    #[inline(always)]
    fn test_cap<F: F64x4>(
        &self,
        flats: &mut FlatPieceTest,
        front: DVec3,
        corners: &PolygonLanes<F>,
    ) -> bool {
        let input = self.input;
        let approach = front.dot(input.motion);
        let speed = approach.abs();
        // Turn the normal to the side that the motion comes from.
        let turn = if approach > 0.0 { -1.0 } else { 1.0 };
        let rise = front.dot(input.half_axis) * turn;
        let height = front.dot(corners.start.first()) * turn;
        let reach = rise.abs() + input.radius;
        if rise.abs() > COPLANAR_DISTANCE && speed > input.leaving_speed {
            flats.caps = [rise < 0.0, rise > 0.0];
        }
        let (gap, bottom) = (-height - reach, height - reach);
        flats.start_is_clear = gap > CONTACT_TOLERANCE;
        // Too far away; or on the other side, where the motion leads further away.
        if (gap > CONTACT_TOLERANCE && gap > speed * input.limit)
            || (gap <= CONTACT_TOLERANCE && bottom > CONTACT_TOLERANCE)
        {
            flats.outcome = FlatOutcome::Separated;
            return true;
        }
        let lower_end = input.half_axis * if rise > 0.0 { -1.0 } else { 1.0 };
        // Gaps computed by other formulas differ from this one by rounding. Below half the
        // tolerance, all of them count as touching. `is_over` excludes a capsule so thin that its
        // axis may pierce the plane.
        let is_over = input.radius + gap > PIERCE;
        let rests =
            gap.abs() <= 0.5 * CONTACT_TOLERANCE && is_over && rise.abs() > LINE_CONTACT_GAP;
        if rests && corners.contains_projection(front, lower_end) {
            flats.outcome = FlatOutcome::Resting { speed };
            return true;
        }
        if gap > 0.0 && gap <= speed * input.limit {
            let time = gap / speed;
            if corners.contains_projection(front, input.motion * time + lower_end) {
                // An axis along the face touches it in many points.
                let site = if rise.abs() > LINE_CONTACT_GAP {
                    ContactSite::Face
                } else {
                    ContactSite::Unknown
                };
                flats.outcome = FlatOutcome::Entered(Entry { time, site });
                return true;
            }
        }
        false
    }

    /// Tests the sides over the edges: the middle of the axis against each edge.
    #[inline(always)]
    fn test_sides<F: F64x4>(&self, flats: &mut FlatPieceTest, corners: &PolygonLanes<F>) {
        let input = self.input;
        let PolygonLanes { start, edge } = *corners;
        let (axis, motion) = (Vec3Soa::<F>::all(input.half_axis), Vec3Soa::<F>::all(input.motion));
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
        // Where the polygon rises above the edge, this side of the prism faces away from the
        // motion.
        let outer = (high - height).le_mask(F::splat(COPLANAR_DISTANCE));
        flats.side_flats = outer | speed.le_mask(F::splat(input.leaving_speed)) | !known;
        let radius = F::splat(input.radius);
        let (gap, body_gap) = (zero - height - radius, zero - high - radius);
        let tolerance = F::splat(CONTACT_TOLERANCE);
        let clear = tolerance.lt_mask(body_gap) & known;
        flats.start_is_clear |= clear != 0;
        let travel = speed * F::splat(input.limit);
        let too_far = clear & travel.lt_mask(body_gap);
        let behind = known & !clear & tolerance.lt_mask(low - radius);
        if too_far | behind != 0 {
            flats.outcome = FlatOutcome::Separated;
            return;
        }
        // A flat below the surface of the body is not entered.
        let on_top = gap.le_mask(body_gap + F::splat(COPLANAR_DISTANCE));
        let mut entered = known & on_top & zero.lt_mask(gap) & gap.le_mask(travel);
        if entered == 0 {
            return;
        }
        let times = gap / speed;
        let foot = motion.scale(times).sub(normal.scale(radius)).sub(start);
        // Coordinates of the foot in the skewed frame of edge and axis.
        let (across_axis, across_edge) = (normal.cross(axis), normal.cross(edge));
        let margin = start.largest().max(edge.largest()).max(axis.largest()).max(foot.largest())
            * F::splat(PIECE_OVERLAP);
        let along = edge.dot(across_axis);
        let (width, height) = (along.abs(), axis.dot(across_edge).abs());
        let from_start =
            foot.dot(across_axis) * zero.if_less(along, F::splat(1.0), F::splat(-1.0));
        let from_middle = foot.dot(across_edge).abs();
        let (from_ends, from_sides) =
            (margin * axis.dot(axis).sqrt(), margin * edge.dot(edge).sqrt());
        entered &= from_ends.lt_mask(from_start)
            & from_start.lt_mask(width - from_ends)
            & from_middle.lt_mask(height - from_sides);
        if entered != 0 {
            let time = earliest(entered, times.store());
            flats.outcome = FlatOutcome::Entered(Entry::at_unknown_site(time));
        }
    }

    /// Unit normals of the planes that each edge spans with the axis, and the mask of the lanes
    /// that have one.
    #[inline(always)]
    fn side_normals<F: F64x4>(&self, edge: Vec3Soa<F>, axis: Vec3Soa<F>) -> (Vec3Soa<F>, u32) {
        let cross = edge.cross(axis);
        let cross_squared = cross.dot(cross);
        let spread =
            edge.dot(edge) * F::splat(WELL_SPREAD_SQ * self.input.half_axis.length_squared());
        let well_spread =
            spread.lt_mask(cross_squared) & F::splat(MIN_DIRECTION_LENGTH).lt_mask(cross_squared);
        let normals = cross.over(cross_squared.sqrt());
        if well_spread == ALL {
            return (normals, ALL);
        }
        // Some edges are nearly parallel to the axis, or have no length. Exactly parallel ones,
        // like the vertical corners of houses, span no plane.
        let parallel = cross.largest().le_mask(F::splat(0.0));
        if well_spread | parallel == ALL {
            return (normals, well_spread);
        }
        let (polygon, half_axis) = (*self.polygon, self.input.half_axis);
        repair_normals(normals, well_spread, move |lane| {
            plane_normal(polygon.edge(lane).vector, half_axis)
        })
    }
}

/// The smallest time of the lanes whose bit is set.
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
    /// Earliest entry into the round pieces.
    ///
    /// A round piece between flats that all face away from the motion cannot be entered: its
    /// normals lie between theirs.
    #[inline(always)]
    fn enter_round<F: F64x4, const N: usize>(
        &self,
        polygon: &Polygon<N>,
        input: &SweepInput,
    ) -> Option<f64> {
        let axis = Vec3Soa::<F>::all(input.half_axis);
        let corners = PolygonLanes::<F>::from_polygon(polygon);
        let size = corners.max_coordinate().first().max(input.half_axis.abs().max_element());
        let mut round = RoundPieces::new(input, size);
        let open = |cap: bool, side_flats: u32| if cap { ALL } else { side_flats };
        let mut at_vertex = 0;
        for lane in 0..4 {
            let side_flats =
                self.side_flats >> (lane % N) | self.side_flats >> ((lane + N - 1) % N);
            at_vertex |= (side_flats & 1) << lane;
        }
        if N < 3 {
            at_vertex = ALL;
        }
        let [below, above] = self.caps;
        let (along_edges, along_axis) = (round.tubes(corners.edge), round.tubes(axis.add(axis)));
        // Loops, so that the long code of each kind of piece is compiled once.
        let corners_at = |end: f64| corners.start.add(axis.scale(F::splat(end)));
        for (tubes, end, open) in [
            (&along_edges, -1.0, if N > 1 { open(below, self.side_flats) } else { 0 }),
            (&along_edges, 1.0, if N > 1 { open(above, self.side_flats) } else { 0 }),
            (&along_axis, -1.0, at_vertex),
        ] {
            round.enter_tubes(tubes, corners_at(end), open);
        }
        for (end, open) in [(-1.0, open(below, at_vertex)), (1.0, open(above, at_vertex))] {
            round.enter_balls(corners_at(end), open);
        }
        round.first_entry
    }
}

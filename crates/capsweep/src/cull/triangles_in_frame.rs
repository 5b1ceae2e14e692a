//! Triangles in a frame that is turned so that x runs along a motion and a capsule's axis lies in the plane of x and z: there most terms of most
//! products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::F32x8;
use crate::cull::slabs::SLACK;
use crate::math::Vec3Soa;
use crate::mesh::packet::NO_SQUARE;

/// Least approach to an edge (cubic metres): what does not approach and is apart stays so.
const NO_SPEED: f32 = 1e-30;

/// Triangles in the turned frame, seen from the capsule's centre.
pub(crate) struct TrianglesInSweepFrame<L> {
    pub(crate) a: Vec3Soa<L>,
    pub(crate) b: Vec3Soa<L>,
    pub(crate) c: Vec3Soa<L>,
    pub(crate) ab: Vec3Soa<L>,
    pub(crate) ac: Vec3Soa<L>,
    /// At least the lengths of the edges.
    pub(crate) ab_size: L,
    pub(crate) ac_size: L,
    /// Half of the capsule's axis, which has no y.
    pub(crate) axis_x: L,
    pub(crate) axis_z: L,
    /// The radius, and how far turning may have moved the corners.
    pub(crate) reach: L,
    /// What a product of a corner with a unit vector is uncertain by, with room to spare.
    pub(crate) unsure: L,
}

impl<L: F32x8> TrianglesInSweepFrame<L> {
    /// The plane in which the axis moves: the triangle must come within the radius of it.
    #[inline(always)]
    pub(crate) fn off_plane_of_motion_and_axis(&self) -> u32 {
        let (a, b, c) = (self.a.y, self.b.y, self.c.y);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.le_mask(self.reach) & (L::splat(0.0) - high).le_mask(self.reach)
    }

    /// The edges: two from the first corner, and the one across from it.
    #[inline(always)]
    pub(crate) fn edges(&self) -> [Edge<L>; 3] {
        let Self { a, b, ab, ac, ab_size, ac_size, .. } = *self;
        let (bc, ba) = (ac.sub(ab), ab.negated());
        let across = along_p(ab, ac);
        // With room for the rounding of squares.
        let reach_squared = self.reach * self.reach * L::splat(SLACK);
        [
            Edge::new([a, ab, ac], across, ab_size, reach_squared),
            Edge::new([a, ac, ab], L::splat(0.0) - across, ac_size, reach_squared),
            Edge::new([b, bc, ba], along_p(bc, ba), ab_size + ac_size, reach_squared),
        ]
    }

    /// The planes along the motion through the edges.
    #[inline(always)]
    pub(crate) fn off_paths(&self, edges: &[Edge<L>; 3]) -> u32 {
        let mut bits = u32::MAX;
        for edge in edges {
            let half = edge.across_aside * L::splat(0.5);
            let off = (edge.aside + half).abs() - half.abs();
            let off = off.minus_product(edge.size, self.unsure);
            let off = off.minus_product(edge.along.y.abs(), self.axis_z);
            bits &= off.le_sqrt_mask(edge.radius_squared);
        }
        bits
    }

    /// How far the capsule moves at least before it touches the triangle, by what the edges tell. `wide` is 1 and what [`TrianglesInSweepFrame::unsure`]
    /// is of the reach, or more.
    ///
    /// Any vector `n` tells: as long as the highest point of the capsule along it is below the lowest corner, they are apart. So it may be
    /// guessed, and nothing depends on the guess but how much it tells: estimates will do for it. Here it is, for each edge `e`, the way from
    /// the axis to the line along the edge where the capsule first touches it, `n = P·p + V·v`. A point of the axis that is `P` off
    /// the line along `p` touches it where it is `V = √(r² − P²)` before it along `v`. That is the point where the axis `a` is at right angles to `n`,
    /// with `P = ±r·a·v / √((a·p)² + (a·v)²)`, or the end that comes nearest to that. A line that was passed at the start is left by the
    /// `n` on its other side.
    ///
    /// Neither `p` nor `v` is a unit vector: `P` is multiplied by the length of `p`, `V` divided by that of `e`, and `n` is longer by `p²`. Then
    /// `r·|n|` is at most half of `r²·p² + n²/p²`, and as much where the guess is good. There is room in `wide` for the rounding of all products.
    #[inline(always)]
    pub(crate) fn way_to_edges(&self, edges: &[Edge<L>; 3], wide: L, is_upright: bool) -> L {
        let Self { axis_x, axis_z, .. } = *self;
        let (zero, least) = (L::splat(0.0), L::splat(NO_SQUARE));
        let half_wide = wide * L::splat(0.5);
        let mut latest = zero;
        for edge in edges {
            let e = edge.along;
            let e_squared = edge.squared.plus_product(e.x, e.x);
            let before = edge.along_v(edge.start);
            let rise = e.y * axis_z;
            let lead = (edge.squared * axis_x).minus_product(e.x, e.z * axis_z);
            let Edge { radius_squared, mut aside, .. } = *edge;
            // An axis along the motion is as far aside everywhere.
            if !is_upright {
                let over = (lead * lead).plus_product(rise * rise, e_squared).max(least);
                let radius = radius_squared * radius_squared.max(least).rsqrt_estimate();
                let best = lead * over.rsqrt_estimate() * radius;
                let best = best.negated_if_negative(rise * before);
                aside = best.max(aside - rise.abs()).min(aside + rise.abs());
            }
            let rest = radius_squared.minus_product(aside, aside).max(zero);
            let ahead = rest * (rest * e_squared).max(least).rsqrt_estimate();
            let ahead = ahead.negated_if_negative(before);
            let size =
                radius_squared.plus_product(aside, aside).plus_product(ahead * e_squared, ahead);
            let start = (aside * edge.aside).plus_product(ahead, before);
            let across = (aside * edge.across_aside).plus_product(ahead, edge.along_v(edge.across));
            let axis = (ahead * lead).minus_product(aside, rise).abs();
            let apart = (start + across.min(zero) - axis).minus_product(size, half_wide);
            let speed = (ahead * edge.squared).max(L::splat(NO_SPEED));
            latest = (apart / speed).max(latest);
        }
        latest
    }
}

/// An edge `e` of triangles in the turned frame. Across it lie `p = e × x`, along which nothing moves, and `v = p × e`.
pub(crate) struct Edge<L> {
    start: Vec3Soa<L>,
    along: Vec3Soa<L>,
    /// From the start to the corner across from the edge.
    across: Vec3Soa<L>,
    /// At least the length.
    size: L,
    /// The start along `p`, and how much further that corner is.
    aside: L,
    across_aside: L,
    /// The square of `p`, and at least that of its length times the capsule's radius.
    squared: L,
    radius_squared: L,
}

impl<L: F32x8> Edge<L> {
    #[inline(always)]
    fn new(
        [start, along, across]: [Vec3Soa<L>; 3],
        across_aside: L,
        size: L,
        reach_squared: L,
    ) -> Self {
        let squared = (along.y * along.y).plus_product(along.z, along.z);
        let radius_squared = (squared + L::splat(NO_SQUARE)) * reach_squared;
        let aside = along_p(along, start);
        Self { start, along, across, size, aside, across_aside, squared, radius_squared }
    }

    #[inline(always)]
    fn along_v(&self, vector: Vec3Soa<L>) -> L {
        let e = self.along;
        let across_x = (e.y * vector.y).plus_product(e.z, vector.z);
        (self.squared * vector.x).minus_product(e.x, across_x)
    }
}

/// A product with `e × x`.
#[inline(always)]
fn along_p<L: F32x8>(e: Vec3Soa<L>, vector: Vec3Soa<L>) -> L {
    (e.z * vector.y).minus_product(e.y, vector.z)
}

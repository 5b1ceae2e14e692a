//! [`TrianglesInSweepFrame`]: separating planes between a moving capsule and eight triangles. In
//! the frame, x runs along the motion and the capsule's axis lies in the plane of x and z.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::F32x8;
use crate::cull::slabs::ROUND_UP_FACTOR;
use crate::math::Vec3Soa;
use crate::tolerance::{MIN_APPROACH, MIN_SQUARE};

/// Triangles in the sweep frame, relative to the capsule's centre.
pub(crate) struct TrianglesInSweepFrame<L> {
    pub(crate) a: Vec3Soa<L>,
    pub(crate) b: Vec3Soa<L>,
    pub(crate) c: Vec3Soa<L>,
    pub(crate) ab: Vec3Soa<L>,
    pub(crate) ac: Vec3Soa<L>,
    /// At least the lengths of the edges.
    pub(crate) ab_size: L,
    pub(crate) ac_size: L,
    /// Half of the capsule's axis; its y is 0.
    pub(crate) axis_x: L,
    pub(crate) axis_z: L,
    /// The radius, and the largest error of a corner by the rotation into the frame.
    pub(crate) reach: L,
    /// At least the error of the product of a corner with a unit vector.
    pub(crate) product_error: L,
}

impl<L: F32x8> TrianglesInSweepFrame<L> {
    /// Bits of the triangles within the radius of the plane in which the axis moves.
    #[inline(always)]
    pub(crate) fn reach_sweep_plane(&self) -> u32 {
        let (a, b, c) = (self.a.y, self.b.y, self.c.y);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.le_mask(self.reach) & (L::splat(0.0) - high).le_mask(self.reach)
    }

    /// The edges: two from the first corner, and the one opposite to it.
    #[inline(always)]
    pub(crate) fn edges(&self) -> [Edge<L>; 3] {
        let Self { a, b, ab, ac, ab_size, ac_size, .. } = *self;
        let (bc, ba) = (ac.sub(ab), ab.negated());
        let across = along_p(ab, ac);
        // The factor covers the rounding of squares.
        let reach_squared = self.reach * self.reach * L::splat(ROUND_UP_FACTOR);
        [
            Edge::new([a, ab, ac], across, ab_size, reach_squared),
            Edge::new([a, ac, ab], L::splat(0.0) - across, ac_size, reach_squared),
            Edge::new([b, bc, ba], along_p(bc, ba), ab_size + ac_size, reach_squared),
        ]
    }

    /// Bits of the triangles that no plane through an edge, along the motion, separates from the
    /// capsule.
    #[inline(always)]
    pub(crate) fn reach_edge_planes(&self, edges: &[Edge<L>; 3]) -> u32 {
        let mut bits = u32::MAX;
        for edge in edges {
            // The triangle spans from `start_p` to `start_p + opposite_p` along `p`.
            let half = edge.opposite_p * L::splat(0.5);
            let gap = (edge.start_p + half).abs() - half.abs();
            let gap = gap.minus_product(edge.size, self.product_error);
            let gap = gap.minus_product(edge.along.y.abs(), self.axis_z);
            bits &= gap.le_sqrt_mask(edge.radius_squared);
        }
        bits
    }

    /// Lower bound of the distance that the capsule moves before it touches the triangle, from
    /// separating planes at the edges. `widening` is at least 1 and
    /// [`TrianglesInSweepFrame::product_error`] relative to the reach.
    ///
    /// Any vector `n` gives a bound. The two are apart while the highest point of the capsule
    /// along `n` is below the lowest corner. So `n` may be estimated; only the strength of the
    /// bound depends on it. Each edge `e` gives one, `n = P·p + V·v`: from the axis to the line
    /// along the edge, where the capsule first touches that line.
    ///
    /// Let a point of the axis pass the line at the distance `P` along `p`. It touches the line at
    /// `V = √(r² − P²)` before it along `v`. The first contact is where the axis `a` is
    /// perpendicular to `n`: there `P = ±r·a·v / √((a·p)² + (a·v)²)`. If the axis ends before that
    /// point, it is at that end. For a line that is behind the capsule at the start, `n` lies on
    /// its other side.
    ///
    /// Neither `p` nor `v` is a unit vector. So `P` is multiplied by the length of `p`, `V` is
    /// divided by that of `e`, and `n` is longer by `p²`. Then `r·|n|` is at most half of
    /// `r²·p² + n²/p²`, with equality for an exact `n`. `widening` covers the rounding of all
    /// products.
    #[inline(always)]
    pub(crate) fn distance_to_edges(
        &self,
        edges: &[Edge<L>; 3],
        widening: L,
        axis_is_along_motion: bool,
    ) -> L {
        let Self { axis_x, axis_z, .. } = *self;
        let (zero, least) = (L::splat(0.0), L::splat(MIN_SQUARE));
        let half_widening = widening * L::splat(0.5);
        let mut largest = zero;
        for edge in edges {
            let e = edge.along;
            let e_squared = edge.p_squared.plus_product(e.x, e.x);
            let start_v = edge.along_v(edge.start);
            // Half the axis along `−p`, whose sign saves a negation, and along `v`.
            let axis_minus_p = e.y * axis_z;
            let axis_v = (edge.p_squared * axis_x).minus_product(e.x, e.z * axis_z);
            let Edge { radius_squared, start_p, opposite_p, .. } = *edge;
            let mut n_p = start_p;
            // All points of an axis along the motion have the same distance along `p`.
            if !axis_is_along_motion {
                let length_squared = (axis_v * axis_v)
                    .plus_product(axis_minus_p * axis_minus_p, e_squared)
                    .max(least);
                let radius = radius_squared * radius_squared.max(least).rsqrt_estimate();
                let best = axis_v * length_squared.rsqrt_estimate() * radius;
                let best = best.negated_if_negative(axis_minus_p * start_v);
                n_p = best.max(start_p - axis_minus_p.abs()).min(start_p + axis_minus_p.abs());
            }
            let rest = radius_squared.minus_product(n_p, n_p).max(zero);
            let n_v = rest * (rest * e_squared).max(least).rsqrt_estimate();
            let n_v = n_v.negated_if_negative(start_v);
            let size = radius_squared.plus_product(n_p, n_p).plus_product(n_v * e_squared, n_v);
            let start = (n_p * start_p).plus_product(n_v, start_v);
            let opposite = (n_p * opposite_p).plus_product(n_v, edge.along_v(edge.opposite));
            let axis = (n_v * axis_v).minus_product(n_p, axis_minus_p).abs();
            let gap = (start + opposite.min(zero) - axis).minus_product(size, half_widening);
            let approach = (n_v * edge.p_squared).max(L::splat(MIN_APPROACH));
            largest = (gap / approach).max(largest);
        }
        largest
    }
}

/// An edge `e` of triangles in the sweep frame. Perpendicular to it are `p = e × x`, along which
/// nothing moves, and `v = p × e`.
pub(crate) struct Edge<L> {
    start: Vec3Soa<L>,
    /// The vector `e`.
    along: Vec3Soa<L>,
    /// From the start to the corner opposite to the edge.
    opposite: Vec3Soa<L>,
    /// At least the length of `e`.
    size: L,
    /// Products of `start` and of `opposite` with `p`.
    start_p: L,
    opposite_p: L,
    /// Square of the length of `p`.
    p_squared: L,
    /// At least the square of the length of `p` times the capsule's radius.
    radius_squared: L,
}

impl<L: F32x8> Edge<L> {
    #[inline(always)]
    fn new(
        [start, along, opposite]: [Vec3Soa<L>; 3],
        opposite_p: L,
        size: L,
        reach_squared: L,
    ) -> Self {
        let p_squared = (along.y * along.y).plus_product(along.z, along.z);
        let radius_squared = (p_squared + L::splat(MIN_SQUARE)) * reach_squared;
        let start_p = along_p(along, start);
        Self { start, along, opposite, size, start_p, opposite_p, p_squared, radius_squared }
    }

    /// The product of a vector with `v`.
    #[inline(always)]
    fn along_v(&self, vector: Vec3Soa<L>) -> L {
        let e = self.along;
        let across_x = (e.y * vector.y).plus_product(e.z, vector.z);
        (self.p_squared * vector.x).minus_product(e.x, across_x)
    }
}

/// The product of a vector with `p = e × x`.
#[inline(always)]
fn along_p<L: F32x8>(e: Vec3Soa<L>, vector: Vec3Soa<L>) -> L {
    (e.z * vector.y).minus_product(e.y, vector.z)
}

//! Triangles in a frame that is turned so that x runs along a motion and a capsule's axis lies in the plane of x and z: there most terms of most
//! products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::packet::NO_SQUARE;
use crate::bvh::Lanes;
use crate::simd::Triple;

/// Least approach to an edge (square metres): what does not approach and is apart stays so.
const NO_SPEED: f32 = 1e-30;

/// Triangles in the turned frame, seen from the capsule's centre.
pub(super) struct Turned<L> {
    pub(super) a: Triple<L>,
    pub(super) b: Triple<L>,
    pub(super) c: Triple<L>,
    pub(super) ab: Triple<L>,
    pub(super) ac: Triple<L>,
    /// At least the lengths of the edges.
    pub(super) ab_size: L,
    pub(super) ac_size: L,
    /// The radius, and how far turning may have moved the corners.
    pub(super) reach: L,
    /// What a product of a corner with a unit vector is uncertain by, with room to spare.
    pub(super) unsure: L,
}

impl<L: Lanes> Turned<L> {
    /// The plane in which the axis moves: the triangle must come within the radius of it.
    #[inline(always)]
    pub(super) fn off_plane_of_motion_and_axis(&self) -> u32 {
        let (a, b, c) = (self.a.y, self.b.y, self.c.y);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.at_most(self.reach) & (L::splat(0.0) - high).at_most(self.reach)
    }

    /// The edges in a circle: their starts, themselves, and at least their lengths.
    #[inline(always)]
    pub(super) fn edges(&self) -> [(Triple<L>, Triple<L>, L); 3] {
        let Self { a, b, c, ab, ac, ab_size, ac_size, .. } = *self;
        let zero = L::splat(0.0);
        let ca = Triple { x: zero - ac.x, y: zero - ac.y, z: zero - ac.z };
        [(a, ab, ab_size), (b, ac.sub(ab), ab_size + ac_size), (c, ca, ac_size)]
    }

    /// The planes along the motion through the edges; `axis_z` is that of half the axis.
    ///
    /// With `e × x` for the normal of that through an edge `e`, the corner across from it is `(e × x)·(−p)` higher, where `p` is the edge before:
    /// for all three edges in a circle that is minus the x of the triangle's normal.
    #[inline(always)]
    pub(super) fn off_paths(&self, axis_z: L) -> u32 {
        let Self { ab, ac, reach, unsure, .. } = *self;
        let zero = L::splat(0.0);
        let across = (ab.z * ac.y).minus_product(ab.y, ac.z);
        let (low, high) = (zero.min(across), zero.max(across));
        let mut bits = u32::MAX;
        for (start, edge, size) in self.edges() {
            let height = (edge.z * start.y).minus_product(edge.y, start.z);
            let squared = L::splat(NO_SQUARE).plus_product(edge.y, edge.y);
            let length = squared.plus_product(edge.z, edge.z).sqrt();
            let doubt = size * unsure;
            let reach = doubt.plus_product(edge.y.abs(), axis_z).plus_product(length, reach);
            bits &= (height + low).at_most(reach) & (zero - (height + high)).at_most(reach);
        }
        bits
    }

    /// How far the capsule moves at least before it touches the triangle, by what the edges tell. `axis_x` and `axis_z` are those of half the
    /// axis, `wide` is 1 and what [`Turned::unsure`] is of the reach, or more.
    ///
    /// Any vector `n` tells: as long as the lowest point of the capsule along it is above the highest corner, they are apart. So it may be
    /// guessed, and nothing depends on the guess but how much it tells. Here it is, for each edge `e`, the normal where the capsule first
    /// touches the line along it. Across the edge the motion `x` has the directions `p = e × x`, along which nothing moves, and `w = e × p`, against
    /// it. A point of the axis that is `P` off the line along `p` touches it where it is `√(r² − P²)` ahead along `w`, and `n` points from the line
    /// to it. That is the point where the axis is at right angles to `n`, with `P = ±r·a·w / √((a·p)² + (a·w)²)`, or the end that comes nearest
    /// to that. A line that was passed at the start is left by the normal on its other side.
    ///
    /// Everything is multiplied by the length of `p`, heights and `n` by its square, which spares roots. Then `n·r` is `r²·p²`, or less
    /// than `(r²·p² + P²) / 2` where the line is missed. Its product with the ends of the edge is the same but for rounding, for which there is
    /// room in `wide`, as for that of all others.
    #[inline(always)]
    pub(super) fn way_to_edges(&self, axis_x: L, axis_z: L, wide: L, is_upright: bool) -> L {
        let (zero, half) = (L::splat(0.0), L::splat(0.5));
        let reach_squared = self.reach * self.reach;
        let mut latest = zero;
        let [ab, bc, ca] = self.edges();
        for ((start, edge, _), across) in [(ab, self.c), (bc, self.a), (ca, self.b)] {
            let off = (edge.z * start.y).minus_product(edge.y, start.z);
            let squared = L::splat(NO_SQUARE).plus_product(edge.y, edge.y);
            let squared = squared.plus_product(edge.z, edge.z);
            let edge_squared = squared.plus_product(edge.x, edge.x);
            let radius_squared = reach_squared * squared;
            let before = (squared * start.x)
                .minus_product(edge.x, (edge.y * start.y).plus_product(edge.z, start.z));
            let mut aside = zero - off;
            // An axis along the motion is as far aside everywhere.
            if !is_upright {
                let rise = edge.y * axis_z;
                let lead = (edge.x * edge.z * axis_z).minus_product(squared, axis_x);
                let lead_squared = lead * lead;
                let slope = lead_squared / lead_squared.plus_product(rise * rise, edge_squared);
                let best = (radius_squared * slope).sqrt().with_sign_of(rise * lead * before);
                aside = best.max(aside - rise.abs()).min(aside + rise.abs());
            }
            let rest = radius_squared.minus_product(aside, aside);
            let ahead = (rest.max(zero) / edge_squared).sqrt().with_sign_of(before);
            let (along, back) = (ahead * edge.x, ahead * squared);
            let normal = Triple {
                x: zero - back,
                y: (aside * edge.z).plus_product(along, edge.y),
                z: (along * edge.z).minus_product(aside, edge.y),
            };
            let highest = normal.dot(start).max(normal.dot(across));
            let lowest = (normal.z * axis_z).minus_product(back, axis_x).abs();
            let size = (radius_squared - zero.min(rest * half)) * wide;
            let apart = zero - (highest + lowest + size);
            latest = (apart / back.max(L::splat(NO_SPEED))).max(latest);
        }
        latest
    }
}

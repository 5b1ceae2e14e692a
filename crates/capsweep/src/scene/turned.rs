//! Triangles in a frame that is turned so that x runs along a motion and a capsule's axis lies in the plane of x and z: there most terms of most
//! products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::packet::NO_SQUARE;
use crate::bvh::Lanes;
use crate::simd::Triple;

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
}

/// What a capsule covers of planes: `radius` around a parallelogram.
pub(super) struct Footprint<L> {
    pub(super) normal: Triple<L>,
    /// A corner, its sides along x, and along x and z.
    pub(super) from_x: L,
    pub(super) end_z: L,
    pub(super) path_x: L,
    pub(super) up_x: L,
    pub(super) up_z: L,
    pub(super) radius: L,
    pub(super) doubt: L,
}

impl<L: Lanes> Footprint<L> {
    /// Bits of the lanes where it reaches over the line along an edge, to the triangle's side of it, and where its corner is there.
    #[inline(always)]
    pub(super) fn reaches(&self, (start, edge, size): (Triple<L>, Triple<L>, L)) -> (u32, u32) {
        let zero = L::splat(0.0);
        let out = edge.cross(self.normal);
        let from = (out.x * (self.from_x - start.x))
            .plus_product(out.z, self.end_z - start.z)
            .minus_product(out.y, start.y);
        let up = (out.x * self.up_x).plus_product(out.z, self.up_z);
        let nearest = from + zero.min(out.x * self.path_x) + zero.min(up);
        let reach = (size * self.doubt).plus_product(out.length(), self.radius);
        (nearest.at_most(reach), from.at_most(zero))
    }
}

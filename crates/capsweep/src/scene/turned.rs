//! Triangles in a frame that is turned so that x runs along a motion and a capsule's axis lies in the plane of x and z: there most terms of most
//! products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::packet::NO_SQUARE;
use crate::bvh::Lanes;
use crate::simd::Triple;

/// Triangles in the turned frame.
pub(super) struct Turned<L> {
    pub(super) a: Triple<L>,
    pub(super) b: Triple<L>,
    pub(super) c: Triple<L>,
    pub(super) ab: Triple<L>,
    pub(super) bc: Triple<L>,
    pub(super) ac: Triple<L>,
    /// At least the edges' lengths.
    pub(super) ab_size: L,
    pub(super) bc_size: L,
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

    /// The plane along the motion through an edge, given by its start, itself and the corner across.
    #[inline(always)]
    pub(super) fn off_path(
        &self,
        axis_z: L,
        [start, edge, other]: [Triple<L>; 3],
        edge_size: L,
    ) -> u32 {
        let on_edge = edge.z * start.y - edge.y * start.z;
        let opposite = edge.z * other.y - edge.y * other.z;
        let length = (edge.y * edge.y + edge.z * edge.z + L::splat(NO_SQUARE)).sqrt();
        let rise = edge.y.abs() * axis_z;
        let reach = rise + length * self.reach + edge_size * self.unsure;
        on_edge.min(opposite).at_most(reach)
            & (L::splat(0.0) - on_edge.max(opposite)).at_most(reach)
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
    pub(super) fn reaches(&self, start: Triple<L>, edge: Triple<L>, edge_size: L) -> (u32, u32) {
        let zero = L::splat(0.0);
        let out = edge.cross(self.normal);
        let from =
            out.x * (self.from_x - start.x) + out.z * (self.end_z - start.z) - out.y * start.y;
        let up = out.x * self.up_x + out.z * self.up_z;
        let nearest = from + zero.min(out.x * self.path_x) + zero.min(up);
        let reaches = nearest.at_most(out.length() * self.radius + edge_size * self.doubt);
        (reaches, from.at_most(zero))
    }
}

//! [`LocalRay`]: culling for rays, in a mesh's own space and in f32.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::{EPSILON, Slabs};
use crate::cull::{Candidates, Cull, CullBoxes, box_tests_of};
use crate::math::quad;
use crate::mesh::packet::Packet;
use crate::pair::ray::axes_up_to_largest;
use glam::{DVec3, Vec3};

/// A ray in a mesh's own space, in f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalRay {
    slabs: Slabs,
    /// The three axes; the one with the largest motion comes last.
    axes: [usize; 3],
    /// The origin on these axes.
    origin: [f32; 3],
    /// The motion on the first two axes per unit on the last.
    shear: [f32; 2],
    /// Time per unit of length on the last axis.
    inv_motion: f32,
    /// Margin (metres) on any axis: the error of a sheared corner and the distance within which a
    /// crossing counts. It covers the rounding of the origin and of world vertices.
    reach: f32,
}

/// A ray in a mesh's own space, before it is rounded to f32.
pub(crate) struct ExactRay {
    pub(crate) origin: DVec3,
    pub(crate) motion: DVec3,
    /// Distance within which a crossing counts.
    pub(crate) reach: f64,
    /// Largest magnitude of a coordinate of the mesh.
    pub(crate) max_coordinate: f64,
    /// Largest distance of a vertex from its rounded position in the world.
    pub(crate) world_rounding: f64,
}

impl LocalRay {
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(exact: &ExactRay, limit: f64) -> Self {
        let (origin, motion) = (exact.origin.as_vec3(), exact.motion.as_vec3());
        let magnitude = (origin.abs() + motion.abs()).element_sum() + exact.max_coordinate as f32;
        let margin =
            16.0 * EPSILON * magnitude + (2.0 * exact.world_rounding + exact.reach) as f32;
        let load = |vector: Vec3| L::F32x4::load(quad(vector));
        let slabs = Slabs::new::<L>(load(origin), L::F32x4::splat(margin), load(motion), limit);
        let axes = axes_up_to_largest(exact.motion);
        let along = |vector: [f32; 3]| axes.map(|axis| vector[axis]);
        let (inv_motions, [across, up, _]) = (slabs.inv_motion, along(motion.to_array()));
        let inv_motion = inv_motions[axes[2]];
        // A motion too slow for an exact inverse stays within the margin, whatever its direction.
        let shear = [across * inv_motion, up * inv_motion];
        Self {
            slabs,
            axes,
            origin: along(origin.to_array()),
            shear,
            inv_motion,
            reach: 2.0 * margin,
        }
    }

    /// The origin relative to the corners, on one of the axes.
    #[inline(always)]
    fn corners_to_origin<L: F32x8>(&self, packet: &Packet, i: usize) -> [L; 3] {
        let origin = L::splat(self.origin[i]);
        let [a, b, c] = packet.along::<L>(self.axes[i]);
        [origin - a, origin - b, origin - c]
    }
}

impl CullBoxes for LocalRay {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        let (bits, keys, order) = self.slabs.enter_by_point(node);
        Entered { bits, order: VisitOrder::InOrder { keys, order } }
    }

    box_tests_of!(slabs);
}

impl Cull for LocalRay {
    type Filtered<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        self.slabs.path::<L>()
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, filtered: &Candidates<L>) -> Candidates<L> {
        filtered.within(self.limit())
    }

    /// The triangle is sheared along the motion onto a plane across it, with the origin at 0. The
    /// origin makes three triangles with its edges; `u`, `v` and `w` are twice their signed areas.
    /// The line crosses the triangle if they have one sign, at the depth
    /// `(u·z₁ + v·z₂ + w·z₃) / (u + v + w)`.
    ///
    /// Corners are off by at most `δ`, the reach: it allows for the largest coordinate, and a
    /// shear is at most 1. If all corners are within `R` of the origin, an area is off by
    /// `δ·(2R + 2δ)` and two roundings of `R²`: less than `slack`.
    ///
    /// The depth is a mean of the corners' depths, which span `E`. Errors of the areas change it
    /// by less than `5·E·slack / |u + v + w|`, errors of the corners by `δ`. The rounding of
    /// products and sums is a fraction of `δ·(|u| + |v| + |w|)`. Inside the triangle that sum is
    /// less than `|u + v + w| + 6·slack`. On a needle that is much more than `|u + v + w|`.
    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        let [ax, bx, cx] = self.corners_to_origin::<L>(packet, 0);
        let [ay, by, cy] = self.corners_to_origin::<L>(packet, 1);
        let [az, bz, cz] = self.corners_to_origin::<L>(packet, 2);
        let (to_x, to_y) = (L::splat(self.shear[0]), L::splat(self.shear[1]));
        let (ax, ay) = (ax.minus_product(az, to_x), ay.minus_product(az, to_y));
        let (bx, by) = (bx.minus_product(bz, to_x), by.minus_product(bz, to_y));
        let (cx, cy) = (cx.minus_product(cz, to_x), cy.minus_product(cz, to_y));
        let u = (bx * cy).minus_product(by, cx);
        let v = (cx * ay).minus_product(cy, ax);
        let w = (ax * by).minus_product(ay, bx);
        let (a_size, b_size) = (ax.abs() + ay.abs(), bx.abs() + by.abs());
        let size = a_size.max(b_size).max(cx.abs() + cy.abs());
        let reach = L::splat(self.reach);
        let four_reaches = L::splat(4.0 * self.reach);
        let slack = (size + reach) * four_reaches.plus_product(size, L::splat(8.0 * EPSILON));
        let zero = L::splat(0.0);
        let alive = zero.le_mask(u.min(v).min(w) + slack) | u.max(v).max(w).le_mask(slack);
        if alive == 0 {
            return None;
        }
        let total = u + v + w;
        let span = az.max(bz).max(cz) - az.min(bz).min(cz);
        let per_slack = four_reaches.plus_product(span, L::splat(8.0));
        let error = (total.abs() * reach).plus_product(per_slack, slack);
        // Depths run from the corners to the origin, so against the motion.
        let time_per_depth = L::splat(-self.inv_motion) / total;
        let depth = (u * az).plus_product(v, bz).plus_product(w, cz);
        let (time, error) = (depth * time_per_depth, error * time_per_depth.abs());
        // A time that is NaN counts as the start.
        let is_behind = (time + error).le_mask(zero);
        let keys = (time - error).max(zero);
        let bits = alive & !is_behind;
        (bits != 0).then_some(Candidates { bits, likely: 0, keys })
    }
}

//! A ray in a mesh's own space, in f32: the filter before the exact crossing.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, Node, VisitOrder};
use crate::cull::slabs::{EPSILON, Slabs};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::quad;
use crate::mesh::packet::Packet;
use crate::pair::ray::axes_up_to_largest;
use glam::{DVec3, Vec3};

/// A ray in a mesh's own space, in f32: good for culling only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalRay {
    slabs: Slabs,
    /// The axis along which the motion is largest comes last.
    axes: [usize; 3],
    /// The origin along these.
    origin: [f32; 3],
    /// The motion along the first two, for each unit along the last.
    shear: [f32; 2],
    /// Time that a metre takes along the last.
    pace: f32,
    /// How far a corner may lie from where f32 sees it, on any axis and sheared, and how near a crossing must come to count: with
    /// what the rounding of the origin and of vertices in the world can amount to (metres).
    reach: f32,
}

/// A ray before it is rounded: all in the mesh's own space.
pub(crate) struct ExactRay {
    pub(crate) origin: DVec3,
    pub(crate) motion: DVec3,
    /// How near a crossing must come to count.
    pub(crate) reach: f64,
    /// Largest magnitude of a coordinate of the mesh.
    pub(crate) mesh_size: f64,
    /// How far a vertex may lie from where it is in the world.
    pub(crate) blur: f64,
}

impl LocalRay {
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(exact: &ExactRay, limit: f64) -> Self {
        let (origin, motion) = (exact.origin.as_vec3(), exact.motion.as_vec3());
        let magnitude = (origin.abs() + motion.abs()).element_sum() + exact.mesh_size as f32;
        let margin = 16.0 * EPSILON * magnitude + (2.0 * exact.blur + exact.reach) as f32;
        let load = |vector: Vec3| L::F32x4::load(quad(vector));
        let slabs = Slabs::new::<L>(load(origin), L::F32x4::splat(margin), load(motion), limit);
        let axes = axes_up_to_largest(exact.motion);
        let along = |vector: [f32; 3]| axes.map(|axis| vector[axis]);
        let (paces, [across, up, _]) = (slabs.pace, along(motion.to_array()));
        let pace = paces[axes[2]];
        // A motion too slow for its pace stays within the reach, wherever it points.
        let shear = [across * pace, up * pace];
        Self { slabs, axes, origin: along(origin.to_array()), shear, pace, reach: 2.0 * margin }
    }

    /// The origin from the corners, along one of the axes.
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

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        self.slabs.enter_boxes(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.slabs.limit
    }

    #[inline(always)]
    fn lower_limit(&mut self, time: f64) {
        self.slabs.lower_limit(time);
    }
}

impl Cull for LocalRay {
    type Seen<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &Candidates<L>) -> Candidates<L> {
        Candidates { bits: seen.bits & seen.keys.le_mask(L::splat(self.slabs.limit)), ..*seen }
    }

    /// The triangle is sheared along the motion onto a plane across it, with the origin at 0. There the line crosses it where twice the
    /// signed areas `u`, `v` and `w` that the origin makes with its edges have one sign, at the depth `(u·z₁ + v·z₂ + w·z₃) / (u + v + w)`.
    ///
    /// Corners are off by `δ`, the reach, at most: no coordinate is larger than what it allows for, and a shear is no more than 1. So where all
    /// are within `R` of the origin, an area is off by `δ·(2R + 2δ)`, and by two roundings of `R²`: less than `slack`.
    /// The depth is a mean of the corners' depths, which span `E`: areas that are off change it by less than `5·E·slack / |u + v + w|`,
    /// corners that are off by `δ`. Products and sums are rounded by a share of `δ·(|u| + |v| + |w|)`, and inside the triangle the areas add up to
    /// less than `|u + v + w| + 6·slack`: on a needle that is much more than what is left of their sum.
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
        let near = L::splat(self.reach);
        let apart = L::splat(4.0 * self.reach);
        let slack = (size + near) * apart.plus_product(size, L::splat(8.0 * EPSILON));
        let zero = L::splat(0.0);
        let alive = zero.le_mask(u.min(v).min(w) + slack) | u.max(v).max(w).le_mask(slack);
        if alive == 0 {
            return None;
        }
        let total = u + v + w;
        let span = az.max(bz).max(cz) - az.min(bz).min(cz);
        let unsure = apart.plus_product(span, L::splat(8.0));
        let doubt = (total.abs() * near).plus_product(unsure, slack);
        // From the corners to the origin: against the motion.
        let pace = L::splat(-self.pace) / total;
        let depth = (u * az).plus_product(v, bz).plus_product(w, cz);
        let (time, doubt) = (depth * pace, doubt * pace.abs());
        // What is not a number is reached at the start.
        let over = (time + doubt).le_mask(zero);
        let keys = (time - doubt).max(zero);
        let bits = alive & !over;
        (bits != 0).then_some(Candidates { bits, sure: 0, keys })
    }
}

//! A box of the world in a mesh's own space, in f32: good for culling only.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::meet::Placed;
use super::packet::Packet;
use super::slabs::{EPSILON, Slabs};
use super::walk::Cull;
use crate::Aabb;
use crate::bvh::{Bounds, Boxes, Lanes, Node, WIDTH};
use glam::{DVec3, Vec3};

/// Lets pass what reaches into a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalBox {
    /// A moving box that does not move.
    slabs: Slabs,
}

impl LocalBox {
    /// In a world whose coordinates are at most `size`.
    pub(super) fn in_world(region: &Aabb, size: f64) -> Self {
        Self::new(region.center(), region.size() * 0.5, size, 0.0)
    }

    /// In the space of a mesh: the box around the turned one.
    pub(super) fn in_mesh(region: &Aabb, placed: &Placed) -> Self {
        let Placed { mesh, pose, .. } = *placed;
        let half = region.size() * 0.5;
        let along = |axis: DVec3| pose.vector_to_local(axis).abs();
        let half = along(DVec3::X * half.x) + along(DVec3::Y * half.y) + along(DVec3::Z * half.z);
        let blur = pose.rounding(mesh.size()) / pose.min_scale();
        Self::new(pose.point_to_local(region.center()), half, mesh.size(), blur)
    }

    fn new(center: DVec3, half: DVec3, size: f64, blur: f64) -> Self {
        let magnitude = center.abs().max_element() + half.max_element() + size;
        let margin = 16.0 * EPSILON * magnitude as f32 + 2.0 * blur as f32;
        let half = half.as_vec3() + Vec3::splat(margin);
        Self { slabs: Slabs::new(center.as_vec3(), half, Vec3::ZERO, 0.0) }
    }
}

impl Cull for LocalBox {
    #[inline(always)]
    fn enter<L: Lanes>(&self, node: &Node) -> (u32, L) {
        self.slabs.enter(node)
    }

    #[inline(always)]
    fn enter_boxes<L: Lanes>(&self, boxes: &[Bounds; WIDTH]) -> (u32, L) {
        self.slabs.enter_boxes(&Boxes::of(boxes))
    }

    #[inline(always)]
    fn filter<L: Lanes>(&self, packet: &Packet) -> (u32, L) {
        let [a, b, c] = packet.corners::<L>();
        self.slabs.enter_triangles(a, b, c)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.slabs.limit
    }

    /// A box has no limit to lower.
    fn lower_limit(&mut self, _limit: f64) {}
}

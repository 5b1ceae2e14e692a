//! Everything in a box of the world, shown to whoever asks (rule 3.2).
//!
//! Trees are walked in f32 with boxes that are too large if anything, and what is left is shown if its bounds in the
//! world touch the region. So everything with a point in the region is shown, and nothing far from it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry, Shape, outward};
use super::filter::Filter;
use super::mesh::TriMesh;
use super::packet::Packet;
use super::pose::Pose;
use super::store::Content;
use crate::bvh::{Bounds, Boxes, Kernel, Lanes, NONE, Probe, WIDTH, dispatch, visit};
use crate::{Aabb, Triangle};
use glam::DVec3;

/// Who looks at a region.
pub(crate) trait Gatherer {
    /// A triangle in the world that may have a point in the region. `body` is the body's place, `slot` the triangle's in
    /// its mesh.
    fn triangle(&mut self, body: u32, slot: u32, triangle: &Triangle);

    /// A shape whose bounds touch the region, or that has no bounds.
    fn shape(&mut self, body: u32, shape: &Shape);
}

/// Shows `gatherer` everything in `region` that `filter` sees, in the order of the trees.
pub(crate) fn gather(
    content: &Content,
    region: &Aabb,
    filter: Filter,
    gatherer: &mut impl Gatherer,
) {
    for &index in &content.endless {
        if let Some((_, body)) = content.at(index)
            && filter.sees(body)
            && let Geometry::Shape(shape) | Geometry::Obstacle(shape) = &body.geometry
        {
            gatherer.shape(index, shape);
        }
    }
    let around = outward(region.min(), region.max());
    dispatch(WorldWalk { content, region, filter, gatherer, around });
}

/// Shows the slot of every triangle of `mesh` whose bounds touch `region`, in the mesh's own space.
pub(super) fn mesh_triangles_in(
    mesh: &TriMesh,
    region: &Aabb,
    mut show: impl FnMut(usize, Triangle),
) {
    let around = outward(region.min(), region.max());
    let show = |slot: usize| {
        let triangle = mesh.local_triangle(slot);
        if triangle.bounds().overlaps(region) {
            show(slot, triangle);
        }
    };
    dispatch(MeshWalk { mesh, packets: &mesh.packets, around, mask: None, show });
}

/// A box in the mesh's space around all vertices that the pose puts into `region`.
fn seen_from(mesh: &TriMesh, pose: &Pose, region: &Aabb) -> Bounds {
    let center = pose.point_to_local(region.center());
    let half = region.size() * 0.5;
    let axes = pose.axes();
    let turned = DVec3::new(
        axes.x_axis.abs().dot(half),
        axes.y_axis.abs().dot(half),
        axes.z_axis.abs().dot(half),
    );
    // What the way there and back can round: 2⁻⁵³ a step, of the largest number on the way.
    let largest = region.center().abs().max_element()
        + half.max_element()
        + pose.position().abs().max_element();
    let slack = pose.rounding(mesh.size()) + largest * 32.0 * f64::EPSILON;
    let reach = (turned + slack) / pose.scale().abs();
    outward(center - reach, center + reach)
}

/// Bits of the boxes that share a point with `around`.
#[inline(always)]
fn touching<L: Lanes>(around: &Bounds, min: [L; 3], max: [L; 3]) -> u32 {
    let mut bits = u32::MAX;
    for axis in 0..3 {
        // An unused box is inside out, and may touch on every axis.
        bits &= min[axis].at_most(max[axis]);
        bits &= min[axis].at_most(L::splat(around.max[axis]));
        bits &= L::splat(around.min[axis]).at_most(max[axis]);
    }
    bits
}

/// Bits of the triangles whose f32 boxes share a point with `around`.
#[inline(always)]
fn touching_triangles<L: Lanes>(around: &Bounds, packet: &Packet) -> u32 {
    let [a, b, c] = packet.corners::<L>();
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    touching(around, [low.x, low.y, low.z], [high.x, high.y, high.z])
}

/// Walks the tree over bodies.
struct WorldWalk<'a, G> {
    content: &'a Content,
    region: &'a Aabb,
    filter: Filter,
    gatherer: &'a mut G,
    around: Bounds,
}

impl<G: Gatherer> Kernel for WorldWalk<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        visit::<L>(&self.content.tree, &mut self);
    }
}

impl<G: Gatherer> Probe for WorldWalk<'_, G> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        (touching(&self.around, boxes.min, boxes.max), L::splat(0.0))
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        for &item in self.content.tree.leaf_items(leaf) {
            if item == NONE {
                break;
            }
            let index = self.content.bounded[item as usize];
            if let Some((_, body)) = self.content.at(index)
                && self.filter.sees(body)
            {
                self.body::<L>(index, body);
            }
        }
        true
    }
}

impl<G: Gatherer> WorldWalk<'_, G> {
    #[inline(always)]
    fn body<L: Lanes>(&mut self, index: u32, body: &Body) {
        let region = self.region;
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                if shape.bounds().is_none_or(|bounds| bounds.overlaps(region)) {
                    self.gatherer.shape(index, shape);
                }
            }
            Geometry::Mesh { mesh, pose } => {
                let gatherer = &mut *self.gatherer;
                let show = |slot: usize| {
                    let triangle = mesh.world_triangle(pose, slot);
                    if triangle.bounds().overlaps(region) {
                        gatherer.triangle(index, slot as u32, &triangle);
                    }
                };
                let around = seen_from(mesh, pose, region);
                let mask = Some(self.filter.mask);
                let packets = &*mesh.packets;
                visit::<L>(&mesh.bvh, &mut MeshWalk { mesh, packets, around, mask, show });
            }
        }
    }
}

/// Walks the tree of a mesh.
struct MeshWalk<'a, F> {
    mesh: &'a TriMesh,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    around: Bounds,
    /// Triangles must share a bit with it, if it is there.
    mask: Option<u32>,
    show: F,
}

impl<F: FnMut(usize)> Kernel for MeshWalk<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        visit::<L>(&self.mesh.bvh, &mut self);
    }
}

impl<F: FnMut(usize)> Probe for MeshWalk<'_, F> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        (touching(&self.around, boxes.min, boxes.max), L::splat(0.0))
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        let mut bits = touching_triangles::<L>(&self.around, &self.packets[leaf]);
        if let Some(mask) = self.mask {
            bits &= self.mesh.seen_in(leaf, mask);
        }
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            (self.show)(leaf * WIDTH + lane);
        }
        true
    }
}

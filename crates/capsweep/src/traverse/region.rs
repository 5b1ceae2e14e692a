//! Everything in a box of the world, shown to whoever asks (rule 3.2).
//!
//! Trees are walked in f32 with boxes that are too large if anything, and what is left is shown if its bounds in the
//! world touch the region. So everything with a point in the region is shown, and nothing far from it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{
    Bounds, Boxes, Entered, F32x8, GridBox, Kernel, Node, NodeVisitor, VisitOrder, WIDTH, dispatch,
    traverse,
};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{F64x4, Vec3Soa, prefetch_at};
use crate::mesh::packet::Packet;
use crate::mesh::tri_mesh::TriMesh;
use crate::scene::body::{Body, Shape, outward};
use crate::scene::filter::Filter;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::shape::pose::Pose;
use crate::traverse::scene_visitor::{SceneVisitor, for_each_lane, traverse_scene};
use crate::{Aabb, Sides, Triangle};
use glam::DVec3;

/// Who looks at a region.
pub(crate) trait Gatherer {
    /// The corners in the world, side by side, of a triangle that may have a point in the region. `body` is the body's place, `slot` the triangle's
    /// in its mesh.
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>);

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
    traverse_scene(content, None, filter, &mut Gathering { region, gatherer });
}

/// Shows the slot of every triangle of `mesh` whose bounds touch `region`, in the mesh's own space.
pub(crate) fn mesh_triangles_in(
    mesh: &TriMesh,
    region: &Aabb,
    mut show: impl FnMut(usize, Triangle),
) {
    let around = Around::new(outward(region.min(), region.max()), mesh.size());
    let mut show = |slot: usize| {
        let triangle = mesh.local_triangle(slot);
        if triangle.bounds().overlaps(region) {
            show(slot, triangle);
        }
    };
    dispatch(MeshTraversal { mesh, packets: &mesh.packets, around, show: &mut show });
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

/// Everything that shares a point with a box.
struct Around {
    bounds: Bounds,
    on_grid: GridBox,
}

impl Around {
    /// `size`: the largest coordinate of what is looked at.
    fn new(bounds: Bounds, size: f64) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element() + size as f32;
        let wider = 8.0 * f32::EPSILON * largest;
        Self { bounds, on_grid: GridBox::new(bounds.min - wider, bounds.max + wider) }
    }

    /// Bits of the boxes that do.
    #[inline(always)]
    fn touching<L: F32x8>(&self, boxes: &Boxes<L>) -> u32 {
        let around = &self.bounds;
        let mut bits = boxes.filled();
        for axis in 0..3 {
            bits &= boxes.min[axis].le_mask(L::splat(around.max[axis]));
            bits &= L::splat(around.min[axis]).le_mask(boxes.max[axis]);
        }
        bits
    }
}

impl CullBoxes for Around {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.on_grid), order: VisitOrder::Any }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        (self.touching(boxes), L::splat(0.0))
    }

    fn limit(&self) -> f32 {
        0.0
    }

    fn lower_limit(&mut self, _limit: f64) {}
}

impl Cull for Around {
    type Filtered<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &Candidates<L>) -> Candidates<L> {
        *seen
    }

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let boxes = Boxes { min: [low.x, low.y, low.z], max: [high.x, high.y, high.z] };
        let bits = self.touching(&boxes);
        (bits != 0).then_some(Candidates { bits, sure: 0, keys: L::splat(0.0) })
    }
}

/// Looks at a region of a scene.
struct Gathering<'a, G> {
    region: &'a Aabb,
    gatherer: &'a mut G,
}

impl<G: Gatherer> SceneVisitor for Gathering<'_, G> {
    type InWorld = Around;
    type InMesh = Around;

    fn limit(&self) -> f64 {
        0.0
    }

    fn in_world<L: F32x8>(&self, size: f64) -> Around {
        Around::new(outward(self.region.min(), self.region.max()), size)
    }

    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> Around {
        Around::new(seen_from(instance.mesh, instance.pose, self.region), instance.mesh.size())
    }

    fn sides(&self, _body: &Body) -> Sides {
        Sides::Both
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if shape.bounds().is_none_or(|bounds| bounds.overlaps(self.region)) {
            self.gatherer.shape(body, shape);
        }
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        let corners = instance.mesh.world_corners::<L::F64x4>(instance.pose, slot);
        if reach_into(corners, self.region) {
            self.gatherer.triangle(instance.body, slot as u32, &corners.to_arrays());
        }
    }
}

/// Whether the bounds of corners that are side by side touch `region`: on no axis they are all before it, or all behind.
#[inline(always)]
fn reach_into<F: F64x4>(corners: Vec3Soa<F>, region: &Aabb) -> bool {
    let (min, max) = (Vec3Soa::<F>::all(region.min()), Vec3Soa::<F>::all(region.max()));
    let reach = |corner: F, min: F, max: F| min.le_mask(corner) != 0 && corner.le_mask(max) != 0;
    reach(corners.x, min.x, max.x)
        && reach(corners.y, min.y, max.y)
        && reach(corners.z, min.z, max.z)
}

/// Walks the tree of a mesh on its own.
struct MeshTraversal<'a> {
    mesh: &'a TriMesh,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    around: Around,
    show: &'a mut dyn FnMut(usize),
}

impl Kernel for MeshTraversal<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        traverse::<L>(&self.mesh.bvh.nodes, &mut self);
    }
}

impl NodeVisitor for MeshTraversal<'_> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        self.around.enter(node)
    }

    fn limit(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        prefetch_at(self.packets, leaf);
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        let seen = self.around.filter::<L>(&self.packets[leaf]);
        let bits = seen.map_or(0, |seen| seen.bits);
        for_each_lane(bits, |lane| (self.show)(leaf * WIDTH + lane));
        true
    }
}

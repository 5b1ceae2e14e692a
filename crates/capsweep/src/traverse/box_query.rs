//! Everything that overlaps a box of the world.
//!
//! Trees are traversed in f32 with boxes that are rounded outward. The triangles that remain are
//! tested by their exact world bounds. So every triangle with a point in the box is visited,
//! and none whose bounds do not touch it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{
    Bounds, Boxes, Entered, F32x8, GridBox, LaneFn, Node, NodeVisitor, VisitOrder, dispatch,
    traverse,
};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{F64x4, Vec3Soa};
use crate::mesh::packet::{Packet, Slots};
use crate::mesh::surface::Surface;
use crate::scene::body::{Shape, outward};
use crate::scene::filter::Filter;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::shape::pose::Pose;
use crate::traverse::leaves::{FieldLeaves, Leaves, MeshLeaves, PacketVisitor};
use crate::traverse::scene_visitor::{SceneVisitor, for_each_lane, traverse_scene};
use crate::traverse::static_source::StaticSource;
use crate::{Aabb, Sides, Triangle};
use glam::{DVec3, Vec3};

/// Receives everything that overlaps a box.
pub(crate) trait BoxVisitor {
    /// A triangle whose bounds touch the box: the index of its body, its slot in the mesh, and
    /// its corners in the world.
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>);

    /// A shape whose bounds touch the box, or an unbounded one.
    fn shape(&mut self, body: u32, shape: &Shape);

    /// Early out: nothing more is wanted.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
}

/// Passes `visitor` everything in `bounds` that `filter` sees, in the order of the trees.
pub(crate) fn visit_box(
    content: &Content,
    bounds: &Aabb,
    filter: Filter,
    visitor: &mut impl BoxVisitor,
) {
    traverse_scene(content, StaticSource::Tree, filter, &mut VisitBox { bounds, visitor });
}

/// Visits every triangle of `surface` whose bounds touch `bounds`, in the space of the surface.
pub(crate) fn surface_triangles_in(
    surface: Surface,
    bounds: &Aabb,
    mut visit: impl FnMut(usize, Triangle),
) {
    let cull = BoxCull::new(outward(bounds.min(), bounds.max()), surface.max_coordinate());
    let mut visit = |slot: usize| {
        let triangle = Triangle::from_checked(surface.local_corners(slot).map(Vec3::as_dvec3));
        if triangle.bounds().overlaps(bounds) {
            visit(slot, triangle);
        }
    };
    let found = FoundInBox { cull, visit: &mut visit };
    match surface {
        Surface::Mesh(mesh) => {
            let leaves = MeshLeaves { packets: &mesh.packets };
            dispatch(BoxTraversal { nodes: &mesh.bvh.nodes, leaves, found });
        }
        Surface::Field(field) => {
            let leaves = FieldLeaves { view: &field.view() };
            dispatch(BoxTraversal { nodes: &field.nodes, leaves, found });
        }
    }
}

/// A box in mesh space around all vertices that the pose moves into `bounds`.
fn local_bounds(surface: Surface, pose: &Pose, bounds: &Aabb) -> Bounds {
    let center = pose.point_to_local(bounds.center());
    let half = bounds.size() * 0.5;
    let axes = pose.axes();
    let half_in_mesh_axes = DVec3::new(
        axes.x_axis.abs().dot(half),
        axes.y_axis.abs().dot(half),
        axes.z_axis.abs().dot(half),
    );
    // Rounding to mesh space and back: 2⁻⁵³ of the largest number for each of at most 32 steps.
    let largest = bounds.center().abs().max_element()
        + half.max_element()
        + pose.position().abs().max_element();
    let slack = pose.rounding_error(surface.max_coordinate()) + largest * 32.0 * f64::EPSILON;
    let reach = (half_in_mesh_axes + slack) / pose.scale().abs();
    outward(center - reach, center + reach)
}

/// Culls everything that does not overlap a box.
struct BoxCull {
    bounds: Bounds,
    on_grid: GridBox,
}

impl BoxCull {
    /// `max_coordinate`: the largest magnitude in the boxes that are culled, metres.
    fn new(bounds: Bounds, max_coordinate: f64) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element() + max_coordinate as f32;
        let wider = 8.0 * f32::EPSILON * largest;
        Self { bounds, on_grid: GridBox::new(bounds.min - wider, bounds.max + wider) }
    }

    /// Bits of the boxes that overlap it.
    #[inline(always)]
    fn overlapping<L: F32x8>(&self, boxes: &Boxes<L>) -> u32 {
        let Bounds { min, max } = self.bounds;
        let mut bits = boxes.filled();
        for axis in 0..3 {
            bits &= boxes.min[axis].le_mask(L::splat(max[axis]));
            bits &= L::splat(min[axis]).le_mask(boxes.max[axis]);
        }
        bits
    }
}

impl CullBoxes for BoxCull {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.on_grid), order: VisitOrder::Any }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        (self.overlapping(boxes), L::splat(0.0))
    }

    fn limit(&self) -> f32 {
        0.0
    }

    fn lower_limit(&mut self, _limit: f64) {}
}

impl Cull for BoxCull {
    type Filtered<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        self.on_grid
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, filtered: &Candidates<L>) -> Candidates<L> {
        *filtered
    }

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let boxes = Boxes { min: [low.x, low.y, low.z], max: [high.x, high.y, high.z] };
        let bits = self.overlapping(&boxes);
        (bits != 0).then_some(Candidates { bits, likely: 0, keys: L::splat(0.0) })
    }
}

/// Traverses the part of a scene that overlaps a box.
struct VisitBox<'a, G> {
    bounds: &'a Aabb,
    visitor: &'a mut G,
}

impl<G: BoxVisitor> SceneVisitor for VisitBox<'_, G> {
    type InWorld = BoxCull;
    type InMesh = BoxCull;

    fn limit(&self) -> f64 {
        0.0
    }

    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> BoxCull {
        BoxCull::new(outward(self.bounds.min(), self.bounds.max()), max_coordinate)
    }

    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> BoxCull {
        BoxCull::new(
            local_bounds(instance.surface, instance.pose, self.bounds),
            instance.surface.max_coordinate(),
        )
    }

    fn sides(&self) -> Sides {
        Sides::Both
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.visitor.is_full()
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if shape.bounds().is_none_or(|shape| shape.overlaps(self.bounds)) {
            self.visitor.shape(body, shape);
        }
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        let corners = instance.surface.world_corners::<L::F64x4>(instance.pose, slot);
        if triangle_touches(corners, self.bounds) {
            self.visitor.triangle(instance.body, slot as u32, &corners.to_arrays());
        }
    }
}

/// Whether the bounds of a triangle touch `bounds`: on no axis are all corners below or above it.
#[inline(always)]
fn triangle_touches<F: F64x4>(corners: Vec3Soa<F>, bounds: &Aabb) -> bool {
    let (min, max) = (Vec3Soa::<F>::all(bounds.min()), Vec3Soa::<F>::all(bounds.max()));
    let reach = |corner: F, min: F, max: F| min.le_mask(corner) != 0 && corner.le_mask(max) != 0;
    reach(corners.x, min.x, max.x)
        && reach(corners.y, min.y, max.y)
        && reach(corners.z, min.z, max.z)
}

/// Traverses the tree of a surface that is in no scene.
struct BoxTraversal<'a, T> {
    nodes: &'a [Node],
    leaves: T,
    found: FoundInBox<'a>,
}

/// Calls `visit` with the slots of triangles whose f32 boxes overlap a box.
struct FoundInBox<'a> {
    cull: BoxCull,
    visit: &'a mut dyn FnMut(usize),
}

impl PacketVisitor for FoundInBox<'_> {
    type Cull = BoxCull;

    #[inline(always)]
    fn cull(&self) -> &BoxCull {
        &self.cull
    }

    #[inline(always)]
    fn packet<L: F32x8>(&mut self, packet: &Packet, slots: Slots) -> bool {
        let seen = self.cull.filter::<L>(packet);
        let bits = seen.map_or(0, |seen| seen.bits);
        for_each_lane(bits, |lane| (self.visit)(slots.of(lane)));
        true
    }
}

impl<T: Leaves> LaneFn for BoxTraversal<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        let nodes = self.nodes;
        if !self.leaves.visit_near::<L>(&mut self.found) {
            traverse::<L>(nodes, &mut self);
        }
    }
}

impl<T: Leaves> NodeVisitor for BoxTraversal<'_, T> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        self.found.cull.enter(node)
    }

    fn limit(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        self.leaves.prefetch(leaf);
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        self.leaves.visit::<L>(leaf, &mut self.found)
    }
}

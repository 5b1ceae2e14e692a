//! The traversal of a scene over its bodies. [`VisitMesh`] traverses the triangles of one.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{Entered, F32x8, LaneFn, Node, NodeVisitor, WIDTH, choose, dispatch, traverse};
use crate::cull::{Cull, CullBoxes};
use crate::math::prefetch;
use crate::scene::body::{Body, Geometry, Mobility, Shape};
use crate::scene::filter::Filter;
use crate::scene::layer::BodyLayer;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::traverse::mesh_visitor::VisitMesh;
use crate::traverse::neighborhood_view::VisitPackets;
use crate::traverse::static_source::StaticSource;

/// A query on its traversal of a scene.
///
/// Culling orders candidates by a *key*: a lower bound on the time or the distance of a hit.
pub(crate) trait SceneVisitor {
    type InWorld: CullBoxes;
    type InMesh: Cull;

    /// Whether [`wants_first_only`](Self::wants_first_only) can be true. If not, the code for
    /// deferred triangles is not compiled.
    const MAY_DEFER: bool = false;

    /// Whether keys are distances that hits lower, from a capsule at rest.
    const BY_DISTANCE: bool = false;

    /// The largest key of interest: a time, or a distance.
    fn limit(&self) -> f64;

    /// Most metres between the capsule's axis and a candidate; only with
    /// [`BY_DISTANCE`](Self::BY_DISTANCE).
    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    /// Culling in world space. `max_coordinate` is the largest coordinate of the scene.
    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> Self::InWorld;

    /// Culling in the space of a mesh.
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> Self::InMesh;

    /// Adds to `cull` the data that only triangle tests need, not box tests.
    #[inline(always)]
    fn prepare_triangles<L: F32x8>(&self, _instance: &MeshInstance, _cull: &mut Self::InMesh) {}

    /// The sides of triangles that the query asks for.
    fn sides(&self) -> Sides;

    /// Tests a shape. `body` is the index of its body.
    fn shape(&mut self, body: u32, shape: &Shape);

    /// Tests the triangle in a slot of a mesh; `key` if the culling has one.
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, key: Option<f32>);

    /// Prefetches the data of the exact test for the packet that begins at `slot`.
    #[inline(always)]
    fn prefetch(&self, instance: &MeshInstance, slot: usize) {
        instance.surface.prefetch(slot);
    }

    /// Early out: no further candidate can change the answer.
    fn is_done(&self) -> bool {
        false
    }

    /// Whether only the first hit counts, and every hit that is found is accepted.
    fn wants_first_only(&self) -> bool {
        false
    }
}

/// Passes `visitor` every candidate in `content` that `filter` sees.
#[inline(always)]
pub(crate) fn traverse_scene(
    content: &Content,
    source: StaticSource,
    filter: Filter,
    visitor: &mut impl SceneVisitor,
) {
    if content.has_unbounded_or_map {
        visit_unbounded_and_map(content, source, filter, visitor);
    }
    for layer in content.layers(filter.bodies) {
        if visitor.is_done() {
            return;
        }
        if let StaticSource::Packets(view) = source
            && layer.mobility() == Mobility::Static
        {
            dispatch(VisitPackets { content, view, filter, visitor });
        } else if let Some((index, body)) = layer.single_body() {
            // One body needs no tree above it: a mesh has its own, which rejects as fast.
            if let Some(mesh) = visit_body(index, body, filter, visitor) {
                dispatch(mesh);
            }
        } else if !layer.tree().is_empty() {
            dispatch(VisitBodies {
                layer: &**layer,
                max_coordinate: content.max_coordinate,
                filter,
                visitor,
            });
        }
    }
}

/// One call for both: a query of a scene without them tests one flag.
#[inline(never)]
fn visit_unbounded_and_map(
    content: &Content,
    source: StaticSource,
    filter: Filter,
    visitor: &mut impl SceneVisitor,
) {
    for layer in content.layers(filter.bodies) {
        for (index, body) in layer.unbounded() {
            // Only shapes are unbounded, so no mesh is left to traverse.
            let _ = visit_body(index, body, filter, visitor);
        }
    }
    if let (Some(layer), StaticSource::Tree) = (content.map(filter.bodies), source) {
        let max_coordinate = content.max_coordinate;
        dispatch(VisitBodies { layer, max_coordinate, filter, visitor });
    }
}

/// Tests a body that `filter` sees. A mesh is returned, for the caller to traverse.
#[inline]
pub(crate) fn visit_body<'a, V: SceneVisitor>(
    index: u32,
    body: &'a Body,
    filter: Filter,
    visitor: &'a mut V,
) -> Option<VisitMesh<'a, V>> {
    if !filter.sees(body) {
        return None;
    }
    match &body.geometry {
        Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
            visitor.shape(index, shape);
            None
        }
        Geometry::Surface { surface, pose } => {
            let (surface, sides) = surface.with_cull_sides(visitor.sides());
            let instance = MeshInstance { body: index, surface, pose, sides };
            Some(VisitMesh { instance, mask: filter.mask, visitor })
        }
    }
}

/// Traverses the bodies of a layer.
struct VisitBodies<'a, T, V> {
    layer: &'a T,
    max_coordinate: f64,
    filter: Filter,
    visitor: &'a mut V,
}

impl<T: BodyLayer, V: SceneVisitor> LaneFn for VisitBodies<'_, T, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let cull = self.visitor.in_world::<L>(self.max_coordinate);
        traverse::<L>(self.layer.nodes(), &mut WorldTraversal { bodies: self, cull });
    }
}

/// Traverses the tree over bodies.
struct WorldTraversal<'a, T, V: SceneVisitor> {
    bodies: VisitBodies<'a, T, V>,
    cull: V::InWorld,
}

impl<T: BodyLayer, V: SceneVisitor> NodeVisitor for WorldTraversal<'_, T, V> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        self.cull.enter(node)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.cull.limit()
    }

    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        prefetch(self.bodies.layer.boxes_in_leaf(leaf));
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        let layer = self.bodies.layer;
        let Some(slots) = layer.slots_in_leaf(leaf) else { return true };
        let (mut bits, keys) = self.cull.enter_boxes::<L>(&layer.boxes_in_leaf(leaf).boxes());
        // Bodies of large scenes miss the caches: prefetch all candidates, so the misses overlap.
        for_each_lane(bits, |lane| layer.prefetch(slots[lane]));
        let keys = keys.store();
        while bits != 0 {
            let lane = smallest(bits, &keys);
            bits &= !(1 << lane);
            if keys[lane] > self.cull.limit() {
                continue;
            }
            if let Some((index, body)) = layer.in_slot(slots[lane]) {
                let VisitBodies { filter, visitor, .. } = &mut self.bodies;
                if let Some(mesh) = visit_body(index, body, *filter, &mut **visitor) {
                    L::call(mesh);
                }
                if visitor.is_done() {
                    return false;
                }
                self.cull.lower_limit(visitor.limit());
            }
        }
        true
    }
}

/// Calls `work` with every lane whose bit is set.
#[inline(always)]
pub(crate) fn for_each_lane(mut bits: u32, mut work: impl FnMut(usize)) {
    while bits != 0 {
        work((bits.trailing_zeros() as usize) % WIDTH);
        bits &= bits - 1;
    }
}

/// The lane with the smallest key among those whose bit is set.
#[inline(always)]
pub(crate) fn smallest(bits: u32, keys: &[f32; WIDTH]) -> usize {
    choose(bits, |lane, first| keys[lane] < keys[first])
}

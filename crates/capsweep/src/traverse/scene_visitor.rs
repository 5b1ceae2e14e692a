//! The traversal of a scene: over its bodies, and over the triangles of its meshes.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{Entered, F32x8, LaneFn, Node, NodeVisitor, WIDTH, choose, dispatch, traverse};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{prefetch, prefetch_at};
use crate::mesh::packet::Packet;
use crate::mesh::sides::Access;
use crate::scene::body::{Body, Geometry, Mobility, Shape};
use crate::scene::filter::Filter;
use crate::scene::layer::Layer;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::traverse::deferred::DeferredTriangles;
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
        instance.mesh.prefetch(slot);
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
    if content.has_unbounded {
        visit_unbounded(content, filter, visitor);
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
                layer,
                max_coordinate: content.max_coordinate,
                filter,
                visitor,
            });
        }
    }
}

#[inline(never)]
fn visit_unbounded(content: &Content, filter: Filter, visitor: &mut impl SceneVisitor) {
    for layer in content.layers(filter.bodies) {
        for (index, body) in layer.unbounded() {
            // Only shapes are unbounded, so no mesh is left to traverse.
            let _ = visit_body(index, body, filter, visitor);
        }
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
        Geometry::Mesh { mesh, pose } => {
            let sides = mesh.cull_sides(visitor.sides());
            let instance = MeshInstance { body: index, mesh, pose, sides };
            Some(VisitMesh { instance, mask: filter.mask, visitor })
        }
    }
}

/// Traverses the bodies of a layer.
struct VisitBodies<'a, V> {
    layer: &'a Layer,
    max_coordinate: f64,
    filter: Filter,
    visitor: &'a mut V,
}

impl<V: SceneVisitor> LaneFn for VisitBodies<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let cull = self.visitor.in_world::<L>(self.max_coordinate);
        traverse::<L>(&self.layer.tree().nodes, &mut WorldTraversal { bodies: self, cull });
    }
}

/// Traverses the triangles of a mesh.
pub(crate) struct VisitMesh<'a, V> {
    pub(crate) instance: MeshInstance<'a>,
    mask: u32,
    pub(crate) visitor: &'a mut V,
}

impl<V: SceneVisitor> VisitMesh<'_, V> {
    #[inline(always)]
    fn is_seen(&self, slot: usize) -> bool {
        self.instance.mesh.is_seen(slot, self.mask)
    }

    /// Tests the triangle in a slot, if the mask sees it.
    #[inline(always)]
    pub(crate) fn triangle<L: F32x8>(&mut self, slot: usize, key: Option<f32>) {
        match self.instance.mesh.access(slot, self.mask) {
            Access::Hidden => {}
            Access::Seen => self.visitor.triangle::<L>(&self.instance, slot, key),
            Access::WithOwnSides => self.triangle_with_own_sides::<L>(slot, key),
        }
    }

    #[cold]
    #[inline(never)]
    fn triangle_with_own_sides<L: F32x8>(&mut self, slot: usize, key: Option<f32>) {
        L::call(TriangleWithOwnSides { mesh: self, slot, key });
    }
}

/// Tests a triangle of a mesh whose triangles differ in their sides.
///
/// A call of its own, so that other meshes do not pay for it. Culling keeps the backs of such a
/// mesh, and the exact test skips those that do not count.
struct TriangleWithOwnSides<'a, 'b, V> {
    mesh: &'a mut VisitMesh<'b, V>,
    slot: usize,
    key: Option<f32>,
}

impl<V: SceneVisitor> LaneFn for TriangleWithOwnSides<'_, '_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let VisitMesh { instance, visitor, .. } = self.mesh;
        let sides = instance.mesh.sides_in(self.slot, visitor.sides());
        visitor.triangle::<L>(&MeshInstance { sides, ..*instance }, self.slot, self.key);
    }
}

impl<V: SceneVisitor> LaneFn for VisitMesh<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        // Resolved once: the buffers may lie in a memory-mapped file, behind a pointer.
        let (nodes, packets) = (&*self.instance.mesh.bvh.nodes, &*self.instance.mesh.packets);
        let cull = self.visitor.in_mesh::<L>(&self.instance);
        let defers = V::MAY_DEFER && self.visitor.wants_first_only();
        let deferred = DeferredTriangles::new();
        let mut traversal = MeshTraversal { mesh: &mut self, packets, cull, defers, deferred };
        traversal.prepare_triangles::<L>();
        loop {
            traverse::<L>(nodes, &mut traversal);
            if traversal.is_finished::<L>() {
                return;
            }
        }
    }
}

/// Traverses the tree over bodies.
struct WorldTraversal<'a, V: SceneVisitor> {
    bodies: VisitBodies<'a, V>,
    cull: V::InWorld,
}

impl<V: SceneVisitor> NodeVisitor for WorldTraversal<'_, V> {
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

/// Traverses the tree of a mesh.
struct MeshTraversal<'a, 'b, V: SceneVisitor> {
    mesh: &'a mut VisitMesh<'b, V>,
    packets: &'a [Packet],
    cull: V::InMesh,
    /// Whether triangles are deferred: an exact test waits until no other can come before it.
    defers: bool,
    deferred: DeferredTriangles,
}

impl<V: SceneVisitor> MeshTraversal<'_, '_, V> {
    #[inline(always)]
    fn prepare_triangles<L: F32x8>(&mut self) {
        self.mesh.visitor.prepare_triangles::<L>(&self.mesh.instance, &mut self.cull);
    }

    /// Defers the candidates of a leaf. `false` ends the traversal.
    #[inline(always)]
    fn defer<L: F32x8>(
        &mut self,
        leaf: usize,
        filtered: &<V::InMesh as Cull>::Filtered<L>,
    ) -> bool {
        let Candidates { mut bits, likely, keys } = self.cull.recheck(filtered);
        let bounds = self.cull.optimistic_bound(filtered);
        let likely = bits & likely & keys.le_mask(bounds);
        if likely != 0 {
            let bounds = bounds.store();
            let lane = smallest(likely, &bounds);
            if self.mesh.is_seen(leaf * WIDTH + lane) && bounds[lane] < self.cull.limit() {
                self.deferred.bound = bounds[lane];
                self.cull.lower_limit(f64::from(bounds[lane]));
                // The lower limit may cull other triangles of this leaf.
                if bits & (bits - 1) != 0 {
                    bits &= self.cull.recheck(filtered).bits;
                }
            }
        }
        let keys = keys.store();
        for_each_lane(bits, |lane| self.deferred.add(keys[lane], leaf * WIDTH + lane));
        self.deferred.has_room()
            || L::call(TestDeferred { traversal: self, before: f32::INFINITY })
    }

    /// Tests all deferred triangles, and verifies the optimistic bound. Where a hit does not keep
    /// it, which is rare, the tree is traversed again without deferring.
    #[inline(always)]
    fn is_finished<L: F32x8>(&mut self) -> bool {
        if !V::MAY_DEFER {
            return true;
        }
        if !self.flush_deferred::<L>(f32::INFINITY) {
            return true;
        }
        let holds = self.mesh.visitor.limit() <= f64::from(self.deferred.bound);
        if !holds {
            self.defers = false;
            self.deferred.bound = f32::INFINITY;
            self.cull = self.mesh.visitor.in_mesh::<L>(&self.mesh.instance);
            self.prepare_triangles::<L>();
        }
        holds
    }
}

/// Tests the deferred triangles whose keys are below `before`. `false` ends the traversal.
struct TestDeferred<'a, 'b, 'c, V: SceneVisitor> {
    traversal: &'a mut MeshTraversal<'b, 'c, V>,
    before: f32,
}

impl<V: SceneVisitor> LaneFn for TestDeferred<'_, '_, '_, V> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let MeshTraversal { mesh, cull, deferred, .. } = self.traversal;
        while deferred.smallest < self.before {
            let key = deferred.smallest;
            let Some(slot) = deferred.take(cull.limit()) else { return true };
            mesh.triangle::<L>(slot, Some(key));
            if mesh.visitor.is_done() {
                return false;
            }
            cull.lower_limit(mesh.visitor.limit());
        }
        true
    }
}

impl<V: SceneVisitor> NodeVisitor for MeshTraversal<'_, '_, V> {
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
        prefetch_at(self.packets, leaf);
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        let Some(filtered) = self.cull.filter::<L>(&self.packets[leaf]) else { return true };
        self.mesh.visitor.prefetch(&self.mesh.instance, leaf * WIDTH);
        if V::MAY_DEFER && self.defers {
            return self.defer::<L>(leaf, &filtered);
        }
        let mut bits = u32::MAX;
        loop {
            let candidates = self.cull.recheck(&filtered);
            bits &= candidates.bits;
            if bits == 0 {
                return true;
            }
            let keys = candidates.keys.store();
            let limit = self.cull.limit();
            // A hit that lowers the limit may cull the rest of the packet: culling eight again in
            // f32 is cheaper than one exact test.
            while bits != 0 && self.cull.limit() == limit {
                let likely = bits & candidates.likely;
                let lane = smallest(if likely == 0 { bits } else { likely }, &keys);
                bits &= !(1 << lane);
                self.mesh.triangle::<L>(leaf * WIDTH + lane, Some(keys[lane]));
                if self.mesh.visitor.is_done() {
                    return false;
                }
                self.cull.lower_limit(self.mesh.visitor.limit());
            }
            if bits == 0 {
                return true;
            }
        }
    }

    #[inline(always)]
    fn flush_deferred<L: F32x8>(&mut self, key: f32) -> bool {
        !V::MAY_DEFER
            || self.deferred.smallest >= key
            || L::call(TestDeferred { traversal: self, before: key })
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
fn smallest(bits: u32, keys: &[f32; WIDTH]) -> usize {
    choose(bits, |lane, first| keys[lane] < keys[first])
}

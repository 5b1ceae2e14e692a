//! The one way through a scene: over its bodies, and over the triangles of those that are meshes.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{Entered, F32x8, Kernel, Node, NodeVisitor, WIDTH, choose, dispatch, traverse};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{prefetch, prefetch_at};
use crate::mesh::packet::Packet;
use crate::scene::body::{Body, Geometry, Mobility, Shape};
use crate::scene::filter::Filter;
use crate::scene::layer::Layer;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::traverse::deferred::DeferredTriangles;
use crate::traverse::neighborhood::NeighborhoodView;
use crate::traverse::neighborhood_view::ByShortcut;

/// Who looks through a scene.
pub(crate) trait SceneVisitor {
    type InWorld: CullBoxes;
    type InMesh: Cull;

    /// Whether it may be [for what comes first](Self::is_for_first) at all: if not, nothing of what that needs is made.
    const MAY_WAIT: bool = false;

    /// What is still of interest: times, or distances.
    fn limit(&self) -> f64;

    /// Culls in the world, whose coordinates are at most `size`.
    fn in_world<L: F32x8>(&self, size: f64) -> Self::InWorld;

    /// Culls in the space of a mesh.
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> Self::InMesh;

    /// Adds what triangles need and boxes do not.
    #[inline(always)]
    fn prepare_triangles<L: F32x8>(&self, _placed: &MeshInstance, _cull: &mut Self::InMesh) {}

    /// The sides of a body's triangles that count.
    fn sides(&self, body: &Body) -> Sides;

    /// A shape that may be of interest, and its body's place.
    fn shape(&mut self, body: u32, shape: &Shape);

    /// A triangle that may be of interest, by its slot in its mesh, and its key if it has one.
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, key: Option<f32>);

    /// Has brought closer what is wanted of a triangle, by its slot, once it is looked at.
    #[inline(always)]
    fn prefetch(&self, instance: &MeshInstance, slot: usize) {
        instance.mesh.prefetch(slot);
    }

    /// Whether nothing more is of interest.
    fn is_done(&self) -> bool {
        false
    }

    /// Whether only what comes first counts, and nothing that is found is turned down.
    fn is_for_first(&self) -> bool {
        false
    }
}

/// Shows `search` everything in `content` that may be of interest to it and that `filter` lets it see.
///
/// Static bodies are looked at by the `shortcut` if there is one: it must hold all of them that the search can be interested in.
#[inline(always)]
pub(crate) fn traverse_scene(
    content: &Content,
    shortcut: Option<&NeighborhoodView>,
    filter: Filter,
    search: &mut impl SceneVisitor,
) {
    if content.has_unbounded {
        visit_unbounded(content, filter, search);
    }
    for layer in content.layers(filter.bodies) {
        if search.is_done() {
            return;
        }
        if let Some(shortcut) = shortcut.filter(|_| layer.mobility() == Mobility::Static) {
            dispatch(ByShortcut { content, shortcut, filter, search });
        } else if let Some((index, body)) = layer.single_body() {
            // A mesh alone has a tree of its own, which is as quick to say no.
            if let Some(mesh) = show(index, body, filter, search) {
                dispatch(mesh);
            }
        } else if !layer.tree().is_empty() {
            dispatch(Bodies { layer, size: content.size, filter, search });
        }
    }
}

#[inline(never)]
fn visit_unbounded(content: &Content, filter: Filter, search: &mut impl SceneVisitor) {
    for layer in content.layers(filter.bodies) {
        for (index, body) in layer.unbounded() {
            // A mesh has an end.
            let _ = show(index, body, filter, search);
        }
    }
}

/// Shows `search` a body if it may see it; a mesh is still to be walked.
#[inline]
pub(crate) fn show<'a, S: SceneVisitor>(
    index: u32,
    body: &'a Body,
    filter: Filter,
    search: &'a mut S,
) -> Option<InMesh<'a, S>> {
    if !filter.sees(body) {
        return None;
    }
    match &body.geometry {
        Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
            search.shape(index, shape);
            None
        }
        Geometry::Mesh { mesh, pose } => {
            let instance = MeshInstance { body: index, mesh, pose, sides: search.sides(body) };
            Some(InMesh { instance, mask: filter.mask, search })
        }
    }
}

/// Looks at the bodies of a layer.
struct Bodies<'a, S> {
    layer: &'a Layer,
    size: f64,
    filter: Filter,
    search: &'a mut S,
}

impl<S: SceneVisitor> Kernel for Bodies<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let cull = self.search.in_world::<L>(self.size);
        traverse::<L>(&self.layer.tree().nodes, &mut WorldTraversal { bodies: self, cull });
    }
}

/// Looks at the triangles of a mesh.
pub(crate) struct InMesh<'a, S> {
    pub(crate) instance: MeshInstance<'a>,
    mask: u32,
    pub(crate) search: &'a mut S,
}

impl<S: SceneVisitor> InMesh<'_, S> {
    #[inline(always)]
    fn is_seen(&self, slot: usize) -> bool {
        self.instance.mesh.is_seen(slot, self.mask)
    }

    /// Shows the triangle in a slot.
    #[inline(always)]
    pub(crate) fn triangle<L: F32x8>(&mut self, slot: usize, key: Option<f32>) {
        if self.is_seen(slot) {
            self.search.triangle::<L>(&self.instance, slot, key);
        }
    }
}

impl<S: SceneVisitor> Kernel for InMesh<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        // Once, and first of all: they may be kept elsewhere.
        let (nodes, packets) = (&*self.instance.mesh.bvh.nodes, &*self.instance.mesh.packets);
        let cull = self.search.in_mesh::<L>(&self.instance);
        let is_patient = S::MAY_WAIT && self.search.is_for_first();
        let put_off = DeferredTriangles::new();
        let mut traversal = MeshTraversal { mesh: &mut self, packets, cull, is_patient, put_off };
        traversal.prepare_triangles::<L>();
        loop {
            traverse::<L>(nodes, &mut traversal);
            if traversal.is_finished::<L>() {
                return;
            }
        }
    }
}

/// Walks the tree over bodies.
struct WorldTraversal<'a, S: SceneVisitor> {
    bodies: Bodies<'a, S>,
    cull: S::InWorld,
}

impl<S: SceneVisitor> NodeVisitor for WorldTraversal<'_, S> {
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
        // Large scenes lie far away in memory, so what is needed is asked for as soon as it is known: waiting once is enough.
        let Some(places) = layer.slots_in_leaf(leaf) else { return true };
        let (mut bits, keys) = self.cull.enter_boxes::<L>(&layer.boxes_in_leaf(leaf).boxes());
        for_each_lane(bits, |lane| layer.prefetch(places[lane]));
        let keys = keys.store();
        while bits != 0 {
            let lane = smallest(bits, &keys);
            bits &= !(1 << lane);
            if keys[lane] > self.cull.limit() {
                continue;
            }
            if let Some((index, body)) = layer.in_slot(places[lane]) {
                let Bodies { filter, search, .. } = &mut self.bodies;
                if let Some(mesh) = show(index, body, *filter, &mut **search) {
                    L::call(mesh);
                }
                if search.is_done() {
                    return false;
                }
                self.cull.lower_limit(search.limit());
            }
        }
        true
    }
}

/// Walks the tree of a mesh.
struct MeshTraversal<'a, 'b, S: SceneVisitor> {
    mesh: &'a mut InMesh<'b, S>,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    cull: S::InMesh,
    /// Whether triangles are put off for what may come before them.
    is_patient: bool,
    put_off: DeferredTriangles,
}

impl<S: SceneVisitor> MeshTraversal<'_, '_, S> {
    #[inline(always)]
    fn prepare_triangles<L: F32x8>(&mut self) {
        self.mesh.search.prepare_triangles::<L>(&self.mesh.instance, &mut self.cull);
    }

    /// Puts off what is promising in a leaf; `false` ends the walk.
    #[inline(always)]
    fn put_off<L: F32x8>(&mut self, leaf: usize, seen: &<S::InMesh as Cull>::Filtered<L>) -> bool {
        let Candidates { mut bits, sure, keys } = self.cull.recheck(seen);
        let until = self.cull.optimistic_bound(seen);
        let sure = bits & sure & keys.le_mask(until);
        if sure != 0 {
            let until = until.store();
            let lane = smallest(sure, &until);
            if self.mesh.is_seen(leaf * WIDTH + lane) && until[lane] < self.cull.limit() {
                self.put_off.promised = until[lane];
                self.cull.lower_limit(f64::from(until[lane]));
                // What is promised may rule out the neighbours.
                if bits & (bits - 1) != 0 {
                    bits &= self.cull.recheck(seen).bits;
                }
            }
        }
        let keys = keys.store();
        for_each_lane(bits, |lane| self.put_off.add(keys[lane], leaf * WIDTH + lane));
        self.put_off.has_room() || L::call(Settle { traverse: self, before: f32::INFINITY })
    }

    /// Whether all that was put off has come to what was promised. If not, which is rare, the walk must be made again.
    #[inline(always)]
    fn is_finished<L: F32x8>(&mut self) -> bool {
        if !S::MAY_WAIT {
            return true;
        }
        if !self.catch_up::<L>(f32::INFINITY) {
            return true;
        }
        let is_kept = self.mesh.search.limit() <= f64::from(self.put_off.promised);
        if !is_kept {
            self.is_patient = false;
            self.put_off.promised = f32::INFINITY;
            self.cull = self.mesh.search.in_mesh::<L>(&self.mesh.instance);
            self.prepare_triangles::<L>();
        }
        is_kept
    }
}

/// Shows the triangles that were put off and come before a key; `false` if nothing more is of interest.
struct Settle<'a, 'b, 'c, S: SceneVisitor> {
    traverse: &'a mut MeshTraversal<'b, 'c, S>,
    before: f32,
}

impl<S: SceneVisitor> Kernel for Settle<'_, '_, '_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let MeshTraversal { mesh, cull, put_off, .. } = self.traverse;
        while put_off.smallest < self.before {
            let key = put_off.smallest;
            let Some(slot) = put_off.take(cull.limit()) else { return true };
            mesh.triangle::<L>(slot, Some(key));
            if mesh.search.is_done() {
                return false;
            }
            cull.lower_limit(mesh.search.limit());
        }
        true
    }
}

impl<S: SceneVisitor> NodeVisitor for MeshTraversal<'_, '_, S> {
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
        let Some(seen) = self.cull.filter::<L>(&self.packets[leaf]) else { return true };
        self.mesh.search.prefetch(&self.mesh.instance, leaf * WIDTH);
        if S::MAY_WAIT && self.is_patient {
            return self.put_off::<L>(leaf, &seen);
        }
        let mut bits = u32::MAX;
        loop {
            let promising = self.cull.recheck(&seen);
            bits &= promising.bits;
            if bits == 0 {
                return true;
            }
            let keys = promising.keys.store();
            let limit = self.cull.limit();
            // What was found may rule out its neighbours, which are cheaper to look at again than to look at closely.
            while bits != 0 && self.cull.limit() == limit {
                let sure = bits & promising.sure;
                let lane = smallest(if sure == 0 { bits } else { sure }, &keys);
                bits &= !(1 << lane);
                self.mesh.triangle::<L>(leaf * WIDTH + lane, Some(keys[lane]));
                if self.mesh.search.is_done() {
                    return false;
                }
                self.cull.lower_limit(self.mesh.search.limit());
            }
            if bits == 0 {
                return true;
            }
        }
    }

    #[inline(always)]
    fn catch_up<L: F32x8>(&mut self, key: f32) -> bool {
        !S::MAY_WAIT
            || self.put_off.smallest >= key
            || L::call(Settle { traverse: self, before: key })
    }
}

/// Does `work` for every lane whose bit is set.
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

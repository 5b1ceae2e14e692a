//! The traversal of one body's triangles: culling by packets, and exact tests of the others.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Entered, F32x8, LaneFn, Node, NodeVisitor, traverse};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::mesh::height_field::HeightField;
use crate::mesh::packet::{Packet, Slots};
use crate::mesh::sides::Access;
use crate::mesh::surface::Surface;
use crate::scene::mesh_instance::MeshInstance;
use crate::traverse::deferred::DeferredTriangles;
use crate::traverse::leaves::{FieldLeaves, Leaves, MeshLeaves, PacketVisitor};
use crate::traverse::scene_visitor::{SceneVisitor, for_each_lane, smallest};

/// Traverses the triangles of a mesh or of a height field.
pub(crate) struct VisitMesh<'a, V> {
    pub(crate) instance: MeshInstance<'a>,
    pub(crate) mask: u32,
    pub(crate) visitor: &'a mut V,
}

impl<V: SceneVisitor> VisitMesh<'_, V> {
    #[inline(always)]
    fn is_seen(&self, slot: usize) -> bool {
        self.instance.surface.is_seen(slot, self.mask)
    }

    /// Tests the triangle in a slot, if the mask sees it.
    #[inline(always)]
    pub(crate) fn triangle<L: F32x8>(&mut self, slot: usize, key: Option<f32>) {
        match self.instance.surface.access(slot, self.mask) {
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
        let sides = instance.surface.sides_in(self.slot, visitor.sides());
        visitor.triangle::<L>(&MeshInstance { sides, ..*instance }, self.slot, self.key);
    }
}

impl<V: SceneVisitor> LaneFn for VisitMesh<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        // Buffers are resolved once: they may lie in a memory-mapped file, behind a pointer.
        match self.instance.surface {
            Surface::Mesh(mesh) => {
                let leaves = MeshLeaves { packets: &mesh.packets };
                self.traverse::<L>(&mesh.bvh.nodes, leaves);
            }
            Surface::Field(field) => L::call(VisitField { mesh: self, field }),
        }
    }
}

/// Traverses the triangles of a height field. A call of its own, so that meshes do not pay for it.
struct VisitField<'a, V> {
    mesh: VisitMesh<'a, V>,
    field: &'a HeightField,
}

impl<V: SceneVisitor> LaneFn for VisitField<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let leaves = FieldLeaves { view: &self.field.view() };
        self.mesh.traverse::<L>(&self.field.nodes, leaves);
    }
}

impl<V: SceneVisitor> VisitMesh<'_, V> {
    #[inline(always)]
    fn traverse<L: F32x8>(mut self, nodes: &[Node], leaves: impl Leaves) {
        let cull = self.visitor.in_mesh::<L>(&self.instance);
        let defers = V::MAY_DEFER && self.visitor.wants_first_only();
        let deferred = DeferredTriangles::new();
        let mut traversal = MeshTraversal {
            tests: TriangleTests { mesh: &mut self, cull, defers, deferred },
            leaves,
        };
        traversal.tests.prepare_triangles::<L>();
        loop {
            let MeshTraversal { tests, leaves } = &mut traversal;
            if !leaves.visit_near::<L>(tests) {
                traverse::<L>(nodes, &mut traversal);
            }
            if traversal.tests.is_finished::<L>() {
                return;
            }
        }
    }
}

/// Traverses the tree of a surface.
struct MeshTraversal<'a, 'b, V: SceneVisitor, T> {
    tests: TriangleTests<'a, 'b, V>,
    leaves: T,
}

/// Culls the triangles of packets, and makes the exact tests of the others.
struct TriangleTests<'a, 'b, V: SceneVisitor> {
    mesh: &'a mut VisitMesh<'b, V>,
    cull: V::InMesh,
    /// Whether triangles are deferred: an exact test waits until no other can come before it.
    defers: bool,
    deferred: DeferredTriangles,
}

impl<V: SceneVisitor> TriangleTests<'_, '_, V> {
    #[inline(always)]
    fn prepare_triangles<L: F32x8>(&mut self) {
        self.mesh.visitor.prepare_triangles::<L>(&self.mesh.instance, &mut self.cull);
    }

    /// Defers the candidates of a packet. `false` ends the traversal.
    #[inline(always)]
    fn defer<L: F32x8>(
        &mut self,
        slots: Slots,
        filtered: &<V::InMesh as Cull>::Filtered<L>,
    ) -> bool {
        let Candidates { mut bits, likely, keys } = self.cull.recheck(filtered);
        let bounds = self.cull.optimistic_bound(filtered);
        let likely = bits & likely & keys.le_mask(bounds);
        if likely != 0 {
            let bounds = bounds.store();
            let lane = smallest(likely, &bounds);
            if self.mesh.is_seen(slots.of(lane)) && bounds[lane] < self.cull.limit() {
                self.deferred.bound = bounds[lane];
                self.cull.lower_limit(f64::from(bounds[lane]));
                // The lower limit may cull other triangles of this packet.
                if bits & (bits - 1) != 0 {
                    bits &= self.cull.recheck(filtered).bits;
                }
            }
        }
        let keys = keys.store();
        for_each_lane(bits, |lane| self.deferred.add(keys[lane], slots.of(lane)));
        self.deferred.has_room() || L::call(TestDeferred { tests: self, before: f32::INFINITY })
    }

    /// Makes the deferred tests that come before `key`. `false` ends the traversal.
    #[inline(always)]
    fn flush_deferred<L: F32x8>(&mut self, key: f32) -> bool {
        !V::MAY_DEFER
            || self.deferred.smallest >= key
            || L::call(TestDeferred { tests: self, before: key })
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
    tests: &'a mut TriangleTests<'b, 'c, V>,
    before: f32,
}

impl<V: SceneVisitor> LaneFn for TestDeferred<'_, '_, '_, V> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let TriangleTests { mesh, cull, deferred, .. } = self.tests;
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

impl<V: SceneVisitor> PacketVisitor for TriangleTests<'_, '_, V> {
    type Cull = V::InMesh;

    #[inline(always)]
    fn cull(&self) -> &V::InMesh {
        &self.cull
    }

    #[inline(always)]
    fn packet<L: F32x8>(&mut self, packet: &Packet, slots: Slots) -> bool {
        let Some(filtered) = self.cull.filter::<L>(packet) else { return true };
        self.mesh.visitor.prefetch(&self.mesh.instance, slots.first);
        if V::MAY_DEFER && self.defers {
            return self.defer::<L>(slots, &filtered);
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
                self.mesh.triangle::<L>(slots.of(lane), Some(keys[lane]));
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
}

impl<V: SceneVisitor, T: Leaves> NodeVisitor for MeshTraversal<'_, '_, V, T> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        self.tests.cull.enter(node)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.tests.cull.limit()
    }

    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        self.leaves.prefetch(leaf);
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        self.leaves.visit::<L>(leaf, &mut self.tests)
    }

    #[inline(always)]
    fn flush_deferred<L: F32x8>(&mut self, key: f32) -> bool {
        self.tests.flush_deferred::<L>(key)
    }
}

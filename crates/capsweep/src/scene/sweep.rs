//! First touch with everything in a scene (rules 3.2, 10.2, 10.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry};
use super::filter::Filter;
use super::first_touch::{FirstTouch, Hit};
use super::meet::{Collector, Placed, Scope};
use super::packet::{ExactSweep, LocalSweep, Packet};
use super::store::{Content, Scene};
use crate::bvh::{Boxes, Bvh, Kernel, Lanes, NONE, Probe, WIDTH, dispatch, nearest, visit};
use crate::contract::{Sweep, View};
use crate::tolerance::BOUND;
use crate::{Capsule, Motion, Sides, SweepHit};

impl Scene {
    /// First touch of `capsule`, moving by `motion`, with what `filter` lets it see.
    ///
    /// An overlap at the start is a hit at time 0, the deepest first. Of the contacts within [`BOUND`] of
    /// the first, the most head-on is reported, then by kind, key and triangle: the answer does not depend on the order of
    /// insertion (given keys) nor on the tree.
    pub fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<Hit<SweepHit>> {
        let view = View::of(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides);
        let query = Query::new(self.content(), capsule, sweep, filter);
        let mut first = FirstTouch::new(query.scope);
        query.run(&mut first);
        if first.look_again() {
            query.run(&mut first);
        }
        first.answer()
    }
}

/// A sweep through a scene.
#[derive(Clone, Copy)]
pub(super) struct Query<'a> {
    capsule: &'a Capsule,
    pub(super) scope: Scope<'a>,
}

impl<'a> Query<'a> {
    pub(super) fn new(
        content: &'a Content,
        capsule: &'a Capsule,
        sweep: Sweep<'a>,
        filter: &'a Filter,
    ) -> Self {
        Self { capsule, scope: Scope { content, sweep, filter } }
    }

    /// Shows every contact on the way to `collector`.
    pub(super) fn run(&self, collector: &mut impl Collector) {
        let Scope { content, sweep, filter } = self.scope;
        for &index in &content.endless {
            if let Some((_, body)) = content.at(index)
                && filter.sees(body)
                && let Geometry::Shape(shape) | Geometry::Obstacle(shape) = &body.geometry
                && let Some(contact) = self.scope.shape(index, shape, collector.limit())
            {
                collector.take(contact);
            }
        }
        if collector.is_done() {
            return;
        }
        let exact = ExactSweep {
            origin: self.capsule.center(),
            half_axis: self.capsule.axis() * 0.5,
            motion: sweep.motion.vector(),
            radius: f64::from(self.capsule.radius()) + 2.0 * BOUND,
            mesh_size: content.size,
            front: 0.0,
            blur: 0.0,
        };
        let local = LocalSweep::new(&exact, collector.limit());
        dispatch(WorldWalk { query: self, collector, local });
    }

    /// The sweep in the space of a mesh.
    fn seen_from(&self, placed: &Placed) -> ExactSweep {
        let Placed { mesh, pose, sides, .. } = *placed;
        let motion = self.scope.sweep.motion;
        let both = sides == Sides::Both || motion.is_zero();
        ExactSweep {
            origin: pose.point_to_local(self.capsule.center()),
            half_axis: pose.vector_to_local(self.capsule.axis() * 0.5),
            motion: pose.vector_to_local(motion.vector()),
            // In other directions a scaled capsule reaches less far.
            radius: (f64::from(self.capsule.radius()) + 2.0 * BOUND) / pose.min_scale(),
            mesh_size: mesh.size(),
            front: if both { 0.0 } else { 1.0 },
            blur: pose.rounding(mesh.size()) / pose.min_scale(),
        }
    }
}

#[inline(always)]
fn walk<L: Lanes, C: Collector>(bvh: &Bvh, probe: &mut impl Probe) {
    if C::NEAREST_FIRST { nearest::<L>(bvh, probe) } else { visit::<L>(bvh, probe) }
}

/// Walks the tree over bodies.
struct WorldWalk<'a, C> {
    query: &'a Query<'a>,
    collector: &'a mut C,
    local: LocalSweep,
}

impl<C: Collector> Kernel for WorldWalk<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        walk::<L, C>(&self.query.scope.content.tree, &mut self);
    }
}

impl<C: Collector> Probe for WorldWalk<'_, C> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        self.local.enter(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.limit
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        let Scope { content, filter, .. } = self.query.scope;
        for &item in content.tree.leaf_items(leaf) {
            if item == NONE {
                break;
            }
            let index = content.bounded[item as usize];
            if let Some((_, body)) = content.at(index)
                && filter.sees(body)
            {
                self.body::<L>(index, body);
            }
            if self.collector.is_done() {
                return false;
            }
        }
        true
    }
}

impl<C: Collector> WorldWalk<'_, C> {
    #[inline(always)]
    fn body<L: Lanes>(&mut self, index: u32, body: &Body) {
        let scope = self.query.scope;
        let limit = self.collector.limit();
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                if let Some(contact) = scope.shape(index, shape, limit) {
                    self.collector.take(contact);
                }
            }
            Geometry::Mesh { mesh, pose } => {
                let placed = Placed { body: index, mesh, pose, sides: scope.filter.sides_of(body) };
                let local = LocalSweep::new(&self.query.seen_from(&placed), limit);
                let collector = &mut *self.collector;
                let packets = &*mesh.packets;
                let mut probe = MeshWalk { scope, placed, packets, collector, local };
                walk::<L, C>(&mesh.bvh, &mut probe);
            }
        }
        self.local.lower_limit(self.collector.limit());
    }
}

/// Walks the tree of a mesh.
struct MeshWalk<'a, C> {
    scope: Scope<'a>,
    placed: Placed<'a>,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    collector: &'a mut C,
    local: LocalSweep,
}

impl<C: Collector> Probe for MeshWalk<'_, C> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        self.local.enter(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.limit
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        let (mut bits, keys) = self.local.filter::<L>(&self.packets[leaf]);
        bits &= self.placed.mesh.seen_in(leaf, self.scope.filter.mask);
        if bits == 0 {
            return true;
        }
        let keys = keys.store();
        while bits != 0 {
            let lane = earliest(bits, &keys);
            bits &= !(1 << lane);
            let slot = leaf * WIDTH + lane;
            if keys[lane] <= self.local.limit
                && let Some(contact) =
                    self.scope.triangle(&self.placed, slot, self.collector.limit())
            {
                self.collector.take(contact);
                self.local.lower_limit(self.collector.limit());
                if self.collector.is_done() {
                    return false;
                }
            }
        }
        true
    }
}

/// The lane with the smallest key among those whose bit is set.
#[inline(always)]
pub(super) fn earliest(bits: u32, keys: &[f32; WIDTH]) -> usize {
    let mut first = bits.trailing_zeros() as usize;
    let mut rest = bits & (bits - 1);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if keys[lane] < keys[first] {
            first = lane;
        }
    }
    first
}

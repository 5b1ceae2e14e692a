//! First touch with everything in a scene (rules 3.2, 10.2, 10.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry};
use super::filter::Filter;
use super::first_touch::{FirstTouch, Hit};
use super::mesh::TriMesh;
use super::packet::{ExactSweep, LocalSweep};
use super::pose::Pose;
use super::store::{Content, Scene};
use crate::bvh::{Boxes, Kernel, Lanes, NONE, Probe, WIDTH, dispatch, nearest};
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
        let mut first = FirstTouch::new(self.content(), sweep, filter);
        let query = Query { capsule, motion, filter, content: self.content() };
        query.run(&mut first);
        if first.look_again() {
            query.run(&mut first);
        }
        first.answer()
    }
}

/// A sweep through a scene.
#[derive(Clone, Copy)]
struct Query<'a> {
    capsule: &'a Capsule,
    motion: &'a Motion,
    filter: &'a Filter,
    content: &'a Content,
}

impl Query<'_> {
    /// Shows everything in the way to `first`.
    fn run(&self, first: &mut FirstTouch) {
        for &index in &self.content.endless {
            if let Some((_, body)) = self.content.at(index)
                && self.filter.sees(body)
                && let Geometry::Shape(shape) | Geometry::Obstacle(shape) = &body.geometry
            {
                first.shape(index, shape);
            }
        }
        let exact = ExactSweep {
            origin: self.capsule.center(),
            half_axis: self.capsule.axis() * 0.5,
            motion: self.motion.vector(),
            radius: f64::from(self.capsule.radius()) + 2.0 * BOUND,
            mesh_size: self.content.size,
            vertex_error: 0.0,
            front: 0.0,
        };
        let local = LocalSweep::new(&exact, first.limit());
        dispatch(WorldWalk { query: self, first, local });
    }

    /// The sweep in the space of a mesh.
    fn seen_from(&self, mesh: &TriMesh, pose: &Pose, sides: Sides) -> ExactSweep {
        let both = sides == Sides::Both || self.motion.is_zero();
        ExactSweep {
            origin: pose.point_to_local(self.capsule.center()),
            half_axis: pose.vector_to_local(self.capsule.axis() * 0.5),
            motion: pose.vector_to_local(self.motion.vector()),
            // In other directions a scaled capsule reaches less far.
            radius: (f64::from(self.capsule.radius()) + 2.0 * BOUND) / pose.min_scale(),
            mesh_size: mesh.size(),
            vertex_error: mesh.vertex_error(pose),
            front: if both { 0.0 } else { 1.0 },
        }
    }
}

/// Walks the tree over bodies.
struct WorldWalk<'a, 'b> {
    query: &'a Query<'a>,
    first: &'a mut FirstTouch<'b>,
    local: LocalSweep,
}

impl Kernel for WorldWalk<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        nearest::<L>(&self.query.content.tree, &mut self);
    }
}

impl Probe for WorldWalk<'_, '_> {
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
        for &item in self.query.content.tree.leaf_items(leaf) {
            if item == NONE {
                break;
            }
            let index = self.query.content.bounded[item as usize];
            if let Some((_, body)) = self.query.content.at(index)
                && self.query.filter.sees(body)
            {
                self.body::<L>(index, body);
            }
        }
        true
    }
}

impl WorldWalk<'_, '_> {
    #[inline(always)]
    fn body<L: Lanes>(&mut self, index: u32, body: &Body) {
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => self.first.shape(index, shape),
            Geometry::Mesh { mesh, pose } => {
                let sides = self.first.sides(body);
                let exact = self.query.seen_from(mesh, pose, sides);
                let local = LocalSweep::new(&exact, self.first.limit());
                let mut walk =
                    MeshWalk { mesh, pose, index, sides, first: &mut *self.first, local };
                nearest::<L>(&mesh.bvh, &mut walk);
            }
        }
        self.local.lower_limit(self.first.limit());
    }
}

/// Walks the tree of a mesh.
struct MeshWalk<'a, 'b> {
    mesh: &'a TriMesh,
    pose: &'a Pose,
    index: u32,
    sides: Sides,
    first: &'a mut FirstTouch<'b>,
    local: LocalSweep,
}

impl Probe for MeshWalk<'_, '_> {
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
        let (mut bits, keys) = self.local.filter::<L>(&self.mesh.packets[leaf]);
        if bits == 0 {
            return true;
        }
        let keys = keys.store();
        while bits != 0 {
            let lane = earliest(bits, &keys);
            bits &= !(1 << lane);
            if keys[lane] <= self.local.limit {
                let slot = leaf * WIDTH + lane;
                let triangle = self.mesh.world_triangle(self.pose, slot);
                self.first.triangle(self.index, slot as u32, &triangle, self.sides);
                self.local.lower_limit(self.first.limit());
            }
        }
        true
    }
}

/// The lane with the smallest key among those whose bit is set.
#[inline(always)]
fn earliest(bits: u32, keys: &[f32; WIDTH]) -> usize {
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

//! The nearest body (rule 2.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry, Visitor};
use super::filter::Filter;
use super::first_touch::Hit;
use super::meet::Placed;
use super::near::{ExactCapsule, LocalCapsule};
use super::packet::Packet;
use super::store::{Content, Scene};
use super::sweep::earliest;
use super::ties::Ties;
use crate::bvh::{Boxes, Kernel, Lanes, NONE, Probe, WIDTH, dispatch, nearest};
use crate::contract::{self, Target, View};
use crate::target::TriangleTarget;
use crate::tolerance::BOUND;
use crate::{Capsule, ClosestPoints};

impl Scene {
    /// The nearest triangle or shape within `limit` metres of `capsule`, surface to surface; negative distances are depths.
    ///
    /// Of those within [`BOUND`] of the nearest the first by kind, key and triangle is reported, with its own
    /// distance. Where the axis pierces a triangle the depth is that of [`Scene::overlap`]. Sides play no other part.
    pub fn closest(
        &self,
        capsule: &Capsule,
        limit: f64,
        filter: &Filter,
    ) -> Option<Hit<ClosestPoints>> {
        let query = Query { content: self.content(), capsule, view: View::of(capsule), filter };
        let mut near = Nearby::new(&query, limit);
        query.run(&mut near);
        if near.look_again() {
            query.run(&mut near);
        }
        near.answer()
    }
}

struct Query<'a> {
    content: &'a Content,
    capsule: &'a Capsule,
    view: View,
    filter: &'a Filter,
}

impl Query<'_> {
    /// Shows everything that may be near enough to `near`.
    fn run(&self, near: &mut Nearby) {
        for &index in &self.content.endless {
            if let Some((_, body)) = self.content.at(index)
                && self.filter.sees(body)
                && let Geometry::Shape(shape) | Geometry::Obstacle(shape) = &body.geometry
            {
                near.take(shape.visit(&self.view, Separation(&self.view)), index, 0);
            }
        }
        let exact = ExactCapsule {
            origin: self.capsule.center(),
            half_axis: self.capsule.axis() * 0.5,
            radius: f64::from(self.capsule.radius()),
            mesh_size: self.content.size,
            scale: 1.0,
        };
        let local = LocalCapsule::new(&exact, near.limit());
        dispatch(WorldWalk { query: self, near, local });
    }

    /// The capsule in the space of a mesh.
    fn seen_from(&self, placed: &Placed) -> ExactCapsule {
        let Placed { mesh, pose, .. } = *placed;
        ExactCapsule {
            origin: pose.point_to_local(self.capsule.center()),
            half_axis: pose.vector_to_local(self.capsule.axis() * 0.5),
            radius: f64::from(self.capsule.radius()),
            mesh_size: mesh.size(),
            scale: pose.min_scale(),
        }
    }

    fn separation_of_triangle(&self, at: &Placed, slot: usize) -> f64 {
        let triangle = at.mesh.world_triangle(at.pose, slot);
        let exits = at.mesh.exits(at.pose, slot, at.sides);
        contract::separation(&self.view, &TriangleTarget::in_mesh(&self.view, &triangle, exits))
    }

    fn report(&self, part: Part) -> Option<Hit<ClosestPoints>> {
        let (_, body) = self.content.at(part.body)?;
        let struck = self.content.struck(part.body, part.slot)?;
        let hit = match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let slot = part.slot as usize;
                let triangle = mesh.world_triangle(pose, slot);
                let exits = mesh.exits(pose, slot, self.filter.sides_of(body));
                let target = TriangleTarget::in_mesh(&self.view, &triangle, exits);
                let mut hit = contract::closest(&self.view, &target);
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                hit
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(&self.view, Describe(&self.view))
            }
        };
        Some(Hit { hit, struck })
    }
}

struct Separation<'a>(&'a View);

impl Visitor for Separation<'_> {
    type Output = f64;

    fn visit(self, target: &impl Target) -> f64 {
        contract::separation(self.0, target)
    }
}

struct Describe<'a>(&'a View);

impl Visitor for Describe<'_> {
    type Output = ClosestPoints;

    fn visit(self, target: &impl Target) -> ClosestPoints {
        contract::closest(self.0, target)
    }
}

/// A body's place, a triangle's slot in its mesh, and how far away it is.
#[derive(Clone, Copy)]
struct Part {
    distance: f64,
    body: u32,
    slot: u32,
}

/// Collects what is nearest.
struct Nearby<'a> {
    query: &'a Query<'a>,
    /// The caller's limit.
    limit: f64,
    best: Option<f64>,
    ties: Ties<Part>,
    /// The best is known, and parts are compared as they come.
    looks_again: bool,
    chosen: Option<Hit<ClosestPoints>>,
}

impl<'a> Nearby<'a> {
    fn new(query: &'a Query<'a>, limit: f64) -> Self {
        let ties = Ties::new(Part { distance: 0.0, body: 0, slot: 0 });
        Self { query, limit, best: None, ties, looks_again: false, chosen: None }
    }

    /// Largest distance that is still of interest.
    fn limit(&self) -> f64 {
        self.best.map_or(self.limit, |best| self.limit.min(best + BOUND))
    }

    fn take(&mut self, distance: f64, body: u32, slot: u32) {
        // Not so for a limit that is no number: nothing is within it.
        let within = distance <= self.limit();
        if !within {
            return;
        }
        let part = Part { distance, body, slot };
        if self.looks_again {
            self.choose(part);
            return;
        }
        if self.best.is_none_or(|best| distance < best) {
            self.best = Some(distance);
            self.ties.retain(|kept| kept.distance <= distance + BOUND);
        }
        self.ties.add(part);
    }

    /// Whether more parts tie than were kept. The walk must then be made again, with the best now known.
    fn look_again(&mut self) -> bool {
        self.looks_again = self.ties.crowded;
        self.looks_again
    }

    fn choose(&mut self, part: Part) {
        let hit = self.query.report(part);
        let chosen = self.chosen.as_ref().map(|chosen| chosen.struck.rank());
        if let Some(hit) = hit
            && chosen.is_none_or(|chosen| hit.struck.rank() < chosen)
        {
            self.chosen = Some(hit);
        }
    }

    fn answer(mut self) -> Option<Hit<ClosestPoints>> {
        if !self.looks_again {
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen
    }
}

/// Walks the tree over bodies.
struct WorldWalk<'a, 'b> {
    query: &'a Query<'a>,
    near: &'a mut Nearby<'b>,
    local: LocalCapsule,
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
        let content = self.query.content;
        for &item in content.tree.leaf_items(leaf) {
            if item == NONE {
                break;
            }
            let index = content.bounded[item as usize];
            if let Some((_, body)) = content.at(index)
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
        let query = self.query;
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                let distance = shape.visit(&query.view, Separation(&query.view));
                self.near.take(distance, index, 0);
            }
            Geometry::Mesh { mesh, pose } => {
                let placed = Placed { body: index, mesh, pose, sides: query.filter.sides_of(body) };
                let local = LocalCapsule::new(&query.seen_from(&placed), self.near.limit());
                let near = &mut *self.near;
                let packets = &*mesh.packets;
                nearest::<L>(&mesh.bvh, &mut MeshWalk { query, placed, packets, near, local });
            }
        }
        self.local.lower_limit(self.near.limit());
    }
}

/// Walks the tree of a mesh.
struct MeshWalk<'a, 'b> {
    query: &'a Query<'a>,
    placed: Placed<'a>,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    near: &'a mut Nearby<'b>,
    local: LocalCapsule,
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
        let (mut bits, keys) = self.local.filter::<L>(&self.packets[leaf]);
        bits &= self.placed.mesh.seen_in(leaf, self.query.filter.mask);
        if bits == 0 {
            return true;
        }
        let keys = keys.store();
        while bits != 0 {
            let lane = earliest(bits, &keys);
            bits &= !(1 << lane);
            if keys[lane] <= self.local.limit {
                let slot = leaf * WIDTH + lane;
                let distance = self.query.separation_of_triangle(&self.placed, slot);
                self.near.take(distance, self.placed.body, slot as u32);
                self.local.lower_limit(self.near.limit());
            }
        }
        true
    }
}

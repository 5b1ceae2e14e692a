//! The nearest body (rule 2.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::F32x8;
use crate::cull::local_capsule::LocalCapsule;
use crate::pair::contract::{self, CapsuleFrame, Target};
use crate::query::collect::ties::Ties;
use crate::scene::body::{Body, Geometry, Shape, Visitor};
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::tolerance::CONTACT_TOLERANCE;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::{Capsule, ClosestPoints, Limit, Sides};

impl Scene {
    /// The nearest triangle or shape within `limit` of `capsule`, surface to surface; negative
    /// distances are depths.
    ///
    /// Of those within [`CONTACT_TOLERANCE`] of the nearest the first by kind, key and triangle is reported, with its own
    /// distance. Where the axis pierces a triangle the depth is that of [`Scene::overlap_all`]. Sides play no other part.
    pub fn closest(
        &self,
        capsule: &Capsule,
        limit: Limit,
        filter: &Filter,
    ) -> Option<SceneHit<ClosestPoints>> {
        let query = Query::new(self.content(), capsule, filter);
        let mut near = Nearby::new(&query, limit.metres());
        query.run(&mut near);
        if near.ties.look_again() {
            query.run(&mut near);
        }
        near.answer()
    }
}

/// A search around a capsule.
struct Query<'a> {
    content: &'a Content,
    capsule: &'a Capsule,
    view: CapsuleFrame,
    filter: &'a Filter,
}

impl<'a> Query<'a> {
    fn new(content: &'a Content, capsule: &'a Capsule, filter: &'a Filter) -> Self {
        Self { content, capsule, view: CapsuleFrame::of(capsule), filter }
    }

    /// Shows everything that may be near enough to `near`.
    fn run(&self, near: &mut Nearby) {
        traverse_scene(self.content, None, *self.filter, near);
    }

    fn separation_of_triangle(&self, at: &MeshInstance, slot: usize) -> f64 {
        contract::separation(&self.view, &at.target(&self.view, slot))
    }

    fn report(&self, part: Part) -> Option<SceneHit<ClosestPoints>> {
        let (id, body) = self.content.at(part.body)?;
        let target = HitTarget::of(id, body, part.slot);
        let hit = match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let sides = self.filter.sides_of(body);
                let at = MeshInstance { body: part.body, mesh, pose, sides };
                let target = at.target(&self.view, part.slot as usize);
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
        Some(SceneHit { hit, target })
    }
}

struct Separation<'a>(&'a CapsuleFrame);

impl Visitor for Separation<'_> {
    type Output = f64;

    fn visit(self, target: &impl Target) -> f64 {
        contract::separation(self.0, target)
    }
}

struct Describe<'a>(&'a CapsuleFrame);

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
    chosen: Option<SceneHit<ClosestPoints>>,
}

impl SceneVisitor for Nearby<'_> {
    type InWorld = LocalCapsule;
    type InMesh = LocalCapsule;

    fn limit(&self) -> f64 {
        self.best.map_or(self.limit, |best| self.limit.min(best + CONTACT_TOLERANCE))
    }

    fn in_world<L: F32x8>(&self, size: f64) -> LocalCapsule {
        LocalCapsule::in_world(self.query.capsule, size, self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalCapsule {
        LocalCapsule::in_mesh(self.query.capsule, instance, self.limit())
    }

    fn sides(&self, body: &Body) -> Sides {
        self.query.filter.sides_of(body)
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        let view = &self.query.view;
        self.take(shape.visit(view, Separation(view)), body, 0);
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        self.take(self.query.separation_of_triangle(instance, slot), instance.body, slot as u32);
    }
}

impl<'a> Nearby<'a> {
    fn new(query: &'a Query<'a>, limit: f64) -> Self {
        Self { query, limit, best: None, ties: Ties::none(), chosen: None }
    }

    fn choose(&mut self, part: Part) {
        let hit = self.query.report(part);
        let chosen = self.chosen.as_ref().map(|chosen| chosen.target.rank());
        if let Some(hit) = hit
            && chosen.is_none_or(|chosen| hit.target.rank() < chosen)
        {
            self.chosen = Some(hit);
        }
    }

    fn answer(mut self) -> Option<SceneHit<ClosestPoints>> {
        if !self.ties.looks_again {
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen
    }

    fn take(&mut self, distance: f64, body: u32, slot: u32) {
        if distance > self.limit() {
            return;
        }
        let part = Part { distance, body, slot };
        if self.ties.looks_again {
            self.choose(part);
            return;
        }
        if self.best.is_none_or(|best| distance < best) {
            self.best = Some(distance);
            self.ties.retain(|kept| kept.distance <= distance + CONTACT_TOLERANCE);
        }
        self.ties.add(part);
    }
}

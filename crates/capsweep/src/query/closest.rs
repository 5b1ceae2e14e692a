//! The closest points of a capsule and a scene.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::F32x8;
use crate::cull::local_capsule::LocalCapsule;
use crate::pair::contract::{self, CapsuleFrame, Target};
use crate::query::collect::ties::Ties;
use crate::scene::body::{Geometry, Shape, Visitor};
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::tolerance::CONTACT_TOLERANCE;
use crate::traverse::cull_volume::reach_around;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, ClosestPoints, Limit, Sides};

impl Scene {
    /// The triangle or shape closest to `capsule`, among what `filter` sees; `None` if nothing is
    /// within `limit`.
    ///
    /// - **Distance.** In metres between the surfaces, `limit` included. In an overlap it is
    ///   negative, and its magnitude is the depth.
    /// - **Ties.** Of those within [`CONTACT_TOLERANCE`] of the closest, the first by kind, key
    ///   and triangle is reported, with its own distance.
    /// - **Sides.** Triangles count from both sides. If the axis pierces a triangle, the filter's
    ///   sides choose the push-out, as in [`Scene::overlap_all`].
    /// - **Internal edges** are not corrected: each triangle counts as if it were alone.
    ///
    /// ```
    /// use capsweep::scene::{Body, Filter, Scene, Shape};
    /// use capsweep::{Capsule, Limit, Sphere};
    /// use glam::{DVec3, dvec3};
    ///
    /// let mut scene = Scene::new();
    /// let sphere = Sphere::new(dvec3(3.0, 0.0, 0.0), 1.0)?;
    /// scene.insert(Body::shape(Shape::Sphere(sphere)).with_key(7));
    ///
    /// let capsule = Capsule::from_center(DVec3::ZERO, DVec3::Z * 0.5, 0.5)?;
    /// let found = scene.closest(&capsule, Limit::new(2.0)?, &Filter::default());
    /// let found = found.expect("1.5 m apart");
    /// assert!((found.distance - 1.5).abs() < 1e-9);
    /// assert_eq!(found.target.key, 7);
    /// assert!(scene.closest(&capsule, Limit::new(1.0)?, &Filter::default()).is_none());
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn closest(
        &self,
        capsule: &Capsule,
        limit: Limit,
        filter: &Filter,
    ) -> Option<SceneHit<ClosestPoints>> {
        closest_points(self.content(), StaticSource::Tree, (capsule, limit), filter)
    }
}

/// The closest points of a capsule and everything within a limit.
pub(crate) fn closest_points(
    content: &Content,
    source: StaticSource,
    (capsule, limit): (&Capsule, Limit),
    filter: &Filter,
) -> Option<SceneHit<ClosestPoints>> {
    let frame = CapsuleFrame::new(capsule);
    let context = ClosestContext { content, source, capsule, frame, filter };
    let mut collector = ClosestCollector::new(&context, limit.metres());
    context.traverse(&mut collector);
    if collector.ties.begin_second_pass() {
        context.traverse(&mut collector);
    }
    collector.answer()
}

/// The capsule of a query, and the bodies that it sees.
struct ClosestContext<'a> {
    content: &'a Content,
    source: StaticSource<'a>,
    capsule: &'a Capsule,
    frame: CapsuleFrame,
    filter: &'a Filter,
}

impl ClosestContext<'_> {
    /// Calls `collector` for everything that may be within its limit.
    fn traverse(&self, collector: &mut ClosestCollector) {
        traverse_scene(self.content, self.source, *self.filter, collector);
    }

    fn separation_of_triangle(&self, instance: &MeshInstance, slot: usize) -> f64 {
        contract::separation(&self.frame, &instance.target(&self.frame, slot))
    }

    fn report(&self, candidate: ClosestCandidate) -> Option<SceneHit<ClosestPoints>> {
        let (id, body) = self.content.body_by_index(candidate.body)?;
        let target = HitTarget::of(id, body, candidate.slot);
        let hit = match &body.geometry {
            Geometry::Surface { surface, pose } => {
                let surface = surface.as_surface();
                let sides = surface.sides_in(candidate.slot as usize, self.filter.sides);
                let instance = MeshInstance { body: candidate.body, surface, pose, sides };
                let target = instance.target(&self.frame, candidate.slot as usize);
                let mut hit = contract::closest(&self.frame, &target);
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                hit
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(&self.frame, FindClosest(&self.frame))
            }
        };
        Some(SceneHit { hit, target })
    }
}

/// Measures the distance of a shape.
struct MeasureSeparation<'a>(&'a CapsuleFrame);

impl Visitor for MeasureSeparation<'_> {
    type Output = f64;

    fn visit(self, target: &impl Target) -> f64 {
        contract::separation(self.0, target)
    }
}

/// Finds the closest points of a shape.
struct FindClosest<'a>(&'a CapsuleFrame);

impl Visitor for FindClosest<'_> {
    type Output = ClosestPoints;

    fn visit(self, target: &impl Target) -> ClosestPoints {
        contract::closest(self.0, target)
    }
}

/// A triangle or shape that may be the closest.
#[derive(Clone, Copy)]
struct ClosestCandidate {
    /// Metres between the surfaces; negative in an overlap.
    distance: f64,
    /// The body's index.
    body: u32,
    /// The triangle's slot in its mesh; 0 for shapes.
    slot: u32,
}

/// Collects the closest candidate and those that tie with it.
struct ClosestCollector<'a> {
    context: &'a ClosestContext<'a>,
    /// The caller's limit, metres.
    limit: f64,
    /// The smallest distance so far.
    best: Option<f64>,
    ties: Ties<ClosestCandidate>,
    /// The first by rank of those that tie.
    chosen: Option<SceneHit<ClosestPoints>>,
}

impl SceneVisitor for ClosestCollector<'_> {
    type InWorld = LocalCapsule;
    type InMesh = LocalCapsule;

    const BY_DISTANCE: bool = true;

    fn limit(&self) -> f64 {
        self.best.map_or(self.limit, |best| self.limit.min(best + CONTACT_TOLERANCE))
    }

    fn reach(&self) -> f64 {
        reach_around(self.context.capsule, self.limit())
    }

    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> LocalCapsule {
        LocalCapsule::in_world(self.context.capsule, max_coordinate, self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalCapsule {
        LocalCapsule::in_mesh(self.context.capsule, instance, self.limit())
    }

    fn sides(&self) -> Sides {
        self.context.filter.sides
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        let frame = &self.context.frame;
        self.add(shape.visit(frame, MeasureSeparation(frame)), body, 0);
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        self.add(self.context.separation_of_triangle(instance, slot), instance.body, slot as u32);
    }
}

impl<'a> ClosestCollector<'a> {
    fn new(context: &'a ClosestContext<'a>, limit: f64) -> Self {
        Self { context, limit, best: None, ties: Ties::none(), chosen: None }
    }

    /// Chooses the candidate if it comes before the one chosen so far by rank.
    fn choose(&mut self, candidate: ClosestCandidate) {
        let hit = self.context.report(candidate);
        let chosen = self.chosen.as_ref().map(|chosen| chosen.target.rank());
        if let Some(hit) = hit
            && chosen.is_none_or(|chosen| hit.target.rank() < chosen)
        {
            self.chosen = Some(hit);
        }
    }

    fn answer(mut self) -> Option<SceneHit<ClosestPoints>> {
        if !self.ties.is_second_pass {
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen
    }

    fn add(&mut self, distance: f64, body: u32, slot: u32) {
        if distance > self.limit() {
            return;
        }
        let candidate = ClosestCandidate { distance, body, slot };
        if self.ties.is_second_pass {
            self.choose(candidate);
            return;
        }
        if self.best.is_none_or(|best| distance < best) {
            self.best = Some(distance);
            self.ties.retain(|kept| kept.distance <= distance + CONTACT_TOLERANCE);
        }
        self.ties.add(candidate);
    }
}

//! Rays through a scene: the first surface that a ray hits.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::math::F32x8;
use crate::pair::ray::{PreparedRay, SurfaceCrossing, clamp_time};
use crate::query::collect::ties::Ties;
use crate::query::line::{Line, LineVisitor};
use crate::scene::body::{Geometry, Shape};
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::shape::pose::Pose;
use crate::tolerance::CONTACT_TOLERANCE;
use crate::traverse::static_source::StaticSource;
use crate::{Ray, RayHit, Sides};

impl Scene {
    /// The first surface that `ray` hits, among the bodies and triangles that `filter` sees.
    ///
    /// - **Answer.** `time` is a fraction of the ray's motion, `distance` is in metres. The normal
    ///   is of unit length and opposes the ray.
    /// - **Watertight.** No ray passes between triangles that share an edge or a vertex.
    /// - **Ties.** Of the hits within [`CONTACT_TOLERANCE`] of the first, the most head-on is
    ///   reported, then by kind, key and triangle. Time and distance are those of the first.
    /// - **Origin in a solid.** In [`Sides::Both`] that is a hit at time 0, unless the filter
    ///   [skips](StartOverlaps::Skip) overlaps at the start. In [`Sides::Front`] it is no hit.
    /// - **No motion.** A ray without motion hits nothing. [`Ray`](crate::Ray) lists the rules
    ///   for starts and ends on a surface.
    ///
    /// ```
    /// use capsweep::scene::{Body, Filter, Scene, Shape};
    /// use capsweep::{Motion, Ray, Sphere};
    /// use glam::{DVec3, Vec3, dvec3};
    ///
    /// let mut scene = Scene::new();
    /// let sphere = Sphere::new(dvec3(0.0, 0.0, 5.0), 1.0)?;
    /// scene.insert(Body::shape(Shape::Sphere(sphere)).with_key(7));
    ///
    /// let ray = Ray::new(DVec3::ZERO, Motion::new(dvec3(0.0, 0.0, 10.0))?)?;
    /// let hit = scene.ray(&ray, &Filter::default()).expect("the sphere is ahead");
    /// assert!((hit.distance - 4.0).abs() < 1e-9);
    /// assert_eq!((hit.normal, hit.target.key), (Vec3::NEG_Z, 7));
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn ray(&self, ray: &Ray, filter: &Filter) -> Option<SceneHit<RayHit>> {
        first_ray_hit(self.content(), StaticSource::Tree, ray, filter)
    }
}

/// The first surface that a ray hits.
#[inline]
pub(crate) fn first_ray_hit(
    content: &Content,
    source: StaticSource,
    ray: &Ray,
    filter: &Filter,
) -> Option<SceneHit<RayHit>> {
    let (origin, motion) = (ray.origin(), ray.motion());
    let ray = PreparedRay::new(ray)?;
    let mut first = FirstRayHitCollector {
        content,
        filter,
        ray,
        slack: CONTACT_TOLERANCE / motion.length(),
        limit: ray.end(),
        best: RayCrossing { time: f64::INFINITY, body: 0, slot: 0 },
        surface: None,
        ties: Ties::none(),
        chosen: None,
    };
    let line = Line { content, source, filter, start: origin, motion: motion.vector() };
    loop {
        line.traverse(&mut first);
        if !first.ties.begin_second_pass() {
            return first.answer(motion.length());
        }
    }
}

/// A surface that the ray crosses.
#[derive(Clone, Copy)]
struct RayCrossing {
    /// Fraction of the motion.
    time: f64,
    /// The body's index.
    body: u32,
    /// The triangle's slot in its mesh; 0 for shapes.
    slot: u32,
}

/// Collects the first crossing and those that tie with it.
struct FirstRayHitCollector<'a> {
    content: &'a Content,
    filter: &'a Filter,
    ray: PreparedRay,
    /// [`CONTACT_TOLERANCE`] as a fraction of the motion.
    slack: f64,
    /// Latest time that is still of interest.
    limit: f64,
    /// The first crossing; its time is infinite while there is none.
    best: RayCrossing,
    /// The surface at the first crossing, in the order of the mesh's vertices.
    surface: Option<SurfaceCrossing>,
    /// The other crossings that tie with the first: few rays have any.
    ties: Ties<RayCrossing>,
    /// The preferred hit of those that tie, and how head-on it is.
    chosen: Option<(f64, SceneHit<RayHit>)>,
}

impl LineVisitor for FirstRayHitCollector<'_> {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn sides(&self) -> Sides {
        self.filter.sides
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize) {
        let corners = instance.surface.world_corners::<L::F64x4>(instance.pose, slot);
        if let Some(piercing) = self.ray.cross_corners(corners, instance.sides)
            && self.ray.reaches(piercing.time)
        {
            let time = clamp_time(piercing.time);
            let crossing = RayCrossing { time, body: instance.body, slot: slot as u32 };
            self.add(crossing, || in_mesh_order(instance.pose, piercing.surface()));
        }
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(surface) = self.surface_of(shape) {
            self.add(RayCrossing { time: clamp_time(surface.time), body, slot: 0 }, || surface);
        }
    }
}

impl FirstRayHitCollector<'_> {
    fn surface_of(&self, shape: &Shape) -> Option<SurfaceCrossing> {
        let sides = match self.filter.start_overlaps {
            StartOverlaps::Report => self.filter.sides,
            // For solids, front only differs from both sides in this: it skips those that hold
            // the origin.
            StartOverlaps::Skip => Sides::Front,
        };
        shape.ray_span(&self.ray)?.first_surface(&self.ray, sides)
    }

    #[inline(always)]
    fn add(&mut self, crossing: RayCrossing, surface: impl FnOnce() -> SurfaceCrossing) {
        if crossing.time > self.limit {
            return;
        }
        if self.surface.is_some() || self.ties.is_second_pass {
            self.compare(crossing);
        }
        if crossing.time < self.best.time {
            self.best = crossing;
            self.limit = self.limit.min(crossing.time + self.slack);
            self.surface = Some(surface());
        }
    }

    /// Handles a crossing after the first: keeps the ties up to date, or, in the second traversal,
    /// compares it with the chosen hit.
    #[cold]
    fn compare(&mut self, crossing: RayCrossing) {
        if self.ties.is_second_pass {
            self.choose(crossing);
        } else if crossing.time < self.best.time {
            let last = crossing.time + self.slack;
            self.ties.retain(|kept| kept.time <= last);
            if self.best.time <= last {
                self.ties.add(self.best);
            }
        } else {
            self.ties.add(crossing);
        }
    }

    #[inline]
    fn answer(&mut self, length: f64) -> Option<SceneHit<RayHit>> {
        if self.ties.is_empty() && !self.ties.is_second_pass {
            let surface = self.surface.as_ref()?;
            let (id, body) = self.content.body_by_index(self.best.body)?;
            let target = HitTarget::of(id, body, self.best.slot);
            return Some(SceneHit { hit: self.ray.hit(surface), target });
        }
        // The smallest time is reported, whichever of the tied hits is chosen.
        let (time, distance) = (self.best.time, self.best.time * length);
        let SceneHit { hit, target } = self.chosen_hit()?;
        Some(SceneHit { hit: RayHit { time, distance, ..hit }, target })
    }

    /// The preferred hit of those that tie.
    #[cold]
    fn chosen_hit(&mut self) -> Option<SceneHit<RayHit>> {
        if !self.ties.is_second_pass {
            self.choose(self.best);
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen.take().map(|(_, hit)| hit)
    }

    /// Chooses the hit if it comes before the one chosen so far: most head-on, then by kind, key
    /// and triangle.
    fn choose(&mut self, crossing: RayCrossing) {
        let Some(hit) = self.describe(crossing) else { return };
        let head_on = hit.hit.normal.as_dvec3().dot(self.ray.motion).abs();
        let better = self.chosen.as_ref().is_none_or(|(other_head_on, other)| {
            head_on > *other_head_on
                || (head_on == *other_head_on && hit.target.rank() < other.target.rank())
        });
        if better {
            self.chosen = Some((head_on, hit));
        }
    }

    fn describe(&self, crossing: RayCrossing) -> Option<SceneHit<RayHit>> {
        let (id, body) = self.content.body_by_index(crossing.body)?;
        let target = HitTarget::of(id, body, crossing.slot);
        let surface = match &body.geometry {
            Geometry::Surface { surface, pose } => {
                let (surface, slot) = (surface.as_surface(), crossing.slot as usize);
                let triangle = surface.world_triangle(pose, slot);
                let sides = surface.sides_in(slot, self.filter.sides);
                in_mesh_order(pose, self.ray.cross_triangle(&triangle, sides)?.surface())
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => self.surface_of(shape)?,
        };
        Some(SceneHit { hit: self.ray.hit(&surface), target })
    }
}

/// Reorders the feature and barycentrics of a world triangle to the order of the mesh's vertices:
/// a mirrored instance swaps two of them.
#[inline(always)]
fn in_mesh_order(pose: &Pose, mut surface: SurfaceCrossing) -> SurfaceCrossing {
    pose.put_in_mesh_order(&mut surface.feature, &mut surface.barycentrics);
    surface
}

//! First surface on a ray through a scene.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::math::F32x8;
use crate::pair::ray::{Cast, Surface, within};
use crate::query::collect::ties::Ties;
use crate::query::line::{Line, Observer};
use crate::scene::body::{Body, Geometry, Shape};
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::shape::pose::Pose;
use crate::tolerance::CONTACT_TOLERANCE;
use crate::{Ray, RayHit, Sides};

impl Scene {
    /// First surface that `ray` meets, of what `filter` lets it see.
    ///
    /// Watertight: where triangles share an edge or a vertex, no ray passes between them. A solid that holds the origin is
    /// a hit at time 0 in [`Sides::Both`], unless the filter [skips](StartOverlaps::Skip) what overlaps at the start, and
    /// none in [`Sides::Front`]; see [`Ray`](crate::Ray). Of the hits within [`CONTACT_TOLERANCE`] of the first, the most head-on is reported,
    /// then by kind, key and triangle.
    pub fn ray(&self, ray: &Ray, filter: &Filter) -> Option<SceneHit<RayHit>> {
        let (origin, motion) = (ray.origin(), ray.motion());
        let ray = Cast::new(ray)?;
        let mut first = FirstRayHit {
            content: self.content(),
            filter,
            ray,
            slack: CONTACT_TOLERANCE / motion.length(),
            limit: ray.end(),
            best: RayContact { time: f64::INFINITY, body: 0, slot: 0 },
            surface: None,
            ties: Ties::none(),
            chosen: None,
        };
        let line = Line { content: self.content(), filter, start: origin, motion: motion.vector() };
        loop {
            line.show(&mut first);
            if !first.ties.look_again() {
                return first.answer(motion.length());
            }
        }
    }
}

/// A surface on the ray: when, the body's place, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
struct RayContact {
    time: f64,
    body: u32,
    slot: u32,
}

/// Collects the surfaces that may be the first.
struct FirstRayHit<'a> {
    content: &'a Content,
    filter: &'a Filter,
    ray: Cast,
    /// The bound as a fraction of the motion.
    slack: f64,
    /// Latest time of those that are still of interest.
    limit: f64,
    /// The first; at no time while there is none.
    best: RayContact,
    /// What is met there, in the order of the mesh's vertices.
    surface: Option<Surface>,
    /// The others that tie with it: few rays have any.
    ties: Ties<RayContact>,
    chosen: Option<(f64, SceneHit<RayHit>)>,
}

impl Observer for FirstRayHit<'_> {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn sides(&self, body: &Body) -> Sides {
        self.filter.sides_of(body)
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, at: &MeshInstance, slot: usize) {
        let corners = at.mesh.world_corners::<L::F64x4>(at.pose, slot);
        if let Some(piercing) = self.ray.cross_corners(corners, at.sides)
            && self.ray.reaches(piercing.time)
        {
            let time = within(piercing.time);
            let impact = RayContact { time, body: at.body, slot: slot as u32 };
            self.take(impact, || in_mesh_order(at.pose, piercing.surface()));
        }
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(surface) = self.surface_of(shape) {
            self.take(RayContact { time: within(surface.time), body, slot: 0 }, || surface);
        }
    }
}

impl FirstRayHit<'_> {
    fn surface_of(&self, shape: &Shape) -> Option<Surface> {
        let sides = match self.filter.start_overlaps {
            StartOverlaps::Report => self.filter.sides,
            // What holds the origin is all that the front leaves out of a solid.
            StartOverlaps::Skip => Sides::Front,
        };
        shape.ray_span(&self.ray)?.first_surface(&self.ray, sides)
    }

    #[inline(always)]
    fn take(&mut self, impact: RayContact, surface: impl FnOnce() -> Surface) {
        if impact.time > self.limit {
            return;
        }
        if self.surface.is_some() || self.ties.looks_again {
            self.compare(impact);
        }
        if impact.time < self.best.time {
            self.best = impact;
            self.limit = self.limit.min(impact.time + self.slack);
            self.surface = Some(surface());
        }
    }

    /// Makes room for a meeting among those before it.
    #[cold]
    fn compare(&mut self, impact: RayContact) {
        if self.ties.looks_again {
            self.choose(impact);
        } else if impact.time < self.best.time {
            let last = impact.time + self.slack;
            self.ties.retain(|kept| kept.time <= last);
            if self.best.time <= last {
                self.ties.add(self.best);
            }
        } else {
            self.ties.add(impact);
        }
    }

    #[inline]
    fn answer(&mut self, length: f64) -> Option<SceneHit<RayHit>> {
        if self.ties.is_empty() && !self.ties.looks_again {
            let surface = self.surface.as_ref()?;
            let (id, body) = self.content.at(self.best.body)?;
            let target = HitTarget::of(id, body, self.best.slot);
            return Some(SceneHit { hit: self.ray.hit(surface), target });
        }
        // The smallest time is reported, whichever of the tied hits is shown.
        let (time, distance) = (self.best.time, self.best.time * length);
        let SceneHit { hit, target } = self.chosen_hit()?;
        Some(SceneHit { hit: RayHit { time, distance, ..hit }, target })
    }

    /// The hit that comes before all others that tie.
    #[cold]
    fn chosen_hit(&mut self) -> Option<SceneHit<RayHit>> {
        if !self.ties.looks_again {
            self.choose(self.best);
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen.take().map(|(_, hit)| hit)
    }

    /// Keeps the hit if it comes before the chosen one: most head-on, then kind, key and triangle.
    fn choose(&mut self, impact: RayContact) {
        let Some(hit) = self.describe(impact) else { return };
        let head_on = hit.hit.normal.as_dvec3().dot(self.ray.motion).abs();
        let better = self.chosen.as_ref().is_none_or(|(other_head_on, other)| {
            head_on > *other_head_on
                || (head_on == *other_head_on && hit.target.rank() < other.target.rank())
        });
        if better {
            self.chosen = Some((head_on, hit));
        }
    }

    fn describe(&self, impact: RayContact) -> Option<SceneHit<RayHit>> {
        let (id, body) = self.content.at(impact.body)?;
        let target = HitTarget::of(id, body, impact.slot);
        let surface = match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let triangle = mesh.world_triangle(pose, impact.slot as usize);
                let sides = self.sides(body);
                in_mesh_order(pose, self.ray.cross_triangle(&triangle, sides)?.surface())
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => self.surface_of(shape)?,
        };
        Some(SceneHit { hit: self.ray.hit(&surface), target })
    }
}

/// A crossing of a world triangle, in the order of the mesh's vertices.
#[inline(always)]
fn in_mesh_order(pose: &Pose, mut surface: Surface) -> Surface {
    pose.put_in_mesh_order(&mut surface.feature, &mut surface.barycentrics);
    surface
}

//! First surface on a ray through a scene.

use super::body::{Body, Geometry, Shape};
use super::filter::{Filter, StartOverlaps};
use super::first_touch::{Hit, Struck};
use super::line::{Line, Observer, span_of_shape};
use super::store::{Content, Scene};
use super::ties::Ties;
use crate::ray::{Piercing, Ray, pierce_triangle};
use crate::tolerance::BOUND;
use crate::{Motion, RayHit, Sides, Triangle};
use glam::DVec3;

impl Scene {
    /// First surface that a point meets on its way from `origin` along `motion`, of what `filter` lets it see.
    ///
    /// Watertight: where triangles share an edge or a vertex, no ray passes between them. A solid that holds the origin is
    /// a hit at time 0 in [`Sides::Both`], unless the filter [skips](StartOverlaps::Skip) what overlaps at the start, and
    /// none in [`Sides::Front`]; see [`ray`](crate::ray). Of the hits within [`BOUND`] of the first, the most head-on is reported,
    /// then by kind, key and triangle. An origin that is not finite sees nothing.
    pub fn ray(&self, origin: DVec3, motion: &Motion, filter: &Filter) -> Option<Hit<RayHit>> {
        let ray = Ray::new(origin, motion)?;
        let mut first = FirstMet {
            content: self.content(),
            filter,
            ray,
            slack: BOUND / motion.length(),
            best: None,
            piercing: None,
            ties: Ties::new(Meeting { time: 0.0, body: 0, slot: 0 }),
            looks_again: false,
            chosen: None,
        };
        let line = Line { content: self.content(), filter, start: origin, motion: motion.vector() };
        line.show(&mut first);
        if first.ties.crowded {
            first.looks_again = true;
            line.show(&mut first);
        }
        first.answer(motion)
    }
}

/// A surface on the ray: when, the body's place, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
struct Meeting {
    time: f64,
    body: u32,
    slot: u32,
}

/// Collects the surfaces that may be the first.
struct FirstMet<'a> {
    content: &'a Content,
    filter: &'a Filter,
    ray: Ray,
    /// The bound as a fraction of the motion.
    slack: f64,
    best: Option<f64>,
    /// How the best meets the ray, if it is a triangle.
    piercing: Option<Piercing>,
    ties: Ties<Meeting>,
    /// The best is known, and hits are compared as they come.
    looks_again: bool,
    chosen: Option<(f64, Hit<RayHit>)>,
}

impl Observer for FirstMet<'_> {
    fn limit(&self) -> f64 {
        self.best.map_or(self.ray.end(), |time| (time + self.slack).min(self.ray.end()))
    }

    fn sides(&self, body: &Body) -> Sides {
        match &body.geometry {
            Geometry::Mesh { mesh, .. } if mesh.is_double_sided() => Sides::Both,
            _ => self.filter.sides,
        }
    }

    fn triangle(&mut self, body: u32, slot: u32, triangle: &Triangle, sides: Sides) {
        if let Some(piercing) = pierce_triangle(&self.ray, triangle, sides)
            && self.ray.reaches(piercing.time)
        {
            let time = piercing.time.clamp(0.0, 1.0);
            self.take(Meeting { time, body, slot }, Some(piercing));
        }
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(hit) = self.hit_shape(shape) {
            self.take(Meeting { time: hit.time, body, slot: 0 }, None);
        }
    }
}

impl FirstMet<'_> {
    fn hit_shape(&self, shape: &Shape) -> Option<RayHit> {
        let sides = match self.filter.start_overlaps {
            StartOverlaps::Report => self.filter.sides,
            // What holds the origin is all that the front leaves out of a solid.
            StartOverlaps::Skip => Sides::Front,
        };
        span_of_shape(&self.ray, shape)?.hit(&self.ray, sides)
    }

    fn take(&mut self, meeting: Meeting, piercing: Option<Piercing>) {
        if self.best.is_some_and(|best| meeting.time > best + self.slack) {
            return;
        }
        if self.looks_again {
            self.choose(meeting);
            return;
        }
        if self.best.is_none_or(|best| meeting.time < best) {
            self.best = Some(meeting.time);
            self.piercing = piercing;
            self.ties.retain(|kept| kept.time <= meeting.time + self.slack);
        }
        self.ties.add(meeting);
    }

    fn answer(&mut self, motion: &Motion) -> Option<Hit<RayHit>> {
        let best = self.best?;
        let mut hit = match *self.ties.kept() {
            // The best is among those that tie: one alone is the best.
            [alone] if !self.looks_again => self.describe(alone, self.piercing)?,
            _ => self.chosen_hit()?,
        };
        // The smallest time is reported, whichever of the tied hits is shown.
        hit.hit.time = best;
        hit.hit.distance = best * motion.length();
        Some(hit)
    }

    /// The hit that comes before all others that tie.
    fn chosen_hit(&mut self) -> Option<Hit<RayHit>> {
        if !self.looks_again {
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        self.chosen.take().map(|(_, hit)| hit)
    }

    /// Keeps the hit if it comes before the chosen one: most head-on, then kind, key and triangle.
    fn choose(&mut self, meeting: Meeting) {
        let Some(hit) = self.describe(meeting, None) else { return };
        let head_on = hit.hit.normal.as_dvec3().dot(self.ray.motion).abs();
        let better = self.chosen.as_ref().is_none_or(|(other_head_on, other)| {
            head_on > *other_head_on
                || (head_on == *other_head_on && hit.struck.rank() < other.struck.rank())
        });
        if better {
            self.chosen = Some((head_on, hit));
        }
    }

    fn describe(&self, meeting: Meeting, known: Option<Piercing>) -> Option<Hit<RayHit>> {
        let (id, body) = self.content.at(meeting.body)?;
        let struck = Struck::of(id, body, meeting.slot);
        let hit = match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let pierce = || {
                    let triangle = mesh.world_triangle(pose, meeting.slot as usize);
                    pierce_triangle(&self.ray, &triangle, self.sides(body))
                };
                let mut hit = known.or_else(pierce)?.hit(&self.ray);
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                hit
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => self.hit_shape(shape)?,
        };
        Some(Hit { hit, struck })
    }
}

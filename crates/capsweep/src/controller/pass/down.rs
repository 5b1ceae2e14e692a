//! The down pass: falls, settles, snaps to ground that falls away, and slides off steep ground.

use crate::SweepHit;
use crate::cache::HintSlot;
use crate::controller::config::{FootingRule, NonWalkable};
use crate::controller::outcome::{Ground, Pass};
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::slide_planes::SlidePlanes;
use crate::scene::SceneHit;
use crate::tolerance::{CONTACT_TOLERANCE, PLANE_BIAS, UPRIGHT};

impl MoveContext<'_> {
    /// Lowers the character by the height that the walk `gained`, and by `fall`. Lowers it by up
    /// to `snap` metres more if that leads to walkable ground. Then stores the ground in the
    /// outcome.
    ///
    /// It takes one sweep, unless the ground is too steep and the character slides on it. Only the
    /// fall becomes a slide, not the `gained` height.
    #[inline(always)]
    pub(crate) fn down_pass(&mut self, gained: f64, fall: f64, snap: f64) {
        let (down, snap) = self.stop_at_floor((gained + fall).max(0.0), snap);
        // Without a fall the sweep still has to reach ground that counts as touched.
        let probe = snap.max(self.ground_gap());
        let depth = down + probe + self.hover;
        self.out.stats.down += 1;
        let mut hit = self.sweep_vertical(HintSlot::Down, self.center, -depth);
        if hit.as_ref().is_some_and(|hit| hit.hit.starts_overlapping()) {
            hit = self.sweep_past_overlap(hit, depth);
            if let Some(hit) = hit.as_ref().filter(|hit| self.reaches_body(hit.hit.depth)) {
                // A surface inside the body is no ground.
                return self.add_contact(Pass::Down, hit);
            }
        }
        if self.is_caught_on_wall(hit.as_ref()) {
            // Thinner by the tolerance only, so that the skin still touches the ground as a whole.
            self.skin = (self.skin - CONTACT_TOLERANCE as f32).max(0.0);
            self.out.stats.down += 1;
            hit = self.sweep_vertical(HintSlot::Down, self.center, -depth);
        }
        let Some(hit) = &hit else {
            self.center -= self.up * down;
            return;
        };
        // Negative if the ground is nearer than the hover height.
        let distance = hit.hit.distance - self.hover;
        let mut ground = self.ground(hit, (distance - down).max(0.0));
        let perched = ground.walkable && self.is_perched(&hit.hit);
        ground.walkable &= !perched;
        if distance > down {
            let snaps = distance <= down + snap && ground.walkable;
            self.center -= self.up * if snaps { distance } else { down };
            if snaps {
                (ground.distance, ground.touched) = (0.0, true);
                self.out.snapped = distance > down + self.ground_gap();
            }
        } else if distance >= 0.0 {
            self.center -= self.up * distance;
        } else if ground.walkable {
            self.raise(-distance);
        }
        if ground.touched {
            self.add_contact(Pass::Down, hit);
            let steep = !ground.walkable && self.config.non_walkable == NonWalkable::Slide;
            if steep || perched || self.slippery {
                return self.slide_down(&ground, fall.min(down - distance));
            }
        }
        self.out.ground = Some(ground);
    }

    /// The fall and the snap of a character over the level surface that carries it: it falls no
    /// deeper. Below the surface it rises to it.
    fn stop_at_floor(&mut self, down: f64, snap: f64) -> (f64, f64) {
        let Some(floor) = self.floor else { return (down, snap) };
        let room = self.lowest() - self.sink - floor - self.hover;
        if room > down + snap {
            return (down, snap);
        }
        if room < 0.0 {
            self.raise(-room);
        }
        (room.max(0.0), 0.0)
    }

    /// Rises by `height`, or to the surface overhead.
    fn raise(&mut self, height: f64) {
        let rise = self.up * self.use_up_sink(height);
        self.out.stats.up += 1;
        let made = self.sweep_time(HintSlot::Up, self.center, rise).unwrap_or(1.0);
        self.center += rise * made;
    }

    /// Repeats the sweep down from outside of the overlap it started in, or with a skin thin
    /// enough to clear a surface overhead.
    #[cold]
    fn sweep_past_overlap(
        &mut self,
        hit: Option<SceneHit<SweepHit>>,
        depth: f64,
    ) -> Option<SceneHit<SweepHit>> {
        let mut hit = hit;
        if self.recover() {
            self.out.stats.down += 1;
            hit = self.sweep_vertical(HintSlot::Down, self.center, -depth);
        }
        let Some(overhead) = self.depth_overhead(hit.as_ref()) else { return hit };
        // A ceiling is no ground.
        self.skin = (self.skin - (overhead + CONTACT_TOLERANCE) as f32).max(0.0);
        self.out.stats.down += 1;
        self.sweep_vertical(HintSlot::Down, self.center, -depth)
    }

    /// Depth of the skin in a surface that faces down. A sweep also reports two-sided surfaces
    /// that it leads out of.
    fn depth_overhead(&self, hit: Option<&SceneHit<SweepHit>>) -> Option<f64> {
        let hit = &hit.filter(|hit| hit.hit.starts_overlapping())?.hit;
        let is_overhead = hit.normal.as_dvec3().dot(self.up) < 0.0;
        (is_overhead && !self.reaches_body(hit.depth)).then_some(hit.depth)
    }

    /// Whether a fall would end on a wall, which carries no character. The skin may be in a wall
    /// by less than the tolerance, and then catches on the edges between its triangles. A slide
    /// gets past them; a character that does not slide, or that hovers, needs a thinner skin.
    fn is_caught_on_wall(&self, hit: Option<&SceneHit<SweepHit>>) -> bool {
        (self.config.non_walkable == NonWalkable::Prevent || self.hover > 0.0)
            && hit.is_some_and(|hit| hit.hit.normal.as_dvec3().dot(self.up) <= UPRIGHT)
    }

    /// Slides down from `ground` by `left`, the rest of a fall, until it reaches walkable ground;
    /// on ice as far as it goes. Then stores the ground in the outcome.
    ///
    /// With [`FootingRule::Point`] an edge is no footing while the character slides off it.
    fn slide_down(&mut self, ground: &Ground, left: f64) {
        let mut planes = SlidePlanes::new();
        planes.add(ground.normal.as_dvec3(), PLANE_BIAS);
        let mut motion = planes.clip(self.up * -left.max(0.0));
        for _ in 1..self.config.max_iterations {
            let length = motion.length();
            if length <= self.config.min_distance || motion.dot(self.up) >= 0.0 {
                break;
            }
            self.out.stats.down += 1;
            let Some(hit) = &self.sweep(HintSlot::Down, (motion, length)) else {
                self.center += motion;
                break;
            };
            self.add_contact(Pass::Down, hit);
            self.center += motion * hit.hit.time;
            let is_ground = hit.hit.normal.as_dvec3().dot(self.up) > 0.0;
            if is_ground && !self.slippery && self.can_stand_on(&hit.hit) {
                break;
            }
            if hit.hit.distance > CONTACT_TOLERANCE {
                planes.clear();
            }
            planes.add(hit.hit.normal.as_dvec3(), PLANE_BIAS);
            motion = planes.clip(motion * (1.0 - hit.hit.time));
        }
        self.out.stats.down += 1;
        let depth = self.ground_gap() + self.hover;
        if let Some(hit) = &self.sweep_vertical(HintSlot::Down, self.center, -depth) {
            let distance = (hit.hit.distance - self.hover).max(0.0);
            let mut ground = self.ground(hit, distance);
            if self.config.footing == FootingRule::Point {
                ground.walkable = ground.walkable && !self.is_perched(&hit.hit);
            }
            self.out.ground = Some(ground);
        }
    }
}

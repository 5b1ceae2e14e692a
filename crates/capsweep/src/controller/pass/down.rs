//! The pass down: falling, settling, staying on ground that falls away, and sliding off what is too steep.

use crate::SweepHit;
use crate::cache::HintSlot;
use crate::controller::config::NonWalkable;
use crate::controller::outcome::{Ground, Pass};
use crate::controller::pass::context::MoveContext;
use crate::scene::SceneHit;
use crate::tolerance::{CONTACT_TOLERANCE, LIFT, UPRIGHT};

impl MoveContext<'_> {
    /// Gives back the height that was `gained` on the way, and falls by `fall`; by up to `snap` more if that leads to ground that can be walked
    /// on. Then notes what is underneath.
    ///
    /// One sweep, unless the ground is too steep and the character slides on it (B.9). Only the fall is slid, not what is given back.
    #[inline(always)]
    pub(crate) fn down_pass(&mut self, gained: f64, fall: f64, snap: f64) {
        let down = (gained + fall).max(0.0);
        // Far enough to see ground that is touched also where nothing falls.
        let probe = snap.max(self.ground_gap());
        let depth = down + probe;
        self.out.stats.down += 1;
        let mut hit = self.sweep_up(HintSlot::Down, self.center, -depth);
        if hit.as_ref().is_some_and(|hit| hit.hit.starts_overlapping()) {
            hit = self.sweep_past_overlap(hit, depth);
            if let Some(hit) = hit.as_ref().filter(|hit| self.reaches_body(hit.hit.depth)) {
                // Nothing carries a body that is in it.
                return self.touch(Pass::Down, hit);
            }
        }
        if self.is_held_by_wall(hit.as_ref()) {
            // By no more, so that what is met then is touched by the whole skin.
            self.skin = (self.skin - CONTACT_TOLERANCE as f32).max(0.0);
            self.out.stats.down += 1;
            hit = self.sweep_up(HintSlot::Down, self.center, -depth);
        }
        let Some(hit) = &hit else {
            self.center -= self.up * down;
            return;
        };
        let found = hit.hit.distance;
        let mut ground = self.ground(hit, (found - down).max(0.0));
        let perched = ground.walkable && self.is_perched(&hit.hit);
        ground.walkable &= !perched;
        if found > down {
            let snaps = found <= down + snap && ground.walkable;
            self.center -= self.up * if snaps { found } else { down };
            if snaps {
                (ground.distance, ground.touched) = (0.0, true);
                self.out.snapped = found > down + self.ground_gap();
            }
        } else {
            self.center -= self.up * found;
        }
        if ground.touched {
            self.touch(Pass::Down, hit);
            let steep = !ground.walkable && self.config.non_walkable == NonWalkable::Slide;
            if steep || perched || self.slippery {
                return self.slide_down(&ground, fall.min(down - found));
            }
        }
        self.out.ground = Some(ground);
    }

    /// The sweep down again, once what it starts in is left, or the skin has given way to a surface overhead.
    #[cold]
    fn sweep_past_overlap(
        &mut self,
        hit: Option<SceneHit<SweepHit>>,
        depth: f64,
    ) -> Option<SceneHit<SweepHit>> {
        let mut hit = hit;
        if self.recover() {
            self.out.stats.down += 1;
            hit = self.sweep_up(HintSlot::Down, self.center, -depth);
        }
        let Some(deep) = self.depth_overhead(hit.as_ref()) else { return hit };
        // A ceiling carries nobody.
        self.skin = (self.skin - (deep + CONTACT_TOLERANCE) as f32).max(0.0);
        self.out.stats.down += 1;
        self.sweep_up(HintSlot::Down, self.center, -depth)
    }

    /// How deep the skin is in a surface that faces down. A sweep also reports surfaces with two
    /// sides that it leads out of.
    fn depth_overhead(&self, hit: Option<&SceneHit<SweepHit>>) -> Option<f64> {
        let hit = &hit.filter(|hit| hit.hit.starts_overlapping())?.hit;
        let is_overhead = hit.normal.as_dvec3().dot(self.up) < 0.0;
        (is_overhead && !self.reaches_body(hit.depth)).then_some(hit.depth)
    }

    /// Whether a fall would end on what carries nobody: a wall that is nearer than the skin, by less than the bound, has edges where it goes on
    /// below. Who slides gets past them; who does not is let past with less of a skin.
    fn is_held_by_wall(&self, hit: Option<&SceneHit<SweepHit>>) -> bool {
        self.config.non_walkable == NonWalkable::Prevent
            && hit.is_some_and(|hit| hit.hit.normal.as_dvec3().dot(self.up) <= UPRIGHT)
    }

    /// Slides from `ground` down by what is left of a fall, until there is ground to walk on, or on ice as far as it goes. Then notes what is
    /// underneath. The pass has as many sweeps as any other then (B.9).
    fn slide_down(&mut self, ground: &Ground, left: f64) {
        let planes = &mut self.out.scratch.planes;
        planes.clear();
        planes.add(ground.normal.as_dvec3(), LIFT);
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
            self.touch(Pass::Down, hit);
            self.center += motion * hit.hit.time;
            let is_ground = hit.hit.normal.as_dvec3().dot(self.up) > 0.0;
            if is_ground && !self.slippery && self.is_walkable(&hit.hit) {
                break;
            }
            let planes = &mut self.out.scratch.planes;
            if hit.hit.distance > CONTACT_TOLERANCE {
                planes.clear();
            }
            planes.add(hit.hit.normal.as_dvec3(), LIFT);
            motion = planes.clip(motion * (1.0 - hit.hit.time));
        }
        self.out.stats.down += 1;
        if let Some(hit) = &self.sweep_up(HintSlot::Down, self.center, -self.ground_gap()) {
            self.out.ground = Some(self.ground(hit, hit.hit.distance));
        }
    }
}

//! Climbing a step: up, on, and down onto something that can be walked on.

use super::config::Climbing;
use super::outcome::Pass;
use super::walker::Walker;
use crate::cache::Hint;
use crate::scene::Hit;
use crate::tolerance::{BOUND, STEP_SLACK, UPRIGHT};
use crate::{Motion, SweepHit};
use glam::DVec3;

impl Walker<'_> {
    /// Climbs what is in the way of the level motion `onward`, if it is a step. Returns the part of `onward` that was made.
    ///
    /// `blocked` is what was run into. Raised by the step offset, or as far as the ceiling lets it, the character goes on, and comes down
    /// again. Where that is too steep to stand on, the sensor (B.7) looks whether it leads, within a radius, to ground that is not.
    pub(super) fn climb(&mut self, onward: DVec3, blocked: &SweepHit) -> Option<f64> {
        let highest = f64::from(self.config.step_offset) + STEP_SLACK;
        if self.config.step_offset == 0.0
            || self.is_out_of_reach(blocked, highest)
            || self.is_wall(onward, blocked, highest)
        {
            return None;
        }
        self.out.stats.step += 1;
        let rise = self.up * highest;
        let risen = self.sweep_time(Hint::Up, self.center, rise);
        let risen = risen.map_or(highest, |time| time * rise.length());
        if risen <= BOUND {
            return None;
        }
        let raised = self.center + self.up * risen;
        self.out.stats.step += 1;
        let made = self.sweep_time(Hint::Step, raised, onward).unwrap_or(1.0);
        if made * onward.length() <= BOUND {
            return None;
        }
        let over = raised + onward * made;
        self.out.stats.step += 1;
        let Some(landing) = &self.sweep_from(Hint::Side, over, self.up * -risen) else {
            // Over something thin: the pass down finds out what comes after it.
            self.center = over - self.up * risen;
            return Some(made);
        };
        if !self.can_stand(highest, landing) && !self.leads_to_ground(over, onward, risen, highest)
        {
            return None;
        }
        self.center = over - self.up * landing.hit.distance;
        self.stands_at = Some(landing.hit.point.dot(self.up));
        self.touch(Pass::Step, landing);
        self.out.stepped = true;
        Some(made)
    }

    /// Whether what was run into is in the way at any height up to the step offset.
    fn is_out_of_reach(&self, blocked: &SweepHit, highest: f64) -> bool {
        let height = self.height_over_ground(blocked.point);
        match self.config.climbing {
            Climbing::Constrained => height > highest,
            // Raised, its straight part is still there.
            Climbing::Easy => {
                let top = self.height_over_ground(self.center + self.half_axis);
                height > highest + self.reach() && height < top
            }
        }
    }

    /// Whether what was run into is upright and still there beside the straight part of the character once that is raised.
    ///
    /// The centre of the lower hemisphere, raised by the step offset, is a point of the axis at any height up to there, as the axis is no
    /// shorter. If from it the wall is as near as where it was run into, then it is in the way at all these heights: one ray tells what
    /// otherwise three to five sweeps would find out. Under what leans over the character it cannot rise at all.
    fn is_wall(&mut self, onward: DVec3, blocked: &SweepHit, highest: f64) -> bool {
        let normal = blocked.normal.as_dvec3();
        let lean = normal.dot(self.up);
        let axis = 2.0 * self.half_axis.length();
        if lean.abs() > UPRIGHT || highest > axis {
            return lean < -UPRIGHT;
        }
        let level = normal - self.up * lean;
        let away = level.length();
        // One that leans back is touched by the lower end of the axis, and further away up there; one that leans over, by the upper end.
        let higher = if lean > 0.0 { highest } else { highest - axis };
        let reach = (self.reach() + higher * lean) / away + BOUND;
        let origin = self.center - self.half_axis + self.up * highest;
        self.out.stats.sensor += 1;
        let motion = self.in_range(Motion::new(level * (-reach / away)));
        let wall = motion.and_then(|motion| self.world.wall(origin, &motion));
        wall.is_some_and(|hit| {
            hit.hit.normal.as_dvec3().dot(onward) < 0.0 && !self.is_gentle(hit.hit.normal)
        })
    }

    /// Whether the character may come down on `landing`.
    fn can_stand(&mut self, highest: f64, landing: &Hit<SweepHit>) -> bool {
        let height = self.height_over_ground(landing.hit.point);
        if self.config.climbing == Climbing::Constrained && height > highest {
            return false;
        }
        self.is_walkable(&landing.hit)
    }

    /// The sensor: from `over`, where the step was tried, does a radius further on something walkable lie within the step offset?
    fn leads_to_ground(&mut self, over: DVec3, onward: DVec3, risen: f64, highest: f64) -> bool {
        let Some(ahead) = onward.try_normalize() else { return false };
        let probe = ahead * self.reach();
        self.out.stats.sensor += 1;
        let made = self.sweep_time(Hint::Step, over, probe).unwrap_or(1.0);
        // The landing is then the one that was too steep.
        if made == 0.0 {
            return false;
        }
        self.out.stats.sensor += 1;
        match &self.sweep_from(Hint::Side, over + probe * made, self.up * -risen) {
            Some(landing) => self.can_stand(highest, landing),
            None => false,
        }
    }
}

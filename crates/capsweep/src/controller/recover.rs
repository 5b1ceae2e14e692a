//! Getting out of what the skin overlaps.

use super::outcome::Contact;
use super::walker::Walker;
use crate::Motion;
use crate::error::ShapeError;
use crate::tolerance::LEAST_PUSH;
use glam::DVec3;

/// Most pushes of one recovery. Each frees the character of the deepest overlap; two halve what is left between walls that are too close.
const MOST_PUSHES: u16 = 16;

impl Walker<'_> {
    /// Pushes the character out of everything that its skin overlaps, by no more than its own height. Once a move: false if it was
    /// done before.
    ///
    /// The deepest overlap is left first, along its own shortest way, and no surface is crossed that was not overlapped already. A push that leads
    /// back is halved, so that a character between two walls comes to rest between them; its skin is then as thin as it must be.
    pub(super) fn recover(&mut self) -> Result<bool, ShapeError> {
        if self.recovered {
            return Ok(false);
        }
        self.recovered = true;
        let start = self.center;
        let farthest = 2.0 * (self.half_axis.length() + self.reach());
        let mut last = DVec3::ZERO;
        let mut left = 0.0;
        for _ in 0..=MOST_PUSHES {
            let Some((push, depth)) = self.way_out()? else {
                left = 0.0;
                break;
            };
            left = depth;
            let push = if push.dot(last) < 0.0 { push * 0.5 } else { push };
            let least = LEAST_PUSH * f64::from(self.config.contact_offset);
            if push.length() < least && depth > least {
                break;
            }
            let free = self.way_free(push)?;
            let reached = self.center + push * free;
            if (reached - start).length() > farthest || self.out.stats.pushes == MOST_PUSHES {
                break;
            }
            self.center = reached;
            self.out.stats.pushes += 1;
            last = push;
        }
        self.out.recovery.displacement += self.center - start;
        self.out.recovery.left = left;
        if left > 0.0 {
            self.thin_skin(left);
        }
        Ok(true)
    }

    /// Whether something that can move has come to overlap the character. A sweep would not tell: it lets go of what it leads out of.
    pub(super) fn is_run_into(&mut self) -> Result<bool, ShapeError> {
        self.out.stats.overlaps += 1;
        let capsule = self.capsule_at(self.center)?;
        Ok(self.world.overlaps_dynamic(&capsule))
    }

    /// The way out of the deepest overlap, and its length; less where something opposite overlaps too. `None` if nothing does.
    fn way_out(&mut self) -> Result<Option<(DVec3, f64)>, ShapeError> {
        let mut overlaps = core::mem::take(&mut self.out.scratch.0);
        self.out.stats.overlaps += 1;
        let capsule = self.capsule_at(self.center)?;
        self.world.overlap_all(&capsule, &mut overlaps);
        let way = overlaps.first().map(|deepest| {
            let (normal, depth) = (deepest.hit.normal.as_dvec3(), deepest.hit.depth);
            // Pushed all the way, it would be as deep in what is opposite: half the difference makes both equal.
            let opposite = overlaps.iter().find(|o| o.hit.normal.as_dvec3().dot(normal) < -0.5);
            let length = opposite.map_or(depth, |o| 0.5 * (depth - o.hit.depth));
            self.touch(Contact::overlapping(deepest));
            (normal * length, depth)
        });
        self.out.scratch.0 = overlaps;
        Ok(way)
    }

    /// The part of `push` that crosses nothing new.
    fn way_free(&mut self, push: DVec3) -> Result<f64, ShapeError> {
        let motion = Motion::new(push)?;
        if motion.is_zero() {
            return Ok(1.0);
        }
        let capsule = self.capsule_at(self.center)?;
        Ok(self.world.sweep_past_overlaps(&capsule, &motion).map_or(1.0, |hit| hit.hit.time))
    }
}

//! Claims from the ground: walks, and the start of a flight.

use crate::tolerance::{CLAIM_SLACK, SUPPORT_SLACK};
use crate::validate::check::{Check, Interval, Stop};
use crate::validate::flight::Flight;
use crate::validate::near::{Enough, Surface, WayBox};
use crate::validate::{Accepted, Reason, Support};
use glam::DVec3;

/// Steepest stairs that a character may run down (height over length). The rise of a stair is at
/// most the step offset, and its tread must carry the round bottom: 71° covers all such stairs.
pub(super) const STEEPEST_STAIR: f64 = 3.0;

/// Where to search for walkable ground. Heights are along up.
pub(super) struct GroundRange {
    /// Start of the path, which ends at the claim.
    pub(super) from: DVec3,
    /// Lower ground is clamped to this height.
    pub(super) least: f64,
    /// Higher ground is clamped to this height, if its lowest point is not above `begins`.
    pub(super) most: f64,
    pub(super) begins: f64,
    /// How far the path may deviate from the straight line (metres).
    pub(super) beside: f64,
}

impl Check<'_> {
    /// Judges a character that stood on walkable ground.
    pub(super) fn leave_or_walk(
        &mut self,
        interval: &Interval,
        next: &mut Accepted,
    ) -> Result<(), Stop> {
        let [before, after] = self.heights();
        let (rise, jump) = (after - before, self.jump_peak());
        let step = self.probe.limits.highest_step();
        self.drop(-rise, interval.level)?;
        let walked = if next.support == Support::Ground {
            next.flight = None;
            next.high_ground = after;
            self.forget_slide(next);
            next.fall_speed = self.fall_speed_at_end(next, rise);
            // A hovering character passes over ground below its feet, and then rises at once.
            step + self.lift
        } else {
            let most = (before + interval.level * self.slope() + step)
                .min(after - self.gravity.lowest(0.0, self.claim.dt));
            next.high_ground = self.highest_take_off(before, most, interval);
            next.sink = self.probe.sink_over(next.high_ground + self.error(), after);
            self.leave_high_steep_ground(next);
            next.launch_speed = self.launch_speed();
            next.keep_speed(&self.state);
            let slowest = -self.faster(self.state.fall_speed.max(self.unnoticed_fall()));
            let heights = self.validator.around(after);
            next.flight = Some(Flight::new(heights, [slowest, self.launch_speed()]));
            next.fall_speed = 0.0;
            if self.probe.slip() > 0.0 || next.support == Support::Steep {
                // The body may have slipped off an edge before the feet left the ground.
                let highest = next.high_ground + self.jump_peak() + self.probe.slip();
                next.carried_speed = self.slide_speed_from(highest, next);
            }
            self.lift
        };
        if interval.straight.is_none() && rise <= walked.max(jump) + self.error() {
            return Ok(());
        }
        self.search(interval, before + jump + self.lift)
    }

    /// Checks that a descent from the ground is no faster than a fall, steep stairs and a snap.
    fn drop(&mut self, drop: f64, level: f64) -> Result<(), Stop> {
        let snap = f64::from(self.validator.locomotion.controller().config().snap_distance);
        let allowed = -self.gravity.lowest(-self.state.fall_speed, self.claim.dt)
            + STEEPEST_STAIR * level
            + snap.max(self.probe.limits.highest_step())
            + self.error();
        if drop > allowed {
            return self.no(Reason::TooFast { excess: drop - allowed });
        }
        Ok(())
    }

    /// Downward speed that a character may have although it appears to stand. It may fall past a
    /// ledge at the moment of the claim, or slip off the edge under it. Then its speed is about
    /// that of its descent.
    fn fall_speed_at_end(&self, next: &Accepted, rise: f64) -> f64 {
        let (before, dt) = (self.state.fall_speed, self.claim.dt);
        if !next.surely_grounded || dt == 0.0 {
            return self.faster(before);
        }
        // A contact slows the motion more than the velocity. A factor of two covers that.
        let sank = self.error() - rise;
        self.faster(before.min(2.0 * sank / dt).max(0.0))
    }

    /// Largest speed of a fall that is still so near the ground that it appears to stand.
    pub(super) fn unnoticed_fall(&self) -> f64 {
        // If it surely stood at the last claim, a slip starts there at the earliest.
        let slip = if self.state.surely_grounded { 0.0 } else { self.probe.slip() };
        let near = 4.0 * (self.validator.config.allowances.position + SUPPORT_SLACK) + slip;
        (2.0 * self.gravity.acceleration * near).sqrt()
    }

    /// The speed of a fall after the interval.
    pub(super) fn faster(&self, speed: f64) -> f64 {
        (speed + self.gravity.acceleration * self.claim.dt).min(self.gravity.terminal)
    }

    /// Clears the speed from a slide or a knock-back, if the character is certainly grounded.
    ///
    /// A rooted one may seem so just above the ground, or where it rubs between edges: it glides
    /// until it lands. If the client says that it falls, the speed decays over the time of a
    /// whole jump: all claims together glide no farther than one jump.
    pub(super) fn forget_slide(&self, next: &mut Accepted) {
        let is_rooted = next.abilities.rooted;
        if !next.surely_grounded || (is_rooted && !self.state.surely_grounded) {
            return;
        }
        if is_rooted && next.claimed_fall {
            let left = (1.0 - self.claim.dt / self.whole_jump()).max(0.0);
            next.carried_speed *= left;
            next.given_speed *= left;
        } else {
            next.stop();
        }
    }

    /// Seconds that a jump takes.
    pub(super) fn whole_jump(&self) -> f64 {
        2.0 * self.validator.locomotion.config().jump_speed / self.gravity.acceleration
    }

    /// Rise over horizontal length of the steepest walkable slope.
    pub(super) fn slope(&self) -> f64 {
        let cos = self.probe.limits.slope_limit();
        (1.0 - cos * cos).sqrt() / cos
    }

    /// Height of the highest walkable ground from which the character may have taken off, between
    /// `least` and `most`.
    pub(super) fn highest_take_off(&mut self, least: f64, most: f64, interval: &Interval) -> f64 {
        self.highest_ground(&GroundRange {
            from: self.state.feet,
            least,
            most,
            begins: most + CLAIM_SLACK,
            beside: self.beside(interval.budget, interval.level),
        })
    }

    /// Height of the highest walkable ground in a range of heights near the path to the claim. The
    /// true height may exceed it by the [error](Check::error) of heights.
    pub(super) fn highest_ground(&mut self, range: &GroundRange) -> f64 {
        let GroundRange { from, least, most, begins, beside } = *range;
        // The box starts this far above `least`, so that it rarely contains the floor that the
        // character left. Ground that is higher by less than this may be missed.
        let margin = 2.0 * self.validator.height_error();
        if most <= least + margin {
            return least;
        }
        let to = self.claim.feet;
        let heights = [self.height(from), self.height(to)];
        let region = WayBox {
            from,
            to,
            below: heights[0].min(heights[1]) - least - margin - self.probe.near_slack(),
            above: most - heights[0].max(heights[1]),
            beside,
            tall: self.probe.rim(),
        };
        let mut ground = least;
        self.probe.near_surfaces(&region, |[lowest, highest], surface| {
            if surface != Surface::Steep && lowest <= begins {
                ground = ground.max(highest);
            }
            if ground >= most { Enough::Yes } else { Enough::UpTo(ground) }
        });
        ground.min(most)
    }
}

impl Accepted {
    /// Keeps the level speed that it may have had so far: in the air a lower limit takes effect
    /// slowly, or not at all.
    pub(super) fn keep_speed(&mut self, before: &Self) {
        self.give_speed(before.current_speeds().ground);
    }
}

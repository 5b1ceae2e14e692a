//! Claims from the ground: walks, and the start of a flight.

use crate::tolerance::{CLAIM_SLACK, SUPPORT_SLACK};
use crate::validate::check::{Check, Interval, Stop};
use crate::validate::flight::Flight;
use crate::validate::near::{Surface, WayBox};
use crate::validate::{Accepted, Reason, Support};

/// Steepest stair that a character may run down (height over length). The rise of a stair is no
/// more than the step offset, and its treads carry the round bottom: 71° leaves room for all.
pub(super) const STEEPEST_STAIR: f64 = 3.0;

impl Check<'_> {
    /// A character that stood on walkable ground.
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
            next.forget_slide();
            next.fall_speed = self.fall_speed_at_end(next, rise);
            step
        } else {
            let most = (before + interval.level * self.slope() + step)
                .min(after - self.gravity.lowest(0.0, self.claim.dt));
            next.high_ground = self.highest_take_off(before, most, interval.budget);
            next.launch_speed = self.launch_speed();
            let slowest = -self.faster(self.state.fall_speed.max(self.unnoticed_fall()));
            next.flight = Some(Flight::new(after, slowest, self.launch_speed()));
            next.fall_speed = 0.0;
            if self.probe.slip() > 0.0 || next.support == Support::Steep {
                next.carried_speed = self.slide_speed(next);
            }
            0.0
        };
        if interval.straight.is_none() && rise <= walked.max(jump) + self.error() {
            return Ok(());
        }
        self.search(interval, before + jump)
    }

    /// A descent from the ground is no faster than a fall, a steep stair and a snap.
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

    /// Downward speed that a character may have although it seems to stand: it may fly past a
    /// ledge at the moment of the claim.
    fn fall_speed_at_end(&self, next: &Accepted, rise: f64) -> f64 {
        let before = self.state.fall_speed;
        let falls = !next.surely_grounded || -rise > 0.5 * before * self.claim.dt;
        self.faster(if falls { before } else { 0.0 })
    }

    /// Speed of a fall that is still so near the ground that it seems to stand there.
    fn unnoticed_fall(&self) -> f64 {
        let near =
            4.0 * (self.validator.config.allowances.position + SUPPORT_SLACK) + self.probe.slip();
        (2.0 * self.gravity.acceleration * near).sqrt()
    }

    /// The speed of a fall after the interval.
    pub(super) fn faster(&self, speed: f64) -> f64 {
        (speed + self.gravity.acceleration * self.claim.dt).min(self.gravity.terminal)
    }

    /// Rise over length of the steepest walkable slope.
    pub(super) fn slope(&self) -> f64 {
        let cos = self.probe.limits.slope_limit();
        (1.0 - cos * cos).sqrt() / cos
    }

    /// Height of the highest walkable ground from which the character may have left the ground:
    /// between `least` and `most`.
    pub(super) fn highest_take_off(&mut self, least: f64, most: f64, budget: f64) -> f64 {
        if most <= least + CLAIM_SLACK {
            return least;
        }
        let [before, after] = self.heights();
        let region = WayBox {
            from: self.state.feet,
            to: self.claim.feet,
            below: (before.min(after) - least).max(0.0),
            above: most - least,
            beside: 0.5 * budget,
        };
        let mut ground = least;
        self.probe.near_surfaces(&region, |[lowest, highest], surface| {
            if surface != Surface::Steep && lowest <= most + CLAIM_SLACK {
                ground = ground.max(highest);
            }
        });
        ground.min(most)
    }
}

impl Accepted {
    /// On the ground for sure, speed from a slide or a knock-back is gone.
    pub(super) fn forget_slide(&mut self) {
        if self.surely_grounded {
            self.carried_speed = 0.0;
        }
    }
}

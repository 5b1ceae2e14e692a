//! Claims of swimmers and flyers: motion in any direction.

use crate::tolerance::FLOAT_SLACK;
use crate::validate::check::{Check, Interval, Stop};
use crate::validate::flight::Flight;
use crate::validate::{Accepted, Reason, Support};
use glam::DVec3;

/// Tolerance of the swim depth, as a fraction of the character's height (no unit). The character
/// may have swum between two claims in water that is shallower by this at a claim.
const SHALLOWER: f64 = 0.25;

impl Check<'_> {
    /// Whether water may carry a character at `feet`.
    pub(super) fn is_in_water(&self, feet: DVec3) -> bool {
        let depth = self.validator.locomotion.config().swim_depth - SHALLOWER;
        let Some(surface) = self.world.surface_over(feet, self.up) else { return false };
        surface - self.height(feet) >= depth * self.probe.height() - self.error()
    }

    /// How far a character at `feet` is below the depth from which it can jump out of the water
    /// (metres). `None` if it may be higher: then it is not certain that it swims.
    pub(super) fn depth_below_leaps(&self, feet: DVec3) -> Option<f64> {
        let below = self.depth_below_float_line(feet)?;
        let below = below - FLOAT_SLACK * self.probe.height() - self.error();
        (below >= 0.0).then_some(below)
    }

    /// How far a character at `feet` is below the float line (metres).
    fn depth_below_float_line(&self, feet: DVec3) -> Option<f64> {
        let line = self.validator.locomotion.config().swim_depth * self.probe.height();
        Some(self.world.surface_over(feet, self.up)? - self.height(feet) - line)
    }

    /// How much farther than it swims a character gets that floats or dives at both claims, if
    /// there is no ground nearby: level, and vertically (metres). `None` if it may be higher at
    /// one of them, or if a whole leap fits between them.
    ///
    /// It may have begun a leap just before the claim. A leap begins with the speed of the swim,
    /// and then steers.
    pub(super) fn begun_leap(&self) -> Option<[f64; 2]> {
        let (config, dt) = (self.validator.locomotion.config(), self.claim.dt);
        let slack = FLOAT_SLACK * self.probe.height() + self.error();
        let floats = |below: &f64| *below >= -slack;
        let before = self.depth_below_float_line(self.state.feet).filter(floats)?;
        let after = self.depth_below_float_line(self.claim.feet).filter(floats)?;
        let leap = config.swim_jump_speed;
        // A leap leaves the float line while it rises by the slack on both sides of the line.
        let unseen = self.gravity.time_to_rise(leap, 2.0 * slack)?;
        let whole = 2.0 * (leap / self.gravity.acceleration - unseen);
        let steered = unseen.min(dt);
        let gained = 0.5 * config.air_acceleration * steered * steered;
        // The float line may also have pulled it down by the slack.
        let leapt = (slack - before.min(after)).max(0.0);
        (dt < whole).then_some(if leapt > 0.0 { [gained, leapt] } else { [0.0, 0.0] })
    }

    /// For how long a character that water may carry at the claim may have been in the air near
    /// the float line, after a leap, a fall or a jump from the ground (seconds). `None` if it
    /// certainly swims.
    fn time_in_air(&mut self, interval: &Interval) -> Option<f64> {
        if self.depth_below_leaps(self.claim.feet).is_some() {
            return None;
        }
        if self.begun_leap().is_none() || self.is_shore_near(interval.budget, interval.level, true)
        {
            return Some(0.0);
        }
        // A fall that began at the float line soon leaves it.
        let slack = FLOAT_SLACK * self.probe.height() + self.error();
        let time = self.state.unsupported + self.claim.dt;
        let falls = time < self.gravity.time_to_fall(0.0, 2.0 * slack);
        (self.state.carried_speed > 0.0 && falls).then_some(time)
    }

    /// The support at the claimed position: the `found` one, or water.
    pub(super) fn support_in_water(&self, found: Support) -> Support {
        let feet = self.claim.feet;
        if self.is_in_water(feet) {
            return Support::Water;
        }
        if self.state.abilities.water_walking && found != Support::Ground {
            let below = feet - self.up * (self.error() + self.probe.hover);
            let surface = self.world.surface_over(below, self.up);
            if surface.is_some_and(|surface| {
                surface - self.height(feet) <= self.probe.limits.highest_step()
            }) {
                return Support::Ground;
            }
        }
        found
    }

    /// Whether the character could swim or fly in the interval.
    pub(super) fn moves_freely(&self) -> bool {
        self.state.abilities.fly
            || [self.state.support, self.end].contains(&Support::Water)
            || self.may_have_dived()
    }

    /// Whether the character may have swum between the two claims, although it does at neither.
    ///
    /// From the ground it may have walked into the water. From the air it must have fallen to the
    /// depth at which it swims, and the rest of the time must suffice for a leap back up. Without
    /// that condition a character could stay in the air over water.
    fn may_have_dived(&self) -> bool {
        let (g, dt) = (self.gravity, self.claim.dt);
        let slowest = self.state.flight.map_or(0.0, |_| self.flight().speeds(&g)[0]);
        let [before, after] = self.heights();
        let fall = -g.lowest(slowest.min(0.0), dt).min(0.0);
        let surface = [self.state.feet, self.claim.feet]
            .into_iter()
            .filter_map(|feet| self.world.surface_over(feet - self.up * fall, self.up))
            .fold(f64::NEG_INFINITY, f64::max);
        if surface == f64::NEG_INFINITY || self.state.support == Support::Ground {
            return surface > f64::NEG_INFINITY;
        }
        let config = self.validator.locomotion.config();
        let line = surface - (config.swim_depth - SHALLOWER) * self.probe.height();
        // A ceiling may have ended a rise.
        let down = g.time_to_fall(slowest.min(0.0), before - line - self.error());
        // Ashore it may also have climbed a slope.
        let climb = match self.end {
            Support::Air => 0.0,
            _ => self.level(self.claim.feet - self.state.feet).length() * self.slope(),
        };
        let leap = g.peak(config.swim_jump_speed, dt - down) + self.probe.footing_reach() + climb;
        down <= dt && after <= line + leap + self.error()
    }

    /// Judges a character that swims or flies, or that starts or stops doing so.
    pub(super) fn move_freely(
        &mut self,
        interval: &Interval,
        next: &mut Accepted,
    ) -> Result<(), Stop> {
        let (state, dt) = (self.state, self.claim.dt);
        let [before, after] = self.heights();
        let speeds = state.current_speeds();
        let config = self.validator.locomotion.config();
        let leap = config.swim_jump_speed.max(self.launch_speed());
        let climb = if state.abilities.fly { speeds.fly } else { speeds.swim };
        // It may rise by its own movement, jump out of the water, and step ashore.
        let step = self.probe.footing_reach();
        let rise = climb.max(config.float_speed) * dt
            + self.gravity.peak(leap, dt)
            + step
            + self.lift
            + interval.level * self.slope();
        // Over water that it walks on, it hovers at once.
        let hovers = state.abilities.water_walking && self.probe.hover > 0.0;
        let surface = self.world.surface_over(state.feet, self.up).unwrap_or(before);
        let hovering = if hovers { surface + self.probe.hover - before } else { 0.0 };
        let rise = rise.max(hovering);
        if after > before + rise + state.reach_credit + self.error() {
            let excess = after - before - rise;
            return self.no(Reason::TooHigh { excess });
        }
        let fall = -self.gravity.lowest(self.fall_speeds()[0].min(0.0) - state.fall_speed, dt);
        let sink = fall.max(climb * dt) + super::ground::STEEPEST_STAIR * interval.level;
        if before - after > sink + step + self.error() {
            return self.no(Reason::TooFast { excess: before - after - sink });
        }
        if interval.straight.is_some() {
            self.search(interval, before.max(after) + rise)?;
        }
        let falling = self.faster((-self.fall_speeds()[0]).max(state.fall_speed));
        next.fall_speed = 0.0;
        match next.support {
            Support::Ground => {
                next.flight = None;
                next.high_ground = after;
                next.fall_speed = falling;
                self.forget_slide(next);
            }
            Support::Water => {
                next.flight = None;
                next.high_ground =
                    self.world.surface_over(self.claim.feet, self.up).unwrap_or(after);
                let in_air = self.time_in_air(interval);
                next.unsupported = in_air.unwrap_or(0.0);
                if in_air.is_some() {
                    // At the moment of the claim a leap or a fall may not have ended.
                    next.keep_speed(&state);
                } else {
                    next.stop();
                }
                // A character that is knocked back rises out of the water before it swims, and
                // steers as in the air.
                if let Some((velocity, _)) = state.knock_back {
                    next.give_speed(velocity.length().max(speeds.ground));
                }
                next.launch_speed = leap;
                // Water that is too shallow to swim in does not end a fall.
                next.fall_speed = falling;
            }
            Support::Steep | Support::Air => {
                let slowest = falling.max(self.faster(climb));
                let heights = self.validator.around(after);
                next.flight = Some(Flight::new(heights, [-slowest, leap.max(climb)]));
                next.high_ground = surface.max(after);
                next.launch_speed = leap.max(climb);
                // It keeps its speed in the air, also if it loses the ability to fly.
                next.give_speed(climb);
            }
        }
        Ok(())
    }
}

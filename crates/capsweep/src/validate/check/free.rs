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
        let depth = self.validator.locomotion.config().swim_depth + FLOAT_SLACK;
        let surface = self.world.surface_over(feet, self.up)?;
        let below = surface - self.height(feet) - depth * self.probe.height() - self.error();
        (below >= 0.0).then_some(below)
    }

    /// The support at the claimed position: the `found` one, or water.
    pub(super) fn support_in_water(&self, found: Support) -> Support {
        let feet = self.claim.feet;
        if self.is_in_water(feet) {
            return Support::Water;
        }
        if self.state.abilities.water_walking && found != Support::Ground {
            let above = feet - self.up * self.error();
            let surface = self.world.surface_over(above, self.up);
            if surface.is_some_and(|surface| {
                (surface - self.height(feet)).abs() <= self.probe.limits.highest_step()
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

    /// Whether a fall may have led into water between the two claims.
    fn may_have_dived(&self) -> bool {
        let fall = -self.gravity.lowest(self.fall_speeds()[0].min(0.0), self.claim.dt);
        [self.state.feet, self.claim.feet]
            .into_iter()
            .any(|feet| self.world.surface_over(feet - self.up * fall.max(0.0), self.up).is_some())
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
            + interval.level * self.slope();
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
        let surface = self.world.surface_over(state.feet, self.up).unwrap_or(before);
        let falling = self.faster((-self.fall_speeds()[0]).max(state.fall_speed));
        next.fall_speed = 0.0;
        match next.support {
            Support::Ground => {
                next.flight = None;
                next.high_ground = after;
                next.fall_speed = falling;
                next.forget_slide();
            }
            Support::Water => {
                next.flight = None;
                next.high_ground =
                    self.world.surface_over(self.claim.feet, self.up).unwrap_or(after);
                next.carried_speed = 0.0;
                next.launch_speed = leap;
                // Water that is too shallow to swim in does not end a fall.
                next.fall_speed = falling;
            }
            Support::Steep | Support::Air => {
                let slowest = falling.max(self.faster(climb));
                next.flight = Some(Flight::new(after, -slowest, leap.max(climb)));
                next.high_ground = surface.max(after);
                next.launch_speed = leap;
            }
        }
        Ok(())
    }
}

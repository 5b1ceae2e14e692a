//! Clock and speed.

use crate::controller::{Mode, NonWalkable};
use crate::tolerance::CLAIM_SLACK;
use crate::validate::check::{Check, Stop};
use crate::validate::near::{Surface, WayBox};
use crate::validate::{Accepted, Reason, SpeedLimits, Support};
use glam::DVec3;

impl Accepted {
    /// The speed limits, with those before the last change while they still count.
    pub(crate) fn current_speeds(&self) -> SpeedLimits {
        self.earlier_speeds.map_or(self.speeds, |(earlier, _)| self.speeds.max(earlier))
    }
}

impl Check<'_> {
    /// Holds the client's clock against the server's. Returns the credit that is left.
    pub(super) fn clock(&self) -> Result<f64, Stop> {
        let left = self.state.clock_credit + self.claim.server_dt - self.claim.dt;
        if left < -CLAIM_SLACK {
            return self.no(Reason::ClockAhead { excess: -left });
        }
        Ok(left.clamp(0.0, self.validator.config.allowances.clock))
    }

    /// The position around the claim that is nearest to the last one. Rounding makes a way longer
    /// with every claim; a way between such positions is never longer than the true one by more
    /// than the allowance, however many claims there are.
    pub(super) fn anchor(&self) -> DVec3 {
        let error = DVec3::splat(self.validator.config.allowances.position);
        self.state.anchor.clamp(self.claim.feet - error, self.claim.feet + error)
    }

    /// Checks the speed of the way. Returns the level length that the interval allows.
    pub(super) fn speed(
        &mut self,
        way: DVec3,
        level: f64,
        next: &mut Accepted,
    ) -> Result<f64, Stop> {
        let (state, dt) = (self.state, self.claim.dt);
        let speeds = state.current_speeds();
        let swims = [state.support, self.end].contains(&Support::Water);
        let both_swim = state.support == Support::Water && self.end == Support::Water;
        let knocked = state.knock_back.map_or(0.0, |(velocity, _)| velocity.length());
        // Between two places in the water there may be a ford.
        let mut at_will = speeds.ground;
        if swims {
            at_will = at_will.max(speeds.swim);
        }
        if both_swim && self.claim.mode == Some(Mode::Swim) {
            at_will = speeds.swim;
        }
        if state.abilities.fly {
            at_will = at_will.max(speeds.fly);
        }
        let fastest = at_will.max(state.carried_speed).max(knocked);
        next.carried_speed = state.carried_speed.max(knocked);
        // A swimmer and a flyer have no fall: their whole way counts.
        let length = if both_swim && !state.abilities.fly { way.length() } else { level };
        let pushed = self.pushed;
        let credit = |speed: f64| state.reach_credit + speed * dt + pushed - length;
        let cap = self.validator.reach_cap(&speeds);
        let (mut speed, mut left) = (fastest, credit(fastest));
        if left < 0.0 && self.slides() {
            // A slide down a steep slope turns height into speed.
            let fall = self.fall_speeds()[0].abs();
            let [before, after] = self.heights();
            let highest = before.max(self.height(state.last_feet));
            let drop = (highest - after).max(0.0) + self.error();
            let energy = fastest * fastest + fall * fall + 2.0 * self.gravity.acceleration * drop;
            speed = energy.sqrt().min(self.slide_speed(next)).max(fastest);
            left = credit(speed);
            next.carried_speed = speed;
        }
        if left < 0.0 {
            return self.no(Reason::TooFast { excess: -left });
        }
        next.reach_credit = left.min(cap);
        Ok(speed * dt + state.reach_credit + self.pushed)
    }

    /// Whether steep ground is near on which a character slides, or was in the interval before:
    /// what it gained there shows in this one.
    fn slides(&mut self) -> bool {
        let config = self.validator.locomotion.controller().config();
        if config.non_walkable != NonWalkable::Slide {
            return false;
        }
        let reach = 0.25 * self.state.current_speeds().ground * self.claim.dt;
        let skinned = self.probe.skinned;
        let region = WayBox {
            from: self.state.last_feet,
            to: self.claim.feet,
            below: skinned,
            above: 0.0,
            beside: reach + skinned,
        };
        let mut steep = false;
        let slips = self.probe.slip() > 0.0;
        let overhead = self.probe.near_surfaces(&region, |_, surface| {
            steep |= slips || surface == Surface::Steep;
        });
        // The edges of a wall's triangles may be steep ground, too.
        steep || overhead.obstacle
    }

    /// Largest level speed that slides may have given since the character left walkable ground.
    ///
    /// Neither a flight nor a slide without friction gains energy. Speed and height at the start
    /// were at most the speed limit, and a jump and a step above the ground.
    pub(super) fn slide_speed(&self, next: &Accepted) -> f64 {
        let config = self.validator.locomotion.controller().config();
        if config.non_walkable != NonWalkable::Slide {
            return next.carried_speed;
        }
        let [_, after] = self.heights();
        let highest = self.state.high_ground + self.jump_and_step() + self.error();
        let speed = self.state.current_speeds().ground;
        let energy = speed * speed + 2.0 * self.gravity.acceleration * (highest - after).max(0.0);
        energy.sqrt().max(next.carried_speed)
    }

    /// Bounds of the upward speed at the last claim.
    pub(super) fn fall_speeds(&self) -> [f64; 2] {
        self.state.flight.map_or([0.0, 0.0], |flight| flight.speeds(&self.gravity))
    }
}

//! Clock and speed.

use crate::controller::{NonWalkable, Water};
use crate::tolerance::{CLAIM_SLACK, FLOAT_SLACK};
use crate::validate::check::{Check, Stop};
use crate::validate::near::{Enough, Surface, WayBox};
use crate::validate::{Accepted, Reason, SpeedLimits, Support};
use glam::DVec3;

impl Accepted {
    /// The speed limits, including those before the last change while they stay valid.
    pub(crate) fn current_speeds(&self) -> SpeedLimits {
        let speeds = if self.abilities.rooted { SpeedLimits::ROOTED } else { self.speeds };
        self.earlier_speeds.map_or(speeds, |(earlier, _)| speeds.max(earlier))
    }
}

/// How far a character gets that swims or flies.
struct FreeReach {
    /// Longest 3D distance (metres).
    made: f64,
    /// The speed of its own movement (m/s).
    at_will: f64,
    /// Height that it may also have gained by the beginning of a leap (metres).
    leapt: f64,
    /// Whether it may have leapt out of the water.
    leaps: bool,
}

impl Check<'_> {
    /// Compares the client's clock with the server's. Returns the remaining credit.
    pub(super) fn clock(&self) -> Result<f64, Stop> {
        let left = self.state.clock_credit + self.claim.server_dt - self.claim.dt;
        if left < -CLAIM_SLACK {
            return self.no(Reason::ClockAhead { excess: -left });
        }
        // A clock that is ahead by the slack stays so: otherwise each claim could gain it.
        Ok(left.min(self.validator.config.allowances.clock))
    }

    /// The position within the allowance around the claim that is nearest to the last anchor.
    /// Rounding makes a path longer with every claim. A path between anchors is never longer than
    /// the true one by more than the allowance, however many claims there are.
    pub(super) fn anchor(&self) -> DVec3 {
        let error = DVec3::splat(self.validator.config.allowances.position);
        self.state.anchor.clamp(self.claim.feet - error, self.claim.feet + error)
    }

    /// Checks the speed of the move. Returns the horizontal distance that the interval allows.
    pub(super) fn speed(
        &mut self,
        way: DVec3,
        level: f64,
        next: &mut Accepted,
    ) -> Result<f64, Stop> {
        let (state, dt) = (self.state, self.claim.dt);
        let speeds = state.current_speeds();
        let [knocked, knocked_level] = self.knocked_speeds();
        let carried = self.kept_speed().max(knocked_level);
        next.carried_speed = carried;
        next.given_speed = state.given_speed.max(knocked_level);
        if let Some(FreeReach { made, at_will, leapt, leaps }) =
            self.free_reach(&speeds, carried.max(knocked))
        {
            // Swimmers and flyers do not fall, so their distance is measured in 3D.
            let cap = self.validator.reach_cap(at_will);
            let reach = made + state.reach_credit.min(cap) + self.pushed;
            let rise = way.dot(self.up);
            let swum = (rise.abs() - leapt).max(0.0);
            let left = reach - (level * level + swum * swum).sqrt();
            // On ground it may walk, step and jump, and a ceiling shortens a leap. Look for them
            // only if the credit is short.
            if left >= cap || !self.is_shore_near(reach, level, leaps) {
                next.reach_credit = self.spend(left, cap)?;
                return Ok(reach);
            }
            if self.swims_over_ground(reach, level, leaps) {
                // The ground may lift or lower the feet at once.
                let swum = (swum - self.probe.footing_reach()).max(0.0);
                let left = reach - (level * level + swum * swum).sqrt();
                next.reach_credit = self.spend(left, cap)?;
                return Ok(reach);
            }
        }
        let cap = self.validator.reach_cap(speeds.fastest());
        let allowed = state.reach_credit + self.pushed;
        let mut fastest = speeds.ground.max(carried);
        if [state.support, self.end].contains(&Support::Water) {
            // A ceiling turns the rise of a floating swimmer into level speed.
            fastest = fastest.max(self.swim_speed(&speeds));
        }
        if state.abilities.fly {
            fastest = fastest.max(speeds.fly);
        }
        let mut reach = fastest * dt + allowed;
        if reach < level && self.slides() {
            // A slide down a steep slope turns height into speed.
            let fall = self.fall_speeds()[0].abs();
            let [before, after] = self.heights();
            let highest = before.max(self.height(state.last_feet));
            let drop = (highest - after).max(0.0) + self.error();
            let energy = fastest * fastest + fall * fall + 2.0 * self.gravity.acceleration * drop;
            fastest = energy.sqrt().min(self.slide_speed(next)).max(fastest);
            reach = fastest * dt + allowed;
            next.carried_speed = fastest;
        }
        next.reach_credit = self.spend(reach - level, cap)?;
        Ok(reach)
    }

    /// The speed of a knock-back that the client may apply: in any direction, and level. A slide
    /// on steep ground may turn the downward part into level speed.
    pub(super) fn knocked_speeds(&self) -> [f64; 2] {
        let Some((velocity, _)) = self.state.knock_back else { return [0.0; 2] };
        let config = self.validator.locomotion.controller().config();
        let slides = config.non_walkable == NonWalkable::Slide;
        let down = if slides { (-velocity.dot(self.up)).max(0.0) } else { 0.0 };
        [velocity.length(), self.level(velocity).length() + down]
    }

    /// The level speed that it may keep, on average over the interval.
    ///
    /// A rooted character that surely seems to stand may be just above the ground. Then it lands
    /// at once, or it was in a jump before the root.
    fn kept_speed(&self) -> f64 {
        let (state, dt) = (&self.state, self.claim.dt);
        let whole_jump = self.whole_jump();
        let may_have_jumped =
            self.is_newly_rooted && (self.end != Support::Ground || whole_jump <= dt);
        let seems_to_stand = state.abilities.rooted && state.surely_grounded;
        if !seems_to_stand || may_have_jumped || self.pushed > 0.0 {
            return state.carried_speed;
        }
        let glide = if state.claimed_fall {
            whole_jump
        } else {
            self.unnoticed_fall() / self.gravity.acceleration
        };
        state.carried_speed * (glide / dt).min(1.0)
    }

    /// The credit after an interval that leaves `left` metres.
    fn spend(&self, left: f64, cap: f64) -> Result<f64, Stop> {
        if left < 0.0 { self.no(Reason::TooFast { excess: -left }) } else { Ok(left.min(cap)) }
    }

    /// Speed of a swimmer. Without a vertical speed of its own it also floats upwards.
    fn swim_speed(&self, speeds: &SpeedLimits) -> f64 {
        let float = self.validator.locomotion.config().float_speed;
        (speeds.swim * speeds.swim + float * float).sqrt()
    }

    /// How far a character gets that swims or flies at both claims. `None` if it may walk or fall
    /// at one of them. `carried`: speed that it keeps from a slide, a knock-back or a transport.
    fn free_reach(&self, speeds: &SpeedLimits, carried: f64) -> Option<FreeReach> {
        let dt = self.claim.dt;
        let swim = self.swim_speed(speeds);
        let below = [self.state.feet, self.claim.feet].map(|feet| self.depth_below_leaps(feet));
        if !self.state.abilities.fly {
            let (at_will, swum) = (swim, swim.max(carried) * dt);
            if let Some([gained, leapt]) = self.begun_leap() {
                return Some(FreeReach {
                    made: swum + gained,
                    at_will,
                    leapt,
                    leaps: leapt > 0.0,
                });
            }
            let [Some(from), Some(to)] = below else { return None };
            // It may jump out of the water, and be as fast in the air as on the ground.
            let in_water = if speeds.swim > 0.0 { (from + to) / speeds.swim } else { dt };
            let in_air = (dt - in_water).max(0.0);
            let gained = (speeds.ground.max(carried) - speeds.swim).max(0.0) * in_air;
            let made = swum + gained;
            return Some(FreeReach { made, at_will, leapt: 0.0, leaps: in_air > 0.0 });
        }
        let hangs = |support: Support| matches!(support, Support::Air | Support::Steep);
        let flies = (below[0].is_some() || hangs(self.state.support))
            && (below[1].is_some() || hangs(self.end));
        let swims = below[0].or(below[1]).is_some();
        let at_will = if swims { speeds.fly.max(swim) } else { speeds.fly };
        let made = at_will.max(carried) * dt;
        flies.then_some(FreeReach { made, at_will, leapt: 0.0, leaps: false })
    }

    /// Whether walkable ground or water may have carried the character, or a ceiling ended a leap
    /// out of the water, if it `leaps`. `reach`: longest distance.
    pub(super) fn is_shore_near(&mut self, reach: f64, level: f64, leaps: bool) -> bool {
        self.is_ground_near(reach, level, leaps, f64::NEG_INFINITY)
    }

    /// Whether all ground nearby is so deep under water that a character swims over it. Only a
    /// plane of water is known to have no gaps.
    fn swims_over_ground(&mut self, reach: f64, level: f64, leaps: bool) -> bool {
        let Water::Plane { surface } = self.world.water else { return false };
        let swim_depth = self.validator.locomotion.config().swim_depth;
        let line = surface - (swim_depth + FLOAT_SLACK) * self.probe.height();
        let deep = line - self.probe.footing_reach() - self.error();
        !self.is_ground_near(reach, level, leaps, deep)
    }

    /// As [`Self::is_shore_near`], with only the ground that reaches the height `least`.
    fn is_ground_near(&mut self, reach: f64, level: f64, leaps: bool, least: f64) -> bool {
        if self.water_to_walk_on(self.heights()[0].min(self.heights()[1])).is_some() {
            return true;
        }
        let leap = self.validator.locomotion.config().swim_jump_speed;
        let region = WayBox {
            from: self.state.feet,
            to: self.claim.feet,
            below: self.probe.footing_reach(),
            above: self.gravity.peak(leap, self.claim.dt),
            beside: 0.5 * (reach * reach - level * level).max(0.0).sqrt(),
            tall: self.probe.top(),
        };
        let highest = self.heights()[0].max(self.heights()[1]) + self.probe.rim() + self.error();
        let mut is_near = false;
        let overhead = self.probe.near_surfaces(&region, |[lowest, top], surface| {
            is_near |= surface != Surface::Steep && lowest <= highest && top >= least;
            if is_near { Enough::Yes } else { Enough::No }
        });
        is_near || (leaps && overhead.ceiling)
    }

    /// Whether steep ground on which a character slides is near the path of this interval or of
    /// the one before. Speed gained in the earlier interval shows in this one. A fall may also
    /// slide off an edge.
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
            tall: self.probe.top(),
        };
        let mut steep = false;
        let (slips, falls) = (self.probe.slip() > 0.0, !self.state.surely_grounded);
        let overhead = self.probe.near_surfaces(&region, |_, surface| {
            let carries = surface == Surface::Steep || (surface == Surface::Edge && falls);
            steep |= slips || carries;
            if steep { Enough::Yes } else { Enough::No }
        });
        // The edges of a wall's triangles may also act as steep ground.
        steep || overhead.obstacle
    }

    /// Largest level speed that slides may have given since the character left walkable ground.
    ///
    /// Neither a flight nor a frictionless slide gains energy. At the start the speed was at most
    /// the speed limit or that of a push, and the height at most a jump and a step above the
    /// ground.
    pub(super) fn slide_speed(&self, next: &Accepted) -> f64 {
        let highest = self.state.high_ground + self.jump_and_step();
        self.slide_speed_from(highest, next)
    }

    /// The same for a character that was at most at the height `highest` since then.
    pub(super) fn slide_speed_from(&self, highest: f64, next: &Accepted) -> f64 {
        let config = self.validator.locomotion.controller().config();
        if config.non_walkable != NonWalkable::Slide {
            return next.carried_speed;
        }
        let [_, after] = self.heights();
        let highest = highest + self.error();
        let speed = self.state.current_speeds().ground.max(next.given_speed);
        let energy = speed * speed + 2.0 * self.gravity.acceleration * (highest - after).max(0.0);
        energy.sqrt().max(next.carried_speed)
    }

    /// Bounds of the upward speed at the last claim.
    pub(super) fn fall_speeds(&self) -> [f64; 2] {
        self.state.flight.map_or([0.0, 0.0], |flight| flight.speeds(&self.gravity))
    }
}

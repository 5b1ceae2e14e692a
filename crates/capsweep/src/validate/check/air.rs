//! Claims from the air and from steep ground.

use crate::tolerance::CLAIM_SLACK;
use crate::validate::check::ground::{GroundRange, STEEPEST_STAIR};
use crate::validate::check::{Check, Interval, Stop};
use crate::validate::flight::Flight;
use crate::validate::near::{Enough, Surface, WayBox};
use crate::validate::{Accepted, Reason, Support};

/// In intervals at least this long, sweeps straight down first search for a landing (seconds). In
/// shorter ones a character moves so little that a box query for all surfaces costs no more.
const LONG_INTERVAL: f64 = 0.1;

/// Surfaces that a character may have touched between two claims in the air.
#[derive(Default)]
struct Touched {
    /// Height of the highest walkable ground.
    ground: Option<f64>,
    /// Steep ground low enough to be the landing of a step-up, from which the character can jump.
    launch: bool,
    /// Other steep ground.
    steep: bool,
    /// Any surface that stops a rise.
    obstacle: bool,
}

impl Check<'_> {
    /// Judges a character that was in the air or on steep ground.
    ///
    /// Near a moving body its flight is not judged, because the body may have carried it.
    pub(super) fn fly_on(&mut self, interval: &Interval, next: &mut Accepted) -> Result<(), Stop> {
        let flight = self.flight();
        self.launch_by_knock_back(&flight, next);
        let (state, dt) = (self.state, self.claim.dt);
        let [before, after] = self.heights();
        let (g, error) = (self.gravity, self.error());
        let step = self.probe.limits.highest_step();
        let [slowest, fastest] = flight.speeds(&g);
        let [high, highest] = [flight.heights(&g, 0.0)[1], self.highest(&flight)];
        let touched = self.touched(interval, [slowest, fastest]);
        let was_steep = state.support == Support::Steep;
        let landed = next.support == Support::Ground;
        let is_steep = was_steep || touched.steep;
        let is_carried = is_steep || touched.launch || touched.ground.is_some();
        let lift = if is_carried { self.lift } else { self.hover_growth };
        let most = if is_steep { highest.max(high) } else { highest };
        if !touched.launch && touched.ground.is_none() {
            let stepped = if landed { step } else { 0.0 };
            if after > most + self.height_error() + lift + stepped {
                let since = state.unsupported + dt;
                return self.no(if was_steep {
                    Reason::TooSteep
                } else {
                    Reason::Hovering { since }
                });
            }
        }
        if !landed {
            next.sink = self.sink_after(&touched);
            self.leave_high_steep_ground(next);
        }
        let least = flight.heights(&g, dt)[0] - self.height_error();
        if !is_carried && !touched.obstacle && !landed && after < least {
            return self.no(Reason::TooFast { excess: least - after });
        }
        self.fall(least, after, interval)?;
        // Twice, because the height of the ground has an error as well.
        let mut top = state.high_ground + self.jump_and_step() + lift + 2.0 * error;
        if after > top {
            // It may have landed on higher ground in the previous interval, and jumped again.
            let higher = self.higher_ground_before(interval.budget);
            next.high_ground = next.high_ground.max(higher);
            top += (higher - state.high_ground).max(0.0);
        }
        let mut must_search = interval.straight.is_some();
        if after > top {
            if landed || touched.ground.is_some() {
                must_search = true;
            } else if was_steep || next.support == Support::Steep {
                return self.no(Reason::TooSteep);
            } else {
                return self.no(Reason::TooHigh { excess: after - top });
            }
        }
        if must_search {
            let jumped = touched.ground.map_or(before, |ground| ground + self.jump_peak());
            let peak = (before + g.peak(fastest, dt)).max(jumped);
            self.search(interval, (peak + lift).min(top).max(before))?;
        }
        self.leave_ground_again(interval, next, &touched);
        if landed {
            self.land(slowest, next);
            return Ok(());
        }
        let slips = self.probe.slip() > 0.0 && touched.ground.is_some();
        if was_steep || touched.launch || touched.steep || slips {
            next.carried_speed = self.slide_speed(next);
        }
        next.keep_speed(&state);
        next.flight = Some(self.flight_after(&flight, &touched, most));
        Ok(())
    }

    /// Checks that a descent with contacts on its way is no faster than a fall to the height
    /// `least`, the steepest stairs, and an overhang that turns the level speed downwards.
    fn fall(&self, least: f64, after: f64, interval: &Interval) -> Result<(), Stop> {
        let snap = f64::from(self.validator.locomotion.controller().config().snap_distance);
        let step = snap.max(self.probe.limits.highest_step());
        let lowest = least - STEEPEST_STAIR * interval.level - interval.budget - step - self.lift;
        if after < lowest {
            return self.no(Reason::TooFast { excess: lowest - after });
        }
        Ok(())
    }

    /// It is on ground at the claim, after a flight of at least the upward speed `slowest`.
    fn land(&self, slowest: f64, next: &mut Accepted) {
        next.flight = None;
        next.fall_speed = self.faster((-slowest).max(0.0));
        next.high_ground = self.height(self.claim.feet);
        if self.probe.slip() > 0.0 {
            // On an edge it may be about to slide off, with the speed of its fall.
            next.carried_speed = self.slide_speed(next);
        }
        self.forget_slide(next);
    }

    /// Raises the highest ground that it may have left: it may have touched ground and climbed.
    fn leave_ground_again(&mut self, interval: &Interval, next: &mut Accepted, touched: &Touched) {
        let after = self.height(self.claim.feet);
        if let Some(ground) = touched.ground {
            let step = self.probe.limits.highest_step();
            let climbed = ground + interval.level * self.slope() + step;
            let most = climbed.min(after - self.gravity.lowest(0.0, self.claim.dt));
            next.high_ground = self.highest_take_off(next.high_ground, most, interval);
        }
        // Less both errors: otherwise each claim could raise it by them.
        let least = after - self.jump_and_step() - self.lift - 2.0 * self.error();
        next.high_ground = next.high_ground.max(least);
    }

    /// A knock-back launches the character from where it is.
    fn launch_by_knock_back(&mut self, flight: &Flight, next: &mut Accepted) {
        if self.state.knock_back.is_some() {
            self.state.launch_speed = self.launch_speed();
            let high = flight.heights(&self.gravity, 0.0)[1];
            self.state.high_ground = self.state.high_ground.max(high);
            next.launch_speed = self.state.launch_speed;
            next.high_ground = self.state.high_ground;
        }
    }

    /// Upper bound of the height of a flight at the claim, if nothing lifts it.
    fn highest(&self, flight: &Flight) -> f64 {
        let (g, dt) = (self.gravity, self.claim.dt);
        if self.state.knock_back.is_some() {
            // The client may apply it at any time in the interval.
            return flight.heights(&g, 0.0)[1] + g.peak(flight.speeds(&g)[1], dt);
        }
        flight.heights(&g, dt)[1]
    }

    /// The flight at the last claim, with a knock-back that the client may apply.
    pub(super) fn flight(&self) -> Flight {
        let (state, g) = (&self.state, self.gravity);
        let flight = state.flight.unwrap_or_else(|| {
            let heights = self.validator.around(self.height(state.feet));
            Flight::new(heights, [-g.terminal, self.launch_speed()])
        });
        match state.knock_back {
            Some((velocity, _)) => flight.knocked(&g, velocity.dot(self.up)),
            None => flight,
        }
    }

    /// Upper bound of the sink after an interval in the air.
    fn sink_after(&self, touched: &Touched) -> f64 {
        let (state, error) = (self.state, self.error());
        let [before, after] = self.heights();
        if touched.ground.is_some() || touched.launch || touched.steep {
            let ground = touched.ground.unwrap_or(state.high_ground).max(state.high_ground);
            return state.sink.max(self.probe.sink_over(ground + error, after));
        }
        // A rise uses up the sink.
        (state.sink - (after - before - error).max(0.0)).max(0.0)
    }

    /// The flight after the interval. Its bounds cover flights with and without a contact.
    /// `highest` bounds its height if nothing lifted it.
    fn flight_after(&self, flight: &Flight, touched: &Touched, highest: f64) -> Flight {
        let (g, error, dt) = (self.gravity, self.height_error(), self.claim.dt);
        let [_, after] = self.heights();
        let was_steep = self.state.support == Support::Steep;
        let is_steep = was_steep || touched.launch || touched.steep;
        let is_knocked = self.state.knock_back.is_some();
        let free = flight.after(&g, dt, [after - error, after + error]);
        let may_touch = touched.ground.is_some() || touched.obstacle || self.hover_growth > 0.0;
        if !is_steep && !may_touch && !is_knocked {
            return free;
        }
        // Without a lift the bound holds, or each claim beside a wall could add its error.
        let is_lifted = touched.launch || touched.ground.is_some() || self.hover_growth > 0.0;
        let [low, high] = self.validator.around(after);
        let high = if is_lifted { high } else { high.min(highest).max(low) };
        let [slowest, fastest] = flight.speeds(&g);
        let [lowest, highest] = flight.heights(&g, dt);
        let is_free = !is_knocked && after <= highest + error && after >= lowest - error;
        let [mut least, mut most] =
            if is_free { free.speeds(&g) } else { [f64::INFINITY, f64::NEG_INFINITY] };
        // A ceiling ends a rise. No other contact is certain to reduce the speed: a step-up in
        // mid-fall lifts the body and the fall continues.
        least = least.min(slowest.min(0.0) - g.acceleration * dt);
        // The client may have applied a knock-back just now.
        most = most.max(if is_knocked { fastest } else { fastest - g.acceleration * dt });
        if is_steep || (self.probe.slip() > 0.0 && touched.ground.is_some()) {
            most = most.max(0.0);
        }
        if touched.launch || touched.ground.is_some() {
            most = most.max(self.launch_speed());
        }
        Flight::new([low, high], [least.max(-g.terminal), most])
    }

    /// The surfaces that it may have touched. `speeds` bounds its upward speed at the last claim.
    fn touched(&mut self, interval: &Interval, speeds: [f64; 2]) -> Touched {
        let touched = self.touched_from(interval, speeds);
        // An obstacle may have ended its rise. Then it reached the ground earlier.
        if touched.obstacle && touched.ground.is_none() && speeds[0] > 0.0 {
            return self.touched_from(interval, [0.0, speeds[1]]);
        }
        touched
    }

    fn touched_from(&mut self, interval: &Interval, speeds: [f64; 2]) -> Touched {
        let (state, claim, dt) = (self.state, self.claim, self.claim.dt);
        let [slowest, fastest] = speeds;
        let [before, after] = self.heights();
        let (g, error) = (self.gravity, self.error());
        let step = self.probe.limits.highest_step();
        let lowest_on_way = before + g.lowest(slowest, dt).min(0.0);
        if let Some(ground) = self.ground_on_the_way(slowest, before - lowest_on_way) {
            return Touched { ground: Some(ground), obstacle: true, ..Touched::default() };
        }
        let reached = before + g.peak(fastest, dt) + error + state.sink;
        let left = after - g.lowest(slowest.min(0.0), dt) + error + state.sink;
        let (round, rim) = (self.probe.skinned, self.probe.rim());
        let jump_speed = self.launch_speed();
        // On the ground it may have turned, so its path lies within an ellipse.
        let reach = interval.budget - state.reach_credit + CLAIM_SLACK;
        let beside = 0.5 * (reach * reach - interval.level * interval.level).max(0.0).sqrt();
        let sag = g.acceleration * dt * dt / 8.0;
        let region = WayBox {
            from: state.feet,
            to: claim.feet,
            below: before.min(after) - lowest_on_way,
            above: sag.max(before + g.peak(fastest, dt) - before.min(after)),
            beside,
            tall: self.probe.top(),
        };
        // Once a jump has stopped rising, a step-up may lift it onto steep ground that leads to a
        // ledge. The controller's sensor requires that the ledge is no lower than the landing. The
        // next jump starts at the landing, so the landing is no lower than this.
        let jump = g.peak(jump_speed, dt);
        let lowest_landing = lowest_on_way.max(after - jump - error);
        let falls = state.unsupported + dt >= jump_speed / g.acceleration;
        let (mut steps, mut has_ledge) = (false, false);
        let (mut touched, mut lands) = (Touched::default(), false);
        let overhead = self.probe.near_surfaces(&region, |[lowest, height], surface| {
            // The round bottom touches walkable ground up to its rim, and steep surfaces at any
            // height. In the air it may step up onto a higher ledge, and first rest on the rim of
            // the ledge, lower than its top. It may fall off all of them again.
            let down = g.time_to_fall(slowest, before - height);
            let is_reached = height + error >= lowest_on_way && down <= dt;
            let carries = surface != Surface::Steep;
            let climb = if surface == Surface::Walkable { step + round } else { rim };
            lands |= carries && is_reached && lowest <= reached + climb;
            has_ledge |= surface == Surface::Walkable
                && height + error >= lowest_landing
                && lowest <= reached + step + round;
            // After the landing it may have climbed higher ground.
            let jumped = height + step + error;
            if carries && lowest <= left + rim && after <= jumped + jump {
                touched.ground = Some(touched.ground.map_or(height, |other| other.max(height)));
            }
            if surface == Surface::Walkable
                || !is_reached
                || lowest > left + round
                || lowest > reached + step.max(round)
            {
                return Enough::No;
            }
            let landing = height.min(reached + step);
            steps |= after <= landing + error + g.peak(jump_speed, dt - down);
            if after <= jumped + g.peak(jump_speed, dt - down)
                && height <= state.high_ground + step + error
            {
                touched.launch = true;
            } else if after <= height + g.peak(fastest, dt) + error {
                touched.steep = true;
            }
            Enough::No
        });
        if !lands {
            touched.ground = None;
        }
        touched.obstacle = overhead.obstacle || self.pushed > 0.0;
        steps &= has_ledge && (falls || overhead.ceiling);
        touched.launch |= self.pushed > 0.0 || steps;
        if let Some(surface) = self.water_to_walk_on(lowest_on_way) {
            touched.ground = Some(touched.ground.map_or(surface, |other| other.max(surface)));
        }
        touched
    }

    /// Height of the feet on a water surface that it may have walked on, at least `lowest`.
    pub(super) fn water_to_walk_on(&self, lowest: f64) -> Option<f64> {
        if !self.state.abilities.water_walking {
            return None;
        }
        [self.state.feet, self.claim.feet].into_iter().find_map(|feet| {
            let down = (self.height(feet) - lowest).max(self.error()) + self.probe.hover;
            let surface = self.world.surface_over(feet - self.up * down, self.up)?;
            Some(surface + self.probe.hover)
        })
    }

    /// Height of walkable ground that it may have touched, if a sweep straight down at one of
    /// three places finds some. This early out is cheaper than a box query for all surfaces.
    fn ground_on_the_way(&mut self, slowest: f64, depth: f64) -> Option<f64> {
        let (state, claim, dt) = (self.state, self.claim, self.claim.dt);
        if dt < LONG_INTERVAL
            || self.probe.hover > 0.0
            || [state.support, self.end].contains(&Support::Steep)
        {
            return None;
        }
        let (g, error, jump_speed) = (self.gravity, self.error(), self.launch_speed());
        let [before, after] = self.heights();
        let places = [claim.feet, state.feet.midpoint(claim.feet), state.feet];
        places.into_iter().find_map(|feet| {
            let drop = depth - (before - self.height(feet));
            let ground = self.probe.ground(feet, drop.max(0.0)).filter(|found| found.walkable)?;
            let height = self.height(feet) + ground.rise;
            let down = g.time_to_fall(slowest, before - height);
            let returns = down <= dt && after <= height + g.peak(jump_speed, dt - down) + error;
            returns.then_some(height)
        })
    }

    /// Height of the highest walkable ground near the paths of this interval and the previous one.
    fn higher_ground_before(&mut self, budget: f64) -> f64 {
        let [before, after] = self.heights();
        self.highest_ground(&GroundRange {
            from: self.state.last_feet,
            least: self.state.high_ground,
            most: before.max(after),
            begins: before + self.error(),
            beside: budget,
        })
    }
}

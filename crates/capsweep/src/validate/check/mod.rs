//! The judgement of one claim.

#![allow(clippy::result_large_err, reason = "an error ends the judgement: it is made once")]

mod air;
mod free;
mod ground;
mod speed;
mod way;

use crate::SweepHit;
use crate::controller::{Abilities, Mode};
use crate::error::{MAX_POSITION, check_number, check_position, xyz};
use crate::scene::{Body, SceneHit};
use crate::validate::flight::Gravity;
use crate::validate::probe::{Inside, Probe};
use crate::validate::replay::{replay, standing};
use crate::validate::{
    Accepted, Claim, ClaimTick, ClaimWorld, Judgement, Reason, Support, Validator, Verdict,
};
use glam::DVec3;

/// Why a judgement ends early.
pub(crate) enum Stop {
    /// The claim is impossible, with reason and place.
    No(Reason, DVec3),
    /// The query budget ran out.
    Spent,
}

/// A judgement in progress. Heights are along up, `level` lengths are perpendicular to it.
pub(crate) struct Check<'a> {
    validator: &'a Validator,
    world: &'a ClaimWorld<'a>,
    /// The last accepted state, moved along with the body under the feet.
    state: Accepted,
    claim: &'a Claim<'a>,
    probe: Probe<'a>,
    up: DVec3,
    gravity: Gravity,
    /// How far bodies that moved may have pushed or carried the character (metres).
    pushed: f64,
    /// The support at the claimed position, and whether it certainly stands there.
    end: Support,
    stands_at_end: bool,
    /// Where the tested body is at both claims; `None` if that is not certain.
    places: Option<[DVec3; 2]>,
    /// At the claim it is in a surface, unless it came from behind.
    inside: Option<Inside>,
    /// How far hovering may lift the feet at once: over ground that rises below them, and when the
    /// hover height grows (metres).
    lift: f64,
    /// The part of it by which the hover height grew.
    hover_growth: f64,
    /// It was rooted since the last claim.
    is_newly_rooted: bool,
    /// Lower bound of the height above the claimed feet at which steep ground starts to carry the
    /// round bottom.
    steep_rise: f64,
}

/// The interval between two claims.
#[derive(Clone, Copy)]
struct Interval {
    /// Horizontal distance between the claims.
    level: f64,
    /// Horizontal distance that speed and credit allow.
    budget: f64,
    /// First hit of the tested body on the straight line.
    straight: Option<SceneHit<SweepHit>>,
}

impl<'a> Check<'a> {
    pub(crate) fn judge(
        validator: &'a Validator,
        world: &'a ClaimWorld<'a>,
        accepted: &Accepted,
        claim: &'a Claim<'a>,
    ) -> Judgement {
        let probe = Probe::new(validator, world, &accepted.size, accepted.abilities.hover);
        let mut check = Check {
            validator,
            world,
            state: *accepted,
            claim,
            up: probe.up,
            probe,
            gravity: validator.gravity(accepted.abilities),
            pushed: 0.0,
            lift: accepted.abilities.hover,
            hover_growth: 0.0,
            is_newly_rooted: false,
            end: Support::Air,
            stands_at_end: false,
            places: None,
            inside: None,
            steep_rise: f64::INFINITY,
        };
        check.settle_events();
        let result = check.run();
        let queries = check.probe.queries;
        let result = if check.probe.is_cut_short { Err(Stop::Spent) } else { result };
        let (verdict, next) = match result {
            Ok(next) => (Verdict::Possible, next),
            Err(Stop::No(reason, at)) => (Verdict::Impossible { reason, at }, check.age(accepted)),
            Err(Stop::Spent) => (Verdict::Undecided, *accepted),
        };
        Judgement { verdict, next, queries }
    }

    fn run(&mut self) -> Result<Accepted, Stop> {
        self.check_numbers()?;
        if self.claim.world != self.world.id {
            return self.no(Reason::WrongWorld);
        }
        let clock_credit = self.clock()?;
        let queries = &mut self.probe.queries;
        if let Some(next) = replay(self.validator, self.world, &self.state, self.claim, queries)? {
            return Ok(self.age(&next));
        }
        self.ride();
        let (state, claim) = (self.state, self.claim);
        let mut next = Accepted { clock_credit, replayed: None, ..self.age(&state) };
        next.feet = claim.feet;
        next.last_feet = state.feet;
        next.anchor = self.anchor();
        let footing = self.probe.support(claim.feet);
        next.contact = footing.contact;
        next.sink = self.probe.footing_sink(&footing);
        next.support = self.support_in_water(footing.support);
        next.surely_grounded = footing.sure;
        next.claimed_fall = claim.mode == Some(Mode::Fall);
        next.ground_body = footing.body;
        self.end = next.support;
        self.stands_at_end = next.surely_grounded;
        self.steep_rise = footing.steep_rise - 3.0 * self.probe.slack();
        self.mode()?;
        let way = next.anchor - state.anchor;
        let level = self.level(way).length();
        let budget = self.speed(way, level, &mut next)?;
        self.feet_above_ground(footing.risen)?;
        let before = self.probe.place(state.feet, state.support, state.sink);
        let after = self.probe.place(claim.feet, footing.support, next.sink);
        self.places = before.zip(after).map(<[DVec3; 2]>::from);
        if let Some(place) = after.filter(|_| self.probe.is_short) {
            next.sink = next.sink.max((place - claim.feet).dot(self.up));
        }
        let straight = self.straight()?;
        let interval = Interval { level, budget, straight };
        if self.moves_freely() {
            self.move_freely(&interval, &mut next)?;
        } else if state.support == Support::Ground {
            self.leave_or_walk(&interval, &mut next)?;
        } else {
            self.fly_on(&interval, &mut next)?;
        }
        match next.support {
            Support::Ground => next.unsupported = 0.0,
            Support::Steep | Support::Air => next.unsupported = state.unsupported + claim.dt,
            // `move_freely` has set it.
            Support::Water => {}
        }
        if next.surely_grounded {
            // A rooted character that says that it falls may rise in a jump from before the root.
            // While it hovers, or over stairs, it may have ground below it all the time.
            let rises = next.abilities.rooted && next.claimed_fall;
            let left = self.launch_speed() - self.gravity.acceleration * claim.dt;
            next.launch_speed = if rises { left.max(0.0) } else { 0.0 };
            if !claim.inputs.is_empty() {
                // The next inputs can be replayed from here.
                next.replayed = standing(self.validator, self.world, claim.feet, &next);
            }
        }
        Ok(next)
    }

    fn no<T>(&self, reason: Reason) -> Result<T, Stop> {
        Err(Stop::No(reason, self.claim.feet))
    }

    fn check_numbers(&self) -> Result<(), Stop> {
        let Claim { feet, dt, server_dt, velocity, .. } = *self.claim;
        let is_sound = check_position(xyz!("feet"), feet).is_ok()
            && check_number("dt", dt, MAX_POSITION).is_ok()
            && check_number("server_dt", server_dt, MAX_POSITION).is_ok()
            && dt >= 0.0
            && server_dt >= 0.0
            && velocity.is_none_or(DVec3::is_finite)
            && self.claim.inputs.iter().all(ClaimTick::is_sound);
        if is_sound { Ok(()) } else { self.no(Reason::InvalidNumber) }
    }

    /// Checks that the lower part of the body is not in the ground. A body that came from below
    /// may be, because one-sided surfaces do not block it.
    fn feet_above_ground(&mut self, risen: f64) -> Result<(), Stop> {
        let Some(sunk) = self.probe.sunk(self.claim.feet, risen) else { return Ok(()) };
        let before = self.state.feet;
        // It may have fallen past the rim of a surface, and rise past it again.
        let came_from_below = (sunk.is_rim && self.end != Support::Ground)
            || self.height(before) + self.probe.raise < self.height(sunk.point)
            || (before - sunk.point).dot(sunk.face_normal) < -self.probe.allowed_sink()
            || self.probe.sunk(before, f64::INFINITY).is_some();
        if came_from_below {
            return Ok(());
        }
        Err(Stop::No(Reason::InsideGeometry { depth: sunk.depth }, sunk.point))
    }

    /// Changes the support to air if the steep ground is higher above the feet than the round
    /// bottom can be.
    fn leave_high_steep_ground(&mut self, next: &mut Accepted) {
        if self.end == Support::Steep && self.steep_rise > next.sink && self.pushed == 0.0 {
            self.end = Support::Air;
            next.support = Support::Air;
        }
    }

    /// The state with the time windows of events reduced by the interval.
    fn age(&self, state: &Accepted) -> Accepted {
        // The time of a bad claim may be any number.
        let dt = self.claim.server_dt.max(0.0);
        let earlier_speeds = state
            .earlier_speeds
            .map(|(speeds, left)| (speeds, left - dt))
            .filter(|(_, l)| *l > 0.0);
        let knock_back = state
            .knock_back
            .map(|(velocity, left)| (velocity, left - dt))
            .filter(|(_, l)| *l > 0.0);
        Accepted { earlier_speeds, knock_back, ..*state }
    }

    /// Updates the heights of the state by what the server did since the last claim.
    fn settle_events(&mut self) {
        let state = &mut self.state;
        let rise = state.displaced.dot(self.up);
        if state.displaced != DVec3::ZERO {
            // The position is rounded anew.
            state.reach_credit += 4.0 * self.validator.config.allowances.position;
            // It may be above the ground now.
            state.surely_grounded = false;
            if state.support == Support::Water {
                // Or above the float line: then it falls, and steers as in the air.
                state.give_speed(state.speeds.ground);
            }
        }
        state.displaced = DVec3::ZERO;
        state.contact += rise;
        state.high_ground += rise;
        state.flight = state.flight.map(|flight| flight.raised(rise));
        if let Some(abilities) = state.earlier_abilities.take() {
            self.hover_growth = (state.abilities.hover - abilities.hover).max(0.0);
            self.lift += self.hover_growth;
            let gravity = self.validator.gravity(abilities);
            state.flight = state.flight.map(|flight| flight.rebased(&gravity));
            self.is_newly_rooted = state.abilities.rooted && !abilities.rooted;
            if self.is_newly_rooted {
                state.give_speed(state.speeds.ground);
            }
        }
        if let Some((velocity, _)) = state.knock_back {
            state.fall_speed = state.fall_speed.max(-velocity.dot(self.up));
        }
    }

    /// Largest error of the difference of two claimed heights.
    fn error(&self) -> f64 {
        2.0 * self.validator.height_error() + self.pushed
    }

    /// Largest error of a claimed height beside the bounds of a flight.
    fn height_error(&self) -> f64 {
        self.validator.height_error() + self.pushed
    }

    /// How far a path of length `reach` between two claims may deviate from the straight line
    /// between them, whose length is `level` (metres, horizontal).
    ///
    /// It lies within an ellipse with its foci at the true positions. Errors of the claims may
    /// make the line seem longer.
    fn beside(&self, reach: f64, level: f64) -> f64 {
        let level = (level - 3.0 * self.error()).max(0.0);
        0.5 * (reach * reach - level * level).max(0.0).sqrt()
    }

    /// The horizontal part of a vector.
    fn level(&self, vector: DVec3) -> DVec3 {
        vector - self.up * vector.dot(self.up)
    }

    fn height(&self, feet: DVec3) -> f64 {
        feet.dot(self.up)
    }

    /// Heights of both claims.
    fn heights(&self) -> [f64; 2] {
        [self.height(self.state.feet), self.height(self.claim.feet)]
    }

    /// Largest upward speed with which the character can leave the ground.
    fn launch_speed(&self) -> f64 {
        let jump = self.validator.locomotion.config().jump_speed;
        // A character that took off just before the last claim seems to stand there.
        let has_jumped = self.is_newly_rooted && self.state.claimed_fall;
        let can_jump = !self.state.abilities.rooted || has_jumped;
        let jump = if can_jump { jump } else { 0.0 };
        let knocked = self.state.knock_back.map_or(0.0, |(velocity, _)| velocity.dot(self.up));
        jump.max(self.state.launch_speed).max(knocked)
    }

    /// Height that a jump reaches in the interval.
    fn jump_peak(&self) -> f64 {
        self.gravity.peak(self.launch_speed(), self.claim.dt)
    }

    /// Height that a jump and a step can reach above the ground, without a time limit.
    fn jump_and_step(&self) -> f64 {
        self.gravity.peak(self.launch_speed(), f64::INFINITY) + self.probe.limits.highest_step()
    }

    /// Moves the last accepted state along with the body under the feet, and finds how far other
    /// bodies may have pushed the character.
    ///
    /// The poses are the server's, so their speed comes from the server's clock. With its own
    /// clock, a client could claim a shorter time and leave the body faster than the body moves.
    fn ride(&mut self) {
        let (feet, dt) = (self.state.feet, self.claim.server_dt);
        let knocked = self.knocked_speeds()[1];
        for carrier in self.world.moved {
            let moved = |point: DVec3| {
                carrier.next.point_to_world(carrier.previous.point_to_local(point)) - point
            };
            let by = moved(feet);
            let rides = self.state.ground_body.is_some_and(|body| body.names_same(carrier.body));
            let near = self.world.scene.body(carrier.body).ok().and_then(Body::bounds);
            let reach = by.length() + 2.0 * self.probe.skinned + self.probe.height();
            let is_near = near.is_none_or(|bounds| {
                [feet, self.claim.feet]
                    .into_iter()
                    .any(|point| bounds.grown(reach).contains_point(point))
            });
            if !rides && !is_near {
                continue;
            }
            self.pushed = self.pushed.max(by.length()).max(moved(self.claim.feet).length());
            let rise = by.dot(self.up);
            let level = (by - self.up * rise).length();
            // Bounded, because the time may be very short.
            let speed = |way: f64| if dt > 0.0 { (way / dt).min(MAX_POSITION) } else { 0.0 };
            let state = &mut self.state;
            if state.knock_back.is_some() {
                // Aboard, a knock-back is relative to the body.
                state.give_speed(knocked + speed(level));
            }
            if rides {
                state.feet += by;
                state.last_feet += by;
                state.anchor += by;
                state.contact += rise;
                state.high_ground += rise;
                if dt > 0.0 {
                    let jump = self.validator.locomotion.config().jump_speed;
                    state.stop();
                    state.give_speed(state.speeds.ground.max(knocked) + speed(level));
                    state.launch_speed = jump + speed(rise).max(0.0);
                    state.fall_speed = state.fall_speed.max(speed(-rise));
                }
            }
        }
    }

    /// Whether the claimed mode is possible at the claimed position.
    fn mode(&self) -> Result<(), Stop> {
        let Abilities { fly, water_walking, .. } = self.state.abilities;
        let is_possible = match self.claim.mode {
            None | Some(Mode::Fall) => true,
            // A moving body may have carried the character and left since. A ceiling may keep a
            // hovering one nearer to the ground.
            Some(Mode::Walk) => {
                self.end != Support::Air || self.pushed > 0.0 || self.probe.hover > 0.0
            }
            Some(Mode::Swim) => self.end == Support::Water || self.is_in_water(self.claim.feet),
            Some(Mode::Fly) => fly,
            Some(Mode::WaterWalk) => water_walking,
        };
        if is_possible { Ok(()) } else { self.no(Reason::WrongMode) }
    }
}

impl Validator {
    /// How a character with these abilities falls.
    pub(crate) fn gravity(&self, abilities: Abilities) -> Gravity {
        let config = self.locomotion.config();
        let slowest_terminal = if abilities.slow_fall {
            config.slow_fall_speed.min(config.terminal_speed)
        } else {
            config.terminal_speed
        };
        Gravity { acceleration: config.gravity, terminal: config.terminal_speed, slowest_terminal }
    }
}

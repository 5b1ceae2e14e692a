//! Replay of claimed inputs.

#![allow(clippy::result_large_err, reason = "an error ends the judgement: it is made once")]

use crate::Motion;
use crate::cache::TriangleCache;
use crate::controller::{LocomotionInput, LocomotionState, Mode, MoveInput, MoveOutcome, Water};
use crate::tolerance::{CLAIM_SLACK, REPLAY_TOLERANCE};
use crate::validate::check::Stop;
use crate::validate::flight::Flight;
use crate::validate::{Accepted, Claim, ClaimWorld, Reason, Support, Validator};
use glam::DVec3;

/// A character that stands at `feet`.
pub(crate) fn standing(
    validator: &Validator,
    world: &ClaimWorld,
    feet: DVec3,
    accepted: &Accepted,
) -> Option<LocomotionState> {
    let controller = validator.locomotion.controller();
    let placed = controller.teleport(&accepted.size, feet).ok()?;
    let still = MoveInput { surroundings: world.surroundings, ..MoveInput::new(Motion::ZERO) };
    let outcome = controller.move_by(world.scene, &mut TriangleCache::off(), &placed, &still);
    outcome.is_grounded().then(|| LocomotionState::at_rest(outcome.state))
}

/// The speed that a client asks for in a tick, against the limits.
enum Asked {
    /// Within the limit of the mode.
    Allowed,
    /// Above it, but within that of another mode. The client may have changed its mode earlier or
    /// later than the replay, because its position was rounded.
    InOtherMode,
    /// Above every limit by this much (m/s).
    TooFast(f64),
}

/// Compares the claimed `walk` of a tick with the speed limits.
///
/// The limit is that of the mode at the start of the tick, by which a client steers. The vertical
/// part counts wherever the tick may become a flight or a swim.
fn compare_speed(
    world: &ClaimWorld,
    accepted: &Accepted,
    state: &LocomotionState,
    walk: DVec3,
    up: DVec3,
) -> Asked {
    let (speeds, rise, flies) = (accepted.current_speeds(), walk.dot(up), accepted.abilities.fly);
    let mut limit = match state.mode {
        Mode::Swim => speeds.swim,
        Mode::Fly => speeds.fly,
        Mode::Walk | Mode::Fall | Mode::WaterWalk => speeds.ground,
    };
    if flies && rise > 0.0 {
        limit = limit.max(speeds.fly);
    }
    let is_level = !flies && state.mode != Mode::Swim && world.water == Water::None;
    let asked = if is_level { walk - up * rise } else { walk }.length();
    let most = limit.max(speeds.ground).max(speeds.swim).max(if flies { speeds.fly } else { 0.0 });
    // A client that computes in f32 rounds the length.
    let exceeds = |limit: f64| asked > limit * (1.0 + 2.0 * f64::from(f32::EPSILON));
    if accepted.abilities.rooted || !exceeds(limit) {
        // The replay ignores what a rooted character asks for.
        Asked::Allowed
    } else if exceeds(most) {
        Asked::TooFast(asked - most)
    } else {
        Asked::InOtherMode
    }
}

/// Highest ground or water that the character may have left in a replay.
fn left_from(world: &ClaimWorld, state: &LocomotionState, feet: DVec3, up: DVec3) -> Option<f64> {
    match state.mode {
        Mode::Walk | Mode::WaterWalk => Some(feet.dot(up)),
        Mode::Swim => world.surface_over(feet, up),
        Mode::Fall | Mode::Fly => None,
    }
}

/// The state after the claimed inputs, if they lead to the claimed position. `None` if they do
/// not, or if the previous state is unknown. Adds the scene queries to `queries`.
///
/// Only velocities, jumps and durations come from the client. All other input is the server's.
pub(crate) fn replay(
    validator: &Validator,
    world: &ClaimWorld,
    accepted: &Accepted,
    claim: &Claim,
    queries: &mut u32,
) -> Result<Option<Accepted>, Stop> {
    let Some(mut state) = accepted.replayed.filter(|_| !claim.inputs.is_empty()) else {
        return Ok(None);
    };
    let locomotion = &validator.locomotion;
    let controller = locomotion.controller();
    let up = controller.up();
    let mut cache = TriangleCache::new();
    let mut outcome = MoveOutcome::unmoved(state.character);
    let mut next = *accepted;
    let mut total = 0.0;
    for tick in claim.inputs {
        total += tick.dt;
        match compare_speed(world, accepted, &state, tick.walk, up) {
            Asked::Allowed => {}
            Asked::InOtherMode => return Ok(None),
            Asked::TooFast(speed) => {
                return Err(Stop::No(Reason::TooFast { excess: speed * tick.dt }, claim.feet));
            }
        }
        if *queries >= validator.config.max_queries {
            return Err(Stop::Spent);
        }
        let input = LocomotionInput {
            jump: tick.jump,
            surroundings: world.surroundings,
            abilities: accepted.abilities,
            water: world.water,
            ..LocomotionInput::new(tick.walk, tick.dt)
        };
        let ticked = locomotion.tick_into(world.scene, &mut cache, &state, &input, &mut outcome);
        let Ok(after) = ticked else { return Ok(None) };
        // A tick without time makes no move, but its cost counts as well.
        *queries = queries.saturating_add(outcome.stats.queries().max(1));
        state = after;
        if let Some(height) = left_from(world, &state, controller.feet(&state.character), up) {
            next.high_ground = height;
        }
    }
    let reached = controller.feet(&state.character);
    let tolerance = REPLAY_TOLERANCE + 2.0 * validator.config.allowances.position;
    // The time of the inputs counts: each claim may round its own.
    let clock_credit = accepted.clock_credit + claim.server_dt - total;
    if clock_credit < -CLAIM_SLACK {
        return Ok(None);
    }
    if (total - claim.dt).abs() > REPLAY_TOLERANCE || reached.distance(claim.feet) > tolerance {
        return Ok(None);
    }
    next.clock_credit = clock_credit.min(validator.config.allowances.clock);
    arrive(validator, claim, &state, &mut next);
    Ok(Some(next))
}

/// Updates the accepted state by the `state` of locomotion after a claim.
fn arrive(validator: &Validator, claim: &Claim, state: &LocomotionState, next: &mut Accepted) {
    let controller = validator.locomotion.controller();
    let (up, reached) = (controller.up(), controller.feet(&state.character));
    next.last_feet = next.feet;
    next.feet = claim.feet;
    next.anchor = claim.feet;
    let grounded = state.character.is_grounded();
    next.support = match state.mode {
        Mode::Swim => Support::Water,
        _ if grounded => Support::Ground,
        _ => Support::Air,
    };
    next.surely_grounded = grounded;
    next.ground_body = state.character.footing().map(|footing| footing.body);
    next.contact = state
        .character
        .footing()
        .map_or(reached.dot(up), |footing| footing.point.dot(up).max(reached.dot(up)));
    let (height, rise) = (claim.feet.dot(up), state.velocity.dot(up));
    next.flight = (!grounded).then(|| Flight::new(validator.around(height), [rise, rise]));
    next.stop();
    if !grounded {
        next.give_speed((state.velocity - up * rise).length());
    }
    next.sink = state.character.sink();
    next.fall_speed = 0.0;
    // A flight that rises on from here counts as a launch from here.
    next.launch_speed = if grounded { 0.0 } else { rise.max(0.0) };
    if !grounded {
        next.high_ground = next.high_ground.max(height);
    }
    next.unsupported = if grounded { 0.0 } else { next.unsupported + claim.dt };
    next.replayed = Some(*state);
}

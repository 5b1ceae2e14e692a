//! Replay of claimed inputs.

#![allow(clippy::result_large_err, reason = "an error ends the judgement: it is made once")]

use crate::Motion;
use crate::cache::TriangleCache;
use crate::controller::{LocomotionInput, LocomotionState, Mode, MoveInput};
use crate::tolerance::REPLAY_TOLERANCE;
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

/// The state after the claimed inputs, if they lead to the claimed position. `None` if they do
/// not, or if the previous state is unknown.
///
/// Only velocities, jumps and durations come from the client. All other input is the server's.
pub(crate) fn replay(
    validator: &Validator,
    world: &ClaimWorld,
    accepted: &Accepted,
    claim: &Claim,
) -> Result<Option<Accepted>, Stop> {
    let Some(mut state) = accepted.replayed.filter(|_| !claim.inputs.is_empty()) else {
        return Ok(None);
    };
    let locomotion = &validator.locomotion;
    let controller = locomotion.controller();
    let up = controller.up();
    let speeds = accepted.current_speeds();
    let mut cache = TriangleCache::new();
    let mut next = *accepted;
    let mut total = 0.0;
    for tick in claim.inputs {
        total += tick.dt;
        let limit = match state.mode {
            Mode::Swim => speeds.swim,
            Mode::Fly => speeds.fly,
            Mode::Walk | Mode::Fall | Mode::WaterWalk => speeds.ground,
        };
        let level = tick.walk - up * tick.walk.dot(up);
        let asked = if matches!(state.mode, Mode::Swim | Mode::Fly) { tick.walk } else { level };
        let excess = (asked.length() - limit) * tick.dt;
        if excess > REPLAY_TOLERANCE {
            return Err(Stop::No(Reason::TooFast { excess }, claim.feet));
        }
        let input = LocomotionInput {
            jump: tick.jump,
            surroundings: world.surroundings,
            abilities: accepted.abilities,
            water: world.water,
            ..LocomotionInput::new(tick.walk, tick.dt)
        };
        let Ok((after, _)) = locomotion.tick(world.scene, &mut cache, &state, &input) else {
            return Ok(None);
        };
        state = after;
        if state.mode == Mode::Walk {
            next.high_ground = controller.feet(&state.character).dot(up);
        }
    }
    let reached = controller.feet(&state.character);
    let tolerance = REPLAY_TOLERANCE + 2.0 * validator.config.allowances.position;
    if (total - claim.dt).abs() > REPLAY_TOLERANCE || reached.distance(claim.feet) > tolerance {
        return Ok(None);
    }
    next.last_feet = accepted.feet;
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
    let rise = state.velocity.dot(up);
    next.flight = (!grounded).then(|| Flight::new(claim.feet.dot(up), rise, rise));
    next.carried_speed = if grounded { 0.0 } else { (state.velocity - up * rise).length() };
    next.sink = state.character.sink();
    next.fall_speed = 0.0;
    next.launch_speed = 0.0;
    next.unsupported = if grounded { 0.0 } else { accepted.unsupported + claim.dt };
    next.replayed = Some(state);
    Ok(Some(next))
}

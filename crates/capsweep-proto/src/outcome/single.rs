//! The outcome of one move.

use super::{Moved, Ticked};
use crate::character::{encode_motion, encode_state, motion_state, state};
use crate::geometry::vector;
use crate::{FieldError, v1};
use capsweep::controller::{
    Carried, CharacterState, Contact, Controller, Ground, MoveOutcome, MoveStats, Obstruction,
    Recovery, Touching,
};
use glam::DQuat;

pub(super) fn encode_obstruction(obstruction: &Obstruction) -> (i32, f64) {
    let (kind, amount) = match *obstruction {
        Obstruction::None => (v1::Obstruction::None, 0.0),
        Obstruction::Blocked => (v1::Obstruction::Blocked, 0.0),
        Obstruction::Squeezed { depth } => (v1::Obstruction::Squeezed, depth),
        Obstruction::Crushed { missing } => (v1::Obstruction::Crushed, missing),
    };
    (kind as i32, amount)
}

pub(super) fn obstruction(kind: i32, amount: f64) -> Result<Obstruction, FieldError> {
    match v1::Obstruction::try_from(kind) {
        Ok(v1::Obstruction::None) => Ok(Obstruction::None),
        Ok(v1::Obstruction::Blocked) => Ok(Obstruction::Blocked),
        Ok(v1::Obstruction::Squeezed) => Ok(Obstruction::Squeezed { depth: amount }),
        Ok(v1::Obstruction::Crushed) => Ok(Obstruction::Crushed { missing: amount }),
        Err(_) => Err(FieldError::unknown("obstruction", kind)),
    }
}

pub(super) fn encode_stats(stats: &MoveStats) -> [u32; 7] {
    let &MoveStats { up, side, step, sensor, down, overlaps, pushes } = stats;
    [up, side, step, sensor, down, overlaps, pushes].map(u32::from)
}

pub(super) fn stats(numbers: [u32; 7]) -> MoveStats {
    // A server sends no larger numbers.
    let [up, side, step, sensor, down, overlaps, pushes] =
        numbers.map(|number| u16::try_from(number).unwrap_or(u16::MAX));
    MoveStats { up, side, step, sensor, down, overlaps, pushes }
}

/// The message of an outcome without its state.
fn encode_outcome(outcome: &MoveOutcome) -> v1::MoveOutcome {
    let (obstruction, obstruction_amount) = encode_obstruction(&outcome.obstruction);
    let [up, side, step, sensor, down, overlaps, pushes] = encode_stats(&outcome.stats);
    v1::MoveOutcome {
        state: None,
        touching_sides: outcome.touching.sides,
        touching_above: outcome.touching.above,
        touching_below: outcome.touching.below,
        ground: outcome.ground.as_ref().map(v1::Ground::from),
        contacts: outcome.contacts.iter().map(v1::Contact::from).collect(),
        requested: Some(outcome.requested.into()),
        achieved: Some(outcome.achieved.into()),
        carried: Some(outcome.carried.displacement.into()),
        carried_rotation: Some(outcome.carried.rotation.into()),
        carried_blocked: outcome.carried.blocked,
        recovery: Some(outcome.recovery.displacement.into()),
        recovery_left: Some(outcome.recovery.left),
        obstruction,
        obstruction_amount: Some(obstruction_amount),
        stepped: outcome.stepped,
        snapped: outcome.snapped,
        stats: Some(v1::MoveStats { up, side, step, sensor, down, overlaps, pushes }),
    }
}

fn outcome(given: &v1::MoveOutcome, state: CharacterState) -> Result<MoveOutcome, FieldError> {
    let rotation = given.carried_rotation.map_or(DQuat::IDENTITY, DQuat::from);
    let numbers = given.stats.unwrap_or_default();
    let v1::MoveStats { up, side, step, sensor, down, overlaps, pushes } = numbers;
    Ok(MoveOutcome {
        state,
        touching: Touching {
            sides: given.touching_sides,
            above: given.touching_above,
            below: given.touching_below,
        },
        ground: given.ground.as_ref().map(Ground::try_from).transpose()?,
        contacts: given.contacts.iter().map(Contact::try_from).collect::<Result<_, _>>()?,
        requested: vector("requested", given.requested.as_ref())?,
        achieved: vector("achieved", given.achieved.as_ref())?,
        carried: Carried {
            displacement: vector("carried", given.carried.as_ref())?,
            rotation,
            blocked: given.carried_blocked,
        },
        recovery: Recovery {
            displacement: vector("recovery", given.recovery.as_ref())?,
            left: given.recovery_left.unwrap_or_default(),
        },
        obstruction: obstruction(given.obstruction, given.obstruction_amount.unwrap_or_default())?,
        stepped: given.stepped,
        snapped: given.snapped,
        stats: stats([up, side, step, sensor, down, overlaps, pushes]),
    })
}

impl From<&Moved> for v1::MoveOutcome {
    fn from(moved: &Moved) -> Self {
        let state = encode_state(&moved.outcome.state, Some(moved.feet));
        Self { state: Some(state), ..encode_outcome(&moved.outcome) }
    }
}

impl v1::MoveOutcome {
    /// The answer to a move by this controller.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn moved(&self, controller: &Controller) -> Result<Moved, FieldError> {
        let state = state(self.state.as_ref(), controller)?;
        let given = self.state.as_ref().and_then(|state| state.feet);
        let feet = vector("state.feet", given.as_ref())?;
        Ok(Moved { outcome: outcome(self, state)?, feet })
    }
}

impl From<&Ticked> for v1::TickResponse {
    fn from(ticked: &Ticked) -> Self {
        Self {
            revision: 0,
            state: Some(encode_motion(&ticked.state, Some(ticked.feet))),
            outcome: Some(encode_outcome(&ticked.outcome)),
        }
    }
}

impl v1::TickResponse {
    /// The answer to a tick by this controller.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn ticked(&self, controller: &Controller) -> Result<Ticked, FieldError> {
        let state = motion_state(self.state.as_ref(), controller)?;
        let character = self.state.as_ref().and_then(|state| state.character.as_ref());
        let feet = character.and_then(|character| character.feet);
        let given = self.outcome.as_ref().ok_or_else(|| FieldError::missing("outcome"))?;
        Ok(Ticked {
            state,
            outcome: outcome(given, state.character)?,
            feet: vector("state.character.feet", feet.as_ref())?,
        })
    }
}

//! The fields that locomotion adds to characters.

use super::state::{encode_state, state};
use crate::batch::join;
use crate::column::{Column, shortened_vectors};
use crate::geometry::push3;
use crate::{FieldError, v1};
use capsweep::controller::{Boarded, CharacterState, Controller, LocomotionState, Mode};
use capsweep::scene::BodyId;
use glam::DVec3;

pub(crate) fn encode_mode(mode: Mode) -> i32 {
    let mode = match mode {
        Mode::Walk => v1::Mode::Walk,
        Mode::Fall => v1::Mode::Fall,
        Mode::Swim => v1::Mode::Swim,
        Mode::Fly => v1::Mode::Fly,
        Mode::WaterWalk => v1::Mode::WaterWalk,
    };
    mode as i32
}

/// A mode; `None` if it is not specified.
pub(crate) fn mode(field: &str, value: i32) -> Result<Option<Mode>, FieldError> {
    match v1::Mode::try_from(value) {
        Ok(v1::Mode::Unspecified) => Ok(None),
        Ok(v1::Mode::Walk) => Ok(Some(Mode::Walk)),
        Ok(v1::Mode::Fall) => Ok(Some(Mode::Fall)),
        Ok(v1::Mode::Swim) => Ok(Some(Mode::Swim)),
        Ok(v1::Mode::Fly) => Ok(Some(Mode::Fly)),
        Ok(v1::Mode::WaterWalk) => Ok(Some(Mode::WaterWalk)),
        Err(_) => Err(FieldError::unknown(field, value)),
    }
}

/// A character in motion. Without a mode, its footing determines the mode.
fn in_motion(
    character: CharacterState,
    velocity: DVec3,
    mode: Option<Mode>,
    boarded: Option<Boarded>,
) -> LocomotionState {
    let at_rest = LocomotionState::at_rest(character);
    LocomotionState { character, velocity, mode: mode.unwrap_or(at_rest.mode), boarded }
}

pub(crate) fn encode_motion(state: &LocomotionState, feet: Option<DVec3>) -> v1::LocomotionState {
    v1::LocomotionState {
        character: Some(encode_state(&state.character, feet)),
        velocity: Some(state.velocity.into()),
        mode: encode_mode(state.mode),
        boarded: state.boarded.map(|boarded| boarded.body.into()),
        boarded_velocity: state.boarded.map(|boarded| boarded.velocity.into()),
    }
}

pub(crate) fn motion_state(
    given: Option<&v1::LocomotionState>,
    controller: &Controller,
) -> Result<LocomotionState, FieldError> {
    let given = given.ok_or_else(|| FieldError::missing("state"))?;
    let character = state(given.character.as_ref(), controller)?;
    let velocity = given.velocity.map_or(DVec3::ZERO, DVec3::from);
    let boarded = given.boarded.map(|body| Boarded {
        body: body.into(),
        velocity: given.boarded_velocity.map_or(DVec3::ZERO, DVec3::from),
    });
    Ok(in_motion(character, velocity, mode("state.mode", given.mode)?, boarded))
}

/// Columns of the fields that locomotion adds to characters.
pub(crate) struct InMotion<'a> {
    velocity: Column<'a, f64>,
    mode: Column<'a, i32>,
    has_boarded: Column<'a, bool>,
    boarded_index: Column<'a, u32>,
    boarded_generation: Column<'a, u32>,
    boarded_velocity: Column<'a, f64>,
}

impl<'a> InMotion<'a> {
    pub(crate) fn new(
        columns: Option<&'a v1::LocomotionColumns>,
        rows: usize,
    ) -> Result<Self, FieldError> {
        const NONE: &v1::LocomotionColumns = &v1::LocomotionColumns {
            velocity: Vec::new(),
            mode: Vec::new(),
            has_boarded: Vec::new(),
            boarded_index: Vec::new(),
            boarded_generation: Vec::new(),
            boarded_velocity: Vec::new(),
        };
        let of = columns.unwrap_or(NONE);
        let generations = of.boarded_generation.as_slice();
        Ok(Self {
            velocity: Column::new("motion.velocity", &of.velocity, 3, rows)?,
            mode: Column::new("motion.mode", &of.mode, 1, rows)?,
            has_boarded: Column::new("motion.has_boarded", &of.has_boarded, 1, rows)?,
            boarded_index: Column::new("motion.boarded_index", &of.boarded_index, 1, rows)?,
            boarded_generation: Column::new("motion.boarded_generation", generations, 1, rows)?,
            boarded_velocity: Column::new(
                "motion.boarded_velocity",
                &of.boarded_velocity,
                3,
                rows,
            )?,
        })
    }

    pub(crate) fn get(
        &self,
        row: usize,
        character: CharacterState,
    ) -> Result<LocomotionState, FieldError> {
        let velocity = self.velocity.vector(row).unwrap_or(DVec3::ZERO);
        let mode = mode("motion.mode", self.mode.get(row).unwrap_or(0))?;
        let boarded = if self.has_boarded.get(row).unwrap_or(false) {
            let missing = |column: &str| FieldError::missing(&format!("motion.boarded_{column}"));
            let index = self.boarded_index.get(row).ok_or_else(|| missing("index"))?;
            let generation = self.boarded_generation.get(row);
            let generation = generation.ok_or_else(|| missing("generation"))?;
            Some(Boarded {
                body: BodyId::from_numbers(index, generation),
                velocity: self.boarded_velocity.vector(row).unwrap_or(DVec3::ZERO),
            })
        } else {
            None
        };
        Ok(in_motion(character, velocity, mode, boarded))
    }
}

impl v1::LocomotionColumns {
    pub(crate) fn push(&mut self, state: &LocomotionState) {
        push3(&mut self.velocity, state.velocity);
        self.mode.push(encode_mode(state.mode));
        let body = state.boarded.map_or(BodyId::from_numbers(0, 0), |boarded| boarded.body);
        self.has_boarded.push(state.boarded.is_some());
        self.boarded_index.push(body.index());
        self.boarded_generation.push(body.generation());
        let velocity = state.boarded.map_or(DVec3::ZERO, |boarded| boarded.velocity);
        push3(&mut self.boarded_velocity, velocity);
    }

    pub(crate) fn append(&mut self, other: &mut Self) {
        join!(self, other;
            velocity, mode, has_boarded, boarded_index, boarded_generation, boarded_velocity);
    }

    /// Leaves out the columns of transports if no character is aboard one.
    pub(crate) fn shorten(&mut self) {
        if !self.has_boarded.contains(&true) {
            self.has_boarded.clear();
            self.boarded_index.clear();
            self.boarded_generation.clear();
            self.boarded_velocity.clear();
        }
    }
}

pub(crate) fn motion_columns(
    states: impl Iterator<Item = LocomotionState>,
) -> v1::LocomotionColumns {
    let mut columns = v1::LocomotionColumns::default();
    for state in states {
        columns.push(&state);
    }
    columns.shorten();
    columns
}

/// Vectors that are 0 by default.
pub(crate) fn optional_vectors(values: impl Iterator<Item = DVec3>) -> Vec<f64> {
    shortened_vectors(values, Some(DVec3::ZERO))
}

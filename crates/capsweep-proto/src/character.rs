//! States of characters.

use crate::column::{Column, rows_of, shortened, shortened_vectors};
use crate::error::Within as _;
use crate::geometry::{body_id, normal, vector};
use crate::hit::{push3, push3f};
use crate::{FieldError, v1};
use capsweep::controller::{
    Boarded, CharacterParts, CharacterState, Clearance, Controller, Footing, LocomotionState, Mode,
};
use capsweep::scene::BodyId;
use glam::{DVec3, Vec3};

fn encode_clearance(clearance: Clearance) -> (i32, f32) {
    let (clearance, height) = match clearance {
        Clearance::Unknown => (v1::Clearance::Unknown, 0.0),
        Clearance::Free => (v1::Clearance::Free, 0.0),
        Clearance::Squeezed => (v1::Clearance::Squeezed, 0.0),
        Clearance::Crushed { height } => (v1::Clearance::Crushed, height),
    };
    (clearance as i32, height)
}

fn clearance(value: i32, height: f32) -> Result<Clearance, FieldError> {
    match v1::Clearance::try_from(value) {
        Ok(v1::Clearance::Unknown) => Ok(Clearance::Unknown),
        Ok(v1::Clearance::Free) => Ok(Clearance::Free),
        Ok(v1::Clearance::Squeezed) => Ok(Clearance::Squeezed),
        Ok(v1::Clearance::Crushed) => Ok(Clearance::Crushed { height }),
        Err(_) => Err(FieldError::unknown("state.clearance", value)),
    }
}

impl From<&Footing> for v1::Footing {
    fn from(footing: &Footing) -> Self {
        Self {
            body: Some(footing.body.into()),
            point: Some(footing.point.into()),
            normal: Some(footing.normal.into()),
            walkable: footing.walkable,
            velocity: Some(footing.velocity.into()),
        }
    }
}

fn footing(given: &v1::Footing) -> Result<Footing, FieldError> {
    Ok(Footing {
        body: body_id("body", given.body)?,
        point: vector("point", given.point.as_ref())?,
        normal: normal("normal", given.normal.as_ref())?,
        walkable: given.walkable,
        velocity: given.velocity.map_or(DVec3::ZERO, DVec3::from),
    })
}

/// The message of a character, with its feet in an answer.
pub(crate) fn encode_state(state: &CharacterState, feet: Option<DVec3>) -> v1::CharacterState {
    let parts = CharacterParts::from(*state);
    let (clearance, crushed_height) = encode_clearance(parts.clearance);
    v1::CharacterState {
        center: Some(parts.center.into()),
        radius: Some(parts.radius),
        total_height: Some(parts.total_height),
        footing: parts.footing.as_ref().map(v1::Footing::from),
        clearance,
        crushed_height: Some(crushed_height),
        sink: Some(parts.sink),
        feet: feet.map(v1::Vector::from),
    }
}

/// The character of a message. One without a centre is new.
pub(crate) fn state(
    given: Option<&v1::CharacterState>,
    controller: &Controller,
) -> Result<CharacterState, FieldError> {
    let given = given.ok_or_else(|| FieldError::missing("state"))?;
    let Some(center) = given.center else {
        let feet = vector("feet", given.feet.as_ref()).within("state")?;
        return controller.spawn(feet).within("state");
    };
    let config = controller.config();
    let parts = CharacterParts {
        center: center.into(),
        radius: given.radius.unwrap_or(config.radius),
        total_height: given.total_height.unwrap_or(config.total_height),
        footing: given.footing.as_ref().map(footing).transpose().within("state.footing")?,
        clearance: clearance(given.clearance, given.crushed_height.unwrap_or_default())?,
        sink: given.sink.unwrap_or_default(),
    };
    CharacterState::try_from(parts).within("state")
}

/// Columns of characters.
pub(crate) struct Characters<'a> {
    pub(crate) rows: usize,
    controller: Option<&'a Controller>,
    center: Column<'a, f64>,
    feet: Column<'a, f64>,
    radius: Column<'a, f32>,
    total_height: Column<'a, f32>,
    has_footing: Column<'a, bool>,
    body_index: Column<'a, u32>,
    body_generation: Column<'a, u32>,
    point: Column<'a, f64>,
    normal: Column<'a, f32>,
    walkable: Column<'a, bool>,
    velocity: Column<'a, f64>,
    clearance: Column<'a, i32>,
    crushed_height: Column<'a, f32>,
    sink: Column<'a, f64>,
}

impl<'a> Characters<'a> {
    /// Columns of a request, with its controller, or of an answer.
    pub(crate) fn new(
        columns: Option<&'a v1::CharacterColumns>,
        controller: Option<&'a Controller>,
    ) -> Result<Self, FieldError> {
        let of = columns.ok_or_else(|| FieldError::missing("state"))?;
        let rows = if of.center.is_empty() && controller.is_some() {
            rows_of("state.feet", of.feet.len(), 3)?
        } else {
            rows_of("state.center", of.center.len(), 3)?
        };
        // In an answer, or beside centres, the feet do not count.
        let feet = if of.center.is_empty() { of.feet.as_slice() } else { &[] };
        Ok(Self {
            rows,
            controller,
            center: Column::new("state.center", &of.center, 3, rows)?,
            feet: Column::new("state.feet", feet, 3, rows)?,
            radius: Column::new("state.radius", &of.radius, 1, rows)?,
            total_height: Column::new("state.total_height", &of.total_height, 1, rows)?,
            has_footing: Column::new("state.has_footing", &of.has_footing, 1, rows)?,
            body_index: Column::new("state.footing_body_index", &of.footing_body_index, 1, rows)?,
            body_generation: Column::new(
                "state.footing_body_generation",
                &of.footing_body_generation,
                1,
                rows,
            )?,
            point: Column::new("state.footing_point", &of.footing_point, 3, rows)?,
            normal: Column::new("state.footing_normal", &of.footing_normal, 3, rows)?,
            walkable: Column::new("state.footing_walkable", &of.footing_walkable, 1, rows)?,
            velocity: Column::new("state.footing_velocity", &of.footing_velocity, 3, rows)?,
            clearance: Column::new("state.clearance", &of.clearance, 1, rows)?,
            crushed_height: Column::new("state.crushed_height", &of.crushed_height, 1, rows)?,
            sink: Column::new("state.sink", &of.sink, 1, rows)?,
        })
    }

    pub(crate) fn get(&self, row: usize) -> Result<CharacterState, FieldError> {
        let Some(center) = self.center.vector(row) else {
            let controller = self.controller.ok_or_else(|| FieldError::missing("state.center"))?;
            let feet = self.feet.vector(row).ok_or_else(|| FieldError::missing("state.feet"))?;
            return controller.spawn(feet).within("state");
        };
        let config = self.controller.map(Controller::config);
        let (radius, height) = (self.radius.get(row), self.total_height.get(row));
        let size = radius.or(config.map(|config| config.radius));
        let tall = height.or(config.map(|config| config.total_height));
        let has_footing = self.has_footing.get(row).unwrap_or(false);
        let crushed = self.crushed_height.get(row).unwrap_or(0.0);
        let parts = CharacterParts {
            center,
            radius: size.ok_or_else(|| FieldError::missing("state.radius"))?,
            total_height: tall.ok_or_else(|| FieldError::missing("state.total_height"))?,
            footing: has_footing.then(|| self.footing(row)).transpose()?,
            clearance: clearance(self.clearance.get(row).unwrap_or(0), crushed)?,
            sink: self.sink.get(row).unwrap_or(0.0),
        };
        CharacterState::try_from(parts).within("state")
    }

    fn footing(&self, row: usize) -> Result<Footing, FieldError> {
        let missing = |column: &str| FieldError::missing(&format!("state.footing_{column}"));
        let index = self.body_index.get(row).ok_or_else(|| missing("body_index"))?;
        let generation = self.body_generation.get(row);
        let generation = generation.ok_or_else(|| missing("body_generation"))?;
        Ok(Footing {
            body: BodyId::from_numbers(index, generation),
            point: self.point.vector(row).ok_or_else(|| missing("point"))?,
            normal: self.normal.normal(row).ok_or_else(|| missing("normal"))?,
            walkable: self.walkable.get(row).ok_or_else(|| missing("walkable"))?,
            velocity: self.velocity.vector(row).unwrap_or(DVec3::ZERO),
        })
    }
}

impl v1::CharacterColumns {
    pub(crate) fn reserve(&mut self, rows: usize) {
        for column in [&mut self.center, &mut self.footing_point, &mut self.footing_velocity] {
            column.reserve(3 * rows);
        }
        self.feet.reserve(3 * rows);
        self.footing_normal.reserve(3 * rows);
        for column in [&mut self.radius, &mut self.total_height, &mut self.crushed_height] {
            column.reserve(rows);
        }
        for column in [&mut self.footing_body_index, &mut self.footing_body_generation] {
            column.reserve(rows);
        }
        self.has_footing.reserve(rows);
        self.footing_walkable.reserve(rows);
        self.clearance.reserve(rows);
        self.sink.reserve(rows);
    }

    /// Adds a character, with its feet in an answer.
    pub(crate) fn push(&mut self, state: &CharacterState, feet: Option<DVec3>) {
        let parts = CharacterParts::from(*state);
        let (clearance, crushed_height) = encode_clearance(parts.clearance);
        push3(&mut self.center, parts.center);
        self.radius.push(parts.radius);
        self.total_height.push(parts.total_height);
        self.has_footing.push(parts.footing.is_some());
        let none = Footing {
            body: BodyId::from_numbers(0, 0),
            point: DVec3::ZERO,
            normal: Vec3::ZERO,
            walkable: false,
            velocity: DVec3::ZERO,
        };
        let footing = parts.footing.unwrap_or(none);
        self.footing_body_index.push(footing.body.index());
        self.footing_body_generation.push(footing.body.generation());
        push3(&mut self.footing_point, footing.point);
        push3f(&mut self.footing_normal, footing.normal);
        self.footing_walkable.push(footing.walkable);
        push3(&mut self.footing_velocity, footing.velocity);
        self.clearance.push(clearance);
        self.crushed_height.push(crushed_height);
        self.sink.push(parts.sink);
        if let Some(feet) = feet {
            push3(&mut self.feet, feet);
        }
    }

    /// Shortens columns whose values are all the same.
    pub(crate) fn shorten(&mut self) {
        use core::mem::take;
        self.radius = shortened(take(&mut self.radius), None);
        self.total_height = shortened(take(&mut self.total_height), None);
        self.footing_body_generation = shortened(take(&mut self.footing_body_generation), None);
        self.crushed_height = shortened(take(&mut self.crushed_height), Some(0.0));
        self.sink = shortened(take(&mut self.sink), Some(0.0));
        if self.footing_velocity.iter().all(|value| value.to_bits() == 0) {
            self.footing_velocity.clear();
        }
    }
}

pub(crate) fn character_columns(
    states: impl IntoIterator<Item = CharacterState>,
) -> v1::CharacterColumns {
    let mut columns = v1::CharacterColumns::default();
    for state in states {
        columns.push(&state, None);
    }
    columns.shorten();
    columns
}

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

/// A character in motion. Without a mode, that of its footing.
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

/// Columns of what locomotion adds to characters.
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

    /// Leaves out columns of transports if nobody is aboard of one.
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

//! Moves by a displacement.

use super::around::{Around, carrier, surroundings, surroundings_columns};
use super::flags::{flagged, flags};
use crate::batch::Queries;
use crate::character::{Characters, character_columns, encode_state, state};
use crate::column::{Column, shortened};
use crate::error::Within as _;
use crate::geometry::motion;
use crate::query::Motions;
use crate::{FieldError, Omit, config, query, v1};
use capsweep::controller::{CharacterState, Controller, MoveInput, MoveStyle};

/// The move of one character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveQuery {
    /// The character.
    pub state: CharacterState,
    /// The move.
    pub input: MoveInput,
}

#[inline]
fn style(free: bool, float_line: Option<f64>) -> MoveStyle {
    if free { MoveStyle::Free { float_line } } else { MoveStyle::Walk }
}

/// Checks the numbers that the library does not check itself.
#[inline]
fn check_input(input: &MoveInput) -> Result<(), FieldError> {
    check_number("dt", input.dt, 0.0)?;
    check_number("hover", input.hover, 0.0)?;
    check_number("floor", input.floor.unwrap_or(0.0), -capsweep::MAX_POSITION)?;
    let MoveStyle::Free { float_line: Some(line) } = input.style else { return Ok(()) };
    check_number("float_line", line, -capsweep::MAX_POSITION)
}

#[inline]
fn check_number(field: &str, value: f64, least: f64) -> Result<(), FieldError> {
    // NaN is in no range.
    if (least..=capsweep::MAX_POSITION).contains(&value) {
        Ok(())
    } else {
        Err(bad_number(field, value))
    }
}

#[cold]
fn bad_number(field: &str, value: f64) -> FieldError {
    let limit = capsweep::MAX_POSITION;
    let message = if value.is_nan() || value.abs() > limit {
        format!("{value} is not finite, or its magnitude is above {limit:e}")
    } else {
        format!("{value} is negative")
    };
    FieldError::new(field, message)
}

impl v1::MoveRequest {
    /// The controller, the character and its move.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn query(&self) -> Result<(Controller, MoveQuery), FieldError> {
        let controller = config::controller(self.config.as_ref())?;
        let state = state(self.state.as_ref(), &controller)?;
        let given = self.input.as_ref().ok_or_else(|| FieldError::missing("input"))?;
        let carrier = given.carrier.as_ref().map(carrier).transpose();
        let input = MoveInput {
            displacement: motion("input.displacement", given.displacement.as_ref())?,
            dt: given.dt,
            surroundings: surroundings(given.filter.as_ref(), given.ignore).within("input")?,
            slippery: given.slippery,
            carrier: carrier.within("input.carrier")?,
            style: style(given.free, given.float_line),
            hover: given.hover,
            floor: given.floor,
        };
        check_input(&input).within("input")?;
        Ok((controller, MoveQuery { state, input }))
    }

    /// A request for a move.
    pub fn new(controller: &Controller, MoveQuery { state, input }: &MoveQuery) -> Self {
        let float_line = match input.style {
            MoveStyle::Walk => None,
            MoveStyle::Free { float_line } => float_line,
        };
        let input = v1::MoveInput {
            displacement: Some(input.displacement.into()),
            dt: input.dt,
            filter: Some(input.surroundings.filter.into()),
            ignore: input.surroundings.ignore.map(v1::BodyId::from),
            slippery: input.slippery,
            carrier: input.carrier.as_ref().map(v1::Carrier::from),
            free: matches!(input.style, MoveStyle::Free { .. }),
            float_line,
            hover: input.hover,
            floor: input.floor,
        };
        Self {
            config: Some(controller.config().into()),
            state: Some(encode_state(state, None)),
            input: Some(input),
            ..Self::default()
        }
    }
}

/// Bits of the column of flags.
mod move_flag {
    pub(super) const SLIPPERY: u32 = 1;
    pub(super) const FREE: u32 = 2;
    pub(super) const FLOAT_LINE: u32 = 4;
    pub(super) const FLOOR: u32 = 8;
    pub(super) const ALL: u32 = 15;
}

/// Checked columns of a batch of moves.
pub struct MoveColumns<'a> {
    characters: Characters<'a>,
    displacement: Motions<'a>,
    dt: Column<'a, f64>,
    around: Around<'a>,
    flags: Column<'a, u32>,
    float_line: Column<'a, f64>,
    hover: Column<'a, f64>,
    floor: Column<'a, f64>,
    omit: Omit,
}

impl v1::MoveBatchRequest {
    /// The controller of all moves.
    ///
    /// # Errors
    /// If a value is bad.
    pub fn controller(&self) -> Result<Controller, FieldError> {
        config::controller(self.config.as_ref())
    }

    /// The moves.
    ///
    /// # Errors
    /// If a column has a wrong length, or `omit` has unknown bits.
    pub fn queries<'a>(
        &'a self,
        controller: &'a Controller,
    ) -> Result<MoveColumns<'a>, FieldError> {
        let characters = Characters::new(self.state.as_ref(), Some(controller))?;
        let rows = characters.rows;
        let (vectors, lengths) = (&self.displacement, &self.displacement_length);
        Ok(MoveColumns {
            characters,
            displacement: Motions::new("displacement", vectors, lengths, rows)?,
            dt: Column::new("dt", &self.dt, 1, rows)?,
            around: Around::new(self.surroundings.as_ref(), rows)?,
            flags: Column::new("flags", &self.flags, 1, rows)?,
            float_line: Column::new("float_line", &self.float_line, 1, rows)?,
            hover: Column::new("hover", &self.hover, 1, rows)?,
            floor: Column::new("floor", &self.floor, 1, rows)?,
            omit: Omit::try_from(self.omit)?,
        })
    }

    /// A request for moves.
    pub fn new(controller: &Controller, queries: &[MoveQuery]) -> Self {
        let inputs = queries.iter().map(|query| &query.input);
        let float_line = |input: &MoveInput| match input.style {
            MoveStyle::Free { float_line } => float_line,
            MoveStyle::Walk => None,
        };
        let flags = |input: &MoveInput| {
            let free = matches!(input.style, MoveStyle::Free { .. });
            u32::from(input.slippery) * move_flag::SLIPPERY
                + u32::from(free) * move_flag::FREE
                + u32::from(float_line(input).is_some()) * move_flag::FLOAT_LINE
                + u32::from(input.floor.is_some()) * move_flag::FLOOR
        };
        let displacements = inputs.clone().map(|input| input.displacement);
        let (displacement, displacement_length) = query::motion_columns(displacements);
        let lines = inputs.clone().map(|input| float_line(input).unwrap_or(0.0));
        let floors = inputs.clone().map(|input| input.floor.unwrap_or(0.0));
        // These columns have no default: they need a value where a bit is set.
        let has = |bit: u32| inputs.clone().any(|input| flags(input) & bit != 0);
        let kept = |column: Vec<f64>, bit| if has(bit) { column } else { Vec::new() };
        Self {
            config: Some(controller.config().into()),
            state: Some(character_columns(queries.iter().map(|query| query.state))),
            displacement,
            displacement_length,
            dt: shortened(inputs.clone().map(|input| input.dt), Some(0.0)),
            surroundings: surroundings_columns(
                inputs.clone().map(|input| (input.surroundings, input.carrier)),
            ),
            flags: shortened(inputs.clone().map(flags), Some(0)),
            float_line: kept(shortened(lines, None), move_flag::FLOAT_LINE),
            hover: shortened(inputs.clone().map(|input| input.hover), Some(0.0)),
            floor: kept(shortened(floors, None), move_flag::FLOOR),
            ..Self::default()
        }
    }
}

impl Queries for MoveColumns<'_> {
    type Query = MoveQuery;

    fn rows(&self) -> usize {
        self.characters.rows
    }

    fn omit(&self) -> Omit {
        self.omit
    }

    #[inline]
    fn query(&self, row: usize) -> Result<MoveQuery, FieldError> {
        let flags = flags(self.flags.get(row), move_flag::ALL)?;
        let has = |bit: u32| flags & bit != 0;
        let line = flagged("float_line", self.float_line.get(row), has(move_flag::FLOAT_LINE))?;
        let surroundings = self.around.surroundings(row)?;
        let carrier = self.around.carrier(row)?;
        let input = MoveInput {
            displacement: self.displacement.get(row)?,
            dt: self.dt.get(row).unwrap_or(0.0),
            surroundings,
            slippery: has(move_flag::SLIPPERY),
            carrier: carrier.copied(),
            style: style(has(move_flag::FREE), line),
            hover: self.hover.get(row).unwrap_or(0.0),
            floor: flagged("floor", self.floor.get(row), has(move_flag::FLOOR))?,
        };
        check_input(&input)?;
        Ok(MoveQuery { state: self.characters.get(row)?, input })
    }
}

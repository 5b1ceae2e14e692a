//! Moves and ticks: their requests.

use crate::batch::Queries;
use crate::character::{
    Characters, InMotion, character_columns, encode_motion, encode_state, motion_columns,
    motion_state, optional_vectors, state,
};
use crate::column::{Column, shortened};
use crate::error::Within as _;
use crate::geometry::{Filters, body_id, encode_filters, enum_pair, filter, motion, pose};
use crate::query::Motions;
use crate::{FieldError, config, query, v1};
use capsweep::controller::{
    Abilities, Carrier, CharacterState, Controller, Locomotion, LocomotionInput, LocomotionState,
    MoveInput, MoveStyle, Ride, Surroundings, Water,
};
use capsweep::scene::BodyId;
use glam::DVec3;

/// The move of one character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveQuery {
    /// The character.
    pub state: CharacterState,
    /// The move.
    pub input: MoveInput,
}

/// The tick of one character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TickQuery {
    /// The character.
    pub state: LocomotionState,
    /// The tick.
    pub input: LocomotionInput,
}

enum_pair!(encode_ride, ride: Ride = Ride { Full, Vertical, Manual, Boarded });

impl From<&Carrier> for v1::Carrier {
    fn from(carrier: &Carrier) -> Self {
        Self {
            body: Some(carrier.body.into()),
            previous: Some(carrier.previous.into()),
            next: Some(carrier.next.into()),
            ride: encode_ride(carrier.ride),
        }
    }
}

pub(crate) fn carrier(given: &v1::Carrier) -> Result<Carrier, FieldError> {
    Ok(Carrier {
        body: body_id("body", given.body)?,
        previous: pose("previous", given.previous.as_ref())?,
        next: pose("next", given.next.as_ref())?,
        ride: ride("ride", given.ride)?,
    })
}

pub(crate) fn surroundings(
    of: Option<&v1::Filter>,
    ignore: Option<v1::BodyId>,
) -> Result<Surroundings, FieldError> {
    Ok(Surroundings { filter: filter(of)?, ignore: ignore.map(BodyId::from) })
}

fn style(free: bool, float_line: Option<f64>) -> MoveStyle {
    if free { MoveStyle::Free { float_line } } else { MoveStyle::Walk }
}

/// Numbers that the library takes as they are.
fn check_input(input: &MoveInput) -> Result<(), FieldError> {
    let MoveStyle::Free { float_line } = input.style else {
        return check_finite(input, None);
    };
    check_finite(input, float_line)
}

fn check_finite(input: &MoveInput, float_line: Option<f64>) -> Result<(), FieldError> {
    let numbers = [
        ("input.dt", input.dt),
        ("input.hover", input.hover),
        ("input.floor", input.floor.unwrap_or(0.0)),
        ("input.float_line", float_line.unwrap_or(0.0)),
    ];
    for (field, value) in numbers {
        let limit = capsweep::MAX_POSITION;
        if value.is_nan() || value.abs() > limit {
            let message = format!("{value} is not finite, or its magnitude is above {limit:e}");
            return Err(FieldError::new(field, message));
        }
    }
    for (field, value) in &numbers[..2] {
        if *value < 0.0 {
            return Err(FieldError::new(*field, format!("{value} is negative")));
        }
    }
    Ok(())
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
        check_input(&input)?;
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

/// Columns of what characters collide with.
struct Around<'a> {
    filters: Filters<'a>,
    ignored: &'a [v1::BodyId],
    ignore: Column<'a, u32>,
    carriers: Vec<Carrier>,
    carrier: Column<'a, u32>,
}

/// A value of a table by its number; 0 is none.
fn numbered<T: Copy>(
    field: &str,
    table: &[T],
    number: Option<u32>,
) -> Result<Option<T>, FieldError> {
    let Some(index) = number.unwrap_or(0).checked_sub(1) else { return Ok(None) };
    let missing = || {
        let message = format!("there is no entry {} among {}", index + 1, table.len());
        FieldError::new(field, message)
    };
    table.get(index as usize).copied().map(Some).ok_or_else(missing)
}

impl<'a> Around<'a> {
    fn new(columns: Option<&'a v1::SurroundingsColumns>, rows: usize) -> Result<Self, FieldError> {
        let Some(of) = columns else {
            return Ok(Self {
                filters: Filters::new(None, rows)?,
                ignored: &[],
                ignore: Column::new("", &[], 1, rows)?,
                carriers: Vec::new(),
                carrier: Column::new("", &[], 1, rows)?,
            });
        };
        let carriers = of.carriers.iter().map(carrier).collect::<Result<_, _>>();
        Ok(Self {
            filters: Filters::new(of.filters.as_ref(), rows).within("surroundings")?,
            ignored: &of.ignored,
            ignore: Column::new("surroundings.ignore", &of.ignore, 1, rows)?,
            carriers: carriers.within("surroundings.carriers")?,
            carrier: Column::new("surroundings.carrier", &of.carrier, 1, rows)?,
        })
    }

    fn get(&self, row: usize) -> Result<(Surroundings, Option<Carrier>), FieldError> {
        let ignore = numbered("surroundings.ignore", self.ignored, self.ignore.get(row))?;
        let carrier = numbered("surroundings.carrier", &self.carriers, self.carrier.get(row))?;
        let filter = self.filters.get(row).within("surroundings")?;
        Ok((Surroundings { filter, ignore: ignore.map(BodyId::from) }, carrier))
    }
}

/// The number of a value in a table, which gets it if it is new.
fn number_of<T: PartialEq>(table: &mut Vec<T>, value: Option<T>) -> u32 {
    let Some(value) = value else { return 0 };
    let index = table.iter().position(|other| *other == value).unwrap_or_else(|| {
        table.push(value);
        table.len() - 1
    });
    index as u32 + 1
}

fn surroundings_columns(
    all: impl Iterator<Item = (Surroundings, Option<Carrier>)> + Clone,
) -> Option<v1::SurroundingsColumns> {
    let mut columns = v1::SurroundingsColumns {
        filters: encode_filters(all.clone().map(|(surroundings, _)| surroundings.filter)),
        ..v1::SurroundingsColumns::default()
    };
    for (Surroundings { ignore, .. }, carrier) in all {
        let number = number_of(&mut columns.ignored, ignore.map(v1::BodyId::from));
        columns.ignore.push(number);
        let carrier = carrier.as_ref().map(v1::Carrier::from);
        let number = number_of(&mut columns.carriers, carrier);
        columns.carrier.push(number);
    }
    columns.ignore = shortened(columns.ignore, Some(0));
    columns.carrier = shortened(columns.carrier, Some(0));
    (columns != v1::SurroundingsColumns::default()).then_some(columns)
}

/// A bit of a column of flags.
mod move_flag {
    pub(super) const SLIPPERY: u32 = 1;
    pub(super) const FREE: u32 = 2;
    pub(super) const FLOAT_LINE: u32 = 4;
    pub(super) const FLOOR: u32 = 8;
    pub(super) const ALL: u32 = 15;
}

/// Flags without unknown bits.
fn flags(given: Option<u32>, known: u32) -> Result<u32, FieldError> {
    let flags = given.unwrap_or(0);
    if flags & !known == 0 {
        Ok(flags)
    } else {
        Err(FieldError::new("flags", format!("{flags} has unknown bits: the known are {known}")))
    }
}

/// A value that counts if its bit is set.
fn flagged<T>(column: &str, value: Option<T>, is_set: bool) -> Result<Option<T>, FieldError> {
    match (is_set, value) {
        (false, _) => Ok(None),
        (true, Some(value)) => Ok(Some(value)),
        (true, None) => Err(FieldError::missing(column)),
    }
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
    /// If a column has a wrong length.
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
        // The default of these columns does not count: a value must stand where a bit is set.
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

    fn query(&self, row: usize) -> Result<MoveQuery, FieldError> {
        let flags = flags(self.flags.get(row), move_flag::ALL)?;
        let has = |bit: u32| flags & bit != 0;
        let line = flagged("float_line", self.float_line.get(row), has(move_flag::FLOAT_LINE))?;
        let (surroundings, carrier) = self.around.get(row)?;
        let input = MoveInput {
            displacement: self.displacement.get(row)?,
            dt: self.dt.get(row).unwrap_or(0.0),
            surroundings,
            slippery: has(move_flag::SLIPPERY),
            carrier,
            style: style(has(move_flag::FREE), line),
            hover: self.hover.get(row).unwrap_or(0.0),
            floor: flagged("floor", self.floor.get(row), has(move_flag::FLOOR))?,
        };
        check_input(&input)?;
        Ok(MoveQuery { state: self.characters.get(row)?, input })
    }
}

pub(crate) fn encode_water(water: Water) -> Option<v1::Water> {
    let place = match water {
        Water::Scene => return None,
        Water::Plane { surface } => v1::water::Place::Plane(surface),
        Water::None => v1::water::Place::None(true),
    };
    Some(v1::Water { place: Some(place) })
}

pub(crate) fn water(given: Option<&v1::Water>) -> Result<Water, FieldError> {
    match given.and_then(|given| given.place) {
        Some(v1::water::Place::Plane(surface)) => {
            if surface.abs() <= capsweep::MAX_POSITION {
                Ok(Water::Plane { surface })
            } else {
                let message = format!("{surface} is not finite or out of range");
                Err(FieldError::new("water.plane", message))
            }
        }
        Some(v1::water::Place::None(true)) => Ok(Water::None),
        Some(v1::water::Place::None(false)) | None => Ok(Water::Scene),
    }
}

impl From<Abilities> for v1::Abilities {
    fn from(abilities: Abilities) -> Self {
        let Abilities { fly, hover, water_walking, slow_fall, rooted } = abilities;
        Self { fly, hover, water_walking, slow_fall, rooted }
    }
}

impl From<v1::Abilities> for Abilities {
    fn from(abilities: v1::Abilities) -> Self {
        let v1::Abilities { fly, hover, water_walking, slow_fall, rooted } = abilities;
        Self { fly, hover, water_walking, slow_fall, rooted }
    }
}

impl v1::TickRequest {
    /// The locomotion, the character and its tick.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn query(&self) -> Result<(Locomotion, TickQuery), FieldError> {
        let locomotion = config::locomotion(self.config.as_ref(), self.locomotion.as_ref())?;
        let state = motion_state(self.state.as_ref(), locomotion.controller())?;
        let given = self.input.as_ref().ok_or_else(|| FieldError::missing("input"))?;
        let carrier = given.carrier.as_ref().map(carrier).transpose();
        let input = LocomotionInput {
            walk: given.walk.map_or(DVec3::ZERO, DVec3::from),
            jump: given.jump,
            dt: given.dt,
            surroundings: surroundings(given.filter.as_ref(), given.ignore).within("input")?,
            slippery: given.slippery,
            carrier: carrier.within("input.carrier")?,
            abilities: given.abilities.map_or_else(Abilities::default, Abilities::from),
            knock_back: given.knock_back.map(DVec3::from),
            water: water(given.water.as_ref()).within("input")?,
        };
        Ok((locomotion, TickQuery { state, input }))
    }

    /// A request for a tick.
    pub fn new(locomotion: &Locomotion, TickQuery { state, input }: &TickQuery) -> Self {
        let input = v1::TickInput {
            walk: Some(input.walk.into()),
            jump: input.jump,
            dt: input.dt,
            filter: Some(input.surroundings.filter.into()),
            ignore: input.surroundings.ignore.map(v1::BodyId::from),
            slippery: input.slippery,
            carrier: input.carrier.as_ref().map(v1::Carrier::from),
            abilities: Some(input.abilities.into()),
            knock_back: input.knock_back.map(v1::Vector::from),
            water: encode_water(input.water),
        };
        Self {
            config: Some(locomotion.controller().config().into()),
            locomotion: Some(locomotion.config().into()),
            state: Some(encode_motion(state, None)),
            input: Some(input),
            ..Self::default()
        }
    }
}

mod tick_flag {
    pub(super) const JUMP: u32 = 1;
    pub(super) const SLIPPERY: u32 = 2;
    pub(super) const FLY: u32 = 4;
    pub(super) const WATER_WALKING: u32 = 8;
    pub(super) const SLOW_FALL: u32 = 16;
    pub(super) const ROOTED: u32 = 32;
    pub(super) const KNOCK_BACK: u32 = 64;
    pub(super) const ALL: u32 = 127;
}

/// Checked columns of a batch of ticks.
pub struct TickColumns<'a> {
    characters: Characters<'a>,
    motion: InMotion<'a>,
    walk: Column<'a, f64>,
    dt: Column<'a, f64>,
    around: Around<'a>,
    flags: Column<'a, u32>,
    hover: Column<'a, f64>,
    knock_back: Column<'a, f64>,
    water: Water,
}

impl v1::TickBatchRequest {
    /// The locomotion of all ticks.
    ///
    /// # Errors
    /// If a value is bad.
    pub fn locomotion_of_all(&self) -> Result<Locomotion, FieldError> {
        config::locomotion(self.config.as_ref(), self.locomotion.as_ref())
    }

    /// The ticks.
    ///
    /// # Errors
    /// If a column has a wrong length, or the water is bad.
    pub fn queries<'a>(
        &'a self,
        locomotion: &'a Locomotion,
    ) -> Result<TickColumns<'a>, FieldError> {
        let characters = Characters::new(self.state.as_ref(), Some(locomotion.controller()))?;
        let rows = characters.rows;
        Ok(TickColumns {
            characters,
            motion: InMotion::new(self.motion.as_ref(), rows)?,
            walk: Column::new("walk", &self.walk, 3, rows)?,
            dt: Column::new("dt", &self.dt, 1, rows)?,
            around: Around::new(self.surroundings.as_ref(), rows)?,
            flags: Column::new("flags", &self.flags, 1, rows)?,
            hover: Column::new("hover", &self.hover, 1, rows)?,
            knock_back: Column::new("knock_back", &self.knock_back, 3, rows)?,
            water: water(self.water.as_ref())?,
        })
    }

    /// A request for ticks. All of them find water where the first one does.
    pub fn new(locomotion: &Locomotion, queries: &[TickQuery]) -> Self {
        let inputs = queries.iter().map(|query| &query.input);
        let flags = |input: &LocomotionInput| {
            u32::from(input.jump) * tick_flag::JUMP
                + u32::from(input.slippery) * tick_flag::SLIPPERY
                + u32::from(input.abilities.fly) * tick_flag::FLY
                + u32::from(input.abilities.water_walking) * tick_flag::WATER_WALKING
                + u32::from(input.abilities.slow_fall) * tick_flag::SLOW_FALL
                + u32::from(input.abilities.rooted) * tick_flag::ROOTED
                + u32::from(input.knock_back.is_some()) * tick_flag::KNOCK_BACK
        };
        let knocked = inputs.clone().any(|input| input.knock_back.is_some());
        let knock_back = inputs.clone().map(|input| input.knock_back.unwrap_or(DVec3::ZERO));
        let knock_back = knock_back.flat_map(|velocity| velocity.to_array());
        let water = inputs.clone().next().map_or(Water::Scene, |input| input.water);
        Self {
            config: Some(locomotion.controller().config().into()),
            locomotion: Some(locomotion.config().into()),
            state: Some(character_columns(queries.iter().map(|query| query.state.character))),
            motion: Some(motion_columns(queries.iter().map(|query| query.state))),
            walk: optional_vectors(inputs.clone().map(|input| input.walk)),
            dt: shortened(inputs.clone().map(|input| input.dt), Some(0.0)),
            surroundings: surroundings_columns(
                inputs.clone().map(|input| (input.surroundings, input.carrier)),
            ),
            flags: shortened(inputs.clone().map(flags), Some(0)),
            hover: shortened(inputs.clone().map(|input| input.abilities.hover), Some(0.0)),
            knock_back: if knocked { knock_back.collect() } else { Vec::new() },
            water: encode_water(water),
            ..Self::default()
        }
    }
}

impl Queries for TickColumns<'_> {
    type Query = TickQuery;

    fn rows(&self) -> usize {
        self.characters.rows
    }

    fn query(&self, row: usize) -> Result<TickQuery, FieldError> {
        let flags = flags(self.flags.get(row), tick_flag::ALL)?;
        let has = |bit: u32| flags & bit != 0;
        let (surroundings, carrier) = self.around.get(row)?;
        let knock_back = self.knock_back.vector(row);
        let input = LocomotionInput {
            walk: self.walk.vector(row).unwrap_or(DVec3::ZERO),
            jump: has(tick_flag::JUMP),
            dt: self.dt.get(row).unwrap_or(0.0),
            surroundings,
            slippery: has(tick_flag::SLIPPERY),
            carrier,
            abilities: Abilities {
                fly: has(tick_flag::FLY),
                hover: self.hover.get(row).unwrap_or(0.0),
                water_walking: has(tick_flag::WATER_WALKING),
                slow_fall: has(tick_flag::SLOW_FALL),
                rooted: has(tick_flag::ROOTED),
            },
            knock_back: flagged("knock_back", knock_back, has(tick_flag::KNOCK_BACK))?,
            water: self.water,
        };
        let character = self.characters.get(row)?;
        Ok(TickQuery { state: self.motion.get(row, character)?, input })
    }
}

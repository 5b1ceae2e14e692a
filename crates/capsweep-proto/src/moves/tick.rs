//! Ticks of locomotion.

use super::around::{Around, carrier, surroundings, surroundings_columns};
use super::flags::{flagged, flags};
use super::water::{encode_water, water};
use crate::batch::Queries;
use crate::character::{
    Characters, InMotion, character_columns, encode_motion, motion_columns, motion_state,
    optional_vectors,
};
use crate::column::{Column, shortened};
use crate::error::Within as _;
use crate::{FieldError, Omit, config, v1};
use capsweep::controller::{Abilities, Locomotion, LocomotionInput, LocomotionState, Water};
use glam::DVec3;

/// The tick of one character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TickQuery {
    /// The character.
    pub state: LocomotionState,
    /// The tick.
    pub input: LocomotionInput,
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
    omit: Omit,
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
    /// If a column has a wrong length, the water is bad, or `omit` has unknown bits.
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
            omit: Omit::try_from(self.omit)?,
        })
    }

    /// A request for ticks. All of them use the water setting of the first.
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

    fn omit(&self) -> Omit {
        self.omit
    }

    fn query(&self, row: usize) -> Result<TickQuery, FieldError> {
        let flags = flags(self.flags.get(row), tick_flag::ALL)?;
        let has = |bit: u32| flags & bit != 0;
        let surroundings = self.around.surroundings(row)?;
        let carrier = self.around.carrier(row)?;
        let knock_back = self.knock_back.vector(row);
        let input = LocomotionInput {
            walk: self.walk.vector(row).unwrap_or(DVec3::ZERO),
            jump: has(tick_flag::JUMP),
            dt: self.dt.get(row).unwrap_or(0.0),
            surroundings,
            slippery: has(tick_flag::SLIPPERY),
            carrier: carrier.copied(),
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

//! The inputs of a step: columns, and one character's input from them.

use crate::error::{self, Fault, Refused};
use crate::input::{FilterArgs, Scalars, Vectors, at, body_id};
use crate::members::check_rows;
use crate::scene::PoseArgs;
use capsweep::controller::{
    Abilities, Carrier, CharacterState, LocomotionInput, LocomotionState, MoveInput, MoveStyle,
    Ride, Surroundings, Water,
};
use capsweep::scene::BodyId;
use capsweep::{Motion, ShapeError};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// The style of `fly`.
const FLYING: MoveStyle = MoveStyle::Free { float_line: None };

/// Everything of a tick or move but the displacement or velocity.
#[derive(FromPyObject)]
pub(crate) struct StepArgs<'py> {
    /// Desired velocities of a tick, displacements of a move.
    motion: PyReadonlyArray2<'py, f64>,
    jump: PyReadonlyArray1<'py, bool>,
    dt: PyReadonlyArray1<'py, f64>,
    /// Abilities as bits: fly, water walking, slow fall, rooted, slippery; flying of a move.
    abilities: PyReadonlyArray1<'py, u8>,
    hover: PyReadonlyArray1<'py, f64>,
    /// Of a move: heights of level surfaces that carry the feet; NaN for none.
    floor: Option<PyReadonlyArray1<'py, f64>>,
    /// Rows of NaN for none.
    knock_back: Option<PyReadonlyArray2<'py, f64>>,
    /// See [`water`].
    water: Option<f64>,
    carriers: Vec<CarrierArgs<'py>>,
    /// Number of the carrier that each character is aboard of; -1 for none.
    aboard: Option<PyReadonlyArray1<'py, i64>>,
    filter: FilterArgs<'py>,
    pub(super) threads: Option<usize>,
}

#[derive(FromPyObject)]
pub(crate) struct CarrierArgs<'py> {
    body: i64,
    previous: PoseArgs<'py>,
    next: PoseArgs<'py>,
    ride: u8,
}

impl CarrierArgs<'_> {
    fn get(&self, py: Python<'_>, name: &str, index: usize) -> PyResult<Carrier> {
        let body = body_id(self.body).unwrap_or_else(|| BodyId::from_numbers(u32::MAX, u32::MAX));
        let pose = |poses: &PoseArgs<'_>, end: &str| {
            poses.get(0).map_err(|fault| {
                let message = format!("{name}[{index}], {end} pose: {}", fault.error);
                error::input_error(py, message, name, Some(index), error::value_of(&fault.error))
            })
        };
        let ride = match self.ride {
            1 => Ride::Vertical,
            2 => Ride::Manual,
            3 => Ride::Boarded,
            _ => Ride::Full,
        };
        let (previous, next) = (pose(&self.previous, "previous")?, pose(&self.next, "next")?);
        Ok(Carrier { ride, ..Carrier::new(body, previous, next) })
    }
}

/// The carriers of the argument `name`.
pub(crate) fn carriers(
    py: Python<'_>,
    name: &str,
    args: &[CarrierArgs<'_>],
) -> PyResult<Vec<Carrier>> {
    args.iter().enumerate().map(|(index, carrier)| carrier.get(py, name, index)).collect()
}

/// `None` for the scene's liquids, NaN for none, a height for a plane.
pub(crate) fn water(surface: Option<f64>) -> Water {
    match surface {
        None => Water::Scene,
        Some(surface) if surface.is_nan() => Water::None,
        Some(surface) => Water::Plane { surface },
    }
}

/// The inputs of one step, by character.
pub(super) struct Steps<'a> {
    motion: Vectors<'a>,
    jump: Scalars<'a, bool>,
    dt: Scalars<'a, f64>,
    abilities: Scalars<'a, u8>,
    hover: Scalars<'a, f64>,
    floor: Option<Scalars<'a, f64>>,
    knock_back: Option<Vectors<'a>>,
    water: Water,
    carriers: Vec<Carrier>,
    aboard: Option<Scalars<'a, i64>>,
    filter: crate::input::Filters<'a>,
}

impl StepArgs<'_> {
    pub(super) fn view(&self, py: Python<'_>) -> PyResult<Steps<'_>> {
        Ok(Steps {
            motion: Vectors(self.motion.as_array()),
            jump: Scalars(self.jump.as_array()),
            dt: Scalars(self.dt.as_array()),
            abilities: Scalars(self.abilities.as_array()),
            hover: Scalars(self.hover.as_array()),
            floor: self.floor.as_ref().map(|rows| Scalars(rows.as_array())),
            knock_back: self.knock_back.as_ref().map(|rows| Vectors(rows.as_array())),
            water: water(self.water),
            carriers: carriers(py, "carriers", &self.carriers)?,
            aboard: self.aboard.as_ref().map(|rows| Scalars(rows.as_array())),
            filter: self.filter.view(),
        })
    }
}

impl Steps<'_> {
    fn surroundings(&self, index: usize) -> Surroundings {
        Surroundings { filter: self.filter.get(index), ignore: self.filter.ignore(index) }
    }

    /// The carrier that the character is aboard of, or stands on.
    fn carrier(&self, index: usize, character: &CharacterState) -> Option<Carrier> {
        let aboard = self.aboard.and_then(|aboard| usize::try_from(aboard.get(index)).ok());
        if let Some(carrier) = aboard.and_then(|number| self.carriers.get(number)) {
            return Some(Carrier { ride: Ride::Boarded, ..*carrier });
        }
        let under = character.footing()?.body;
        self.carriers.iter().find(|carrier| carrier.body == under).copied()
    }

    fn bit(&self, index: usize, bit: u8) -> bool {
        self.abilities.get(index) & (1 << bit) != 0
    }

    #[inline(always)]
    pub(super) fn tick_input(&self, index: usize, state: &LocomotionState) -> LocomotionInput {
        let knock_back = self.knock_back.map(|rows| rows.get(index));
        LocomotionInput {
            walk: self.motion.get(index),
            jump: self.jump.get(index),
            dt: self.dt.get(index),
            surroundings: self.surroundings(index),
            slippery: self.bit(index, 4),
            carrier: self.carrier(index, &state.character),
            abilities: Abilities {
                fly: self.bit(index, 0),
                hover: self.hover.get(index),
                water_walking: self.bit(index, 1),
                slow_fall: self.bit(index, 2),
                rooted: self.bit(index, 3),
            },
            // A row of NaN is no knock-back.
            knock_back: knock_back.filter(|velocity| !velocity.is_nan_mask().all()),
            water: self.water,
        }
    }

    /// The displacement of a move, if it and its amounts are in range.
    #[inline(always)]
    pub(super) fn displacement(&self, index: usize) -> Result<Motion, ShapeError> {
        let displacement = Motion::new(self.motion.get(index))?;
        check_amounts(self.dt.get(index), self.hover.get(index))?;
        check_floor(self.floor(index).unwrap_or(0.0))?;
        Ok(displacement)
    }

    fn floor(&self, index: usize) -> Option<f64> {
        self.floor.map(|rows| rows.get(index)).filter(|floor| !floor.is_nan())
    }

    #[inline(always)]
    pub(super) fn move_input(
        &self,
        index: usize,
        displacement: Motion,
        state: &CharacterState,
    ) -> MoveInput {
        MoveInput {
            displacement,
            dt: self.dt.get(index),
            surroundings: self.surroundings(index),
            slippery: self.bit(index, 4),
            carrier: self.carrier(index, state),
            style: if self.bit(index, 0) { FLYING } else { MoveStyle::Walk },
            hover: self.hover.get(index),
            floor: self.floor(index),
        }
    }

    /// Refuses columns for another number of characters than there are. The Python half has told
    /// which one is wrong, unless another thread changed their number since.
    pub(super) fn check_rows(&self, characters: usize) -> Result<(), Refused> {
        let columns = [
            ("walk", self.motion.len()),
            ("jump", self.jump.len()),
            ("dt", self.dt.len()),
            ("abilities", self.abilities.len()),
            ("hover", self.hover.len()),
            ("floor", self.floor.map_or(1, |rows| rows.len())),
            ("knock_back", self.knock_back.map_or(1, |rows| rows.len())),
            ("aboard", self.aboard.map_or(1, |rows| rows.len())),
            ("mask", self.filter.rows().0),
            ("ignore", self.filter.rows().1),
        ];
        let given = columns.into_iter().filter(|&(_, rows)| rows != 1);
        given.into_iter().try_for_each(|(name, rows)| check_rows(name, rows, characters))
    }

    /// The row that an error is about, if its argument has rows.
    pub(super) fn fault(&self, index: usize, error: ShapeError) -> Fault {
        let rows = match error.field().split('.').next() {
            Some("walk" | "motion") => self.motion.len(),
            Some("dt") => self.dt.len(),
            Some("knock_back") => self.knock_back.map_or(1, |rows| rows.len()),
            Some("abilities") => self.hover.len(),
            Some("floor") => self.floor.map_or(1, |rows| rows.len()),
            Some("water") => 1,
            _ => 0,
        };
        at(rows, index)(error)
    }
}

pub(super) fn check_vector(
    fields: [&'static str; 3],
    vector: glam::DVec3,
) -> Result<(), ShapeError> {
    for (field, value) in fields.into_iter().zip(vector.to_array()) {
        if !value.is_finite() {
            return Err(ShapeError::NotFinite { field, value });
        }
        let limit = capsweep::MAX_POSITION;
        if value.abs() > limit {
            return Err(ShapeError::OutOfRange { field, value, limit });
        }
    }
    Ok(())
}

fn check_floor(value: f64) -> Result<(), ShapeError> {
    let (field, limit) = ("floor", capsweep::MAX_POSITION);
    if value.is_infinite() {
        return Err(ShapeError::NotFinite { field, value });
    }
    if value.abs() > limit { Err(ShapeError::OutOfRange { field, value, limit }) } else { Ok(()) }
}

/// A duration and a hover height: 0 or more.
fn check_amounts(dt: f64, hover: f64) -> Result<(), ShapeError> {
    let limits =
        [("dt", dt, capsweep::MAX_POSITION), ("abilities.hover", hover, capsweep::MAX_SIZE)];
    for (field, value, limit) in limits {
        if !value.is_finite() {
            return Err(ShapeError::NotFinite { field, value });
        }
        if value < 0.0 {
            return Err(ShapeError::Negative { field, value });
        }
        if value > limit {
            return Err(ShapeError::OutOfRange { field, value, limit });
        }
    }
    Ok(())
}

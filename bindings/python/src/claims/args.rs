//! The arguments of validation: claims, their inputs, and the starts of chains.

use crate::crowd::rows::mode_of;
use crate::crowd::steps::{CarrierArgs, carriers, water};
use crate::error::Fault;
use crate::input::{FilterArgs, Scalars, Vectors, at};
use crate::members::check_rows;
use crate::table::room_for;
use capsweep::ShapeError;
use capsweep::controller::{Carrier, Surroundings};
use capsweep::scene::Scene;
use capsweep::validate::{Accepted, Claim, ClaimTick, ClaimWorld, SpeedLimits, Validator};
use glam::DVec3;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Claims, by row.
#[derive(FromPyObject)]
pub(crate) struct ClaimArgs<'py> {
    feet: PyReadonlyArray2<'py, f64>,
    dt: PyReadonlyArray1<'py, f64>,
    server_dt: Option<PyReadonlyArray1<'py, f64>>,
    /// Rows of NaN for none.
    velocity: Option<PyReadonlyArray2<'py, f64>>,
    /// -1 for none.
    mode: Option<PyReadonlyArray1<'py, i8>>,
    world: PyReadonlyArray1<'py, u64>,
    /// Number of the world that claims are judged in.
    world_id: u64,
    inputs: Option<InputArgs<'py>>,
    /// Bodies that moved since the last claims.
    moved: Vec<CarrierArgs<'py>>,
    /// As in a tick.
    water: Option<f64>,
    filter: FilterArgs<'py>,
    pub(super) threads: Option<usize>,
}

/// The inputs of claims: claim `i` has the ticks `first[i]..first[i] + count[i]`.
#[derive(FromPyObject)]
pub(crate) struct InputArgs<'py> {
    /// Number of different ticks. If one row serves all, claims share the ticks of the longest.
    ticks: usize,
    first: PyReadonlyArray1<'py, i64>,
    count: PyReadonlyArray1<'py, i64>,
    walk: PyReadonlyArray2<'py, f64>,
    jump: PyReadonlyArray1<'py, bool>,
    dt: PyReadonlyArray1<'py, f64>,
}

/// All ticks, and those of each claim.
struct Inputs<'a> {
    first: Scalars<'a, i64>,
    count: Scalars<'a, i64>,
    ticks: Vec<ClaimTick>,
}

impl InputArgs<'_> {
    fn view(&self, py: Python<'_>) -> PyResult<Inputs<'_>> {
        let (walk, jump) = (Vectors(self.walk.as_array()), Scalars(self.jump.as_array()));
        let dt = Scalars(self.dt.as_array());
        let tick =
            |index| ClaimTick { walk: walk.get(index), jump: jump.get(index), dt: dt.get(index) };
        let columns = [("walk", walk.len()), ("jump", jump.len()), ("dt", dt.len())];
        for (name, rows) in columns.into_iter().filter(|&(_, rows)| rows != 1) {
            check_rows(name, rows, self.ticks).map_err(|refused| refused.raise(py))?;
        }
        let mut ticks = room_for(self.ticks)?;
        ticks.extend((0..self.ticks).map(tick));
        let (first, count) = (Scalars(self.first.as_array()), Scalars(self.count.as_array()));
        Ok(Inputs { first, count, ticks })
    }
}

impl Inputs<'_> {
    /// The ticks of claim `index`. The Python half makes only ranges within the ticks.
    fn get(&self, index: usize) -> &[ClaimTick] {
        let (first, count) = (self.first.get(index) as usize, self.count.get(index) as usize);
        self.ticks.get(first..first.saturating_add(count)).unwrap_or(&[])
    }
}

pub(super) struct Claims<'a> {
    feet: Vectors<'a>,
    dt: Scalars<'a, f64>,
    server_dt: Option<Scalars<'a, f64>>,
    velocity: Option<Vectors<'a>>,
    mode: Option<Scalars<'a, i8>>,
    world: Scalars<'a, u64>,
    inputs: Option<Inputs<'a>>,
}

impl ClaimArgs<'_> {
    pub(super) fn view(&self, py: Python<'_>) -> PyResult<Claims<'_>> {
        Ok(Claims {
            feet: Vectors(self.feet.as_array()),
            dt: Scalars(self.dt.as_array()),
            server_dt: self.server_dt.as_ref().map(|rows| Scalars(rows.as_array())),
            velocity: self.velocity.as_ref().map(|rows| Vectors(rows.as_array())),
            mode: self.mode.as_ref().map(|rows| Scalars(rows.as_array())),
            world: Scalars(self.world.as_array()),
            inputs: self.inputs.as_ref().map(|inputs| inputs.view(py)).transpose()?,
        })
    }

    pub(super) fn moved(&self, py: Python<'_>) -> PyResult<Vec<Carrier>> {
        carriers(py, "moved", &self.moved)
    }

    pub(super) fn world<'a>(&self, scene: &'a Scene, moved: &'a [Carrier]) -> ClaimWorld<'a> {
        let filter = self.filter.view();
        let water = water(self.water);
        let surroundings = Surroundings { filter: filter.get(0), ignore: filter.ignore(0) };
        ClaimWorld { scene, surroundings, water, moved, id: self.world_id }
    }
}

/// A vector, unless the row is NaN.
fn given(rows: Option<Vectors<'_>>, index: usize) -> Option<DVec3> {
    rows.map(|rows| rows.get(index)).filter(|vector| !vector.is_nan_mask().all())
}

impl Claims<'_> {
    pub(super) fn len(&self) -> usize {
        self.feet.len()
    }

    pub(super) fn get(&self, index: usize) -> Claim<'_> {
        let dt = self.dt.get(index);
        let mode = self.mode.and_then(|mode| u8::try_from(mode.get(index)).ok());
        Claim {
            server_dt: self.server_dt.map_or(dt, |rows| rows.get(index)),
            velocity: given(self.velocity, index),
            mode: mode.map(mode_of),
            world: self.world.get(index),
            inputs: self.inputs.as_ref().map_or(&[], |inputs| inputs.get(index)),
            ..Claim::new(self.feet.get(index), dt)
        }
    }
}

/// The starts of chains.
#[derive(FromPyObject)]
pub(crate) struct StartArgs<'py> {
    feet: PyReadonlyArray2<'py, f64>,
    /// Rows of NaN for unknown.
    velocity: Option<PyReadonlyArray2<'py, f64>>,
    /// Speed limits as columns: ground, swim, fly.
    speeds: PyReadonlyArray2<'py, f64>,
}

/// Views of [`StartArgs`], which other threads can read.
pub(super) struct Starts<'a> {
    feet: Vectors<'a>,
    velocity: Option<Vectors<'a>>,
    speeds: Vectors<'a>,
}

impl StartArgs<'_> {
    pub(super) fn view(&self) -> Starts<'_> {
        Starts {
            feet: Vectors(self.feet.as_array()),
            velocity: self.velocity.as_ref().map(|rows| Vectors(rows.as_array())),
            speeds: Vectors(self.speeds.as_array()),
        }
    }
}

impl Starts<'_> {
    pub(super) fn len(&self) -> usize {
        self.feet.len()
    }

    pub(super) fn limits(&self, index: usize) -> SpeedLimits {
        limits(&self.speeds, index)
    }

    pub(super) fn start(
        &self,
        validator: &Validator,
        world: &ClaimWorld<'_>,
        index: usize,
    ) -> Result<Accepted, Fault> {
        let Self { feet, velocity, speeds } = *self;
        validator
            .start(world, feet.get(index), given(velocity, index), limits(&speeds, index))
            .map_err(|error: ShapeError| {
                let rows = match error.field().split('.').next() {
                    Some("speeds") => speeds.len(),
                    Some("velocity") => velocity.map_or(1, |rows| rows.len()),
                    // Chains are numbered, even if there is one.
                    _ => usize::MAX,
                };
                at(rows, index)(error)
            })
    }
}

pub(super) fn limits(rows: &Vectors<'_>, index: usize) -> SpeedLimits {
    let DVec3 { x: ground, y: swim, z: fly } = rows.get(index);
    SpeedLimits { ground, swim, fly }
}

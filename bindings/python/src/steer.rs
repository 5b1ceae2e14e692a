//! Desired velocities from keys, facing, pitch and speeds.

use crate::config;
use crate::crowd::rows::mode_of;
use crate::error::Fault;
use crate::hit::NAN3;
use crate::input::{Scalars, at};
use crate::query::{Answer, Call};
use crate::table::table;
use capsweep::ShapeError;
use capsweep::controller::{Speeds, Steering};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

table! {
    /// A desired velocity.
    SteerRow, SteerColumns, SteerPart {
        velocity: [f64; 3] = NAN3,
    }
}

/// Keys and directions, by row.
#[derive(FromPyObject)]
pub(crate) struct SteerArgs<'py> {
    forward: PyReadonlyArray1<'py, i8>,
    strafe: PyReadonlyArray1<'py, i8>,
    walking: PyReadonlyArray1<'py, bool>,
    facing: PyReadonlyArray1<'py, f64>,
    pitch: PyReadonlyArray1<'py, f64>,
    mode: PyReadonlyArray1<'py, u8>,
}

#[pyfunction]
pub(crate) fn steer<'py>(
    py: Python<'py>,
    call: Call,
    args: SteerArgs<'py>,
    speeds: &str,
    up: [f64; 3],
) -> Answer<'py> {
    let speeds: Speeds = config::read(py, "speeds", speeds)?;
    let (forward, strafe) = (Scalars(args.forward.as_array()), Scalars(args.strafe.as_array()));
    let (walking, mode) = (Scalars(args.walking.as_array()), Scalars(args.mode.as_array()));
    let (facing, pitch) = (Scalars(args.facing.as_array()), Scalars(args.pitch.as_array()));
    call.fill::<SteerColumns>(py, SteerRow::NONE, |index| {
        let steering = Steering {
            forward: forward.get(index),
            strafe: strafe.get(index),
            walking: walking.get(index),
            facing: facing.get(index),
            pitch: pitch.get(index),
        };
        let velocity = steering.velocity(&speeds, mode_of(mode.get(index)), up.into());
        let velocity = velocity.map_err(|error: ShapeError| -> Fault {
            let rows = match error.field() {
                "facing" => facing.len(),
                "pitch" => pitch.len(),
                _ => 1,
            };
            at(rows, index)(error)
        })?;
        Ok(SteerRow { velocity: velocity.to_array() })
    })
}

//! Replays of recorded steps.

use crate::error;
use crate::scene::SceneCore;
use crate::table::run;
use capsweep::controller::{Carrier, TraceMove, TraceTick};
use capsweep::scene::Scene;
use pyo3::prelude::*;

/// Replays lines of traces; returns the differences of each line, of which there are none in the
/// same scene.
#[pyfunction]
pub(crate) fn replay(
    py: Python<'_>,
    scene: &SceneCore,
    lines: Vec<String>,
    ticks: bool,
    threads: Option<usize>,
) -> PyResult<Vec<Vec<String>>> {
    let scene = scene.snapshot();
    let mut lines: Vec<(String, Vec<String>)> =
        lines.into_iter().map(|line| (line, Vec::new())).collect();
    let done = run(py, threads, &mut lines, |index, (line, _)| {
        let refused = |error: &dyn ToString| (index, error.to_string());
        let differences = if ticks {
            let tick: TraceTick = serde_json::from_str(line).map_err(|error| refused(&error))?;
            tick.replay(&at_pose(&scene, tick.input.carrier.as_ref()))
        } else {
            let made: TraceMove = serde_json::from_str(line).map_err(|error| refused(&error))?;
            made.replay(&at_pose(&scene, made.input.carrier.as_ref()))
        };
        let differences = differences.map_err(|error| refused(&error))?;
        Ok(differences.iter().map(ToString::to_string).collect())
    })?;
    done.into_iter()
        .map(|result: Result<Vec<String>, (usize, String)>| {
            result.map_err(|(index, text)| {
                error::input_error(
                    py,
                    format!("lines[{index}]: {text}"),
                    "lines",
                    Some(index),
                    None,
                )
            })
        })
        .collect()
}

/// The scene with the carrier where it was during the recorded move.
fn at_pose(scene: &Scene, carrier: Option<&Carrier>) -> Scene {
    let mut scene = scene.clone();
    if let Some(carrier) = carrier {
        let current = scene.body(carrier.body).ok().and_then(|body| body.pose().copied());
        if current.is_some() && current != Some(carrier.next) {
            // A body that cannot be moved shows as a difference of the replay.
            let _ = scene.move_mesh(carrier.body, carrier.next);
        }
    }
    scene
}

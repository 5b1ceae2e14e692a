//! Configurations: JSON from the Python layer, which the library's own readers check.

use crate::error::{Fault, config_error, json_error};
use capsweep::SlopeLimit;
use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig, Speeds};
use capsweep::validate::{SpeedLimits, Validator, ValidatorConfig};
use glam::DVec3;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) fn read<T: DeserializeOwned>(py: Python<'_>, what: &str, json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| json_error(py, what, &error))
}

/// Reads a list, and names the row that is bad.
pub(crate) fn read_rows<T: DeserializeOwned>(
    py: Python<'_>,
    what: &str,
    json: &str,
) -> PyResult<Vec<T>> {
    serde_json::from_str(json).map_err(|error| {
        let rows: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
        let faults = rows.into_iter().map(|row| serde_json::from_value::<T>(row).err());
        match faults.enumerate().find_map(|(index, fault)| Some((index, fault?))) {
            Some((index, fault)) => json_error(py, &format!("{what}[{index}]"), &fault),
            None => json_error(py, what, &error),
        }
    })
}

pub(crate) fn write<T: Serialize>(py: Python<'_>, what: &str, value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| json_error(py, what, &error))
}

pub(crate) fn locomotion(
    py: Python<'_>,
    controller: &str,
    locomotion: &str,
) -> PyResult<Locomotion> {
    let config: ControllerConfig = read(py, "config", controller)?;
    let controller = Controller::new(config).map_err(|error| config_error(py, &error))?;
    let config: LocomotionConfig = read(py, "locomotion", locomotion)?;
    Locomotion::new(controller, config).map_err(|error| config_error(py, &error))
}

pub(crate) fn validator(
    py: Python<'_>,
    rules: Locomotion,
    validation: &str,
) -> PyResult<Validator> {
    let config: ValidatorConfig = read(py, "validation", validation)?;
    Validator::new(rules, config).map_err(|error| config_error(py, &error))
}

/// A preset as JSON. The Python layer names only those that exist.
#[pyfunction]
pub(crate) fn preset(py: Python<'_>, what: &str, name: &str, up: [f64; 3]) -> PyResult<String> {
    let up = DVec3::from(up);
    match (what, name) {
        ("controller", "physx") => write(py, what, &ControllerConfig::physx(up)),
        ("controller", "wow") => write(py, what, &ControllerConfig::wow()),
        ("controller", _) => write(py, what, &ControllerConfig::human(up)),
        ("locomotion", "wow") => write(py, what, &LocomotionConfig::wow()),
        ("locomotion", _) => write(py, what, &LocomotionConfig::human()),
        ("speeds", "wow") => write(py, what, &Speeds::wow()),
        ("speed_limits", "wow") => write(py, what, &SpeedLimits::wow()),
        ("speed_limits", _) => write(py, what, &SpeedLimits::human()),
        _ => write(py, what, &ValidatorConfig::default()),
    }
}

/// The cosine of the steepest slope that is walkable with a limit in degrees.
#[pyfunction]
pub(crate) fn slope_cos(py: Python<'_>, degrees: f64) -> PyResult<f64> {
    let limit = SlopeLimit::from_degrees(degrees).map_err(|error| Fault::from(error).raise(py))?;
    // Through its shortest decimal form, as in the JSON of a preset.
    write(py, "slope", &limit)?.parse().map_err(|_| Fault::from(nan()).raise(py))
}

fn nan() -> capsweep::ShapeError {
    capsweep::ShapeError::NotANumber { field: "slope_degrees" }
}

/// Checks a configuration.
#[pyfunction]
pub(crate) fn check_config(
    py: Python<'_>,
    controller: &str,
    moving: &str,
    validation: &str,
) -> PyResult<()> {
    let rules = locomotion(py, controller, moving)?;
    validator(py, rules, validation).map(drop)
}

//! Python exceptions. `capsweep._errors` defines the classes; this file fills them.

use crate::input::body_number;
use capsweep::ShapeError;
use capsweep::controller::ConfigError;
use capsweep::scene::SceneError;
use capsweep_formats::{LoadError, Reason};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// An argument that a query, a body or a character cannot use.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Row of the argument; `None` if one value serves all rows.
    pub(crate) index: Option<usize>,
    pub(crate) error: ShapeError,
}

impl From<ShapeError> for Fault {
    fn from(error: ShapeError) -> Self {
        Self { index: None, error }
    }
}

/// Number that an error complains about; `None` if it is not about one number.
pub(crate) fn value_of(error: &ShapeError) -> Option<f64> {
    match *error {
        ShapeError::NotFinite { value, .. }
        | ShapeError::OutOfRange { value, .. }
        | ShapeError::NotPositive { value, .. }
        | ShapeError::Negative { value, .. }
        | ShapeError::TooSmall { value, .. }
        | ShapeError::NoDirection { value, .. } => Some(value),
        ShapeError::NotANumber { .. } => Some(f64::NAN),
        _ => None,
    }
}

/// What a call refuses while it holds a lock. It becomes an exception when the lock is free: to
/// make one runs Python code, which may wait for the same lock.
pub(crate) enum Refused {
    Fault(Fault),
    /// Row `index` of `which` names no member.
    NoMember {
        index: usize,
        number: i64,
        members: usize,
    },
    /// An argument has neither one row nor one for each member.
    Rows {
        argument: &'static str,
        rows: usize,
        members: usize,
    },
    /// Memory or threads are missing.
    Failed(PyErr),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ShapeError> for Refused {
    fn from(error: ShapeError) -> Self {
        Self::Fault(error.into())
    }
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Self::Failed(error)
    }
}

impl Refused {
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Fault(fault) => fault.raise(py),
            Self::NoMember { index, number, members } => {
                let message =
                    format!("which[{index}] is {number}: there are {members} characters");
                input_error(py, message, "which", Some(index), Some(number as f64))
            }
            Self::Rows { argument, rows, members } => {
                let message = format!("{argument} has {rows} rows: there must be {members}");
                input_error(py, message, argument, None, None)
            }
            Self::Failed(error) => error,
        }
    }
}

/// The library's name of a field, as Python callers know it.
fn argument_of(field: &str) -> (&str, &str) {
    let split = field.find('.').unwrap_or(field.len());
    let (root, part) = field.split_at(split);
    match root {
        "total_height" => ("height", part),
        "axis length" => ("p1", part),
        _ => (root, part),
    }
}

impl Fault {
    /// The exception, with `argument`, `index` and `value`.
    pub(crate) fn raise(&self, py: Python<'_>) -> PyErr {
        let field = self.error.field();
        let (argument, part) = argument_of(field);
        let row = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        let text = self.error.to_string();
        let rest = text.strip_prefix(field).unwrap_or(&text);
        let message = if text.starts_with(field) && field != "axis length" {
            format!("{argument}{row}{part}{rest}")
        } else {
            format!("{argument}{row}: {text}")
        };
        input_error(py, message, argument, self.index, value_of(&self.error))
    }
}

/// `capsweep.InputError`.
pub(crate) fn input_error(
    py: Python<'_>,
    message: String,
    argument: &str,
    index: Option<usize>,
    value: Option<f64>,
) -> PyErr {
    instance(py, "InputError", (message, argument, index, value))
}

/// `capsweep.SceneError`.
pub(crate) fn scene_error(py: Python<'_>, error: &SceneError) -> PyErr {
    let (SceneError::NoSuchBody { id }
    | SceneError::WrongKind { id, .. }
    | SceneError::OfMap { id }
    | SceneError::OutOfRange { id, .. }) = *error
    else {
        return instance(py, "SceneError", (error.to_string(),));
    };
    // Callers know a body by one number.
    let number = body_number(id).to_string();
    instance(py, "SceneError", (error.to_string().replace(&format!("{id:?}"), &number),))
}

/// The exception for a configuration that is invalid.
pub(crate) fn config_error(py: Python<'_>, error: &ConfigError) -> PyErr {
    match error {
        ConfigError::Number(error) => Fault::from(*error).raise(py),
        other => {
            let text = other.to_string();
            let argument = text.split(' ').next().unwrap_or("config").to_owned();
            input_error(py, text, &argument, None, None)
        }
    }
}

/// The exception for a height of a grid with so many columns of corners.
pub(crate) fn height_error(py: Python<'_>, index: usize, columns: usize, height: f32) -> PyErr {
    let (row, column) = (index / columns.max(1), index % columns.max(1));
    let message = format!(
        "heights[{row}, {column}] is {height}: heights must be finite and at most {:e} in \
         magnitude",
        capsweep::MAX_POSITION
    );
    input_error(py, message, "heights", Some(row), Some(height.into()))
}

/// The exception for JSON of this package that serde refuses.
pub(crate) fn json_error(py: Python<'_>, what: &str, error: &serde_json::Error) -> PyErr {
    // serde ends its messages with the place in the text, which the caller never sees.
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    // `what` may be a row.
    let (argument, row) = what.split_once('[').unwrap_or((what, ""));
    let index = row.strip_suffix(']').and_then(|row| row.parse().ok());
    input_error(py, format!("{what}: {text}"), argument, index, None)
}

/// `OSError` if the system cannot read the file, `capsweep.LoadError` otherwise.
pub(crate) fn load_error(py: Python<'_>, error: &LoadError) -> PyErr {
    match &error.reason {
        Reason::Io(io) => os_error(io, &error.file.display().to_string()),
        _ => instance(py, "LoadError", (error.to_string(),)),
    }
}

/// `OSError` of the right subclass, with the file's name.
pub(crate) fn os_error(error: &std::io::Error, file: &str) -> PyErr {
    match error.raw_os_error() {
        // With a number, Python picks the subclass, such as FileNotFoundError.
        Some(number) => PyOSError::new_err((number, error.to_string(), file.to_owned())),
        None => PyOSError::new_err(format!("{file}: {error}")),
    }
}

fn instance<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let made = py
        .import("capsweep._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1(arguments));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

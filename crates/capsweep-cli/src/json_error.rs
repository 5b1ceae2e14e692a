//! Messages of JSON errors without serde's line number, where the caller adds the true one.

use anyhow::{Error, anyhow};

/// The message of an error without the line and column that serde appends.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let position = format!(" at line {line} column {column}");
    message.strip_suffix(&position).unwrap_or(&message).to_owned()
}

/// The error with its column, for JSON that was parsed line by line: serde counts every line as 1.
pub(crate) fn with_column(error: &serde_json::Error) -> Error {
    anyhow!("{} (column {})", without_position(error), error.column())
}

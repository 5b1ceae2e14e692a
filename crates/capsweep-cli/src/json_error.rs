//! What is wrong with JSON, for those who know better in which line it is.

use anyhow::{Error, anyhow};

/// What an error says, without the line and column that it ends in.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let told = error.to_string();
    told.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&told).to_owned()
}

/// The error without the line, which is always the first of one.
pub(crate) fn in_column(error: &serde_json::Error) -> Error {
    anyhow!("{} (column {})", without_place(error), error.column())
}

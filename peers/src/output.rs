//! The file of `--json`.

use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// Writes `report` to `path`, if there is one.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(path: Option<&Path>, report: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(report)? + "\n";
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

//! The mutants that no test can or need catch, each with the reason.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

/// A class of mutants that are not caught, with the argument for all of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Why a mutant of the class changes no answer.
    pub kind: Kind,
    /// The argument. Read by people, and checked to be there.
    pub reason: String,
    /// The names of the mutants, without line and column.
    pub mutants: Vec<String>,
}

/// Why a mutant changes no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It changes the work that is done, and no answer.
    Cost,
    /// The mutated code means the same.
    Equivalent,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    class: Vec<Class>,
}

/// Reads the classes from a TOML file.
pub fn read(path: &Path) -> Result<Vec<Class>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let file: File = toml::from_str(&text).with_context(|| path.display().to_string())?;
    for class in &file.class {
        ensure!(!class.reason.trim().is_empty(), "{}: a class has no reason", path.display());
    }
    Ok(file.class)
}

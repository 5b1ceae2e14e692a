//! The mutants that cargo-mutants finds in a package.

use anyhow::{Context, Result, ensure};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index::sample;
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// One mutant, as `cargo mutants --list --json` prints it.
#[derive(Debug, Clone, Deserialize)]
pub struct Mutant {
    /// The source file, from the root of the workspace.
    pub file: String,
    /// The kind of change.
    pub genre: Genre,
    /// The file, line, column and change in words.
    pub name: String,
    /// The new text; empty where something is deleted.
    pub replacement: String,
    /// The text that changes.
    pub span: Span,
}

/// The kinds of change that cargo-mutants makes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Genre {
    /// A function returns a fixed value.
    FnValue,
    /// Another binary operator.
    BinaryOperator,
    /// A unary operator is deleted.
    UnaryOperator,
    /// An arm of a match is deleted.
    MatchArm,
    /// The guard of an arm is always true or false.
    MatchArmGuard,
    /// A field of a struct expression takes its value from the base expression.
    StructField,
    /// A tolerance is larger or smaller. This tool makes these mutants itself.
    Tolerance,
    /// An expression is replaced by another, as `named.toml` says.
    Named {
        /// The original expression.
        find: String,
    },
}

/// A range of source text, told by its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Span {
    /// The first character.
    pub start: Position,
}

/// A place in a source file; line and column count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Mutant {
    /// The name without line and column: it stays the same when lines are added above.
    pub fn stable_name(&self) -> String {
        let change = self.name.splitn(4, ':').nth(3).unwrap_or(&self.name);
        format!("{}:{change}", self.file)
    }
}

/// The mutants of `package` in the files that match `globs`, but not in those that match `except`.
pub fn list(root: &Path, package: &str, globs: &[&str], except: &[&str]) -> Result<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "-p", package]).current_dir(root);
    for glob in globs {
        command.args(["--file", glob]);
    }
    for glob in except {
        command.args(["--exclude", glob]);
    }
    let output = command.output().context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "`cargo mutants --list` failed; is it installed (cargo install cargo-mutants)?\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).context("cannot read the list of cargo-mutants")
}

/// `count` of `mutants`, drawn without replacement by a generator with this seed, in their order.
pub fn seeded_sample(mutants: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut generator = StdRng::seed_from_u64(seed);
    let mut chosen = sample(&mut generator, mutants.len(), count.min(mutants.len())).into_vec();
    chosen.sort_unstable();
    chosen.into_iter().map(|index| mutants[index].clone()).collect()
}

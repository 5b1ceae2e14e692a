//! What became of the mutants, in words and figures.

use crate::accepted::{Class, Kind};
use crate::list::Mutant;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// This test failed, did not end in time, or the process died in it.
    Caught(String),
    /// All tests that reach it passed.
    Missed,
    /// No test reaches it.
    Unreached,
    /// It changes no answer: argued in `accepted.toml`.
    Accepted(Kind),
    /// All tests passed, and the documentation of the tolerance claims no more.
    Unclaimed,
    /// It does not compile.
    Unviable,
    /// It stands in constant code or in a `let` condition, where no switch can stand.
    NotWoven,
}

/// The fates of all mutants of a run.
#[derive(Default)]
pub struct Report {
    /// Stable name, full name, fate.
    mutants: Vec<(String, String, Fate)>,
    /// Names in `accepted.toml` that tests caught.
    caught_though_accepted: Vec<String>,
}

/// The names without line and column. Where two are the same, the later one gets a number.
pub fn stable_names(mutants: &[Mutant]) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = Vec::new();
    for mutant in mutants {
        let name = mutant.stable_name();
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        names.push(if *count == 1 { name } else { format!("{name} #{count}") });
    }
    names
}

/// The names of the mutants that a printed report lists as missed or unreached.
pub fn missed_in(path: &Path) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines();
    let mut missed = BTreeSet::new();
    while let Some(line) = lines.next() {
        if line.starts_with("MISSED") || line.starts_with("UNREACHED") {
            missed.extend(lines.next().map(|name| name.trim().to_owned()));
        }
    }
    Ok(missed)
}

impl Report {
    pub fn add(&mut self, name: String, full_name: String, fate: Fate) {
        self.mutants.push((name, full_name, fate));
    }

    /// Takes the argued mutants out of the missed ones.
    pub fn accept(&mut self, classes: &[Class]) {
        for (name, _, fate) in &mut self.mutants {
            let class = classes.iter().find(|class| class.mutants.contains(name));
            match (class, &fate) {
                (Some(class), Fate::Missed | Fate::Unreached) => {
                    *fate = Fate::Accepted(class.kind)
                }
                (Some(_), Fate::Caught(_)) => self.caught_though_accepted.push(name.clone()),
                _ => {}
            }
        }
    }

    fn count(&self, of: impl Fn(&Fate) -> bool) -> usize {
        self.mutants.iter().filter(|(_, _, fate)| of(fate)).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (name, full_name, fate) in &self.mutants {
            match fate {
                Fate::Missed => writeln!(f, "MISSED     {full_name}\n           {name}")?,
                Fate::Unreached => writeln!(f, "UNREACHED  {full_name}\n           {name}")?,
                Fate::NotWoven => writeln!(f, "NOT WOVEN  {full_name}")?,
                Fate::Unclaimed => writeln!(f, "unclaimed  {full_name}")?,
                Fate::Caught(test) => writeln!(f, "caught     {full_name} by {test}")?,
                Fate::Accepted(_) | Fate::Unviable => {}
            }
        }
        for name in &self.caught_though_accepted {
            writeln!(f, "accepted, but caught: {name}")?;
        }
        let caught = self.count(|fate| matches!(fate, Fate::Caught(_)));
        let missed = self.count(|fate| matches!(fate, Fate::Missed));
        let unreached = self.count(|fate| matches!(fate, Fate::Unreached));
        let cost = self.count(|fate| *fate == Fate::Accepted(Kind::Cost));
        let equivalent = self.count(|fate| *fate == Fate::Accepted(Kind::Equivalent));
        let unclaimed = self.count(|fate| *fate == Fate::Unclaimed);
        let unviable = self.count(|fate| *fate == Fate::Unviable);
        let not_woven = self.count(|fate| *fate == Fate::NotWoven);
        writeln!(
            f,
            "{} mutants: {caught} caught, {missed} missed, {unreached} unreached, {cost} change \
             the cost only, {equivalent} equivalent, {unclaimed} unclaimed, {unviable} unviable, \
             {not_woven} not woven",
            self.mutants.len()
        )?;
        let judged = caught + missed + unreached;
        let share = 100.0 * caught as f64 / judged.max(1) as f64;
        writeln!(f, "{share:.1} % of those that can change an answer are caught")
    }
}

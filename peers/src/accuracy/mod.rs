//! `peers accuracy`: the test kit's families of sweeps against one triangle, answered by each engine and judged by an
//! oracle that shares nothing with any of them.

mod engines;
mod judge;
mod print;
mod question;

use crate::machine::Machine;
use crate::output;
use anyhow::Result;
use capsweep::Sides;
use capsweep_testkit::{Family, Pair, generate};
use engines::ENGINES;
use judge::{Tally, Truth};
use question::Question;
use serde::Serialize;
use std::path::PathBuf;

/// What to ask.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Ask only this family; may be given more than once
    #[arg(long, value_name = "FAMILY")]
    only: Vec<String>,
    /// Write everything that was found to this file too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Sweeps of each family
    #[arg(long, value_name = "COUNT", default_value_t = 5_000)]
    questions: u64,
    /// Where the cases come from: the same seed gives the same cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Everything that was found: the file of `--json`.
#[derive(Serialize)]
struct Report {
    mode: &'static str,
    machine: Machine,
    questions: u64,
    seed: u64,
    /// Metres: where a touch hangs on less, the case is left out.
    doubt: f64,
    cells: Vec<Cell>,
}

/// How one engine did in one family, or in all of them together.
#[derive(Serialize)]
struct Cell {
    family: &'static str,
    engine: &'static str,
    #[serde(flatten)]
    result: judge::Summary,
}

/// Asks, prints a table an engine, and writes the file.
///
/// # Errors
/// If there is no such family, or the file cannot be written.
pub(crate) fn run(options: &Options) -> Result<()> {
    let machine = Machine::here();
    print::heading(&machine, options.questions);
    let mut tallies: Vec<(&'static str, Vec<Tally>)> = Vec::new();
    for family in families(&options.only)? {
        tallies.push((family.name(), ask(family, options)));
    }
    let mut cells = Vec::new();
    for (index, engine) in ENGINES.iter().enumerate() {
        let mut all = Tally::default();
        for (family, tally) in &tallies {
            all.merge(&tally[index]);
            cells.push(Cell { family, engine: engine.name, result: tally[index].summary() });
        }
        cells.push(Cell { family: "all", engine: engine.name, result: all.summary() });
    }
    print::tables(&cells);
    output::write(
        options.json.as_deref(),
        &Report {
            mode: "accuracy",
            machine,
            questions: options.questions,
            seed: options.seed,
            doubt: judge::DOUBT,
            cells,
        },
    )
}

fn families(only: &[String]) -> Result<Vec<Family>> {
    for name in only {
        let names = Family::ALL.map(Family::name);
        anyhow::ensure!(names.contains(&name.as_str()), "the families are {}", names.join(", "));
    }
    let wanted = |family: &Family| only.is_empty() || only.iter().any(|name| name == family.name());
    Ok(Family::ALL.into_iter().filter(wanted).collect())
}

/// What each engine makes of one family, in the order of [`ENGINES`].
fn ask(family: Family, options: &Options) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = ENGINES.iter().map(|_| Tally::default()).collect();
    for index in 0..options.questions {
        let case = generate(Pair::Triangle, family, options.seed, index);
        let Some(question) = Question::of(&case) else { continue };
        let truths = [Sides::Front, Sides::Both].map(|sides| Truth::of(&question, sides));
        for (engine, tally) in ENGINES.iter().zip(&mut tallies) {
            let sides = engine.sides.unwrap_or(case.sides);
            let truth = truths[usize::from(sides == Sides::Both)].as_ref();
            tally.add(&question, truth, &(engine.answer)(&question, sides));
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table's zeros, on few cases; and what the peers get wrong is found.
    #[test]
    fn capsweep_has_no_faults_and_faults_of_others_are_found() {
        let options = Options { only: vec![], json: None, questions: 300, seed: 5 };
        let mut all: Vec<Tally> = ENGINES.iter().map(|_| Tally::default()).collect();
        for family in Family::ALL {
            for (all, tally) in all.iter_mut().zip(ask(family, &options)) {
                all.merge(&tally);
            }
        }
        let found: Vec<judge::Summary> = all.iter().map(Tally::summary).collect();
        let own = &found[0];
        assert_eq!((own.missed, own.invented, own.wrong_start, own.refused), (0, 0, 0, 0));
        assert!(own.hits > 1_000 && own.gap_max.is_some_and(|gap| gap < 2e-6), "{own:?}");
        for peer in &found[1..] {
            assert!(peer.hits > 1_000 && peer.gap_max.is_some_and(|gap| gap > 1e-6), "{peer:?}");
        }
    }
}

//! `peers accuracy`: sweeps of the test kit's families against one triangle.
//!
//! An oracle that shares no code with any engine judges the answers.

mod case;
mod engines;
mod judge;
mod print;

use crate::machine::Machine;
use crate::output;
use anyhow::Result;
use capsweep::Sides;
use capsweep_testkit::{Family, Pair, generate};
use case::SweepCase;
use engines::ENGINES;
use judge::{OracleAnswer, Tally};
use serde::Serialize;
use std::path::PathBuf;

/// Options of `peers accuracy`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only this family; may be given more than once
    #[arg(long, value_name = "FAMILY")]
    only: Vec<String>,
    /// Also write all results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Sweeps of each family
    #[arg(long, value_name = "COUNT", default_value_t = 5_000)]
    questions: u64,
    /// Seed of the cases: the same seed gives the same cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// All results: the file of `--json`.
#[derive(Serialize)]
struct Report {
    mode: &'static str,
    machine: Machine,
    questions: u64,
    seed: u64,
    /// Metres: a case with a touch that depends on less is left out.
    tolerance: f64,
    cells: Vec<Cell>,
}

/// Result of one engine in one family, or in all families together.
#[derive(Serialize)]
struct Cell {
    family: &'static str,
    engine: &'static str,
    #[serde(flatten)]
    result: judge::Summary,
}

/// Runs all cases, prints a table per engine, and writes the file.
///
/// # Errors
/// If there is no such family, or the file cannot be written.
pub(crate) fn run(options: &Options) -> Result<()> {
    let machine = Machine::current();
    print::heading(&machine, options.questions);
    let mut tallies: Vec<(&'static str, Vec<Tally>)> = Vec::new();
    for family in families(&options.only)? {
        tallies.push((family.name(), run_family(family, options)));
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
            tolerance: judge::TOUCH_TOLERANCE,
            cells,
        },
    )
}

fn families(only: &[String]) -> Result<Vec<Family>> {
    for name in only {
        let names = Family::ALL.map(Family::name);
        anyhow::ensure!(names.contains(&name.as_str()), "the families are {}", names.join(", "));
    }
    let wanted =
        |family: &Family| only.is_empty() || only.iter().any(|name| name == family.name());
    Ok(Family::ALL.into_iter().filter(wanted).collect())
}

/// Runs one family on each engine, in the order of [`ENGINES`].
fn run_family(family: Family, options: &Options) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = ENGINES.iter().map(|_| Tally::default()).collect();
    for index in 0..options.questions {
        let case = generate(Pair::Triangle, family, options.seed, index);
        let Some(rounded) = SweepCase::from_case(&case) else { continue };
        let expected = [Sides::Front, Sides::Both].map(|sides| OracleAnswer::new(&rounded, sides));
        for (engine, tally) in ENGINES.iter().zip(&mut tallies) {
            let sides = engine.sides.unwrap_or(case.sides);
            let expected = expected[usize::from(sides == Sides::Both)].as_ref();
            tally.add(&rounded, expected, &(engine.answer)(&rounded, sides));
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The zeros of the table, on few cases. Faults of the other engines are found.
    #[test]
    fn capsweep_has_no_faults_and_faults_of_others_are_found() {
        let options = Options { only: vec![], json: None, questions: 300, seed: 5 };
        let mut all: Vec<Tally> = ENGINES.iter().map(|_| Tally::default()).collect();
        for family in Family::ALL {
            for (all, tally) in all.iter_mut().zip(run_family(family, &options)) {
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

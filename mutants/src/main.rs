//! Mutation tests at the price of one build.
//!
//! `cargo mutants` lists the mutants. This tool weaves all of them into one copy of the workspace,
//! where an environment variable switches one of them on. So a mutant costs the tests that reach
//! it, not a build.

mod accepted;
mod list;
mod named;
mod report;
mod run;
mod tolerance;
mod tree;
mod weave;

use accepted::Class;
use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use list::{Mutant, list, seeded_sample};
use report::{Fate, Report};
use run::Suite;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tree::Tree;

/// Runs the tests against mutants of the code, and lists the mutants that no test catches.
#[derive(Parser)]
struct Args {
    /// Which mutants.
    set: Set,
    /// The root of the workspace.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Test processes at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Time of the tests that are run for a mutant, in seconds as measured without a mutant. The
    /// shortest tests come first, so a small budget leaves out the longest.
    #[arg(long, default_value_t = f64::INFINITY)]
    budget: f64,
    /// Mutants in the sample.
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Seed of the sample.
    #[arg(long, default_value_t = 21)]
    seed: u64,
    /// Only mutants whose name holds this text; may be given more than once.
    #[arg(long)]
    only: Vec<String>,
    /// Only mutants that this earlier report lists as missed or unreached.
    #[arg(long)]
    retry: Option<PathBuf>,
    /// Leave out the mutants that `accepted.toml` argues. They are not counted.
    #[arg(long)]
    unargued: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    /// All mutants of `pair/`, against the tests of pairs and rules.
    Pair,
    /// All mutants of `controller/pass/`, against the tests of the controller and of rules.
    Pass,
    /// Every tolerance, ten times as large and ten times as small, against the tests of the
    /// library.
    Tolerances,
    /// The changes in `named.toml`, each against the test that must fail.
    Named,
    /// A seeded sample of the rest of the library and of the readers, against all their tests.
    Sample,
}

/// The mutants of one package, and the tests that are run against them.
struct Job {
    package: &'static str,
    mutants: Vec<Mutant>,
    /// Test targets; `target:prefix` stands for the tests with this prefix.
    tests: Vec<String>,
    /// For each mutant, the tests that must catch it; empty if any test may.
    pins: Vec<Vec<String>>,
    /// The mutants, counted from 0, that need not be caught: tolerances that claim no more.
    unclaimed: BTreeSet<usize>,
}

const PAIR: &str = "crates/capsweep/src/pair/**";
const PASS: &str = "crates/capsweep/src/controller/pass/**";

/// Tests of the library that read its sources, compare hashes of many answers, or count
/// allocations. A hash would catch every mutant and name none.
const OTHER_TESTS: [&str; 5] = ["golden", "layers", "columns", "rules_table", "allocations"];

fn main() -> Result<()> {
    let args = Args::parse();
    let root = args.root.canonicalize().context("the root of the workspace")?;
    let set = args.set.to_possible_value().context("a set has a name")?;
    let work = root.join("target/mutants").join(set.get_name());
    let accepted = accepted::read(&root.join("mutants/accepted.toml"))?;
    let mut report = Report::default();
    for job in jobs(&args, &root)? {
        run_job(job, &args, (&root, &work), &accepted, &mut report)?;
    }
    report.accept(&accepted);
    print!("{report}");
    Ok(())
}

fn jobs(args: &Args, root: &Path) -> Result<Vec<Job>> {
    let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Ok(match args.set {
        Set::Pair => vec![Job {
            package: "capsweep",
            mutants: list(root, "capsweep", &[PAIR], &[])?,
            tests: named(&["lib:pair::", "pair", "rules", "regression", "query"]),
            pins: Vec::new(),
            unclaimed: BTreeSet::new(),
        }],
        Set::Pass => vec![Job {
            package: "capsweep",
            mutants: list(root, "capsweep", &[PASS], &[])?,
            tests: named(&["lib:controller::", "controller", "rules", "regression"]),
            pins: Vec::new(),
            unclaimed: BTreeSet::new(),
        }],
        Set::Tolerances => {
            let list = tolerance::list(root)?;
            let claims = list.iter().map(|(_, _, claimed)| *claimed).enumerate();
            let unclaimed = claims.filter(|(_, claimed)| !claimed).map(|(i, _)| i).collect();
            let (mutants, pins) = list.into_iter().map(|(mutant, pins, _)| (mutant, pins)).unzip();
            let tests = tests_of(root, "capsweep")?;
            vec![Job { package: "capsweep", mutants, tests, pins, unclaimed }]
        }
        Set::Named => {
            let list = named::list(root, &root.join("mutants/named.toml"))?;
            let (mutants, pins) = list.into_iter().unzip();
            let (tests, unclaimed) = (tests_of(root, "capsweep")?, BTreeSet::new());
            vec![Job { package: "capsweep", mutants, tests, pins, unclaimed }]
        }
        Set::Sample => {
            let packages = ["capsweep", "capsweep-formats"];
            let mut all = list(root, packages[0], &[], &[PAIR, PASS])?;
            all.extend(list(root, packages[1], &[], &[])?);
            let mut by_package: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
            for mutant in seeded_sample(all, args.count, args.seed) {
                let package = packages
                    .iter()
                    .find(|package| mutant.file.starts_with(&format!("crates/{package}/")));
                by_package.entry(package.context("a known package")?).or_default().push(mutant);
            }
            by_package
                .into_iter()
                .map(|(package, mutants)| {
                    let tests = tests_of(root, package)?;
                    let (pins, unclaimed) = (Vec::new(), BTreeSet::new());
                    Ok(Job { package, mutants, tests, pins, unclaimed })
                })
                .collect::<Result<_>>()?
        }
    })
}

/// The names of a package's tests that judge mutants.
fn tests_of(root: &Path, package: &str) -> Result<Vec<String>> {
    let mut tests = vec!["lib".to_owned()];
    for entry in std::fs::read_dir(root.join(format!("crates/{package}/tests")))? {
        let path = entry?.path();
        let is_test = path.extension().is_some_and(|extension| extension == "rs")
            || path.join("main.rs").exists();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if is_test && !OTHER_TESTS.contains(&name) {
            tests.push(name.to_owned());
        }
    }
    tests.sort();
    Ok(tests)
}

fn run_job(
    job: Job,
    args: &Args,
    (root, work): (&Path, &Path),
    accepted: &[Class],
    report: &mut Report,
) -> Result<()> {
    let Job { package, mutants, tests, pins, unclaimed } = job;
    let names = report::stable_names(&mutants);
    let tree = Tree::weave(root, work, package, &mutants)?;
    eprintln!("{package}: {} of {} mutants are woven", tree.sites.len(), mutants.len());
    let retried = args.retry.as_ref().map(|path| report::missed_in(path)).transpose()?;
    let wanted = |number: &u32| {
        let name = &names[*number as usize - 1];
        (args.only.is_empty() || args.only.iter().any(|text| name.contains(text)))
            && retried.as_ref().is_none_or(|missed| missed.contains(name))
            && !(args.unargued && accepted.iter().any(|class| class.mutants.contains(name)))
    };
    let wanted_pins: Vec<_> = (1..)
        .zip(&pins)
        .filter(|(number, _)| wanted(number))
        .map(|(_, pin)| pin.clone())
        .collect();
    let suite =
        Suite::measure(tree.build(&tests)?, &wanted_pins, work, args.jobs)?.within(args.budget);
    let (count, duration) = suite.size();
    eprintln!("{count} tests take {:.1} s without a mutant", duration.as_secs_f64());
    let numbers: Vec<u32> = tree.sites.keys().copied().filter(wanted).collect();
    // A run takes long: its survivors can be read before it ends.
    let note = |number: u32, fate: &Fate| {
        if matches!(fate, Fate::Missed | Fate::Unreached) {
            eprintln!("{fate:?}: {}", mutants[number as usize - 1].name);
        }
    };
    let verdicts = suite.judge(&tree, &numbers, &pins, note);
    let mut fates: BTreeMap<u32, Fate> = numbers.into_iter().zip(verdicts).collect();
    for (number, mutant) in (1..).zip(&mutants) {
        let fate = fates.remove(&number).unwrap_or_else(|| {
            if tree.unviable.contains(&number) { Fate::Unviable } else { Fate::NotWoven }
        });
        let index = number as usize - 1;
        let fate = match fate {
            Fate::Missed | Fate::Unreached if unclaimed.contains(&index) => Fate::Unclaimed,
            fate => fate,
        };
        if wanted(&number) {
            report.add(names[index].clone(), mutant.name.clone(), fate);
        }
    }
    Ok(())
}

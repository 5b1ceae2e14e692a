//! Compares capsweep with the oracle over families of cases and prints a table.

use capsweep_testkit::{Family, Pair, Report, run};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Test runs of capsweep against its oracle")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Judge random cases of every family and pair; exit code 1 if any fails.
    Oracle(OracleArgs),
}

#[derive(clap::Args)]
struct OracleArgs {
    /// Cases per family and pair.
    #[arg(long, default_value_t = 20_000)]
    queries: u64,
    /// Only this family.
    #[arg(long, value_parser = family)]
    family: Option<Family>,
    /// Only this pair.
    #[arg(long, value_parser = pair)]
    pair: Option<Pair>,
    /// Seed of the cases: the same seed gives the same cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads; by default one per core. The answers do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    let Command::Oracle(args) = Args::parse().command;
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        if let Err(error) = pool {
            eprintln!("{threads} threads: {error}");
            return ExitCode::from(2);
        }
    }
    oracle(&args)
}

fn oracle(args: &OracleArgs) -> ExitCode {
    let pairs = Pair::ALL.into_iter().filter(|p| args.pair.is_none_or(|only| only == *p));
    let families = Family::ALL.into_iter().filter(|f| args.family.is_none_or(|only| only == *f));
    let start = Instant::now();
    let mut reports: Vec<Report> = Vec::new();
    println!("{}", Report::heading());
    for (pair, family) in pairs.flat_map(|p| families.clone().map(move |f| (p, f))) {
        let report = run(pair, family, args.queries, args.seed);
        println!("{report}");
        reports.push(report);
    }
    if let Some((first, rest)) = reports.split_first() {
        let mut total = first.clone();
        for report in rest {
            total.add_totals(report);
        }
        println!("{}", total.row("all", "all"));
        let seconds = start.elapsed().as_secs_f64();
        let each = seconds * 1e6 / total.queries.max(1) as f64;
        println!(
            "{seconds:.1} s, {each:.2} µs per query, with a search for depths in pierced cases"
        );
    }
    let mut failed = false;
    for report in &reports {
        for failure in report.failures() {
            failed = true;
            println!("\n{}", report.example(failure));
        }
    }
    ExitCode::from(u8::from(failed))
}

fn family(name: &str) -> Result<Family, String> {
    let names = || Family::ALL.map(Family::name).join(", ");
    Family::ALL
        .into_iter()
        .find(|f| f.name() == name)
        .ok_or_else(|| format!("the families are {}", names()))
}

fn pair(name: &str) -> Result<Pair, String> {
    let names = || Pair::ALL.map(Pair::name).join(", ");
    Pair::ALL
        .into_iter()
        .find(|p| p.name() == name)
        .ok_or_else(|| format!("the pairs are {}", names()))
}

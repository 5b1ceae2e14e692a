//! Compares capsweep with the oracle over families of cases and prints a table; writes generated
//! worlds of game servers.

use capsweep_testkit::answers;
use capsweep_testkit::claims::honest::HonestOptions;
use capsweep_testkit::claims::levels::HonestLevel;
use capsweep_testkit::claims::{forged, honest};
use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::{Core, write_world_as};
use capsweep_testkit::{Family, Pair, Report, level, run};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
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
    /// Judge honest and forged claims of moves; exit code 1 if an honest one is impossible.
    Claims(ClaimsArgs),
    /// Write the maps and vmaps folders of a generated continent.
    Continent(ContinentArgs),
    /// Write queries of every family and the library's answers as `.npy` files.
    Answers(AnswersArgs),
}

#[derive(clap::Args)]
struct AnswersArgs {
    /// Cases per family and pair.
    #[arg(long, default_value_t = 100)]
    cases: u64,
    /// Seed of the cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder to write into.
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
struct ContinentArgs {
    /// Number of tiles, at least 4.
    #[arg(long, default_value_t = ContinentOptions::FULL.tiles)]
    tiles: u32,
    /// Number of scattered placements; by default 150 per tile.
    #[arg(long)]
    placements: Option<usize>,
    /// Number of scattered models; by default 5 per tile.
    #[arg(long)]
    models: Option<u32>,
    /// Server core whose files to write.
    #[arg(long, value_parser = core, default_value = "cmangos")]
    core: Core,
    /// Seed of hills and props.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Number of the map.
    #[arg(long, default_value_t = 1)]
    map: u32,
    /// Folder to write into.
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
struct ClaimsArgs {
    /// Honest claims, in chains of 500.
    #[arg(long, default_value_t = 1_000_000)]
    honest: u64,
    /// Seconds that inputs are held; random by default.
    #[arg(long)]
    held: Option<f64>,
    /// In a third of the chains a server knocks back, displaces, and changes speeds and abilities.
    #[arg(long)]
    events: bool,
    /// Two thirds of the characters are as small as a gnome, or as tall as a draenei.
    #[arg(long)]
    sizes: bool,
    /// Forged chains of each of the eleven kinds.
    #[arg(long, default_value_t = 10_000)]
    forged: u64,
    /// OBJ file (Y up) to walk in, beside the generated levels; repeatable.
    #[arg(long)]
    mesh: Vec<PathBuf>,
    /// First number of the random chains.
    #[arg(long, default_value_t = 1)]
    seed: u64,
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
    match Args::parse().command {
        Command::Oracle(args) => oracle(&args),
        Command::Claims(args) => claims(&args),
        Command::Continent(args) => continent(&args),
        Command::Answers(args) => write_answers(&args),
    }
}

fn write_answers(args: &AnswersArgs) -> ExitCode {
    match answers::write(&args.out, args.cases, args.seed) {
        Ok(files) => {
            println!("{}: {files} files", args.out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", args.out.display());
            ExitCode::from(2)
        }
    }
}

fn claims(args: &ClaimsArgs) -> ExitCode {
    let mut levels = HonestLevel::generated();
    for path in &args.mesh {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        match std::fs::read_to_string(path) {
            Ok(text) => levels.push(HonestLevel::new(&name, &level::from_obj(&text), true)),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    let options = HonestOptions {
        chains: args.honest / 500,
        claims: 500,
        held: args.held,
        seed: args.seed,
        events: args.events,
        sizes: args.sizes,
    };
    let honest = honest::run(&levels, &options);
    println!(
        "honest: {} claims, {} impossible, {} undecided, {} restarts; {:.1} queries and {:.1} \
         moves of the controller each",
        honest.claims,
        honest.impossible,
        honest.undecided,
        honest.restarts,
        honest.queries as f64 / honest.claims.max(1) as f64,
        honest.moves_per_claim(),
    );
    for failure in &honest.failures {
        println!("  {failure}");
    }
    let forged = forged::run(args.forged, args.seed, args.sizes);
    for (kind, ways) in &forged.table {
        println!("forged {kind:?}: {ways:?}");
    }
    println!(
        "forged: {} chains, {} missed; at most {} queries for a claim in 99 of 100 chains",
        forged.chains(),
        forged.missed(),
        forged.p99_queries(),
    );
    for miss in &forged.misses {
        println!("  {miss}");
    }
    if honest.impossible == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn continent(args: &ContinentArgs) -> ExitCode {
    let start = Instant::now();
    let world = Continent::new(&ContinentOptions {
        map: args.map,
        seed: args.seed,
        tiles: args.tiles,
        models: args.models.unwrap_or(args.tiles * 5),
        placements: args.placements.unwrap_or(args.tiles as usize * 150),
    });
    let mut progress = |at: capsweep_testkit::server_files::Progress| {
        // A line for each tenth.
        if at.done * 10 / at.total != (at.done - 1) * 10 / at.total {
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("{} {} of {}, {seconds:.1} s", at.step, at.done, at.total);
        }
    };
    match write_world_as(&args.out, &args.core.layout(), &world, &mut progress) {
        Ok(written) => {
            println!(
                "{}: {} tiles, {} models, {} placements in {} records, {} MB, {:.1} s",
                args.out.display(),
                written.maps,
                written.models,
                world.placements.len(),
                written.records,
                written.bytes / 1_000_000,
                start.elapsed().as_secs_f64(),
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", args.out.display());
            ExitCode::from(2)
        }
    }
}

fn oracle(args: &OracleArgs) -> ExitCode {
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        if let Err(error) = pool {
            eprintln!("{threads} threads: {error}");
            return ExitCode::from(2);
        }
    }
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

fn core(name: &str) -> Result<Core, String> {
    let names = || Core::ALL.map(Core::name).join(", ");
    Core::ALL
        .into_iter()
        .find(|core| core.name() == name)
        .ok_or_else(|| format!("the cores are {}", names()))
}

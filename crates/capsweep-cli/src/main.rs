//! The capsweep command: load a level, ask it, walk it.

mod args;
mod bench;
mod cmd;
mod course;
mod flag;
mod inspect;
mod json_error;
mod lines;
mod load;
mod logs;
mod output;
mod picture;
mod plan;
mod progress;
mod query;
mod target;
mod trace;
mod walk;

use anyhow::{Context, Result};
use args::{Cli, Command};
use clap::Parser;
use output::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    logs::start(cli.verbosity());
    match run(&cli) {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<Outcome> {
    use_threads(cli.threads())?;
    let format = cli.format();
    match &cli.command {
        Command::Walk(args) => cmd::walk(args, format),
        Command::Replay(args) => cmd::replay(args, format),
        Command::Sweep(args) => cmd::question(&args.around, format, || plan::sweep(args)),
        Command::Overlap(args) => cmd::question(&args.around, format, || plan::overlap(args)),
        Command::Closest(args) => cmd::question(&args.around, format, || plan::closest(args)),
        Command::Ray(args) => cmd::question(&args.around, format, || plan::ray(args)),
        Command::Supports(args) => cmd::question(&args.around, format, || plan::supports(args)),
        Command::Inspect(args) => cmd::inspect(args, format),
        Command::Bench(args) => cmd::bench(args, format),
        Command::Build(args) => cmd::build(args, format),
    }
}

/// Everything that runs in parallel runs in rayon's global pool: building meshes, batches, benches.
fn use_threads(threads: Option<usize>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().with_context(|| format!("--threads {threads}"))
}

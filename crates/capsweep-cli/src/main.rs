//! The capsweep command: load a level, ask it, walk it.

mod args;
mod cmd;
mod flag;
mod load;
mod logs;
mod output;
mod plan;
mod progress;
mod target;

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
        Command::Sweep(args) => cmd::sweep(args, format),
        Command::Overlap(args) => cmd::overlap(args, format),
        Command::Closest(args) => cmd::closest(args, format),
        Command::Build(args) => cmd::build(args, format),
    }
}

/// Everything that runs in parallel runs in rayon's global pool: building meshes, batches, benches.
fn use_threads(threads: Option<usize>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().with_context(|| format!("--threads {threads}"))
}

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
mod outputs;
mod picture;
mod plan;
mod progress;
mod query;
mod target;
mod threads;
mod trace;
mod walk;

use anyhow::Result;
use args::{Cli, Command};
use clap::Parser;
use output::{Outcome, escape};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = parse();
    logs::start(cli.verbosity());
    match run(&cli) {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// The command line; ends the process with help or an error where there is nothing to do.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        let is_hostile = |word: std::ffi::OsString| escape::is_needed(&word.to_string_lossy());
        if error.use_stderr() && std::env::args_os().any(is_hostile) {
            // clap repeats words as they are.
            output::print_usage(&error.render().to_string());
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}

fn run(cli: &Cli) -> Result<Outcome> {
    threads::set_up(cli.threads())?;
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
        Command::Verify(args) => cmd::verify(args, format),
    }
}

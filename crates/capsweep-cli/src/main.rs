//! The capsweep command: queries, walks and checks of levels.

mod area;
mod args;
mod bench;
mod claims;
mod cmd;
mod course;
mod flag;
mod inspect;
mod json_error;
mod lines;
mod load;
mod logs;
mod map_report;
mod output;
mod overwrite;
mod parse;
mod picture;
mod progress;
mod query;
mod query_lines;
mod target;
#[cfg(test)]
mod test_walks;
mod threads;
mod trace;
mod walk;

use anyhow::Result;
use args::{Cli, Command};
use clap::Parser;
use output::{Outcome, escape};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = parse_args();
    logs::start(cli.verbosity());
    match run(&cli) {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Parses the command line. Exits if it asks for help or is wrong.
fn parse_args() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        let is_hostile = |word: std::ffi::OsString| escape::is_needed(&word.to_string_lossy());
        if error.use_stderr() && std::env::args_os().any(is_hostile) {
            // clap would print the words unescaped.
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
        Command::Sweep(args) => cmd::query(&args.world, format, || parse::sweep(args)),
        Command::Overlap(args) => cmd::query(&args.world, format, || parse::overlap(args)),
        Command::Closest(args) => cmd::query(&args.world, format, || parse::closest(args)),
        Command::Ray(args) => cmd::query(&args.world, format, || parse::ray(args)),
        Command::Supports(args) => cmd::query(&args.world, format, || parse::supports(args)),
        Command::Liquid(args) => cmd::liquid(args, format),
        Command::Inspect(args) => cmd::inspect(args, format),
        Command::Bench(args) => cmd::bench(args, format),
        Command::Build(args) => cmd::build(args, format),
        Command::Import(args) => cmd::import(args, format),
        Command::Verify(args) => cmd::verify(args, format),
        Command::Validate(args) => cmd::validate(args, format),
    }
}

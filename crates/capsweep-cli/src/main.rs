//! The capsweep command: ask where a moving capsule touches.

mod args;
mod cmd;
mod flag;
mod output;
mod plan;
mod target;

use anyhow::Result;
use args::{Cli, Command};
use clap::Parser;
use output::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Clear) => ExitCode::from(1),
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<Outcome> {
    match &cli.command {
        Command::Sweep(args) => cmd::sweep(args, cli.format()),
        Command::Overlap(args) => cmd::overlap(args, cli.format()),
        Command::Closest(args) => cmd::closest(args, cli.format()),
    }
}

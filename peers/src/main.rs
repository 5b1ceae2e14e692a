//! capsweep beside its peers: the same work in one process, one table.

mod engine;
mod machine;
mod memory;
mod mesh;
mod queries;
mod rng;
mod speed;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about = "The same work on PhysX and Parry, side by side")]
struct Args {
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Subcommand)]
enum Mode {
    /// Time of every query on every mesh: sweeps, overlap, closest points, rays; build and memory
    Speed(speed::Options),
}

fn main() -> ExitCode {
    let done = match Args::parse().mode {
        Mode::Speed(options) => speed::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

//! Compares capsweep with `PhysX`, Parry and Rapier: the same work, in one process, in one table.

mod accuracy;
mod clock;
mod engine;
mod machine;
mod memory;
mod mesh;
mod output;
mod queries;
mod report;
mod speed;
mod walk;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about = "The same work on PhysX, Parry and Rapier, side by side")]
struct Args {
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Subcommand)]
enum Mode {
    /// Time of every query on every mesh: sweeps, overlap, closest points, rays; build and memory
    Speed(speed::Options),
    /// Hits that are missed, invented or misplaced in the test kit's families of hard cases
    Accuracy(accuracy::Options),
    /// Character controllers on the same meshes with the same inputs, and in small scenes
    Walk(walk::Options),
    /// Writes the files of `--json` as tables to docs/benchmarks.md, with a short table in the
    /// README and the chart docs/peers.svg
    Report(report::Options),
}

fn main() -> ExitCode {
    let done = match Args::parse().mode {
        Mode::Speed(options) => speed::run(&options),
        Mode::Accuracy(options) => accuracy::run(&options),
        Mode::Walk(options) => walk::run(&options),
        Mode::Report(options) => report::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Refuses to time a `PhysX` that was compiled with its assertions.
fn check_build() -> Result<()> {
    ensure!(
        env!("PEERS_PHYSX_CHECKED") == "false",
        "PhysX was compiled with its assertions: build with --release and without debug information"
    );
    Ok(())
}

/// The median of `times`, which must not be empty. Sorts them.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let half = times.len() / 2;
    if times.len() % 2 == 1 { times[half] } else { 0.5 * (times[half - 1] + times[half]) }
}

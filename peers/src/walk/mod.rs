//! `peers walk`: the same characters with the same inputs through the same meshes, one controller after the other.

mod print;
mod scenario;
mod walker;

use crate::engine::controller::{CONTROLLERS, Controller, Make};
use crate::engine::reference::Reference;
use crate::machine::Machine;
use crate::mesh::{self, Mesh};
use crate::{output, queries};
use anyhow::{Context, Result, ensure};
use scenario::Outcome;
use serde::Serialize;
use std::path::PathBuf;
use walker::{Path, Totals, Walker};

/// What to walk.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Another OBJ or glTF file to walk in (Y up, metres); may be given more than once
    #[arg(long, value_name = "FILE")]
    mesh: Vec<PathBuf>,
    /// Walk only in the mesh of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Write everything that was measured to this file too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Characters in each mesh
    #[arg(long, value_name = "COUNT", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    walkers: u32,
    /// Moves of each character, 60 a second
    #[arg(long, value_name = "COUNT", default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Timed repetitions of each mesh, the engines taking turns; the median counts
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

/// Everything that was measured: the file of `--json`.
#[derive(Serialize)]
struct Report {
    mode: &'static str,
    machine: Machine,
    walkers: u32,
    ticks: u32,
    repetitions: u32,
    cells: Vec<Cell>,
    scenarios: Vec<Outcome>,
}

/// How one controller did in one mesh.
#[derive(Serialize)]
struct Cell {
    mesh: String,
    engine: &'static str,
    /// Median over the repetitions, nanoseconds a move.
    ns: f64,
    /// The fastest and the slowest repetition.
    ns_range: [f64; 2],
    #[serde(flatten)]
    totals: Totals,
}

/// Walks, prints a table a mesh as it goes and one of the scenarios, and writes the file.
///
/// # Errors
/// If `PhysX` was compiled with assertions, a mesh cannot be read or built, or the file not be written.
pub(crate) fn run(options: &Options) -> Result<()> {
    crate::check_build()?;
    let machine = Machine::here();
    print::heading(&machine, options);
    let mut cells = Vec::new();
    for mesh in mesh::all(&options.mesh)? {
        if options.only.is_empty() || options.only.contains(&mesh.name) {
            let found = walk(&mesh, options).with_context(|| mesh.name.clone())?;
            print::table(&mesh, &found);
            cells.extend(found);
        }
    }
    ensure!(!cells.is_empty(), "nothing has a name that --only gives");
    let scenarios = scenario::all()?;
    print::scenarios(&scenarios);
    let Options { walkers, ticks, repetitions, .. } = *options;
    let report = Report { mode: "walk", machine, walkers, ticks, repetitions, cells, scenarios };
    output::write(options.json.as_deref(), &report)
}

/// Every controller's walks through one mesh, taking turns; one turn before the clock counts.
fn walk(mesh: &Mesh, options: &Options) -> Result<Vec<Cell>> {
    let reference = Reference::of_mesh(mesh)?;
    let starts = queries::starts(&reference, options.walkers as usize)?;
    let walkers: Vec<Walker> =
        starts.iter().zip(0..).map(|(&at, seed)| Walker::new(at, seed, options.ticks)).collect();
    let make = |make: &Make| {
        make(mesh).map(|controller| Turn { controller, times: Vec::new(), paths: Vec::new() })
    };
    let mut turns: Vec<Turn> = CONTROLLERS.iter().map(make).collect::<Result<_>>()?;
    let floor = reference.bounds().0.z;
    for repetition in 0..=options.repetitions {
        for turn in &mut turns {
            turn.paths.clear();
            for walker in &walkers {
                turn.paths.push(walker.walk(turn.controller.as_mut(), floor)?);
            }
            if repetition > 0 {
                turn.times.push(turn.nanoseconds());
            }
        }
    }
    Ok(turns.into_iter().map(|turn| turn.into_cell(mesh, &reference)).collect())
}

/// One controller's walks.
struct Turn {
    controller: Box<dyn Controller>,
    /// Nanoseconds a move, of each repetition.
    times: Vec<f64>,
    /// Of the newest repetition.
    paths: Vec<Path>,
}

impl Turn {
    fn nanoseconds(&self) -> f64 {
        let moves: usize = self.paths.iter().map(Path::moves).sum();
        let took: f64 = self.paths.iter().map(|path| path.took.as_secs_f64()).sum();
        took * 1e9 / moves.max(1) as f64
    }

    fn into_cell(mut self, mesh: &Mesh, reference: &Reference<'_>) -> Cell {
        let ns = crate::median(&mut self.times);
        Cell {
            mesh: mesh.name.clone(),
            engine: self.controller.name(),
            ns,
            ns_range: [self.times[0], self.times[self.times.len() - 1]],
            totals: Totals::of(&self.paths, reference, self.controller.as_mut()),
        }
    }
}

//! `peers walk`: every controller moves the same characters with the same inputs through the same
//! meshes.

mod print;
mod route;
mod scenario;

use crate::engine::controller::{CONTROLLERS, Controller, MakeController};
use crate::engine::reference::Reference;
use crate::machine::Machine;
use crate::mesh::{self, Mesh};
use crate::{output, queries};
use anyhow::{Context, Result, ensure};
use route::{Path, Route, Totals};
use scenario::Outcome;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `peers walk`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Another OBJ or glTF file to walk in (Y up, metres); may be given more than once
    #[arg(long, value_name = "FILE")]
    mesh: Vec<PathBuf>,
    /// Walk only in the mesh of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Also write all measurements to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Characters in each mesh
    #[arg(long, value_name = "COUNT", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    walkers: u32,
    /// Moves of each character, 60 per second
    #[arg(long, value_name = "COUNT", default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Timed repetitions of each mesh, with the engines interleaved; the median counts
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

/// All measurements: the file of `--json`.
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

/// Result of one controller in one mesh.
#[derive(Serialize)]
struct Cell {
    mesh: String,
    engine: &'static str,
    /// Median over the repetitions, nanoseconds per move.
    ns: f64,
    /// The fastest and the slowest repetition.
    ns_range: [f64; 2],
    #[serde(flatten)]
    totals: Totals,
}

/// Runs all meshes and scenarios, prints a table after each mesh and one of the scenarios, and
/// writes the file.
///
/// # Errors
/// If `PhysX` was compiled with assertions, a mesh cannot be read or built, or the file cannot be
/// written.
pub(crate) fn run(options: &Options) -> Result<()> {
    crate::check_build()?;
    let machine = Machine::current();
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

/// Runs all controllers in one mesh, interleaved, after one warm-up round.
fn walk(mesh: &Mesh, options: &Options) -> Result<Vec<Cell>> {
    let reference = Reference::from_mesh(mesh)?;
    let starts = queries::starts(&reference, options.walkers as usize)?;
    let routes: Vec<Route> =
        starts.iter().zip(0..).map(|(&at, seed)| Route::new(at, seed, options.ticks)).collect();
    let make = |make: &MakeController| {
        make(mesh).map(|controller| ControllerRuns {
            controller,
            times: Vec::new(),
            paths: Vec::new(),
        })
    };
    let mut all: Vec<ControllerRuns> = CONTROLLERS.iter().map(make).collect::<Result<_>>()?;
    let floor = reference.bounds().0.z;
    for repetition in 0..=options.repetitions {
        for runs in &mut all {
            runs.paths.clear();
            for route in &routes {
                runs.paths.push(route.walk(runs.controller.as_mut(), floor)?);
            }
            if repetition > 0 {
                runs.times.push(runs.nanoseconds());
            }
        }
    }
    Ok(all.into_iter().map(|runs| runs.into_cell(mesh, &reference)).collect())
}

/// The repeated runs of one controller.
struct ControllerRuns {
    controller: Box<dyn Controller>,
    /// Nanoseconds per move, for each repetition.
    times: Vec<f64>,
    /// Paths of the last repetition.
    paths: Vec<Path>,
}

impl ControllerRuns {
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
            totals: Totals::new(&self.paths, reference, self.controller.as_mut()),
        }
    }
}

//! `peers speed`: nanoseconds per query for every mesh, query and engine, in one thread.

mod build;
mod compare;
mod print;

use crate::engine::capsweep::Capsweep;
use crate::engine::parry::Parry;
use crate::engine::physx::{PhysX, PhysXHeightField, PhysXScene};
use crate::engine::reference::Reference;
use crate::engine::{DynEngine, Engine};
use crate::machine::Machine;
use crate::mesh::{self, Geometry, Mesh, Terrain, World};
use crate::output;
use crate::queries::{self, Kind, Query};
use anyhow::{Context, Result, ensure};
use build::{Build, Builds};
use compare::Check;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `peers speed`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Another OBJ or glTF file to measure (Y up, metres); may be given more than once
    #[arg(long, value_name = "FILE")]
    mesh: Vec<PathBuf>,
    /// Measure only the mesh of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Also write all measurements to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Queries of each kind on each mesh
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Timed repetitions of each cell, with the engines interleaved; the median counts
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
    /// Queries of each cell that are also compared with exact answers
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    check: u32,
}

/// All measurements: the file of `--json`.
#[derive(Serialize)]
struct Report {
    mode: &'static str,
    machine: Machine,
    queries: u32,
    repetitions: u32,
    cells: Vec<Cell>,
    builds: Vec<Build>,
    checks: Vec<Check>,
}

/// One engine's time for one kind of query on one mesh.
#[derive(Serialize)]
struct Cell {
    mesh: String,
    query: Kind,
    engine: &'static str,
    /// Median over the repetitions, nanoseconds per query.
    ns: f64,
    /// The fastest and the slowest repetition.
    ns_range: [f64; 2],
}

impl Report {
    /// Prints and keeps the measurements of `source`.
    fn add(&mut self, source: &impl Geometry, measured: Measured) {
        print::table(source, &measured);
        self.cells.extend(measured.cells);
        self.builds.extend(measured.builds);
        self.checks.extend(measured.checks);
    }
}

/// Measures all meshes, prints a table after each, and writes the file.
///
/// # Errors
/// If `PhysX` was compiled with assertions, a mesh cannot be read or built, or the file cannot be
/// written.
pub(crate) fn run(options: &Options) -> Result<()> {
    crate::check_build()?;
    let machine = Machine::current();
    print::heading(&machine, options.queries, options.repetitions);
    let mut report = Report {
        mode: "speed",
        machine,
        queries: options.queries,
        repetitions: options.repetitions,
        cells: Vec::new(),
        builds: Vec::new(),
        checks: Vec::new(),
    };
    for mesh in meshes(options)? {
        let measured = measure(&mesh, options).with_context(|| mesh.name.clone())?;
        report.add(&mesh, measured);
    }
    if wanted(options, "height field") {
        let terrain = mesh::terrain();
        report.add(&terrain, measure_terrain(&terrain, options)?);
    }
    if wanted(options, "instances") {
        let world = mesh::world();
        report.add(&world, measure_world(&world, options)?);
    }
    ensure!(!report.cells.is_empty(), "nothing has a name that --only gives");
    output::write(options.json.as_deref(), &report)
}

/// The available real levels, the generated ones and those of `--mesh`, filtered by `--only`.
fn meshes(options: &Options) -> Result<Vec<Mesh>> {
    let mut meshes = mesh::all(&options.mesh)?;
    meshes.retain(|mesh| wanted(options, &mesh.name));
    Ok(meshes)
}

fn wanted(options: &Options, name: &str) -> bool {
    options.only.is_empty() || options.only.iter().any(|only| only == name)
}

/// Measurements of one mesh.
struct Measured {
    cells: Vec<Cell>,
    builds: Vec<Build>,
    checks: Vec<Check>,
}

fn measure(mesh: &Mesh, options: &Options) -> Result<Measured> {
    let reference = Reference::from_mesh(mesh)?;
    let starts = queries::starts(&reference, options.queries as usize)?;

    let mut own = Builds::<Capsweep<Mesh>>::new();
    let mut physx = Builds::<PhysX>::new();
    let mut parry = Builds::<Parry>::new();
    for _ in 0..options.repetitions {
        own.again(mesh)?;
        physx.again(mesh)?;
        parry.again(mesh)?;
    }
    let (own, own_build) = own.finish(mesh)?;
    let (mut physx, physx_build) = physx.finish(mesh)?;
    let (parry, parry_build) = parry.finish(mesh)?;

    let builds = vec![own_build, physx_build, parry_build];
    let mut measured = Measured { cells: Vec::new(), builds, checks: Vec::new() };
    for kind in Kind::ALL {
        let queries = queries::generate(kind, &starts);
        let cell = (mesh.name.as_str(), kind);
        let exact = (&reference, options.check as usize);
        let engines: [&dyn DynEngine; 3] = [&own, &physx, &parry];
        measured.cells.extend(time(&engines, cell, &queries, options.repetitions));
        measured.checks.extend(compare::with_exact(&own, exact, cell, &queries));
        measured.checks.extend(compare::with_exact(&physx, exact, cell, &queries));
        measured.checks.extend(compare::with_exact(&parry, exact, cell, &queries));
        measured.checks.extend(compare::with_physx(&parry, &mut physx, cell, &queries));
    }
    Ok(measured)
}

/// Measures a world of instances: only sweeps. Parry has no tree of meshes.
fn measure_world(world: &World, options: &Options) -> Result<Measured> {
    let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_sweep());
    let reference = Reference::from_world(world)?;
    measure_pair::<Capsweep<World>, PhysXScene>(world, &reference, kinds, options)
}

/// Measures a height field, beside the one of `PhysX`.
fn measure_terrain(terrain: &Terrain, options: &Options) -> Result<Measured> {
    let reference = Reference::from_mesh(&terrain.mesh)?;
    measure_pair::<Capsweep<Terrain>, PhysXHeightField>(terrain, &reference, Kind::ALL, options)
}

/// Measures capsweep and `PhysX` on queries of these kinds.
fn measure_pair<A: Engine, B: Engine<Source = A::Source>>(
    source: &A::Source,
    reference: &Reference<'_>,
    kinds: impl IntoIterator<Item = Kind>,
    options: &Options,
) -> Result<Measured> {
    let starts = queries::starts(reference, options.queries as usize)?;

    let mut own = Builds::<A>::new();
    let mut physx = Builds::<B>::new();
    for _ in 0..options.repetitions {
        own.again(source)?;
        physx.again(source)?;
    }
    let (own, own_build) = own.finish(source)?;
    let (physx, physx_build) = physx.finish(source)?;

    let mut measured =
        Measured { cells: Vec::new(), builds: vec![own_build, physx_build], checks: Vec::new() };
    for kind in kinds {
        let queries = queries::generate(kind, &starts);
        let cell = (source.name(), kind);
        let exact = (reference, options.check as usize);
        let engines: [&dyn DynEngine; 2] = [&own, &physx];
        measured.cells.extend(time(&engines, cell, &queries, options.repetitions));
        measured.checks.extend(compare::with_exact(&own, exact, cell, &queries));
        measured.checks.extend(compare::with_exact(&physx, exact, cell, &queries));
    }
    Ok(measured)
}

/// Times every engine that has the query, interleaved, after one warm-up round.
fn time(
    engines: &[&dyn DynEngine],
    (mesh, kind): (&str, Kind),
    queries: &[Query],
    repetitions: u32,
) -> Vec<Cell> {
    let able = engines.iter().filter(|engine| engine.sides(kind).is_some());
    let mut rounds: Vec<(&dyn DynEngine, Vec<f64>)> =
        able.map(|&engine| (engine, vec![])).collect();
    let mut answers = Vec::new();
    for repetition in 0..=repetitions {
        for (engine, times) in &mut rounds {
            let took = engine.run(kind, queries, &mut answers);
            if repetition > 0 {
                times.push(took.as_secs_f64() * 1e9 / queries.len() as f64);
            }
        }
    }
    let cell = |(engine, mut times): (&dyn DynEngine, Vec<f64>)| Cell {
        mesh: mesh.to_owned(),
        query: kind,
        engine: engine.name(),
        ns: crate::median(&mut times),
        ns_range: [times[0], times[times.len() - 1]],
    };
    rounds.into_iter().map(cell).collect()
}

//! `peers speed`: nanoseconds a query for every mesh, query and engine, in one process and one thread.

mod build;
mod compare;
mod print;

use crate::engine::Subject;
use crate::engine::capsweep::Capsweep;
use crate::engine::parry::Parry;
use crate::engine::physx::{PhysX, PhysXScene};
use crate::engine::reference::Reference;
use crate::machine::Machine;
use crate::mesh::{self, Geometry, Mesh, World};
use crate::output;
use crate::queries::{self, Kind, Query};
use anyhow::{Context, Result, ensure};
use build::{Build, Builds};
use compare::Check;
use serde::Serialize;
use std::path::PathBuf;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Another OBJ or glTF file to measure (Y up, metres); may be given more than once
    #[arg(long, value_name = "FILE")]
    mesh: Vec<PathBuf>,
    /// Measure only the mesh of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Write everything that was measured to this file too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Queries of each kind on each mesh
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Timed repetitions of each cell, the engines taking turns; the median counts
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
    /// Queries of each cell whose answers are also checked against exact ones
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    check: u32,
}

/// Everything that was measured: the file of `--json`.
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
    /// Median over the repetitions, nanoseconds a query.
    ns: f64,
    /// The fastest and the slowest repetition.
    ns_range: [f64; 2],
}

impl Report {
    /// Prints what was measured on `source` and keeps it.
    fn add(&mut self, source: &impl Geometry, measured: Measured) {
        print::table(source, &measured);
        self.cells.extend(measured.cells);
        self.builds.extend(measured.builds);
        self.checks.extend(measured.checks);
    }
}

/// Measures, prints a table a mesh as it goes, and writes the file.
///
/// # Errors
/// If `PhysX` was compiled with assertions, a mesh cannot be read or built, or the file not be written.
pub(crate) fn run(options: &Options) -> Result<()> {
    crate::check_build()?;
    let machine = Machine::here();
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
    if wanted(options, "instances") {
        let world = mesh::world();
        report.add(&world, measure_world(&world, options)?);
    }
    ensure!(!report.cells.is_empty(), "nothing has a name that --only gives");
    output::write(options.json.as_deref(), &report)
}

/// The real levels that are there, the generated ones, and those of `--mesh`; or `--only` some.
fn meshes(options: &Options) -> Result<Vec<Mesh>> {
    let mut meshes = mesh::all(&options.mesh)?;
    meshes.retain(|mesh| wanted(options, &mesh.name));
    Ok(meshes)
}

fn wanted(options: &Options, name: &str) -> bool {
    options.only.is_empty() || options.only.iter().any(|only| only == name)
}

/// What was measured on one mesh.
struct Measured {
    cells: Vec<Cell>,
    builds: Vec<Build>,
    checks: Vec<Check>,
}

fn measure(mesh: &Mesh, options: &Options) -> Result<Measured> {
    let reference = Reference::of_mesh(mesh)?;
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
        let questions = queries::questions(kind, &starts);
        let cell = (mesh.name.as_str(), kind);
        let exact = (&reference, options.check as usize);
        let subjects: [&dyn Subject; 3] = [&own, &physx, &parry];
        measured.cells.extend(time(&subjects, cell, &questions, options.repetitions));
        measured.checks.extend(compare::with_exact(&own, exact, cell, &questions));
        measured.checks.extend(compare::with_exact(&physx, exact, cell, &questions));
        measured.checks.extend(compare::with_exact(&parry, exact, cell, &questions));
        measured.checks.extend(compare::with_physx(&parry, &mut physx, cell, &questions));
    }
    Ok(measured)
}

/// The same over instances; Parry has nothing that holds meshes in a tree.
fn measure_world(world: &World, options: &Options) -> Result<Measured> {
    let reference = Reference::of_world(world)?;
    let starts = queries::starts(&reference, options.queries as usize)?;

    let mut own = Builds::<Capsweep<World>>::new();
    let mut physx = Builds::<PhysXScene>::new();
    for _ in 0..options.repetitions {
        own.again(world)?;
        physx.again(world)?;
    }
    let (own, own_build) = own.finish(world)?;
    let (physx, physx_build) = physx.finish(world)?;

    let mut measured =
        Measured { cells: Vec::new(), builds: vec![own_build, physx_build], checks: Vec::new() };
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_sweep()) {
        let questions = queries::questions(kind, &starts);
        let cell = (world.name(), kind);
        let exact = (&reference, options.check as usize);
        let subjects: [&dyn Subject; 2] = [&own, &physx];
        measured.cells.extend(time(&subjects, cell, &questions, options.repetitions));
        measured.checks.extend(compare::with_exact(&own, exact, cell, &questions));
        measured.checks.extend(compare::with_exact(&physx, exact, cell, &questions));
    }
    Ok(measured)
}

/// Times every subject that has the query, taking turns; one turn before the clock counts.
fn time(
    subjects: &[&dyn Subject],
    (mesh, kind): (&str, Kind),
    questions: &[Query],
    repetitions: u32,
) -> Vec<Cell> {
    let able = subjects.iter().filter(|subject| subject.sides(kind).is_some());
    let mut turns: Vec<(&dyn Subject, Vec<f64>)> = able.map(|&subject| (subject, vec![])).collect();
    let mut answers = Vec::new();
    for repetition in 0..=repetitions {
        for (subject, times) in &mut turns {
            let took = subject.run(kind, questions, &mut answers);
            if repetition > 0 {
                times.push(took.as_secs_f64() * 1e9 / questions.len() as f64);
            }
        }
    }
    let cell = |(subject, mut times): (&dyn Subject, Vec<f64>)| Cell {
        mesh: mesh.to_owned(),
        query: kind,
        engine: subject.name(),
        ns: crate::median(&mut times),
        ns_range: [times[0], times[times.len() - 1]],
    };
    turns.into_iter().map(cell).collect()
}

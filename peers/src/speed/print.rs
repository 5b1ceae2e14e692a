//! Prints the tables of `peers speed`.

use super::Measured;
use super::compare::{Check, Example, Found};
use crate::machine::Machine;
use crate::mesh::Geometry;
use crate::queries::Kind;

/// The engine that ratios refer to.
const BASELINE: &str = "physx";

/// Prints the machine and an explanation of the tables.
pub(super) fn heading(machine: &Machine, queries: u32, repetitions: u32) {
    machine.print();
    println!();
    println!(
        "Nanoseconds of processor time per query: one thread, default build flags for all,\n\
         {queries} queries in random order, median of {repetitions} interleaved repetitions.\n\
         Upright capsule, radius 0.4 m, height 1.8 m, 2 cm above the surface.\n\
         step 0.13 m sideways, dash 5 m, drop 2 m down, long 50 m.\n\
         In brackets the speed as a multiple of PhysX's.\n\
         PhysX sees fronts only; Parry's sweeps see both sides."
    );
}

/// Prints the times on one mesh or world, and the differences between answers.
pub(super) fn table(source: &impl Geometry, measured: &Measured) {
    let copies = source.instances().map(|count| format!(" in {count} instances"));
    println!(
        "\n{}: {} triangles{}",
        source.name(),
        source.triangles(),
        copies.unwrap_or_default()
    );
    print!("{:<8}", "");
    for kind in Kind::ALL {
        print!("{:>15}", kind.name());
    }
    let item = if source.instances().is_some() { "instance" } else { "triangle" };
    println!("{:>18}{:>16}", "build ms", format!("bytes/{item}"));
    for build in &measured.builds {
        print!("{:<8}", build.engine);
        for kind in Kind::ALL {
            let ns = |engine: &str| nanoseconds(measured, kind, engine);
            print!("{:>15}", with_ratio(ns(build.engine), ns(BASELINE), 0));
        }
        let baseline = measured.builds.iter().find(|other| other.engine == BASELINE);
        print!("{:>18}", with_ratio(Some(build.ms), baseline.map(|other| other.ms), 2));
        let per_item = |bytes| bytes as f64 / build.instances.unwrap_or(build.triangles) as f64;
        let bytes = build.bytes.map(|bytes: usize| format!("{:.1}", per_item(bytes)));
        println!("{:>16}", bytes.unwrap_or_else(|| "–".to_owned()));
    }
    for build in &measured.builds {
        for kind in Kind::ALL {
            let of_cell = |check: &&Check| check.engine == build.engine && check.query == kind;
            differences(&measured.checks.iter().filter(of_cell).collect::<Vec<_>>());
        }
    }
}

fn nanoseconds(measured: &Measured, kind: Kind, engine: &str) -> Option<f64> {
    let mut cells = measured.cells.iter();
    cells.find(|cell| cell.query == kind && cell.engine == engine).map(|cell| cell.ns)
}

/// `value` with the ratio of the baseline to it; a dash without a value.
fn with_ratio(value: Option<f64>, baseline: Option<f64>, decimals: usize) -> String {
    match (value, baseline) {
        (None, _) => "–".to_owned(),
        (Some(value), None) => format!("{value:.decimals$}       "),
        (Some(value), Some(baseline)) => format!("{value:.decimals$} ({:.2})", baseline / value),
    }
}

/// Prints the number of differences in a cell and one example; nothing if all answers agree.
fn differences(checks: &[&Check]) {
    let Some((check, example)) =
        checks.iter().find_map(|check| check.example.as_ref().map(|example| (check, example)))
    else {
        return;
    };
    let counts: Vec<String> = (checks.iter())
        .map(|check| {
            let (differ, found) = (check.differ(), check.found_differs);
            format!("{differ} of {} ({found} hit or miss) from {}", check.asked, check.against)
        })
        .collect();
    println!(
        "  {} {}: answers that differ ({} sides): {}; {}",
        check.engine,
        check.query.name(),
        check.sides,
        counts.join(", "),
        shown(example, check)
    );
}

fn shown(example: &Example, check: &Check) -> String {
    let [x, y, z] = example.center;
    let [u, v, w] = example.motion;
    let metres = |found: &Option<Found>| {
        found.as_ref().map_or("nothing".to_owned(), |found| format!("{:.4} m", found.distance))
    };
    format!(
        "at {x:.3},{y:.3},{z:.3} by {u:.3},{v:.3},{w:.3} {} {}, {} {}",
        check.engine,
        metres(&example.answer),
        check.against,
        metres(&example.other)
    )
}

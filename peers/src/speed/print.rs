//! The table for people.

use super::Measured;
use super::compare::{Check, Example, Found};
use crate::machine::Machine;
use crate::mesh::Geometry;
use crate::queries::Kind;

/// What every number's ratio is taken to.
const YARDSTICK: &str = "physx";

/// What was measured where, and how to read it.
pub(super) fn heading(machine: &Machine, queries: u32, repetitions: u32) {
    machine.print();
    println!();
    println!(
        "Nanoseconds of processor time a query: one thread, default build flags for everyone, {queries} queries in random"
    );
    println!(
        "order, median of {repetitions} repetitions in which the engines take turns. Upright capsule, radius"
    );
    println!(
        "0.4 m, height 1.8 m, 2 cm above the surface. step 0.13 m sideways, dash 5 m, drop 2 m down, long 50 m."
    );
    println!(
        "In brackets the speed as a multiple of PhysX's. PhysX sees fronts only; Parry sweeps see both sides."
    );
}

/// The times on one mesh or world, and where answers differ.
pub(super) fn table(source: &impl Geometry, measured: &Measured) {
    let copies = source.instances().map(|count| format!(" in {count} instances"));
    println!("\n{}: {} triangles{}", source.name(), source.triangles(), copies.unwrap_or_default());
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
            print!("{:>15}", with_ratio(ns(build.engine), ns(YARDSTICK), 0));
        }
        let yardstick = measured.builds.iter().find(|other| other.engine == YARDSTICK);
        print!("{:>18}", with_ratio(Some(build.ms), yardstick.map(|other| other.ms), 2));
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

/// `value` and how many times it goes into the yardstick's; a dash if there is none.
fn with_ratio(value: Option<f64>, yardstick: Option<f64>, decimals: usize) -> String {
    match (value, yardstick) {
        (None, _) => "–".to_owned(),
        (Some(value), None) => format!("{value:.decimals$}       "),
        (Some(value), Some(yardstick)) => format!("{value:.decimals$} ({:.2})", yardstick / value),
    }
}

/// A line that says how many of a cell's answers differ and shows one; nothing where all agree.
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

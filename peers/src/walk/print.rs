//! Prints the tables of `peers walk`.

use super::scenario::Outcome;
use super::{Cell, Options};
use crate::machine::Machine;
use crate::mesh::{Geometry, Mesh};

pub(super) fn heading(machine: &Machine, options: &Options) {
    let Options { walkers, ticks, repetitions, .. } = options;
    machine.print();
    println!();
    println!(
        "{walkers} characters per mesh, {ticks} moves each, the same headings for every engine:\n\
         5 m/s along the ground at 60 moves per second, and a free fall until ground is reported.\n\
         Radius 0.4 m, height 1.8 m, steps up to 0.5 m, slopes up to 45°, otherwise each engine's\n\
         defaults. One thread, median of {repetitions} repetitions.\n\
         through: the centre passed a front face. left: walked off the mesh.\n\
         stuck: within 5 cm for two seconds, then within 1 cm for half a second of each of 64\n\
         headings. overlap: the deepest in a front, without the skin."
    );
}

pub(super) fn table(mesh: &Mesh, cells: &[Cell]) {
    println!("\n{}: {} triangles", mesh.name, mesh.triangles());
    println!(
        "{:<10}{:>10}{:>10}{:>9}{:>7}{:>7}{:>14}{:>12}",
        "", "ns/move", "moves", "through", "left", "stuck", "overlap mm", "speed m/s"
    );
    for Cell { engine, ns, totals, .. } in cells {
        println!(
            "{engine:<10}{ns:>10.0}{:>10}{:>9}{:>7}{:>7}{:>14.4}{:>12.3}",
            totals.moves,
            totals.fell_through,
            totals.left,
            totals.stuck,
            totals.deepest_overlap * 1e3,
            totals.mean_speed
        );
    }
}

/// Prints a row per scenario and a column per engine.
pub(super) fn scenarios(outcomes: &[Outcome]) {
    println!(
        "\nPosition of the feet after two seconds, from the origin along x, and contacts\n\
         (Below, Sides, Above):"
    );
    for (row, of_scenario) in
        outcomes.chunk_by(|one, other| one.scenario == other.scenario).enumerate()
    {
        if row == 0 {
            print!("{:<22}", "");
            for outcome in of_scenario {
                print!("{:>32}", outcome.engine);
            }
            println!();
        }
        print!("{:<22}", of_scenario[0].scenario);
        for outcome in of_scenario {
            let [x, y, z] = outcome.feet;
            print!("{:>32}", format!("{x:.3} {y:.3} {z:.3} {}", outcome.touches.letters()));
        }
        println!();
    }
}

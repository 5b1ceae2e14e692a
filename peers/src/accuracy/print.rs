//! Prints the tables of `peers accuracy`.

use super::Cell;
use crate::machine::Machine;

pub(super) fn heading(machine: &Machine, questions: u64) {
    machine.print();
    println!();
    println!(
        "{questions} sweeps of each family against one triangle, in f32, judged by an f64 oracle.\n\
         left out: less than 0.1 mm decides the touch. missed, invented: a hit is not found, or\n\
         does not exist. start: an overlap at the start is reported later, or vice versa.\n\
         gap: |distance at the reported time − radius| in µm. refused: triangles not accepted.\n\
         Parry's sweeps see both sides of a triangle."
    );
}

pub(super) fn tables(cells: &[Cell]) {
    for of_engine in cells.chunk_by(|one, other| one.engine == other.engine) {
        println!(
            "\n{:<18}{:>8}{:>9}{:>8}{:>8}{:>8}{:>9}{:>7}{:>12}{:>12}{:>12}{:>10}",
            of_engine[0].engine,
            "asked",
            "left out",
            "refused",
            "hits",
            "missed",
            "invented",
            "start",
            "gap 50 %",
            "gap 99.9 %",
            "largest",
            "normal °"
        );
        of_engine.iter().for_each(row);
    }
}

fn row(cell: &Cell) {
    let found = &cell.result;
    let micrometres = |gap: Option<f64>| match gap {
        Some(gap) => format!("{:.3}", gap * 1e6),
        None => "–".to_owned(),
    };
    println!(
        "{:<18}{:>8}{:>9}{:>8}{:>8}{:>8}{:>9}{:>7}{:>12}{:>12}{:>12}{:>10.2}",
        cell.family,
        found.asked,
        found.left_out,
        found.refused,
        found.hits,
        found.missed,
        found.invented,
        found.wrong_start,
        micrometres(found.gap_p50),
        micrometres(found.gap_p999),
        micrometres(found.gap_max),
        found.normal_max
    );
}

//! Tables in Markdown.

use super::input::{Accuracy, AccuracyCell, Build, Speed, Walk, WalkCell, distinct, written};
use std::fmt::Write as _;

/// Queries in the order of their columns.
const QUERIES: [&str; 7] = ["step", "dash", "drop", "long", "overlap", "closest", "ray"];

/// Nanoseconds a query: a row a mesh and engine.
pub(super) fn speed(measured: &Speed) -> String {
    let mut text = String::new();
    _ = writeln!(text, "| mesh | triangles | | {} | build, ms | bytes each |", QUERIES.join(" | "));
    _ = writeln!(text, "|---|---:|---|{}---:|---:|", "---:|".repeat(QUERIES.len()));
    for mesh in distinct(measured.cells.iter().map(|cell| cell.mesh.as_str())) {
        let builds = measured.builds.iter().filter(|build| build.mesh == mesh);
        for (row, build) in builds.enumerate() {
            let head =
                if row == 0 { format!("{mesh} | {}", size(build)) } else { " | ".to_owned() };
            _ = write!(text, "| {head} | {} |", written(&build.engine));
            for query in QUERIES {
                let of_cell = |engine: &str| ns(measured, mesh, query, engine);
                _ = write!(text, " {} |", with_ratio(of_cell(&build.engine), of_cell("physx")));
            }
            let each = build.instances.unwrap_or(build.triangles) as f64;
            let bytes = build.bytes.map_or("–".to_owned(), |b| format!("{:.0}", b as f64 / each));
            _ = writeln!(text, " {:.1} | {bytes} |", build.ms);
        }
    }
    let Speed { queries, repetitions, machine, .. } = measured;
    _ = writeln!(
        text,
        "\nNanoseconds of processor time a query, in brackets the speed as a multiple of PhysX's; one thread, default build flags for everyone, {queries} random queries a cell, \
         median of {repetitions} interleaved repetitions. {}.",
        machine.line()
    );
    text
}

fn size(build: &Build) -> String {
    match build.instances {
        Some(count) => format!("{count} instances"),
        None => build.triangles.to_string(),
    }
}

fn ns(measured: &Speed, mesh: &str, query: &str, engine: &str) -> Option<f64> {
    let mut cells = measured.cells.iter();
    cells
        .find(|cell| cell.mesh == mesh && cell.query == query && cell.engine == engine)
        .map(|cell| cell.ns)
}

fn with_ratio(value: Option<f64>, yardstick: Option<f64>) -> String {
    match (value, yardstick) {
        (None, _) => "–".to_owned(),
        (Some(value), Some(yardstick)) if value != yardstick => {
            let ratio = yardstick / value;
            let digits = if ratio < 1.0 { 2 } else { 1 };
            format!("{value:.0} ({ratio:.digits$}×)")
        }
        (Some(value), _) => format!("{value:.0}"),
    }
}

/// What is missed, invented or misplaced: a row an engine.
pub(super) fn accuracy(measured: &Accuracy) -> String {
    let mut text = String::new();
    _ = writeln!(
        text,
        "| | judged | refused | missed | invented | wrong start | gap, median | gap, 99.9 % | largest gap | worst normal |"
    );
    _ = writeln!(text, "|---|{}", "---:|".repeat(9));
    for cell in measured.cells.iter().filter(|cell| cell.family == "all") {
        let AccuracyCell {
            engine, asked, left_out, refused, missed, invented, wrong_start, ..
        } = cell;
        _ = writeln!(
            text,
            "| {} | {} | {refused} | {missed} | {invented} | {wrong_start} | {} | {} | {} | {:.2}° |",
            written(engine),
            asked - left_out - refused,
            metres(cell.gap_p50),
            metres(cell.gap_p999),
            metres(cell.gap_max),
            cell.normal_max
        );
    }
    let families = distinct(measured.cells.iter().map(|cell| cell.family.as_str())).len() - 1;
    _ = writeln!(
        text,
        "\n{} sweeps against single triangles in each of {families} families, in f32, judged by an f64 oracle; left out where a touch hangs on less than 0.1 mm. {}.",
        measured.questions,
        measured.machine.line()
    );
    text
}

/// A length in the unit that fits it.
fn metres(length: Option<f64>) -> String {
    match length {
        None => "–".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(length) if length < 5e-11 => "< 0.1 nm".to_owned(),
        Some(length) if length < 1e-6 => format!("{:.1} nm", length * 1e9),
        Some(length) if length < 1e-3 => format!("{:.1} µm", length * 1e6),
        Some(length) if length < 1.0 => format!("{:.1} mm", length * 1e3),
        Some(length) => format!("{length:.2} m"),
    }
}

/// Moves of characters: a row a mesh and engine.
pub(super) fn walk(measured: &Walk) -> String {
    let mut text = String::new();
    _ = writeln!(
        text,
        "| mesh | | ns a move | through walls | stuck | deepest overlap | mean speed, m/s |"
    );
    _ = writeln!(text, "|---|---|{}", "---:|".repeat(5));
    let mut last = "";
    for cell in &measured.cells {
        let WalkCell { mesh, engine, ns, fell_through, stuck, deepest_overlap, mean_speed } = cell;
        let yardstick =
            measured.cells.iter().find(|other| other.mesh == *mesh && other.engine == "physx");
        _ = writeln!(
            text,
            "| {} | {} | {} | {fell_through} | {stuck} | {} | {mean_speed:.2} |",
            if mesh == last { "" } else { mesh },
            written(engine),
            with_ratio(Some(*ns), yardstick.map(|other| other.ns)),
            metres(Some(*deepest_overlap)),
        );
        last = mesh;
    }
    let Walk { walkers, ticks, machine, .. } = measured;
    _ = writeln!(
        text,
        "\n{walkers} characters a mesh, {ticks} moves each, the same inputs for everyone, 5 m/s asked for. {}.",
        machine.line()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_unit_that_fits_them() {
        let shown =
            [0.0, 1e-14, 1.24e-8, 3.456e-5, 0.0204, 12.0].map(|length| metres(Some(length)));
        assert_eq!(shown, ["0", "< 0.1 nm", "12.4 nm", "34.6 µm", "20.4 mm", "12.00 m"]);
        assert_eq!(metres(None), "–");
    }

    #[test]
    fn the_yardstick_has_no_ratio() {
        assert_eq!(with_ratio(Some(100.0), Some(250.0)), "100 (2.5×)");
        assert_eq!(with_ratio(Some(1000.0), Some(64.0)), "1000 (0.06×)");
        assert_eq!(with_ratio(Some(250.0), Some(250.0)), "250");
        assert_eq!((with_ratio(None, None), with_ratio(Some(7.0), None)), ("–".into(), "7".into()));
    }
}

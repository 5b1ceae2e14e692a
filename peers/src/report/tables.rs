//! Tables in Markdown.

use super::input::{Accuracy, AccuracyCell, Build, Speed, Walk, WalkCell, display_name, distinct};
use std::fmt::Write as _;

/// Queries in the order of their columns.
const QUERIES: [&str; 7] = ["step", "dash", "drop", "long", "overlap", "closest", "ray"];

/// Meshes of the README's short table: three real levels, a large mesh, many instances.
const SUMMARY: [&str; 5] = ["dungeon", "nav_test", "building", "terrain", "instances"];

/// Sweeps of the README's short table: the first of [`QUERIES`].
const SWEEPS: usize = 4;

/// Columns at which a note breaks into lines.
const WIDTH: usize = 100;

/// Nanoseconds per query: a row per mesh and engine.
pub(super) fn speed(measured: &Speed) -> String {
    let mut text = String::new();
    _ = writeln!(
        text,
        "| mesh | triangles | | {} | build, ms | bytes each |",
        QUERIES.join(" | ")
    );
    _ = writeln!(text, "|---|---:|---|{}---:|---:|", "---:|".repeat(QUERIES.len()));
    for mesh in distinct(measured.cells.iter().map(|cell| cell.mesh.as_str())) {
        let builds = measured.builds.iter().filter(|build| build.mesh == mesh);
        for (row, build) in builds.enumerate() {
            let head =
                if row == 0 { format!("{mesh} | {}", size(build)) } else { " | ".to_owned() };
            _ = write!(text, "| {head} | {} |", display_name(&build.engine));
            for query in QUERIES {
                let of_cell = |engine: &str| ns(measured, mesh, query, engine);
                _ = write!(text, " {} |", with_ratio(of_cell(&build.engine), of_cell("physx")));
            }
            let each = build.instances.unwrap_or(build.triangles) as f64;
            let bytes =
                build.bytes.map_or("–".to_owned(), |b| format!("{:.0}", b as f64 / each));
            _ = writeln!(text, " {:.1} | {bytes} |", build.ms);
        }
    }
    let Speed { queries, repetitions, machine, .. } = measured;
    let note = format!(
        "Nanoseconds of processor time per query; in brackets the speed as a multiple of PhysX's. \
         One thread, default build flags for every engine, {queries} random queries per cell. \
         Each cell is the median of {repetitions} interleaved repetitions."
    );
    text + &lines(&note) + &lines(&format!("{}.", machine.line()))
}

/// Nanoseconds per sweep of capsweep alone: a row per mesh of [`SUMMARY`].
pub(super) fn summary(measured: &Speed) -> String {
    let sweeps = &QUERIES[..SWEEPS];
    let mut text = String::new();
    _ = writeln!(text, "| mesh | triangles | {} |", sweeps.join(" | "));
    _ = writeln!(text, "|---|---:|{}", "---:|".repeat(sweeps.len()));
    for mesh in SUMMARY {
        let mut builds = measured.builds.iter();
        let own = |build: &&Build| build.mesh == mesh && build.engine == "capsweep";
        let Some(build) = builds.find(own) else { continue };
        _ = write!(text, "| {mesh} | {} |", size(build));
        for query in sweeps {
            let [own, peer] =
                ["capsweep", "physx"].map(|engine| ns(measured, mesh, query, engine));
            _ = write!(text, " {} |", with_ratio(own, peer));
        }
        text.push('\n');
    }
    let note = "Nanoseconds per capsweep query; in brackets the speed as a multiple of PhysX's.";
    text + &lines(&format!("{note} {}.", measured.machine.line()))
}

/// `note` as a paragraph of its own, in lines of at most [`WIDTH`] columns.
fn lines(note: &str) -> String {
    let mut text = "\n".to_owned();
    let mut column = 0;
    for word in note.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text + "\n"
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

fn with_ratio(value: Option<f64>, baseline: Option<f64>) -> String {
    match (value, baseline) {
        (None, _) => "–".to_owned(),
        (Some(value), Some(baseline)) if value != baseline => {
            let ratio = baseline / value;
            let digits = if ratio < 1.0 { 2 } else { 1 };
            format!("{value:.0} ({ratio:.digits$}×)")
        }
        (Some(value), _) => format!("{value:.0}"),
    }
}

/// Hits missed, invented or misplaced: a row per engine.
pub(super) fn accuracy(measured: &Accuracy) -> String {
    let mut text = String::new();
    text.push_str("| | judged | refused | missed | invented | wrong start ");
    text.push_str("| gap, median | gap, 99.9 % | largest gap | worst normal |\n");
    _ = writeln!(text, "|---|{}", "---:|".repeat(9));
    for cell in measured.cells.iter().filter(|cell| cell.family == "all") {
        let AccuracyCell {
            engine, asked, left_out, refused, missed, invented, wrong_start, ..
        } = cell;
        let judged = asked - left_out - refused;
        _ = write!(text, "| {} | {judged} | {refused} | {missed} |", display_name(engine));
        _ = writeln!(
            text,
            " {invented} | {wrong_start} | {} | {} | {} | {:.2}° |",
            metres(cell.gap_p50),
            metres(cell.gap_p999),
            metres(cell.gap_max),
            cell.normal_max
        );
    }
    let families = distinct(measured.cells.iter().map(|cell| cell.family.as_str())).len() - 1;
    let note = format!(
        "{} sweeps against single triangles in each of {families} families, with f32 input. \
         An f64 oracle judges them; cases where less than 0.1 mm decides a touch are left out.",
        measured.questions
    );
    text + &lines(&note) + &lines(&format!("{}.", measured.machine.line()))
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

/// Moves of characters: a row per mesh and engine.
pub(super) fn walk(measured: &Walk) -> String {
    let mut text = String::new();
    _ = writeln!(
        text,
        "| mesh | | ns per move | through walls | stuck | deepest overlap | mean speed, m/s |"
    );
    _ = writeln!(text, "|---|---|{}", "---:|".repeat(5));
    let mut last = "";
    for cell in &measured.cells {
        let WalkCell { mesh, engine, ns, fell_through, stuck, deepest_overlap, mean_speed } = cell;
        let baseline =
            measured.cells.iter().find(|other| other.mesh == *mesh && other.engine == "physx");
        _ = writeln!(
            text,
            "| {} | {} | {} | {fell_through} | {stuck} | {} | {mean_speed:.2} |",
            if mesh == last { "" } else { mesh },
            display_name(engine),
            with_ratio(Some(*ns), baseline.map(|other| other.ns)),
            metres(Some(*deepest_overlap)),
        );
        last = mesh;
    }
    let Walk { walkers, ticks, machine, .. } = measured;
    let note = format!(
        "{walkers} characters per mesh, {ticks} moves each. Every engine gets the same inputs, \
         which ask for 5 m/s."
    );
    text + &lines(&note) + &lines(&format!("{}.", machine.line()))
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
    fn notes_break_into_lines_that_fit_the_page() {
        let note = "word ".repeat(60);
        let text = lines(&note);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(text.lines().count(), 4);
        assert_eq!(text.split_whitespace().count(), 60);
        assert!(text.starts_with("\nword word") && text.ends_with("word\n"));
    }

    #[test]
    fn the_baseline_has_no_ratio() {
        assert_eq!(with_ratio(Some(100.0), Some(250.0)), "100 (2.5×)");
        assert_eq!(with_ratio(Some(1000.0), Some(64.0)), "1000 (0.06×)");
        assert_eq!(with_ratio(Some(250.0), Some(250.0)), "250");
        assert_eq!(
            (with_ratio(None, None), with_ratio(Some(7.0), None)),
            ("–".into(), "7".into())
        );
    }
}

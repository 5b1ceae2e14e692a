//! `peers report`: writes the tables of `docs/benchmarks.md`, the short table of the README and
//! the chart.

mod chart;
mod input;
mod tables;

use anyhow::{Context, Result, ensure};
use input::Measured;
use std::path::{Path, PathBuf};

/// The measurements to show, and the files that show them.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Files that `speed`, `accuracy` and `walk` wrote with --json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The page for the tables, between `<!-- peers:MODE -->` and `<!-- /peers:MODE -->`
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/benchmarks.md")
    )]
    benchmarks: PathBuf,
    /// The README for the short table, between `<!-- peers:summary -->` and its end marker
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")
    )]
    readme: PathBuf,
    /// The chart of speeds to write
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/peers.svg")
    )]
    chart: PathBuf,
}

/// Reads the files; writes the page of benchmarks, and for `speed` the README and the chart.
///
/// # Errors
/// If a file cannot be read or written, or a page has no markers for its table.
pub(crate) fn run(options: &Options) -> Result<()> {
    for path in &options.files {
        let measured: Measured = serde_json::from_str(&read(path)?)
            .with_context(|| format!("{} is not a file of --json", path.display()))?;
        let (mode, table) = match &measured {
            Measured::Speed(speed) => {
                insert_table(&options.readme, "summary", &tables::summary(speed))?;
                write(&options.chart, &chart::svg(speed))?;
                ("speed", tables::speed(speed))
            }
            Measured::Accuracy(accuracy) => ("accuracy", tables::accuracy(accuracy)),
            Measured::Walk(walk) => ("walk", tables::walk(walk)),
        };
        insert_table(&options.benchmarks, mode, &table)?;
    }
    Ok(())
}

/// Puts `table` between the markers of `mode` in the file `page`.
fn insert_table(page: &Path, mode: &str, table: &str) -> Result<()> {
    let text =
        with_table(&read(page)?, mode, table).with_context(|| page.display().to_string())?;
    write(page, &text)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// `text` with `table` between the markers of `mode`.
fn with_table(text: &str, mode: &str, table: &str) -> Result<String> {
    let (start, end) = (format!("<!-- peers:{mode} -->"), format!("<!-- /peers:{mode} -->"));
    let parts = text
        .split_once(&start)
        .and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.with_context(|| format!("has no {start} followed by {end}"))?;
    ensure!(!after.contains(&start), "has {start} twice");
    Ok(format!("{before}{start}\n{table}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_what_is_between_its_markers() {
        let text = "a\n<!-- peers:speed -->\nold\n<!-- /peers:speed -->\nb\n";
        let wanted = "a\n<!-- peers:speed -->\nnew\n<!-- /peers:speed -->\nb\n";
        assert_eq!(with_table(text, "speed", "new\n").unwrap(), wanted);
        assert_eq!(with_table(wanted, "speed", "new\n").unwrap(), wanted);
        let error = with_table(text, "walk", "new\n").unwrap_err().to_string();
        assert_eq!(error, "has no <!-- peers:walk --> followed by <!-- /peers:walk -->");
        assert!(with_table(&text.repeat(2), "speed", "new\n").is_err());
    }

    /// The pages that `run` writes have the markers of each mode.
    #[test]
    fn the_pages_have_markers_for_every_table() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let readme = read(Path::new(&format!("{root}/README.md"))).unwrap();
        with_table(&readme, "summary", "").unwrap();
        let benchmarks = read(Path::new(&format!("{root}/docs/benchmarks.md"))).unwrap();
        for mode in ["speed", "accuracy", "walk"] {
            with_table(&benchmarks, mode, "").unwrap();
        }
    }
}

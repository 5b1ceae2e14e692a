//! `peers report`: what was measured, as tables in the README and as a chart.

mod chart;
mod input;
mod tables;

use anyhow::{Context, Result, ensure};
use input::Measured;
use std::path::{Path, PathBuf};

/// What to show, and where.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Files that `speed`, `accuracy` and `walk` wrote with --json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The README to put tables into, between `<!-- peers:MODE -->` and `<!-- /peers:MODE -->`
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))]
    readme: PathBuf,
    /// The chart of speeds to write
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/peers.svg"))]
    chart: PathBuf,
}

/// Reads the files, writes README and chart.
///
/// # Errors
/// If a file cannot be read or written, or the README has no place for a table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut readme = read(&options.readme)?;
    for path in &options.files {
        let measured: Measured = serde_json::from_str(&read(path)?)
            .with_context(|| format!("{} is not a file of --json", path.display()))?;
        let (mode, table) = match &measured {
            Measured::Speed(speed) => {
                write(&options.chart, &chart::svg(speed))?;
                ("speed", tables::speed(speed))
            }
            Measured::Accuracy(accuracy) => ("accuracy", tables::accuracy(accuracy)),
            Measured::Walk(walk) => ("walk", tables::walk(walk)),
        };
        readme =
            placed(&readme, mode, &table).with_context(|| options.readme.display().to_string())?;
    }
    write(&options.readme, &readme)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// `text` with `table` between the markers of `mode`.
fn placed(text: &str, mode: &str, table: &str) -> Result<String> {
    let (start, end) = (format!("<!-- peers:{mode} -->"), format!("<!-- /peers:{mode} -->"));
    let parts =
        text.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
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
        assert_eq!(placed(text, "speed", "new\n").unwrap(), wanted);
        assert_eq!(placed(wanted, "speed", "new\n").unwrap(), wanted);
        let error = placed(text, "walk", "new\n").unwrap_err().to_string();
        assert_eq!(error, "has no <!-- peers:walk --> followed by <!-- /peers:walk -->");
        assert!(placed(&text.repeat(2), "speed", "new\n").is_err());
    }
}

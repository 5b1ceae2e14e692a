//! Runs `capsweep bench`: measures, prints a table.

use crate::area::Area;
use crate::args::BenchArgs;
use crate::bench::{self, Rate};
use crate::course::{self, Course};
use crate::output::{self, Format, Outcome, escape};
use crate::{load, parse, progress};
use anyhow::Result;
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
struct Report {
    scene: String,
    threads: usize,
    /// Queries or moves per second.
    rates: Vec<Rate>,
}

pub(crate) fn bench(args: &BenchArgs, format: Format) -> Result<Outcome> {
    let (scene, level) = match &args.scene {
        Some(path) => (path.display().to_string(), load::level(path, &args.file_args)?),
        None => (course::NAME.to_owned(), Course::new()?.level),
    };
    let start = args.start.as_deref().map(parse::start).transpose()?;
    let area = Area::new(&level, start)?;
    let bar = progress::bar(bench::ROWS, format!("measuring {scene}"));
    let each = Duration::from_secs_f64(args.seconds);
    let measured = bench::run(&level.scene, &area, each, || bar.inc(1));
    bar.finish_and_clear();
    let report = Report { scene, threads: rayon::current_num_threads(), rates: measured? };
    output::print(format, &report, || table(&report))?;
    Ok(Outcome::Done)
}

fn table(report: &Report) -> String {
    let Report { scene, threads, rates } = report;
    let scene = escape::name(scene);
    let all = format!("{threads} threads, /s");
    let head =
        format!("{scene}\n  {:22} {:>15} {all:>15} {:>12}", "", "one thread, /s", "ns each");
    let row = |Rate { what, one_thread, all_threads }: &Rate| {
        let nanoseconds = 1e9 / one_thread;
        format!("\n  {what:22} {one_thread:>15.0} {all_threads:>15.0} {nanoseconds:>12.0}")
    };
    head + &rates.iter().map(row).collect::<String>()
}

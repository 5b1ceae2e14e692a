//! The figures of `docs/worlds.md`: a generated continent of full size is imported, opened and
//! queried.
//!
//! `continent_figures DIR` writes 1 000 tiles, 5 000 models and 150 000 placements below `DIR`
//! unless they are there, imports them and prints a table. It takes some minutes and 1 GB of disk.
//! Each part runs in a process of its own, so that memory is that part's alone.

mod memory;
mod parts;
mod sweeps;

use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::{Core, write_world};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A figure of the table: its name in the output of the parts, its label, its unit and its goal.
type Row = (&'static str, &'static str, &'static str, Option<Goal>);

#[derive(Clone, Copy)]
enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtMost(most) => format!("at most {most}"),
            Self::AtLeast(least) => format!("at least {least}"),
        }
    }
}

use Goal::{AtLeast, AtMost};

const ROWS: [Row; 26] = [
    ("tiles", "tiles", "", None),
    ("models", "models", "", None),
    ("placements", "placements", "", None),
    ("import_1", "import, 1 thread", "s", None),
    ("import_2", "import, 2 threads", "s", Some(AtMost(60.0))),
    ("gain", "gain of the second thread", "×", Some(AtLeast(1.6))),
    ("busiest_gain", "the same, by processor time of the busier thread", "×", None),
    ("import_peak", "peak memory of the import", "MB", Some(AtMost(512.0))),
    ("file", "map file", "MB", None),
    ("open", "open, warm page cache", "ms", Some(AtMost(50.0))),
    ("resident", "resident after open, file pages included", "MB", Some(AtMost(50.0))),
    ("resident_touched", "resident after a visit to 9 tiles", "MB", None),
    ("touch_median", "first sweep in a tile, median", "ms", None),
    ("touch_worst", "first sweep in a tile, worst", "ms", None),
    ("step_all", "step, whole continent", "ns", None),
    ("step_ratio", "step, against 9 tiles", "×", Some(AtMost(1.5))),
    ("dash_all", "dash, whole continent", "ns", None),
    ("dash_ratio", "dash, against 9 tiles", "×", Some(AtMost(1.5))),
    ("drop_all", "drop, whole continent", "ns", None),
    ("drop_ratio", "drop, against 9 tiles", "×", Some(AtMost(1.5))),
    ("long_all", "long, whole continent", "ns", None),
    ("long_ratio", "long, against 9 tiles", "×", Some(AtMost(1.5))),
    ("liquid_land", "`liquid_at`, on land", "ns", None),
    ("liquid_sea", "`liquid_at`, in the sea", "ns", None),
    ("liquid_lake", "`liquid_at`, in the lake", "ns", None),
    ("liquid_cellar", "`liquid_at`, in a flooded cellar", "ns", None),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [folder] => table(Path::new(folder)),
        [folder, "import", threads] => parts::import(Path::new(folder), threads.parse()?),
        [folder, "open"] => parts::open(Path::new(folder)),
        [folder, "touch"] => parts::touch(Path::new(folder)),
        [folder, "sweeps"] => sweeps::run(Path::new(folder)),
        [folder, "liquids"] => parts::liquids(Path::new(folder)),
        _ => Err("usage: continent_figures DIR".into()),
    }
}

/// Runs all parts and prints the table.
fn table(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut figures = BTreeMap::new();
    write(folder, &mut figures)?;
    for part in [
        &["import", "1"][..],
        &["import", "2"],
        // The first opening warms the page cache.
        &["open"],
        &["open"],
        &["touch"],
        &["sweeps"],
        &["liquids"],
    ] {
        eprintln!("{}", part.join(" "));
        let output = Command::new(std::env::current_exe()?).arg(folder).args(part).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        for line in String::from_utf8(output.stdout)?.lines() {
            let (name, value) = line.split_once('\t').ok_or("no tab in a line")?;
            figures.insert(name.to_owned(), value.parse::<f64>()?);
        }
    }
    for (name, gain) in [("import", "gain"), ("busiest", "busiest_gain")] {
        let of = |threads: u32| figures.get(&format!("{name}_{threads}"));
        if let (Some(one), Some(two)) = (of(1), of(2)) {
            let ratio = one / two;
            figures.insert(gain.to_owned(), ratio);
        }
    }
    println!("| figure | value | goal | |\n|---|---:|---|---|");
    for (name, label, unit, goal) in ROWS {
        let Some(value) = figures.get(name) else { continue };
        let digits = if value.abs() < 10.0 && value.fract() != 0.0 { 2 } else { 0 };
        let (goal, mark) = match goal {
            Some(goal) => (goal.text(), if goal.is_met(*value) { "met" } else { "missed" }),
            None => (String::new(), ""),
        };
        println!("| {label} | {value:.digits$} {unit} | {goal} | {mark} |");
    }
    Ok(())
}

/// Writes the folders of a server, unless they are there.
fn write(folder: &Path, figures: &mut BTreeMap<String, f64>) -> Result<(), Box<dyn Error>> {
    let continent = Continent::new(&ContinentOptions::FULL);
    for (name, count) in [
        ("tiles", continent.tiles.len()),
        ("models", continent.models.len()),
        ("placements", continent.placements.len()),
    ] {
        figures.insert(name.to_owned(), count as f64);
    }
    let done = folder.join("written");
    if !done.exists() {
        let start = Instant::now();
        let written = write_world(folder, Core::Cmangos, &continent)?;
        std::fs::write(done, "")?;
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("wrote {} MB in {seconds:.0} s", written.bytes / 1_000_000);
    }
    Ok(())
}

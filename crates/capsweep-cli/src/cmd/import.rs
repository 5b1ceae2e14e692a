//! Runs `capsweep import`: makes one map file from the folders of a game server.

use crate::args::ImportArgs;
use crate::map_report::MapReport;
use crate::output::{self, Format, Outcome, rounded};
use crate::progress;
use anyhow::{Context, Result, bail};
use capsweep::persist::MapUnit;
use capsweep_formats::server_map::ServerFolders;
use capsweep_formats::server_map::import::{
    ImportError, ImportOptions, ImportPart, ImportProgress, import_file,
};
use indicatif::ProgressBar;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[derive(Serialize)]
struct Imported {
    #[serde(flatten)]
    report: MapReport,
    seconds: f64,
}

pub(crate) fn import(args: &ImportArgs, format: Format) -> Result<Outcome> {
    let ImportArgs { vmaps, maps, output, .. } = args;
    for folder in vmaps.iter().chain(maps) {
        check_output(output, folder)?;
    }
    let mut options = ImportOptions::default();
    options.parent = args.parent;
    options.liquid_bits = args.liquids.map(Into::into);
    options.double_sided = args.both_sides;
    let folders = ServerFolders { vmaps: vmaps.clone(), maps: maps.clone() };
    let interrupted = catch_signals()?;
    let started = Instant::now();
    let mut shown = ShownProgress { bar: progress::parts(), part: None };
    let imported = import_file(output, &folders, args.map, &options, &mut |at| {
        shown.show(at);
        if interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    shown.bar.finish_and_clear();
    let file = output.display().to_string();
    let notes = match imported {
        Ok(notes) => notes,
        Err(ImportError::Interrupted) => {
            output::print_note(&format!("interrupted: {file} was not written"));
            return Ok(Outcome::Interrupted);
        }
        Err(ImportError::Write { error, .. } | ImportError::Io(error)) => {
            return Err(error).with_context(|| format!("cannot write {file}"));
        }
        Err(error) => return Err(error.into()),
    };
    let bytes = output.metadata().map_or(0, |metadata| metadata.len());
    let report = MapReport::new(file, bytes, MapUnit::Yard, &notes);
    for line in report.missing_lines() {
        output::print_warning(&line);
    }
    let imported = Imported { report, seconds: started.elapsed().as_secs_f64() };
    output::print(format, &imported, || {
        let (heading, rows) = imported.report.rows();
        rows.row("time", format!("{} s", rounded(imported.seconds, 1))).under(&heading)
    })?;
    Ok(Outcome::Done)
}

/// Refuses an output in a folder that the import reads: it could replace a file of the server.
fn check_output(output: &Path, folder: &Path) -> Result<()> {
    let parent = output.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    // Folders that do not exist are errors of the import.
    let (Ok(parent), Ok(folder)) = (parent.canonicalize(), folder.canonicalize()) else {
        return Ok(());
    };
    if parent == folder {
        let (file, folder) = (output.display(), folder.display());
        bail!("{file} lies in {folder}, which this command reads: write to another folder");
    }
    Ok(())
}

/// A flag that SIGINT, SIGTERM and SIGHUP set. Without it they would end the process and leave the
/// temporary file behind.
fn catch_signals() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let of_handler = Arc::clone(&flag);
    ctrlc::set_handler(move || of_handler.store(true, Ordering::Relaxed))
        .context("cannot catch signals")?;
    Ok(flag)
}

/// The progress bar and the part that it shows.
struct ShownProgress {
    bar: ProgressBar,
    part: Option<ImportPart>,
}

impl ShownProgress {
    fn show(&mut self, ImportProgress { part, done, total, .. }: ImportProgress) {
        if self.part != Some(part) {
            self.part = Some(part);
            let name = match part {
                ImportPart::Tiles => "tiles",
                ImportPart::Models => "models",
                ImportPart::Placements => "placements",
            };
            // The time left is that of the part.
            self.bar.reset();
            self.bar.set_length(total);
            self.bar.set_message(name);
        }
        self.bar.set_position(done);
    }
}

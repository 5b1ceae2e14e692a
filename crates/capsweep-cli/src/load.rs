//! From the SCENE on the command line to a level that can be asked.

use crate::args::FileArgs;
use crate::progress;
use anyhow::Result;
use capsweep_formats::Level;
use std::path::Path;
use std::time::Instant;
use tracing::info;

/// Opens a scene of any format. The error says which file, where in it, and what is wrong.
pub(crate) fn level(path: &Path, how: &FileArgs) -> Result<Level> {
    let started = Instant::now();
    let bar = progress::spinner(format!("opening {}", path.display()));
    let level = capsweep_formats::open(path, &how.options())?;
    bar.finish_and_clear();
    let (bodies, took) = (level.scene.bodies().count(), started.elapsed());
    info!(file = %path.display(), bodies, ?took, "opened");
    Ok(level)
}

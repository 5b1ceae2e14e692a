//! Loads the SCENE argument.

use crate::args::FileArgs;
use crate::output::escape;
use crate::progress;
use anyhow::Result;
use capsweep::Aabb;
use capsweep::scene::Scene;
use capsweep_formats::Level;
use std::path::Path;
use std::time::Instant;
use tracing::info;

/// Opens a scene of any format. The error names the file, the position in it and the defect.
pub(crate) fn level(path: &Path, file_args: &FileArgs) -> Result<Level> {
    let started = Instant::now();
    let bar = progress::spinner(format!("opening {}", path.display()));
    let opened = capsweep_formats::open(path, &file_args.options());
    bar.finish_and_clear();
    let level = opened?;
    let (bodies, took) = (level.scene.bodies().count(), started.elapsed());
    let file = path.display().to_string();
    info!(file = %escape::name(&file), bodies, ?took, "opened");
    Ok(level)
}

/// The box around all bounded bodies; `None` if there are none.
pub(crate) fn bounds(scene: &Scene) -> Option<Aabb> {
    let mut boxes = scene.bodies().filter_map(|(_, body)| body.bounds());
    let first = boxes.next()?;
    Some(boxes.fold(first, |all, one| all.union(&one)))
}

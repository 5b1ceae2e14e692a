//! Loads the SCENE argument.

use crate::args::FileArgs;
use crate::output::escape;
use crate::progress;
use anyhow::Result;
use capsweep::Aabb;
use capsweep::persist::MapUnit;
use capsweep::scene::{HitTarget, Scene};
use capsweep_formats::{Level, Limits, LoadOptions, map_file};
use std::path::Path;
use std::time::Instant;
use tracing::info;

/// Opens a scene of any format. The error names the file, the position in it and the defect.
pub(crate) fn level(path: &Path, file_args: &FileArgs) -> Result<Level> {
    let started = Instant::now();
    let bar = progress::spinner(format!("opening {}", path.display()));
    let opened = open(path, &file_args.options());
    bar.finish_and_clear();
    let level = opened?;
    let (bodies, took) = (body_count(&level), started.elapsed());
    let file = path.display().to_string();
    info!(file = %escape::name(&file), bodies, ?took, "opened");
    Ok(level)
}

/// Maps a map file, and reads any other file.
#[expect(unsafe_code, reason = "a continent is too large to read for one query")]
fn open(path: &Path, options: &LoadOptions) -> Result<Level> {
    let has_options = options.up.is_some() || options.unit.is_some();
    if has_options || !map_file::is_map_file(path) {
        return Ok(capsweep_formats::open(path, options)?);
    }
    // A map takes no memory of its own, so its size needs no limit.
    let limits = Limits { bytes: u64::MAX, ..options.limits };
    // SAFETY: The README and the help of `import` tell people to replace map files by a rename
    // and never to write into one, as `import` itself does.
    let map = unsafe { map_file::open_mapped(path, &limits) }?;
    Ok(Level::from(map))
}

/// The number of bodies. Those of a map file are not loaded for it.
pub(crate) fn body_count(level: &Level) -> usize {
    match &level.map {
        Some(map) => map.file().body_count() as usize,
        None => level.scene.bodies().count(),
    }
}

/// The unit of lengths in a level.
pub(crate) fn unit(level: &Level) -> MapUnit {
    level.map.as_ref().map_or(MapUnit::Metre, |map| map.file().unit())
}

/// The name of the body that a hit is on. Terrain of a map has no name of its own.
pub(crate) fn body_name<'a>(level: &'a Level, target: &HitTarget) -> Option<&'a str> {
    // The key of a placement is below 2³², that of a tile is not.
    let is_tile = level.map.is_some() && target.key >> 32 != 0;
    level.body_name(target).or(is_tile.then_some("terrain"))
}

/// The box around all bounded bodies; `None` if there are none. It loads all bodies of a map.
pub(crate) fn bounds(scene: &Scene) -> Option<Aabb> {
    let mut boxes = scene.bodies().filter_map(|(_, body)| body.bounds());
    let first = boxes.next()?;
    Some(boxes.fold(first, |all, one| all.union(&one)))
}

//! Which format a file has.

use crate::error::{LoadError, Reason};
use crate::{LoadOptions, Source, World, gltf, obj, scene_file};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A format, and how it is read.
pub(crate) enum Format {
    /// Meshes and where they stand.
    Meshes(fn(&Source, &LoadOptions) -> Result<World, LoadError>),
    /// Ready for queries.
    Scene,
}

/// What a file begins with, or else its extension, in any case, says which format it has.
pub(crate) fn of(path: &Path) -> Result<Format, LoadError> {
    if begins_like_a_scene(path) {
        return Ok(Format::Scene);
    }
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(OsStr::to_str) {
        Some("obj") => Ok(Format::Meshes(obj::parse)),
        Some("gltf" | "glb") => Ok(Format::Meshes(gltf::parse)),
        Some(scene_file::EXTENSION) => Ok(Format::Scene),
        _ => Err(LoadError::new(path, Reason::UnknownFormat)),
    }
}

/// A file that cannot be read does not; why it cannot, its reader will say. A pipe is never read here: what is taken from it is gone.
fn begins_like_a_scene(path: &Path) -> bool {
    let mut start = [0; scene_file::MAGIC.len()];
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == *scene_file::MAGIC
}

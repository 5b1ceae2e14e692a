//! Detects the format of a file.

use crate::error::{LoadError, Reason};
use crate::{LoadOptions, Source, World, gltf, obj, scene_file};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A format and its reader.
pub(crate) enum Format {
    /// Meshes with placements, and the function that parses them.
    Meshes(fn(&Source, &LoadOptions) -> Result<World, LoadError>),
    /// A scene file, ready for queries.
    Scene,
}

/// The format, by the first bytes for scene files, otherwise by the extension in any case.
pub(crate) fn detect(path: &Path) -> Result<Format, LoadError> {
    if has_scene_magic(path) {
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

/// Whether the file begins as a scene file. False if it cannot be read: its reader reports why.
///
/// A pipe is never read here, because the bytes would be missing afterwards.
fn has_scene_magic(path: &Path) -> bool {
    let mut start = [0; scene_file::MAGIC.len()];
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == *scene_file::MAGIC
}

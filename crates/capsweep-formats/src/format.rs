//! Detects the format of a file.

use crate::error::{LoadError, Reason};
use crate::{LoadOptions, Source, World, gltf, map_file, obj, scene_file};
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
    /// A map file.
    Map,
}

/// The format, by the first bytes for scene files, otherwise by the extension in any case.
pub(crate) fn detect(path: &Path) -> Result<Format, LoadError> {
    match start_of(path) {
        Some(start) if map_file::is_map(&start) => return Ok(Format::Map),
        Some(start) if start.starts_with(scene_file::MAGIC) => return Ok(Format::Scene),
        _ => {}
    }
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(OsStr::to_str) {
        Some("obj") => Ok(Format::Meshes(obj::parse)),
        Some("gltf" | "glb") => Ok(Format::Meshes(gltf::parse)),
        Some(scene_file::EXTENSION) => Ok(Format::Scene),
        _ => Err(LoadError::new(path, Reason::UnknownFormat)),
    }
}

/// The first 16 bytes of a file, or all if it has fewer; `None` if it cannot be read: its reader
/// reports why.
///
/// A pipe is never read here, because the bytes would be missing afterwards.
pub(crate) fn start_of(path: &Path) -> Option<Vec<u8>> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut start = Vec::new();
    File::open(path).ok()?.take(16).read_to_end(&mut start).ok()?;
    Some(start)
}

//! capsweep's own scene file (`.capsweep`): a scene with its trees and names, ready for queries.
//!
//! The file is the output of [`Scene::to_bytes_with_notes`], with the names as notes. Opening it
//! parses and builds no mesh: queries use the bytes as they are. The whole content is checked
//! first.
//!
//! There are two ways to open one:
//!
//! - [`capsweep_formats::open`](crate::open) reads the file into memory. Later changes to the file
//!   have no effect. This is the default.
//! - [`open_mapped`] maps the file. The system loads pages on demand, and processes that map the
//!   same file share them. It is `unsafe`: no process may change the file while it is mapped.
//!
//! **Replace a scene file, never write into it.** [`write`](fn@write) writes a new file beside the
//! old one and renames it. Programs that have the old file open keep its content.

use crate::error::{Fault, LoadError, Reason, malformed};
use crate::{Level, Limits, LoadOptions, Names, source, whole_file};
use capsweep::persist::{self, FileError};
use capsweep::scene::Scene;
use memmap2::Mmap;
use std::io;
use std::path::Path;

/// The usual extension of scene files.
pub const EXTENSION: &str = "capsweep";

/// The first bytes of every scene file.
pub(crate) const MAGIC: &[u8; 8] = b"capsweep";

/// Reads a scene file into memory.
///
/// # Errors
/// If the file cannot be read, is not a sound scene file, or is larger than [`Limits`] allow. Also
/// if `options` set an up axis or a unit: a scene file is Z up and in metres.
pub(crate) fn read(path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    let read = || {
        if options.up.is_some() || options.unit.is_some() {
            let message =
                "a scene file is Z up and in metres: set up axis and unit when it is built";
            return Err(Reason::Unsupported(message.to_owned()).into());
        }
        parse(source::read_aligned(path, options.limits.bytes)?)
    };
    read().map_err(|fault| fault.in_file(path))
}

/// Maps a scene file into memory instead of reading it.
///
/// The file must stay as it is for as long as the level is in use. In return the system loads only
/// the pages that queries touch, may drop them again, and shares them between processes. The check
/// on opening still touches every page once. Answers have the same bits as with
/// [`open`](crate::open).
///
/// # Safety
/// No process may truncate or write into the file while the level, or a clone of its scene or of
/// one of its meshes, exists. After a truncation the system ends the program with a bus error
/// (SIGBUS) at the next query. After other writes, queries answer wrongly or panic, and the
/// behaviour is undefined because the bytes are borrowed as immutable.
///
/// Replacing the file by a rename is allowed: the map keeps the old content. [`write`](fn@write),
/// `capsweep build` and `mv` rename. `cp` onto the file, `rsync --inplace` and most editors write
/// into it.
///
/// # Errors
/// If the file cannot be mapped, is not a sound scene file, or is larger than `limits` allow.
#[expect(unsafe_code, reason = "a map is only valid while the file does not change")]
pub unsafe fn open_mapped(path: impl AsRef<Path>, limits: &Limits) -> Result<Level, LoadError> {
    let path = path.as_ref();
    let open = || {
        let (file, length) = source::open_regular(path, limits.bytes)?;
        if length == 0 {
            // A map cannot be empty.
            return Err(Reason::SceneFile(FileError::TooShort { bytes: 0 }).into());
        }
        // SAFETY: The map is only read. The caller promises that the file does not change.
        let map = unsafe { Mmap::map(&file) };
        parse(map.map_err(|error| Fault::from(Reason::Io(error)))?)
    };
    open().map_err(|fault: Fault| fault.in_file(path))
}

/// Makes a level from the bytes of a scene file and keeps them while the level lives.
///
/// # Errors
/// If the bytes are not a sound scene file. The error calls the file `name`.
pub fn from_bytes(
    bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    name: impl AsRef<Path>,
) -> Result<Level, LoadError> {
    parse(bytes).map_err(|fault| fault.in_file(name.as_ref()))
}

fn parse(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Level, Fault> {
    let damaged = |error| Fault::from(Reason::SceneFile(error));
    let (scene, notes) = Scene::from_bytes_with_notes(bytes).map_err(damaged)?;
    let names = Names::from_notes(&notes).ok_or_else(|| malformed("its names are damaged"))?;
    Ok(Level::new(scene, names))
}

/// The bytes of a scene file: what [`write`](fn@write) writes and [`from_bytes`] reads.
pub fn to_bytes(scene: &Scene, names: &Names) -> Vec<u8> {
    scene.to_bytes_with_notes(&names.to_notes())
}

/// Writes a scene file, or replaces one as a whole, and returns its length in bytes.
///
/// Programs that have the old file open keep its content. Several writers of one path do not
/// disturb each other: the last rename wins. See [`whole_file`].
///
/// # Errors
/// As [`whole_file::write`]. The old file is then unchanged.
pub fn write(path: impl AsRef<Path>, scene: &Scene, names: &Names) -> io::Result<u64> {
    let bytes = to_bytes(scene, names);
    whole_file::write(path.as_ref(), |file| file.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}

/// Result of checking a whole scene or map file.
#[derive(Debug)]
pub struct Verified {
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Number of meshes in the file.
    pub meshes: u32,
    /// Number of height fields in the file.
    pub fields: u32,
    /// Number of triangles in the sound meshes.
    pub triangles: u64,
    /// Number of triangles in the sound height fields, holes included.
    pub implicit_triangles: u64,
    /// Number of bodies in the file.
    pub bodies: u64,
    /// Number of liquids in the file.
    pub liquids: u64,
    /// The first hundred defects; empty if the file is sound.
    pub findings: Vec<Reason>,
    /// Number of further defects.
    pub more: u64,
}

impl Verified {
    /// Whether the file has no defect.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Checks a whole scene file or map file, names included, and reports all defects.
///
/// [`capsweep::persist::verify`] lists the checks. The file is read, not mapped.
///
/// # Errors
/// If the file cannot be read, is not a regular file, or is larger than `limits` allow.
pub fn verify(path: impl AsRef<Path>, limits: &Limits) -> Result<Verified, LoadError> {
    let path = path.as_ref();
    let bytes = source::read_aligned(path, limits.bytes).map_err(|fault| fault.in_file(path))?;
    let content = bytes.as_ref().get(12..16).map(<[u8]>::to_vec);
    let all = persist::verify(bytes);
    let mut findings: Vec<Reason> = all.findings.into_iter().map(Reason::SceneFile).collect();
    // The library also accepts a file of a single mesh, content 1. It is not a scene.
    if findings.is_empty() && content.as_deref() == Some(&[1, 0, 0, 0]) {
        let error = FileError::WrongContent { found: 1, wanted: "scene" };
        findings.push(Reason::SceneFile(error));
    }
    // The notes of a map are not names.
    let is_map = content.as_deref() == Some(&[3, 0, 0, 0]);
    if !is_map && Names::from_notes(&all.notes).is_none() {
        findings.push(Reason::Malformed("its names are damaged".to_owned()));
    }
    Ok(Verified {
        bytes: all.bytes,
        meshes: all.meshes,
        fields: all.fields,
        triangles: all.triangles,
        implicit_triangles: all.implicit_triangles,
        bodies: all.bodies,
        liquids: all.liquids,
        findings,
        more: all.more,
    })
}

//! capsweep's own scene file (`.capsweep`): a scene with its trees and names, used where it lies.
//!
//! The file is what [`Scene::to_bytes_with_notes`] writes, the names being the notes. [`open`] maps it into memory: nothing is parsed, built or
//! copied, the file's pages come in as queries touch them, and processes that open the same file share them. What is in it is checked
//! first, whole.
//!
//! **Replace a scene file, never write into it.** A map shows what is in the file now. Who shortens or overwrites a file that is in use
//! makes every program that has it open answer wrongly, panic, or end with a bus error. [`write`](fn@write) does it rightly: a new file is written beside the old
//! one and then given its name. Programs that have the old one open keep it until they let go of it.

use crate::error::{Fault, LoadError, Reason, malformed, within};
use crate::{Level, Limits, LoadOptions, Names, source, whole_file};
use capsweep::persist::{self, FileError};
use capsweep::scene::Scene;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// The extension that such files have as a rule.
pub const EXTENSION: &str = "capsweep";

/// What every such file begins with.
pub(crate) const MAGIC: &[u8; 8] = b"capsweep";

/// Opens a scene file by memory map.
///
/// # Errors
/// If the file cannot be read, is no scene file or a damaged one, or is larger than [`Limits`] allow; and if `options` name an up axis or a
/// unit: a scene file has Z up and metres.
pub fn open(path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    let fault = |fault: Fault| fault.in_file(path);
    if options.up.is_some() || options.unit.is_some() {
        let what = "a scene file is Z up and in metres: say up axis and unit when it is built";
        return Err(fault(Reason::Unsupported(what.to_owned()).into()));
    }
    parse(map(path, options.limits.bytes).map_err(fault)?).map_err(fault)
}

/// A level from the bytes of a scene file, which are kept while it lives.
///
/// # Errors
/// If they are no scene file or a damaged one. The error's file is called `name`.
pub fn from_bytes(
    bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    name: &Path,
) -> Result<Level, LoadError> {
    parse(bytes).map_err(|fault| fault.in_file(name))
}

fn parse(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Level, Fault> {
    let damaged = |error| Fault::from(Reason::SceneFile(error));
    let (scene, notes) = Scene::from_bytes_with_notes(bytes).map_err(damaged)?;
    let names = Names::from_notes(&notes).ok_or_else(|| malformed("its names are damaged"))?;
    Ok(Level { scene, names })
}

fn map(path: &Path, limit: u64) -> Result<Mmap, Fault> {
    let io = |error| Fault::from(Reason::Io(error));
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(malformed("not a regular file"));
    }
    within("bytes", metadata.len(), limit)?;
    if metadata.len() == 0 {
        // A map cannot be empty.
        return Err(Reason::SceneFile(FileError::TooShort { bytes: 0 }).into());
    }
    #[expect(unsafe_code, reason = "a memory map is the point of this module")]
    // SAFETY: The map is only read, and it must not change while it is: that is asked of whoever writes scene files, in this module's documentation,
    // and kept by `write`, which never writes into a file that exists.
    let map = unsafe { Mmap::map(&file) };
    map.map_err(io)
}

/// Writes a scene file, or replaces one as a whole; the number of its bytes.
///
/// Programs that have the old file open keep it as it was. Several writers of one path do not
/// disturb each other: the file is then what one of them wrote. See [`whole_file`].
///
/// # Errors
/// As [`whole_file::write`]. The old file is then unchanged.
pub fn write(path: &Path, scene: &Scene, names: &Names) -> io::Result<u64> {
    let bytes = scene.to_bytes_with_notes(&names.to_notes());
    whole_file::write(path, |file| file.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}

/// What a check of a whole scene file found.
#[derive(Debug)]
pub struct Verified {
    /// How many bytes the file has.
    pub bytes: u64,
    /// How many meshes it describes.
    pub meshes: u32,
    /// Triangles of the meshes that are sound.
    pub triangles: u64,
    /// How many bodies it describes.
    pub bodies: u64,
    /// What is wrong, the first hundred findings; none if the file is sound.
    pub findings: Vec<Reason>,
    /// How many more there are.
    pub more: u64,
}

impl Verified {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Checks a scene file wholly and tells everything that is wrong with it, its names included.
///
/// [`capsweep::persist::verify`] says what is checked. The file is read, not mapped, so a file
/// that changes meanwhile does no harm.
///
/// # Errors
/// If the file cannot be read, is no regular file, or has more bytes than [`Limits`] allow.
pub fn verify(path: &Path, limits: &Limits) -> Result<Verified, LoadError> {
    let bytes = source::read(path, limits.bytes).map_err(|fault| fault.in_file(path))?;
    let content = bytes.get(12..16).map(<[u8]>::to_vec);
    let all = persist::verify(bytes);
    let mut findings: Vec<Reason> = all.findings.into_iter().map(Reason::SceneFile).collect();
    // A mesh alone is sound for the library, but no scene.
    if findings.is_empty() && content.as_deref() == Some(&[1, 0, 0, 0]) {
        let error = FileError::WrongContent { found: 1, wanted: "scene" };
        findings.push(Reason::SceneFile(error));
    }
    if Names::from_notes(&all.notes).is_none() {
        findings.push(Reason::Malformed("its names are damaged".to_owned()));
    }
    let (meshes, triangles, bodies) = (all.meshes, all.triangles, all.bodies);
    Ok(Verified { bytes: all.bytes, meshes, triangles, bodies, findings, more: all.more })
}

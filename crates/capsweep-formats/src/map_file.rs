//! Map files (`.capsweep`): a whole continent in one file, read as queries reach it.
//!
//! [`server_map::import`](crate::server_map::import) makes one from a server's folders. There are
//! two ways to open one, as with [scene files](crate::scene_file), and the same rules:
//!
//! - [`open`](crate::open) and [`read`] read the whole file into memory.
//! - [`open_mapped`] maps it. Opening takes milliseconds, whatever the size of the file. Memory
//!   grows with the part of the world that queries touch, and processes share it.
//!
//! Positions are in the unit that the file states: yards, for a server's map.

use crate::error::{Fault, LoadError, Reason};
use crate::server_map::import::MapNotes;
use crate::{Level, Limits, Names, format, source};
use capsweep::persist::{FileError, MapFile};
use capsweep::scene::{HitTarget, Scene, TriMesh};
use memmap2::Mmap;
use std::path::Path;
use std::sync::Arc;

/// An open map, and the names and counts of its import.
#[derive(Debug, Clone)]
pub struct Map {
    file: MapFile,
    notes: MapNotes,
}

impl Map {
    fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        let file = MapFile::open(bytes)?;
        let notes = MapNotes::from_bytes(file.notes()).unwrap_or_default();
        Ok(Self { file, notes })
    }

    /// The file: its unit, its surfaces, and what was found to be damaged.
    pub fn file(&self) -> &MapFile {
        &self.file
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        self.file.scene()
    }

    /// What the import found; empty for a map that was not imported.
    pub fn notes(&self) -> &MapNotes {
        &self.notes
    }

    /// The name of the model that a hit is on; `None` for terrain, and for bodies that are not of
    /// the map.
    pub fn model_name(&self, target: &HitTarget) -> Option<&str> {
        let surface = self.file.surface_of(target.body)?;
        self.notes.models.get(&surface).map(String::as_str)
    }

    /// The mesh of a game object, such as a door or a lift, by its display id: place it as a
    /// dynamic body. `None` if the map has none, or if it is damaged.
    pub fn game_object(&self, display_id: u32) -> Option<Arc<TriMesh>> {
        self.file.mesh(self.notes.game_object(display_id)?)
    }
}

/// Reads a map file into memory.
///
/// # Errors
/// If the file cannot be read, is not a sound map file, or is larger than `limits` allow.
pub fn read(path: impl AsRef<Path>, limits: &Limits) -> Result<Map, LoadError> {
    let path = path.as_ref();
    let read = || {
        let bytes = source::read_aligned(path, limits.bytes)?;
        Map::new(bytes).map_err(|error| Reason::SceneFile(error).into())
    };
    read().map_err(|fault: Fault| fault.in_file(path))
}

/// Maps a map file into memory instead of reading it.
///
/// # Safety
/// As [`scene_file::open_mapped`](crate::scene_file::open_mapped): no process may truncate or
/// write into the file while the map, or a clone of its scene or of a part of it, exists. To
/// replace the file by a rename is allowed, and is what an import does.
///
/// # Errors
/// If the file cannot be mapped, is not a sound map file, or is larger than `limits` allow.
#[expect(unsafe_code, reason = "a map is only valid while the file does not change")]
pub unsafe fn open_mapped(path: impl AsRef<Path>, limits: &Limits) -> Result<Map, LoadError> {
    let path = path.as_ref();
    let open = || {
        let (file, length) = source::open_regular(path, limits.bytes)?;
        if length == 0 {
            // A map cannot be empty.
            return Err(Reason::SceneFile(FileError::TooShort { bytes: 0 }).into());
        }
        // SAFETY: The map is only read. The caller promises that the file does not change.
        let map = unsafe { Mmap::map(&file) };
        let map = map.map_err(|error| Fault::from(Reason::Io(error)))?;
        Map::new(map).map_err(|error| Reason::SceneFile(error).into())
    };
    open().map_err(|fault: Fault| fault.in_file(path))
}

/// Whether a file states to be a map file. `false` if it cannot be read.
pub fn is_map_file(path: impl AsRef<Path>) -> bool {
    format::start_of(path.as_ref()).is_some_and(|start| is_map(&start))
}

/// Whether a file states to be a map file, by its first bytes.
pub(crate) fn is_map(start: &[u8]) -> bool {
    start.starts_with(crate::scene_file::MAGIC) && start.get(12..16) == Some(&[3, 0, 0, 0])
}

impl From<Map> for Level {
    fn from(map: Map) -> Self {
        let scene = map.scene().clone();
        Self { scene, names: Names::default(), map: Some(Arc::new(map)) }
    }
}

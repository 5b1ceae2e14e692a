//! The folders of a server: the maps and tiles in them, and files by name in any case.

use super::file_name::{self, MapFile, Naming};
use super::frame::TileIndex;
use super::game_objects;
use super::model_name::ModelName;
use crate::error::{LoadError, Reason};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders of a server. Either may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerFolders {
    /// The folder with `.vmtree`, `.vmtile` and `.vmo` files.
    pub vmaps: Option<PathBuf>,
    /// The folder with `.map` files.
    pub maps: Option<PathBuf>,
}

/// An index of the files in the folders of a server, made once.
#[derive(Debug, Clone)]
pub struct ServerFiles {
    /// The files directly in the vmaps folder.
    vmaps: Option<Folder>,
    maps: BTreeMap<u32, MapFiles>,
}

/// The files of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapFiles {
    /// The naming of the tree and the placements; `None` if there are none.
    ///
    /// A folder may have files of both. Those of the classic naming are then used.
    pub naming: Option<Naming>,
    /// The tree.
    pub tree: Option<PathBuf>,
    /// The tiles with placements.
    pub tiles: BTreeMap<TileIndex, TileFiles>,
    /// The tiles with terrain.
    pub terrain: BTreeMap<TileIndex, PathBuf>,
}

/// The files with the placements of a tile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TileFiles {
    /// The placements. A child map may have tree indices alone: its parent has the placements.
    pub spawns: Option<PathBuf>,
    /// The tree indices, in the layout that keeps them in a file of their own.
    pub tree_indices: Option<PathBuf>,
}

impl ServerFiles {
    /// Reads the names of the files in the folders, and those in the folders of maps below them.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn open(folders: &ServerFolders) -> Result<Self, LoadError> {
        let mut maps = BTreeMap::new();
        let mut vmaps = None;
        if let Some(path) = &folders.vmaps {
            let folder = Folder::open(path)?;
            for name in folder.files() {
                add_placements(&mut maps, &folder, name, Naming::Classic);
            }
            for name in &folder.map_folders {
                let inner = Folder::open(&path.join(name))?;
                for name in inner.files() {
                    add_placements(&mut maps, &inner, name, Naming::Master);
                }
            }
            vmaps = Some(folder);
        }
        if let Some(path) = &folders.maps {
            let folder = Folder::open(path)?;
            for name in folder.files() {
                add_terrain(&mut maps, &folder, name);
            }
        }
        Ok(Self { vmaps, maps })
    }

    /// The ids of all maps that have a file, in ascending order.
    pub fn map_ids(&self) -> impl Iterator<Item = u32> {
        self.maps.keys().copied()
    }

    /// The files of a map; `None` if it has none.
    pub fn map(&self, id: u32) -> Option<&MapFiles> {
        self.maps.get(&id)
    }

    /// The file of a model; `None` if there is none.
    ///
    /// A name that differs in case is found where no name is the same.
    pub fn model(&self, name: &ModelName) -> Option<PathBuf> {
        name.file_names().iter().find_map(|name| self.vmaps.as_ref()?.find(name))
    }

    /// The list of models of game objects; `None` if there is none.
    pub fn game_objects(&self) -> Option<PathBuf> {
        game_objects::FILE_NAMES.iter().find_map(|name| self.vmaps.as_ref()?.find(name))
    }
}

/// Adds a file of a vmaps folder, or of the folder of a map in it, to its map.
fn add_placements(
    maps: &mut BTreeMap<u32, MapFiles>,
    folder: &Folder,
    name: &str,
    naming: Naming,
) {
    let Some((id, file)) = file_name::parse(name) else { return };
    if let MapFile::Terrain(_) = file {
        return;
    }
    let map = maps.entry(id).or_default();
    // Folders of the classic naming come first.
    if *map.naming.get_or_insert(naming) != naming {
        return;
    }
    let place = match file {
        MapFile::Terrain(_) => return,
        MapFile::Tree => &mut map.tree,
        MapFile::Tile(tile) => &mut map.tiles.entry(tile).or_default().spawns,
        MapFile::TileTreeIndices(tile) => &mut map.tiles.entry(tile).or_default().tree_indices,
    };
    place.get_or_insert_with(|| folder.path.join(name));
}

/// Adds a file of a maps folder to its map.
fn add_terrain(maps: &mut BTreeMap<u32, MapFiles>, folder: &Folder, name: &str) {
    if let Some((id, MapFile::Terrain(tile))) = file_name::parse(name) {
        let terrain = &mut maps.entry(id).or_default().terrain;
        terrain.entry(tile).or_insert_with(|| folder.path.join(name));
    }
}

/// The names of the files in a folder.
#[derive(Debug, Clone)]
struct Folder {
    path: PathBuf,
    /// Names by their lower-case form, each list sorted.
    names: BTreeMap<String, Vec<String>>,
    /// Folders in it whose name is a map of four digits, sorted.
    map_folders: Vec<String>,
}

impl Folder {
    fn open(path: &Path) -> Result<Self, LoadError> {
        let io = |error| LoadError::new(path, Reason::Io(error));
        let mut folder =
            Self { path: path.to_owned(), names: BTreeMap::new(), map_folders: Vec::new() };
        for entry in path.read_dir().map_err(io)? {
            let entry = entry.map_err(io)?;
            // A name that is no text is the name of no model and of no map.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_map = name.len() == 4 && file_name::map_id(&name).is_some();
            if is_map && entry.path().is_dir() {
                folder.map_folders.push(name);
            } else {
                folder.names.entry(name.to_lowercase()).or_default().push(name);
            }
        }
        folder.map_folders.sort_unstable();
        for names in folder.names.values_mut() {
            names.sort_unstable();
        }
        Ok(folder)
    }

    fn files(&self) -> impl Iterator<Item = &str> {
        self.names.values().flatten().map(String::as_str)
    }

    /// The file with this name, or else the first one whose name differs in case only.
    fn find(&self, name: &str) -> Option<PathBuf> {
        let names = self.names.get(&name.to_lowercase())?;
        let same = names.iter().find(|other| *other == name).or_else(|| names.first())?;
        Some(self.path.join(same))
    }
}

//! All placements of a map, each once, in the frame of the world.
//!
//! Nothing that is wrong with a single file or a single record is an error: it is counted, and
//! the first names are kept. A server's data has missing models, and records that no server uses.

use super::error::{ParseError, Problem};
use super::folder::{MapFiles, ServerFiles, TileFiles};
use super::frame::{TileIndex, internal_box_to_world, placement_pose};
use super::limits::{MAX_SPAWN_POSITION, MAX_SPAWN_SCALE, TILE_BYTES, TREE_BYTES, read};
use super::model_name::ModelName;
use super::spawn::{Layout, Spawn};
use super::{tile, tree};
use crate::LoadError;
use capsweep::scene::Pose;
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Most names that a [`Tally`] keeps.
const NAMES_KEPT: usize = 20;

/// A placement of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The id of the placement. No other placement of the map has it.
    pub id: u32,
    /// Index of the model in [`MapPlacements::models`].
    pub model: u32,
    /// Position, rotation and scale in the world, in yards.
    pub pose: Pose,
    /// Whether the model is a prop (M2); `None` where only the model's file knows it.
    pub is_m2: Option<bool>,
    /// The lowest and the highest corner in the world, if the file has them and they are a box.
    pub bounds: Option<[DVec3; 2]>,
}

/// A model that a map places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedModel {
    /// The name of the model.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
}

/// The placements of a map, and the records that gave none.
#[derive(Debug, Default)]
pub struct MapPlacements {
    /// The layout of the files; `None` if the map has none.
    pub layout: Option<Layout>,
    /// The models whose file was found. Each file is in it once.
    pub models: Vec<PlacedModel>,
    /// The placements, in the order of the files.
    pub placements: Vec<Placement>,
    /// Number of records that were read.
    pub records: u64,
    /// Records that repeat the id of an earlier record, as most tiles have them.
    pub duplicates: u64,
    /// Records that gave no placement, and why.
    pub skipped: Skipped,
    /// Models without a file.
    pub missing_models: Tally,
    /// Names that cannot be the name of a file.
    pub unusable_names: Tally,
    /// Files that are damaged or cannot be read, and why.
    pub damaged_files: Tally,
    /// Tiles of a child map whose placements are in no file.
    pub missing_tiles: Tally,
}

/// Records of placements that were left out, by reason. Each record counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped {
    /// A number is NaN or infinite.
    pub not_finite: u64,
    /// The scale is zero or negative, or above 1000.
    pub scale: u64,
    /// The position lies beyond 100 000 yards.
    pub out_of_range: u64,
    /// The index leads beyond the map's tree: tree and tile are of different extractions.
    pub tree_index: u64,
    /// The placement serves to build nav meshes only.
    pub path_only: u64,
    /// The model's name cannot be the name of a file.
    pub unusable_name: u64,
    /// The model has no file.
    pub missing_model: u64,
}

impl Skipped {
    /// The sum over all reasons.
    pub fn total(&self) -> u64 {
        let Self {
            not_finite,
            scale,
            out_of_range,
            tree_index,
            path_only,
            unusable_name,
            missing_model,
        } = self;
        not_finite + scale + out_of_range + tree_index + path_only + unusable_name + missing_model
    }
}

/// A number of things, and the names of the first 20.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Their number.
    pub count: u64,
    /// The names of the first ones.
    pub names: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.names.len() < NAMES_KEPT {
            self.names.push(name());
        }
    }

    /// Adds all of another tally.
    pub(super) fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = NAMES_KEPT.saturating_sub(self.names.len());
        self.names.extend(other.names.into_iter().take(room));
    }
}

/// Reads all placements of a map.
///
/// `parent` is the map whose tiles a child map uses where it has none of its own. The files do not
/// name it.
pub fn placements(files: &ServerFiles, map: u32, parent: Option<u32>) -> MapPlacements {
    let mut collector = Collector::new(files);
    if let Some(map) = files.map(map) {
        let parent = parent.and_then(|parent| files.map(parent));
        collector.read_map(map, parent);
    }
    collector.found
}

/// The model of a name, once it was looked up.
#[derive(Debug, Clone, Copy)]
enum Lookup {
    Found(u32),
    Missing,
    Unusable,
}

/// State of reading a map.
struct Collector<'f> {
    files: &'f ServerFiles,
    found: MapPlacements,
    ids: HashSet<u32>,
    /// Models by the name in the records, with all its bytes.
    by_name: HashMap<Vec<u8>, Lookup>,
    by_path: HashMap<PathBuf, u32>,
    /// Number of placements in the map's tree, if the tree was read.
    tree_count: Option<u64>,
}

impl<'f> Collector<'f> {
    fn new(files: &'f ServerFiles) -> Self {
        Self {
            files,
            found: MapPlacements::default(),
            ids: HashSet::new(),
            by_name: HashMap::new(),
            by_path: HashMap::new(),
            tree_count: None,
        }
    }

    fn read_map(&mut self, map: &MapFiles, parent: Option<&MapFiles>) {
        if let Some(path) = &map.tree
            && let Err(error) = self.read_tree(path)
        {
            self.found.damaged_files.add(|| error.to_string());
        }
        for (&tile, files) in &map.tiles {
            let inherited = || parent?.tiles.get(&tile)?.spawns.as_ref();
            let Some(path) = files.spawns.as_ref().or_else(inherited) else {
                self.found.missing_tiles.add(|| tile_without_spawns(tile, files));
                continue;
            };
            if let Err(error) = self.read_tile(path, files.tree_indices.as_deref()) {
                self.found.damaged_files.add(|| error.to_string());
            }
        }
    }

    fn read_tree(&mut self, path: &Path) -> Result<(), LoadError> {
        let bytes = read(path, TREE_BYTES)?;
        let tree = tree::parse(&bytes).map_err(|error| error.in_file(path))?;
        self.found.layout = Some(tree.layout);
        self.tree_count = Some(tree.placement_count);
        for spawn in &tree.spawns {
            self.add(spawn, spawn.tree_index);
        }
        Ok(())
    }

    fn read_tile(&mut self, path: &Path, tree_indices: Option<&Path>) -> Result<(), LoadError> {
        let bytes = read(path, TILE_BYTES)?;
        let tile = tile::parse(&bytes).map_err(|error| error.in_file(path))?;
        self.found.layout.get_or_insert(tile.layout);
        let indices = match tree_indices {
            Some(path) => Some(read_tree_indices(path, tile.spawns.len())?),
            None => None,
        };
        for (i, spawn) in tile.spawns.iter().enumerate() {
            let index = indices.as_ref().and_then(|indices| indices.get(i).copied());
            self.add(spawn, spawn.tree_index.or(index));
        }
        Ok(())
    }

    fn add(&mut self, spawn: &Spawn<'_>, tree_index: Option<u32>) {
        self.found.records += 1;
        if !self.ids.insert(spawn.id) {
            self.found.duplicates += 1;
            return;
        }
        let skipped = &mut self.found.skipped;
        let beyond_tree =
            tree_index.zip(self.tree_count).is_some_and(|(i, count)| u64::from(i) >= count);
        let reason = match check(spawn) {
            _ if spawn.flags.is_path_only() => Some(&mut skipped.path_only),
            Err(Unusable::NotFinite) => Some(&mut skipped.not_finite),
            Err(Unusable::Scale) => Some(&mut skipped.scale),
            Err(Unusable::OutOfRange) => Some(&mut skipped.out_of_range),
            Ok(_) if beyond_tree => Some(&mut skipped.tree_index),
            Ok(pose) => return self.add_posed(spawn, pose),
        };
        if let Some(count) = reason {
            *count += 1;
        }
    }

    fn add_posed(&mut self, spawn: &Spawn<'_>, pose: Pose) {
        let model = match self.model(spawn.name) {
            Lookup::Found(model) => model,
            Lookup::Missing => {
                self.found.skipped.missing_model += 1;
                return;
            }
            Lookup::Unusable => {
                self.found.skipped.unusable_name += 1;
                return;
            }
        };
        let bounds = spawn
            .bounds
            .filter(|[low, high]| low.is_finite() && high.is_finite() && low.cmple(*high).all());
        self.found.placements.push(Placement {
            id: spawn.id,
            model,
            pose,
            is_m2: spawn.flags.is_m2(),
            bounds: bounds.map(internal_box_to_world),
        });
    }

    /// Finds the model of a name. Each name is looked up once.
    fn model(&mut self, bytes: &[u8]) -> Lookup {
        if let Some(&known) = self.by_name.get(bytes) {
            return known;
        }
        let lookup = self.look_up(bytes);
        self.by_name.insert(bytes.to_vec(), lookup);
        lookup
    }

    fn look_up(&mut self, bytes: &[u8]) -> Lookup {
        let Ok(name) = ModelName::new(bytes) else {
            self.found.unusable_names.add(|| bytes.escape_ascii().to_string());
            return Lookup::Unusable;
        };
        let Some(path) = self.files.model(&name) else {
            self.found.missing_models.add(|| name.as_str().to_owned());
            return Lookup::Missing;
        };
        let models = &mut self.found.models;
        let index = *self.by_path.entry(path).or_insert_with_key(|path| {
            models.push(PlacedModel { name: name.as_str().to_owned(), path: path.clone() });
            // The names of all models fit into one folder, which is far below 2³² files.
            (models.len() - 1) as u32
        });
        Lookup::Found(index)
    }
}

/// Why the numbers of a record make no placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unusable {
    NotFinite,
    Scale,
    OutOfRange,
}

/// Checks the numbers of a record and gives its pose.
fn check(spawn: &Spawn<'_>) -> Result<Pose, Unusable> {
    let Spawn { position, rotation, scale, .. } = *spawn;
    if !(position.is_finite() && rotation.is_finite() && scale.is_finite()) {
        return Err(Unusable::NotFinite);
    }
    if scale <= 0.0 || scale > MAX_SPAWN_SCALE {
        return Err(Unusable::Scale);
    }
    if position.abs().max_element() > MAX_SPAWN_POSITION {
        return Err(Unusable::OutOfRange);
    }
    // All that is left to refuse is a scale below the smallest of a pose.
    placement_pose(position, rotation, scale).map_err(|_| Unusable::Scale)
}

/// Reads the tree indices of `count` placements.
fn read_tree_indices(path: &Path, count: usize) -> Result<Vec<u32>, LoadError> {
    let indices =
        tile::parse_tree_indices(&read(path, TILE_BYTES)?).map_err(|error| error.in_file(path))?;
    if indices.len() == count {
        return Ok(indices);
    }
    let expected = "as many as its tile has placements";
    let problem = Problem::Value { found: indices.len() as u64, expected };
    Err(ParseError { offset: 8, field: "number of tree indices", problem }.in_file(path))
}

/// Names a tile that has tree indices and no placements.
fn tile_without_spawns(tile: TileIndex, files: &TileFiles) -> String {
    match &files.tree_indices {
        Some(path) => format!("{} (its parent map has the placements)", path.display()),
        None => format!("row {}, column {}", tile.row(), tile.col()),
    }
}

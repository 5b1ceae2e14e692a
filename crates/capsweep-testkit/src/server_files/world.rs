//! Whole folders: `maps` and `vmaps` of a continent.

use super::bih::Bounds;
use super::core::{Core, Layout, ModelForm};
use super::model::model_file;
use super::objects::{ObjectModel, object_list_file};
use super::placement::{Scope, Spawn, global_tree_file, tile_file, tile_index_file, tree_file};
use super::terrain::map_file;
use crate::continent::{
    Continent, Fate, Listing, ModelEntry, Placement, Storage, TILE_EDGE, TileId,
};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is written: the step, how much of it is done, and how much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// `models` or `tiles`.
    pub step: &'static str,
    /// Number of files done.
    pub done: usize,
    /// Number of files of this step.
    pub total: usize,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// Terrain files.
    pub maps: usize,
    /// Model files.
    pub models: usize,
    /// Tile files with placements.
    pub tiles: usize,
    /// Records in all tile files. A placement may be in several.
    pub records: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Writes `maps` and `vmaps` of a continent below `folder`, as the tools of `core` do.
///
/// The map after the continent's is its dungeon without terrain. `TrinityCore` master has no such
/// maps; there the next map is a child of the continent, with tree indices of its own.
///
/// # Errors
///
/// If a folder or a file cannot be written.
pub fn write_world(folder: &Path, core: Core, continent: &Continent) -> io::Result<Written> {
    write_world_as(folder, &core.layout(), continent, &mut |_| {})
}

/// Writes a world in any layout and reports progress.
///
/// # Errors
///
/// If a folder or a file cannot be written.
pub fn write_world_as(
    folder: &Path,
    layout: &Layout,
    continent: &Continent,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Written> {
    let mut world = WorldWriter {
        maps: folder.join("maps"),
        vmaps: folder.join("vmaps"),
        layout: *layout,
        continent,
        written: Written::default(),
    };
    fs::create_dir_all(&world.maps)?;
    fs::create_dir_all(&world.vmaps)?;
    let boxes = world.write_models(progress)?;
    world.write_tiles(&boxes, progress)?;
    Ok(world.written)
}

/// Bounds of all placements in the internal frame.
struct Boxes {
    tiled: Vec<Bounds>,
    dungeon: Vec<Bounds>,
}

struct WorldWriter<'a> {
    maps: PathBuf,
    vmaps: PathBuf,
    layout: Layout,
    continent: &'a Continent,
    written: Written,
}

impl WorldWriter<'_> {
    /// Writes every model and the list of game objects. Computes the bounds of placements on the
    /// way, so that no model is generated twice.
    fn write_models(&mut self, progress: &mut dyn FnMut(Progress)) -> io::Result<Boxes> {
        let continent = self.continent;
        let mut boxes = Boxes {
            tiled: vec![Bounds::default(); continent.placements.len()],
            dungeon: vec![Bounds::default(); continent.dungeon.len()],
        };
        let tiled = by_model(&continent.placements, continent.models.len());
        let dungeon = by_model(&continent.dungeon, continent.models.len());
        let mut objects = Vec::new();
        for (k, entry) in continent.models.iter().enumerate() {
            let model = entry.model();
            for index in &tiled[k] {
                boxes.tiled[*index] = continent.placements[*index].bounds(&model);
            }
            for index in &dungeon[k] {
                boxes.dungeon[*index] = continent.dungeon[*index].bounds(&model);
            }
            for object in continent.game_objects.iter().filter(|object| object.model == k) {
                let bounds = model.vertices().map(|v| [v, v]);
                let bounds = bounds.reduce(|all, v| [all[0].min(v[0]), all[1].max(v[1])]);
                objects.push(ObjectModel {
                    display_id: object.display_id,
                    name: entry.name.clone(),
                    kind: entry.kind,
                    bounds: bounds.unwrap_or_default(),
                });
            }
            let names = file_names(entry, &self.layout);
            if !names.is_empty() {
                let bytes = model_file(&model, &self.layout);
                for name in names {
                    self.put(&self.vmaps.join(name), &bytes)?;
                    self.written.models += 1;
                }
            }
            progress(Progress { step: "models", done: k + 1, total: continent.models.len() });
        }
        let list = object_list_file(&objects, &self.layout);
        self.put(&self.vmaps.join(self.layout.objects_file), &list)?;
        Ok(boxes)
    }

    /// Writes terrain, placements and trees.
    fn write_tiles(
        &mut self,
        boxes: &Boxes,
        progress: &mut dyn FnMut(Progress),
    ) -> io::Result<()> {
        let continent = self.continent;
        let master = self.layout.models == ModelForm::Master;
        let map = continent.map;
        let folder =
            if master { self.vmaps.join(format!("{map:04}")) } else { self.vmaps.clone() };
        let child = self.vmaps.join(format!("{:04}", map + 1));
        fs::create_dir_all(&folder)?;
        let lists = tile_lists(continent, &boxes.tiled);
        let total = continent.tiles.len();
        for (k, id) in continent.tiles.iter().enumerate() {
            let TileId { row, column } = *id;
            let bytes = map_file(&continent.tile(*id), &self.layout.map);
            let name = if master {
                format!("{map:04}_{row:02}_{column:02}.map")
            } else {
                format!("{map:03}{row:02}{column:02}.map")
            };
            self.put(&self.maps.join(name), &bytes)?;
            self.written.maps += 1;
            if let Some(list) = lists.get(id) {
                self.write_tile(&folder, *id, list, boxes)?;
            }
            progress(Progress { step: "tiles", done: k + 1, total });
        }
        let width = if master { 4 } else { 3 };
        let tree = |map: u32| format!("{map:0width$}.vmtree");
        let bytes = tree_file(&boxes.tiled, &self.layout);
        self.put(&folder.join(tree(map)), &bytes)?;
        if master {
            let mut reversed = boxes.tiled.clone();
            reversed.reverse();
            let bytes = tree_file(&reversed, &self.layout);
            return self.put(&child.join(tree(map + 1)), &bytes);
        }
        let spawns: Vec<Spawn<'_>> = (0..continent.dungeon.len())
            .map(|k| self.spawn(&continent.dungeon, &boxes.dungeon, k))
            .collect();
        let bytes = global_tree_file(&spawns, &self.layout);
        self.put(&folder.join(tree(map + 1)), &bytes)
    }

    /// Writes the placements of one tile.
    fn write_tile(
        &mut self,
        folder: &Path,
        id: TileId,
        list: &[usize],
        boxes: &Boxes,
    ) -> io::Result<()> {
        let continent = self.continent;
        let TileId { row, column } = id;
        let spawns: Vec<Spawn<'_>> =
            list.iter().map(|k| self.spawn(&continent.placements, &boxes.tiled, *k)).collect();
        let bytes = tile_file(&spawns, Scope::Tile, &self.layout);
        self.written.tiles += 1;
        self.written.records += spawns.len();
        let map = continent.map;
        if self.layout.models == ModelForm::Classic {
            let name = format!("{map:03}_{column:02}_{row:02}.vmtile");
            return self.put(&folder.join(name), &bytes);
        }
        let name = |map: u32| format!("{map:04}_{column:02}_{row:02}.vmtile");
        self.put(&folder.join(name(map)), &bytes)?;
        let indices: Vec<u32> = spawns.iter().map(|spawn| spawn.tree_index).collect();
        let bytes = tile_index_file(&indices, &self.layout);
        self.put(&folder.join(name(map) + "idx"), &bytes)?;
        // The child map has its own tree, in reverse order, and uses its parent's placements.
        let last = boxes.tiled.len() as u32 - 1;
        let indices: Vec<u32> = indices.iter().map(|index| last - index).collect();
        let child = self.vmaps.join(format!("{:04}", map + 1));
        fs::create_dir_all(&child)?;
        self.put(&child.join(name(map + 1) + "idx"), &tile_index_file(&indices, &self.layout))
    }

    fn spawn<'a>(&self, all: &'a [Placement], boxes: &[Bounds], k: usize) -> Spawn<'a>
    where
        Self: 'a,
    {
        let placement = &all[k];
        let entry = &self.continent.models[placement.model];
        let (name, kind) = (entry.name.as_str(), entry.kind);
        Spawn { placement, name, kind, bounds: boxes[k], tree_index: k as u32 }
    }

    fn put(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.written.bytes += bytes.len() as u64;
        fs::write(path, bytes)
    }
}

/// Indices of the placements of each model.
fn by_model(placements: &[Placement], models: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); models];
    for (k, placement) in placements.iter().enumerate() {
        lists[placement.model].push(k);
    }
    lists
}

/// File names of a model.
fn file_names(entry: &ModelEntry, layout: &Layout) -> Vec<String> {
    let name = &entry.name;
    let storage = match entry.storage {
        // Without NUL names every model is a `.vmo`.
        Storage::Bare | Storage::Both if !layout.nul_names => Storage::Vmo,
        other => other,
    };
    match storage {
        Storage::Vmo => vec![format!("{name}.vmo")],
        Storage::Bare => vec![name.clone()],
        Storage::Both => vec![format!("{name}.vmo"), name.clone()],
        Storage::OtherCase => vec![format!("{}.vmo", name.to_uppercase())],
        Storage::Missing => Vec::new(),
    }
}

/// The placements that each tile lists.
fn tile_lists(continent: &Continent, boxes: &[Bounds]) -> BTreeMap<TileId, Vec<usize>> {
    let mut lists: BTreeMap<TileId, Vec<usize>> = BTreeMap::new();
    for (k, placement) in continent.placements.iter().enumerate() {
        // Furniture is listed wherever its house is.
        let bounds = match placement.building {
            Some(house) if placement.fate == Fate::Present => boxes[house],
            _ => boxes[k],
        };
        let mut tiles = touched(bounds);
        if placement.listing == Listing::OwnTile {
            let at = placement.position;
            tiles = touched([at; 2]);
        }
        for tile in tiles {
            lists.entry(tile).or_default().push(k);
        }
    }
    lists
}

/// The tiles that a box of the internal frame touches.
#[allow(clippy::cast_sign_loss, reason = "clamped to the map")]
fn touched([low, high]: Bounds) -> Vec<TileId> {
    let index = |x: f32| (f64::from(x) / TILE_EDGE).floor().clamp(0.0, 63.0) as u32;
    let rows = index(low.x)..=index(high.x);
    rows.flat_map(|row| (index(low.y)..=index(high.y)).map(move |column| TileId { row, column }))
        .collect()
}

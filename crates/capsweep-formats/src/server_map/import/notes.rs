//! What an import found: names, counts, and what was missing. A map file keeps it as its notes.

use crate::server_map::frame::TileIndex;
use crate::server_map::liquid::LiquidBits;
use crate::server_map::placements::{MapPlacements, Skipped, Tally};
use capsweep::scene::{HeightField, TriMesh};
use std::collections::BTreeMap;

/// The first line of the notes of a map.
const MARK: &str = "capsweep map 1";

/// What is known of an imported map beside its geometry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapNotes {
    /// The number of the map.
    pub map: u32,
    /// The meaning that the bits of terrain liquids were given.
    pub liquid_bits: Option<LiquidBits>,
    /// Names of models, by their number in the file.
    pub models: BTreeMap<u32, String>,
    /// The tiles with terrain, and the number of each one's height field.
    pub tiles: BTreeMap<TileIndex, u32>,
    /// Models of doors, lifts and other game objects, by display id.
    pub game_objects: Vec<GameObject>,
    /// Numbers of things.
    pub counts: ImportCounts,
    /// What was missing or damaged.
    pub missing: Missing,
}

/// The model of a kind of game object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameObject {
    /// The id by which game objects refer to the model.
    pub display_id: u32,
    /// Number of the model's mesh in the file.
    pub surface: u32,
}

macro_rules! counts {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// Numbers of things that an import found.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub struct ImportCounts {
            $($(#[$doc])+ pub $name: u64,)+
        }

        impl ImportCounts {
            fn all(&mut self) -> Vec<(&'static str, &mut u64)> {
                vec![$((stringify!($name), &mut self.$name),)+]
            }
        }
    };
}

counts! {
    /// Tiles of one height.
    flat_tiles,
    /// Cells of terrain without ground.
    hole_cells,
    /// Triangles of terrain, holes included. They are implicit.
    terrain_triangles,
    /// Triangles of models, each model once.
    model_triangles,
    /// Triangles of models, for each placement.
    placed_triangles,
    /// Placements.
    placements,
    /// Placements of models that have no triangles or are damaged.
    without_mesh,
    /// Placements that reach out of the range of positions.
    out_of_range,
    /// Tiles with liquid.
    terrain_liquids,
    /// Liquids of placed models.
    model_liquids,
    /// Models without triangles.
    empty_models,
    /// Records of placements in the files.
    records,
    /// Records that repeat a placement, as most tiles have them.
    duplicates,
    /// Records whose numbers are NaN or infinite.
    skipped_not_finite,
    /// Records whose scale is zero, negative or too large.
    skipped_scale,
    /// Records with a position out of range.
    skipped_position,
    /// Records whose index leads beyond the tree.
    skipped_tree_index,
    /// Records for nav meshes only.
    skipped_path_only,
    /// Records with a name that cannot be a file's.
    skipped_name,
    /// Records whose model has no file.
    skipped_missing_model,
}

/// What was missing or damaged: numbers, and the first names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Missing {
    /// Models of placements without a file.
    pub models: Tally,
    /// Models of game objects without a file.
    pub object_models: Tally,
    /// Names that cannot be the name of a file.
    pub unusable_names: Tally,
    /// Tiles of a child map whose placements are in no file.
    pub tiles: Tally,
    /// Files that are damaged or cannot be read, and why.
    pub damaged_files: Tally,
}

impl Missing {
    fn all(&mut self) -> [(&'static str, &mut Tally); 5] {
        [
            ("models", &mut self.models),
            ("object_models", &mut self.object_models),
            ("unusable_names", &mut self.unusable_names),
            ("tiles", &mut self.tiles),
            ("damaged_files", &mut self.damaged_files),
        ]
    }

    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        let mut own = self.clone();
        own.all().iter().all(|(_, tally)| tally.count == 0)
    }
}

impl MapNotes {
    pub(super) fn add_tile(&mut self, tile: TileIndex, surface: u32, field: &HeightField) {
        self.tiles.insert(tile, surface);
        self.counts.flat_tiles += u64::from(field.is_flat());
        self.counts.hole_cells += u64::from(field.hole_count());
        self.counts.terrain_triangles += u64::from(field.triangle_count());
    }

    pub(super) fn add_model(&mut self, surface: u32, name: &str, mesh: &TriMesh) {
        self.models.insert(surface, name.to_owned());
        self.counts.model_triangles += u64::from(mesh.triangle_count());
    }

    /// Takes over what reading the placements found.
    pub(super) fn count_placements(&mut self, found: MapPlacements) {
        self.counts.records = found.records;
        self.counts.duplicates = found.duplicates;
        let Skipped {
            not_finite,
            scale,
            out_of_range,
            tree_index,
            path_only,
            unusable_name,
            missing_model,
        } = found.skipped;
        self.counts.skipped_not_finite = not_finite;
        self.counts.skipped_scale = scale;
        self.counts.skipped_position = out_of_range;
        self.counts.skipped_tree_index = tree_index;
        self.counts.skipped_path_only = path_only;
        self.counts.skipped_name = unusable_name;
        self.counts.skipped_missing_model = missing_model;
        self.missing.models = found.missing_models;
        self.missing.unusable_names = found.unusable_names;
        self.missing.tiles = found.missing_tiles;
        let damaged = found.damaged_files;
        let own = &mut self.missing.damaged_files;
        own.append(damaged);
    }

    /// The mesh of a game object; `None` if the map has none with this display id.
    pub fn game_object(&self, display_id: u32) -> Option<u32> {
        let at = self.game_objects.partition_point(|object| object.display_id < display_id);
        let object = self.game_objects.get(at)?;
        (object.display_id == display_id).then_some(object.surface)
    }

    /// The notes as lines of text, with tabs between the fields of a line.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("{MARK}\nmap\t{}\n", self.map);
        let mut line = |fields: &[&dyn std::fmt::Display]| {
            let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
            text.push_str(&fields.join("\t").replace(['\n', '\r'], " "));
            text.push('\n');
        };
        if let Some(bits) = self.liquid_bits {
            let family = match bits {
                LiquidBits::Mangos => "mangos",
                LiquidBits::Trinity => "trinity",
            };
            line(&[&"liquid_bits", &family]);
        }
        for (tile, surface) in &self.tiles {
            line(&[&"tile", &tile.row(), &tile.col(), surface]);
        }
        for (surface, name) in &self.models {
            line(&[&"model", surface, name]);
        }
        for GameObject { display_id, surface } in &self.game_objects {
            line(&[&"game_object", display_id, surface]);
        }
        for (name, count) in self.clone().counts.all() {
            line(&[&"count", &name, count]);
        }
        for (what, tally) in self.clone().missing.all() {
            line(&[&"missing", &what, &tally.count]);
            for name in &tally.names {
                line(&[&"name", &what, name]);
            }
        }
        text.into_bytes()
    }

    /// Reads notes. Unknown lines are left out, so that later versions may add some. `None` if
    /// the notes are of another kind.
    pub fn from_bytes(notes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(notes).ok()?;
        let mut lines = text.lines();
        if lines.next()? != MARK {
            return None;
        }
        let mut notes = Self::default();
        for line in lines {
            // A damaged line tells nothing.
            let _ = notes.read_line(line);
        }
        notes.game_objects.sort_unstable();
        Some(notes)
    }

    fn read_line(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once('\t')?;
        let mut fields = rest.splitn(3, '\t');
        let mut next = || fields.next();
        match kind {
            "map" => self.map = next()?.parse().ok()?,
            "liquid_bits" => {
                self.liquid_bits = match next()? {
                    "mangos" => Some(LiquidBits::Mangos),
                    "trinity" => Some(LiquidBits::Trinity),
                    _ => None,
                };
            }
            "tile" => {
                let (row, col) = (next()?.parse().ok()?, next()?.parse().ok()?);
                self.tiles.insert(TileIndex::new(row, col)?, next()?.parse().ok()?);
            }
            "model" => {
                self.models.insert(next()?.parse().ok()?, next()?.to_owned());
            }
            "game_object" => self.game_objects.push(GameObject {
                display_id: next()?.parse().ok()?,
                surface: next()?.parse().ok()?,
            }),
            "count" => {
                let name = next()?;
                let count = next()?.parse().ok()?;
                let mut all = self.counts.all();
                **all.iter_mut().find(|(own, _)| *own == name).map(|(_, count)| count)? = count;
            }
            "missing" | "name" => {
                let what = next()?;
                let (_, tally) = self.missing.all().into_iter().find(|(own, _)| *own == what)?;
                if kind == "missing" {
                    tally.count = next()?.parse().ok()?;
                } else {
                    tally.names.push(next()?.to_owned());
                }
            }
            _ => {}
        }
        Some(())
    }
}

//! The content of a map file, as `import` and `inspect` print it. All of it comes from the notes
//! that the import left in the file.

use crate::output::{Rows, bytes, count, escape};
use capsweep::persist::MapUnit;
use capsweep_formats::server_map::frame::TILE_EDGE;
use capsweep_formats::server_map::import::{ImportCounts, MapNotes};
use capsweep_formats::server_map::{LiquidBits, Tally};
use serde::Serialize;

/// Names listed of each kind of missing thing.
const SHOWN: usize = 20;

#[derive(Debug, Serialize)]
pub(crate) struct MapReport {
    file: String,
    bytes: u64,
    map: u32,
    unit: &'static str,
    /// Lowest and highest x and y of the tiles; `None` without terrain.
    area: Option<[[f64; 2]; 2]>,
    tiles: u64,
    flat_tiles: u64,
    hole_cells: u64,
    /// Triangles of terrain, which are implicit.
    terrain_triangles: u64,
    models: u64,
    /// Triangles of models, which are stored: each model once.
    model_triangles: u64,
    placements: u64,
    /// Triangles of models, once for each placement.
    placed_triangles: u64,
    terrain_liquids: u64,
    model_liquids: u64,
    /// The meaning of the liquid bits of terrain: `mangos` or `trinity`.
    liquid_bits: Option<&'static str>,
    game_objects: u64,
    skipped: Skipped,
    missing: Vec<Missing>,
}

/// Placements that were left out, by reason.
#[derive(Debug, Serialize)]
struct Skipped {
    without_mesh: u64,
    missing_model: u64,
    unusable_name: u64,
    not_finite: u64,
    scale: u64,
    out_of_range: u64,
    tree_index: u64,
    path_only: u64,
}

/// Things that were missing or damaged: their number, and the first names.
#[derive(Debug, Serialize)]
struct Missing {
    what: &'static str,
    count: u64,
    names: Vec<String>,
}

impl MapReport {
    pub(crate) fn new(file: String, bytes: u64, unit: MapUnit, notes: &MapNotes) -> Self {
        let counts = &notes.counts;
        Self {
            file,
            bytes,
            map: notes.map,
            unit: unit.symbol(),
            area: area(notes),
            tiles: notes.tiles.len() as u64,
            flat_tiles: counts.flat_tiles,
            hole_cells: counts.hole_cells,
            terrain_triangles: counts.terrain_triangles,
            models: notes.models.len() as u64,
            model_triangles: counts.model_triangles,
            placements: counts.placements,
            placed_triangles: counts.placed_triangles,
            terrain_liquids: counts.terrain_liquids,
            model_liquids: counts.model_liquids,
            liquid_bits: notes.liquid_bits.map(|bits| match bits {
                LiquidBits::Mangos => "mangos",
                LiquidBits::Trinity => "trinity",
            }),
            game_objects: notes.game_objects.len() as u64,
            skipped: Skipped::new(counts),
            missing: missing(notes),
        }
    }

    /// The heading and one row for each kind of content.
    pub(crate) fn rows(&self) -> (String, Rows) {
        let file = escape::name(&self.file);
        let unit = if self.unit == "yd" { "yards" } else { "metres" };
        let heading = format!("{file}: map {}, in {unit}", self.map);
        let Self { terrain_triangles, model_triangles, placed_triangles, .. } = self;
        let Self { tiles, flat_tiles, hole_cells, models, placements, .. } = self;
        let Self { terrain_liquids, model_liquids, .. } = self;
        let rows = Rows::default();
        let rows = match &self.area {
            Some([[x0, y0], [x1, y1]]) => rows
                .row("area", format!("x {x0:.0} to {x1:.0}, y {y0:.0} to {y1:.0} {}", self.unit)),
            None => rows,
        };
        let bits = self.liquid_bits.filter(|_| *terrain_liquids > 0);
        let bits = bits.map(|bits| format!(" (bits as in {bits})")).unwrap_or_default();
        let rows = rows
            .row("tiles", format!("{tiles}, {flat_tiles} of them flat; {hole_cells} hole cells"))
            .row("models", format!("{models}, {placements} placements"))
            .row(
                "triangles",
                format!(
                    "{terrain_triangles} of terrain, implicit; {model_triangles} of models, \
                     stored; {placed_triangles} in all placements"
                ),
            )
            .row(
                "liquids",
                format!("{terrain_liquids} of terrain{bits}, {model_liquids} of models"),
            )
            .row("game objects", self.game_objects.to_string());
        let skipped = self.skipped.text();
        let rows = if skipped.is_empty() { rows } else { rows.row("left out", skipped) };
        (heading, rows.row("file size", bytes(self.bytes)))
    }

    /// One line for each kind of missing thing, with the first names.
    pub(crate) fn missing_lines(&self) -> Vec<String> {
        let line = |missing: &Missing| {
            let shown: Vec<_> = missing.names.iter().map(|name| escape::name(name)).collect();
            let more = match missing.count.saturating_sub(shown.len() as u64) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{} ({}): {}{more}", missing.what, missing.count, shown.join(", "))
        };
        self.missing.iter().map(line).collect()
    }
}

/// The lowest and the highest corner of all tiles.
fn area(notes: &MapNotes) -> Option<[[f64; 2]; 2]> {
    let edge = f64::from(TILE_EDGE);
    let mut all: Option<[[f64; 2]; 2]> = None;
    for tile in notes.tiles.keys() {
        let [x, y] = tile.corner();
        let [low, high] = all.unwrap_or([[x - edge, y - edge], [x, y]]);
        let low = [low[0].min(x - edge), low[1].min(y - edge)];
        all = Some([low, [high[0].max(x), high[1].max(y)]]);
    }
    all
}

fn missing(notes: &MapNotes) -> Vec<Missing> {
    let missing = &notes.missing;
    let all: [(&'static str, &Tally); 5] = [
        ("missing models", &missing.models),
        ("missing models of game objects", &missing.object_models),
        ("unusable names of models", &missing.unusable_names),
        ("missing tiles of placements", &missing.tiles),
        ("damaged or unreadable files", &missing.damaged_files),
    ];
    let some = all.into_iter().filter(|(_, tally)| tally.count > 0);
    some.map(|(what, tally)| {
        let names = tally.names.iter().take(SHOWN).cloned().collect();
        Missing { what, count: tally.count, names }
    })
    .collect()
}

impl Skipped {
    fn new(counts: &ImportCounts) -> Self {
        Self {
            without_mesh: counts.without_mesh,
            missing_model: counts.skipped_missing_model,
            unusable_name: counts.skipped_name,
            not_finite: counts.skipped_not_finite,
            scale: counts.skipped_scale,
            out_of_range: counts.skipped_position + counts.out_of_range,
            tree_index: counts.skipped_tree_index,
            path_only: counts.skipped_path_only,
        }
    }

    /// The reasons that occur; empty if there are none.
    fn text(&self) -> String {
        let reasons = [
            (self.without_mesh, "of models without triangles"),
            (self.missing_model, "of missing models"),
            (self.unusable_name, "with an unusable name"),
            (self.not_finite, "with NaN or infinity"),
            (self.scale, "with a scale of 0 or out of range"),
            (self.out_of_range, "out of the range of positions"),
            (self.tree_index, "beyond the map's tree"),
            (self.path_only, "for nav meshes only"),
        ];
        let some = reasons.into_iter().filter(|(number, _)| *number > 0);
        let texts = some.map(|(number, reason)| {
            format!("{} {reason}", count(number as usize, "placement", "placements"))
        });
        texts.collect::<Vec<_>>().join(", ")
    }
}

//! Terrain tiles as height fields.

use super::notes::MapNotes;
use super::{ImportError, tile_key};
use crate::LoadError;
use crate::server_map::frame::{CELL_EDGE, TileIndex};
use crate::server_map::liquid::{LiquidBits, LiquidEvidence};
use crate::server_map::terrain::{self, CELLS, Heights, TerrainTile};
use capsweep::persist::{MapWriter, PlacedSurface};
use capsweep::scene::{self, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Pose};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// A tile that was read and built.
pub(super) struct LoadedTile {
    field: HeightField,
    liquid_hint: LiquidBits,
    evidence: LiquidEvidence,
}

/// Reads a tile and builds its height field.
pub(super) fn load(path: &Path) -> Result<LoadedTile, LoadError> {
    let tile = terrain::open(path)?;
    let evidence = tile.liquid.as_ref().map(|liquid| liquid.evidence()).unwrap_or_default();
    let liquid_hint = tile.liquid_hint();
    let field = field_of(&tile).map_err(|error| {
        // The reader checked all that a field checks.
        LoadError::new(path, crate::Reason::Malformed(error.to_string()))
    })?;
    Ok(LoadedTile { field, liquid_hint, evidence })
}

/// The height field of a tile. Its rows and columns run along +x and +y from its corner; the
/// [pose](tile_pose) turns them to run against the world's X and Y.
pub(super) fn field_of(tile: &TerrainTile) -> Result<HeightField, scene::HeightFieldError> {
    let cells = CELLS as u32;
    let grid = HeightGrid { rows: cells, columns: cells, spacing: [CELL_EDGE; 2] };
    let heights = match &tile.heights {
        Heights::Flat(height) => scene::Heights::Flat(*height),
        Heights::F32 { v9, v8 } => scene::Heights::F32([v9.as_slice(), v8].concat()),
        Heights::U16 { range, v9, v8 } => {
            let raw = [v9.as_slice(), v8].concat();
            scene::Heights::U16 { raw, low: range.min, high: range.max }
        }
        Heights::U8 { range, v9, v8 } => {
            // 257 · raw of 65535 is raw of 255.
            let raw = v9.iter().chain(v8).map(|raw| u16::from(*raw) * 257).collect();
            scene::Heights::U16 { raw, low: range.min, high: range.max }
        }
    };
    let options = HeightFieldOptions::default();
    let field = HeightField::new(grid, heights, CellTriangles::Four, options)?;
    if tile.holes.is_empty() {
        return Ok(field);
    }
    let is_hole = |cell: usize| tile.holes.contains(cell / CELLS, cell % CELLS);
    field.with_holes(&(0..CELLS * CELLS).map(is_hole).collect::<Vec<_>>())
}

/// Where the field of a tile lies: a half-turn about Z at its corner with the largest X and Y. All
/// numbers are exact, so tiles meet without a gap.
pub(super) fn tile_pose(tile: TileIndex) -> Result<Pose, capsweep::ShapeError> {
    let [x, y] = tile.corner();
    Pose::new(DVec3::new(x, y, 0.0), DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0), DVec3::ONE)
}

/// Writes tiles. Flat tiles of one height share a field.
pub(super) struct TileWriter {
    flat: HashMap<u32, u32>,
    evidence: LiquidEvidence,
    hint: Option<LiquidBits>,
    wanted: Option<LiquidBits>,
}

impl TileWriter {
    pub(super) fn new(wanted: Option<LiquidBits>) -> Self {
        Self { flat: HashMap::new(), evidence: LiquidEvidence::default(), hint: None, wanted }
    }

    pub(super) fn write<W: io::Write + io::Seek>(
        &mut self,
        writer: &mut MapWriter<W>,
        notes: &mut MapNotes,
        tile: TileIndex,
        path: &Path,
        loaded: Result<LoadedTile, LoadError>,
    ) -> Result<(), ImportError> {
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                notes.missing.damaged_files.add(|| error.to_string());
                return Ok(());
            }
        };
        let LoadedTile { field, liquid_hint, evidence } = loaded;
        self.hint.get_or_insert(liquid_hint);
        self.evidence += evidence;
        let surface = self.surface(writer, &field).map_err(ImportError::Io)?;
        let pose = tile_pose(tile);
        let placed = pose.map(|pose| {
            let key = tile_key(tile);
            writer.place(&PlacedSurface { surface, pose, key, mask: u32::MAX })
        });
        if !matches!(placed, Ok(Ok(()))) {
            notes.missing.damaged_files.add(|| path.display().to_string());
            return Ok(());
        }
        notes.add_tile(tile, surface, &field);
        Ok(())
    }

    /// The number of a field in the file.
    fn surface<W: io::Write + io::Seek>(
        &mut self,
        writer: &mut MapWriter<W>,
        field: &HeightField,
    ) -> io::Result<u32> {
        let is_plain = field.is_flat() && field.hole_count() == 0;
        let height = field.height(0, 0).filter(|_| is_plain).map(f32::to_bits);
        if let Some(known) = height.and_then(|height| self.flat.get(&height)) {
            return Ok(*known);
        }
        let surface = writer.add_field(field)?;
        if let Some(height) = height {
            self.flat.insert(height, surface);
        }
        Ok(surface)
    }

    pub(super) fn finish(&self, notes: &mut MapNotes) {
        let hint = self.hint.unwrap_or(LiquidBits::Mangos);
        notes.liquid_bits = Some(self.wanted.unwrap_or_else(|| self.evidence.bits(hint)));
    }
}

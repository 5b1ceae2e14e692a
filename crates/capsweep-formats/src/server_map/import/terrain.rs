//! Terrain tiles as height fields.

use super::liquids::terrain_sheet;
use super::notes::MapNotes;
use super::{ImportError, tile_key};
use crate::server_map::frame::{CELL_EDGE, TileIndex};
use crate::server_map::liquid::{LiquidBits, LiquidEvidence};
use crate::server_map::terrain::{self, CELLS, Heights, TerrainLiquid, TerrainTile};
use crate::{LoadError, Reason};
use capsweep::persist::{FileError, MapWriter, PlacedSheet, PlacedSurface, SheetRole};
use capsweep::scene::{
    self, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, LiquidSheet, Pose,
};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// A tile that was read and built.
pub(super) struct LoadedTile {
    field: HeightField,
    sheet: Option<LiquidSheet>,
}

/// Reads a tile and builds its height field and the sheet of its liquid.
pub(super) fn load(path: &Path, bits: LiquidBits) -> Result<LoadedTile, LoadError> {
    let tile = terrain::open(path)?;
    // The reader checked all that fields and sheets check.
    let refused = |message: String| LoadError::new(path, Reason::Malformed(message));
    let field = field_of(&tile).map_err(|error| refused(error.to_string()))?;
    let sheet = tile.liquid.as_ref().map(|liquid| terrain_sheet(liquid, bits)).transpose();
    let sheet = sheet.map_err(|error| refused(error.to_string()))?.flatten();
    Ok(LoadedTile { field, sheet })
}

/// The meaning of the bits of liquids, from all tiles of a map: see [`LiquidEvidence`].
pub(super) fn liquid_bits(tiles: &[(TileIndex, &Path)]) -> LiquidBits {
    let of_tile = |(_, path): &(TileIndex, &Path)| {
        // Damaged tiles are reported when they are imported.
        let tile = terrain::open(path).ok()?;
        let evidence = tile.liquid.as_ref().map(TerrainLiquid::evidence).unwrap_or_default();
        Some((tile.liquid_hint(), evidence))
    };
    let all: Vec<_> = tiles.par_iter().filter_map(of_tile).collect();
    let mut sum = LiquidEvidence::default();
    for (_, evidence) in &all {
        sum += *evidence;
    }
    sum.bits(all.first().map_or(LiquidBits::Mangos, |(hint, _)| *hint))
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
#[derive(Default)]
pub(super) struct TileWriter {
    /// By the bits of the height.
    flat: HashMap<u32, u32>,
}

impl TileWriter {
    pub(super) fn write<W: io::Write + io::Seek>(
        &mut self,
        writer: &mut MapWriter<W>,
        notes: &mut MapNotes,
        tile: TileIndex,
        loaded: Result<LoadedTile, LoadError>,
    ) -> Result<(), ImportError> {
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                notes.missing.damaged_files.add(|| error.to_string());
                return Ok(());
            }
        };
        let LoadedTile { field, sheet } = loaded;
        let surface = self.surface(writer, &field).map_err(ImportError::Io)?;
        // Tiles of the 64 × 64 grid are always in range.
        let pose = tile_pose(tile).map_err(|error| FileError::BadShape { body: 0, error });
        let pose = pose.map_err(ImportError::bug)?;
        let placed = PlacedSurface { surface, pose, key: tile_key(tile), mask: u32::MAX };
        writer.place(&placed).map_err(ImportError::bug)?;
        notes.add_tile(tile, surface, &field);
        if let Some(sheet) = sheet {
            let sheet = writer.add_sheet(&sheet).map_err(ImportError::Io)?;
            let role = SheetRole::Terrain { ground: Some(surface) };
            let placed = PlacedSheet { sheet, pose, role };
            writer.place_liquid(&placed).map_err(ImportError::bug)?;
            notes.counts.terrain_liquids += 1;
        }
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
}

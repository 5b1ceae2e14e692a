//! Liquids of terrain and of models as sheets, and the groups of models as rooms.

use crate::server_map::frame::CELL_EDGE;
use crate::server_map::liquid::LiquidBits;
use crate::server_map::model::{Group, ModelLiquid, ModelLiquidSurface, WorldModel};
use crate::server_map::terrain::{LiquidSurface, TerrainLiquid};
use capsweep::scene::{Heights, LiquidError, LiquidGrid, LiquidKind, LiquidSheet, Room, Rooms};
use capsweep::{Aabb, ShapeError};

/// The sheet of a tile's liquid, in the space of the tile's height field; `None` if no cell is
/// wet.
pub(super) fn terrain_sheet(
    liquid: &TerrainLiquid,
    bits: LiquidBits,
) -> Result<Option<LiquidSheet>, LiquidError> {
    let wet_cells = liquid.wet_cells();
    let extent = liquid.extent;
    if wet_cells.is_empty() || extent.rows < 2 || extent.cols < 2 {
        return Ok(None);
    }
    let (rows, columns) = (u32::from(extent.rows) - 1, u32::from(extent.cols) - 1);
    let (first_row, first_column) = (extent.first_row.into(), extent.first_col.into());
    let origin = [first_row, first_column].map(|first: usize| first as f32 * CELL_EDGE);
    let grid = LiquidGrid { rows, columns, spacing: [CELL_EDGE; 2], origin };
    let heights = match &liquid.surface {
        LiquidSurface::Flat(level) => Heights::Flat(*level),
        LiquidSurface::Grid(heights) => Heights::F32(heights.clone()),
    };
    let cells = (0..rows as usize)
        .flat_map(|row| (0..columns as usize).map(move |column| (row, column)))
        .map(|(row, column)| (first_row + row, first_column + column));
    let wet: Vec<bool> = cells.clone().map(|(row, col)| wet_cells.contains(row, col)).collect();
    let kind = |(row, col)| liquid.kind(row, col, bits).unwrap_or_default();
    let kinds: Vec<LiquidKind> = cells.map(kind).collect();
    let sheet = LiquidSheet::new(grid, heights, LiquidKind::default())?;
    sheet.with_wet(&wet)?.with_kinds(&kinds).map(Some)
}

/// The groups of a building as rooms: the tag of a room is the index of its group.
pub(super) fn rooms(model: &WorldModel) -> Result<Rooms, LiquidError> {
    let room = |(group, tag): (&Group, u32)| {
        let bounds = bounds_of(group).map_err(|error| LiquidError::OutOfRange { error })?;
        Ok(Room { tag, bounds, indoor: group.is_indoor() })
    };
    let rooms = model.groups.iter().zip(0..).map(room).collect::<Result<_, LiquidError>>()?;
    Rooms::new(rooms)
}

fn bounds_of(group: &Group) -> Result<Aabb, ShapeError> {
    Aabb::new(group.bounds.min.as_dvec3(), group.bounds.max.as_dvec3())
}

/// The sheets of a model, each with the index of its group.
pub(super) fn model_sheets(model: &WorldModel) -> Result<Vec<(u32, LiquidSheet)>, LiquidError> {
    let mut sheets = Vec::new();
    for (group, tag) in model.groups.iter().zip(0_u32..) {
        if let Some(liquid) = &group.liquid
            && let Some(sheet) = model_sheet(liquid, group)?
        {
            sheets.push((tag, sheet));
        }
    }
    Ok(sheets)
}

fn model_sheet(liquid: &ModelLiquid, group: &Group) -> Result<Option<LiquidSheet>, LiquidError> {
    let ModelLiquidSurface::Grid { corner, tiles_x, tiles_y, heights, .. } = &liquid.surface
    else {
        return level_sheet(liquid, group);
    };
    let (rows, columns) = (*tiles_x, *tiles_y);
    let origin = [corner.x, corner.y];
    let grid = LiquidGrid { rows, columns, spacing: [CELL_EDGE; 2], origin };
    // The file has x fastest, a sheet has y fastest.
    let (along_x, along_y) = (rows as usize + 1, columns as usize + 1);
    let turned = (0..along_x)
        .flat_map(|x| (0..along_y).map(move |y| y * along_x + x))
        .map(|index| heights.get(index).copied().unwrap_or(0.0))
        .collect();
    let wet: Vec<bool> =
        (0..rows).flat_map(|x| (0..columns).map(move |y| liquid.is_wet(x, y))).collect();
    if !wet.contains(&true) {
        return Ok(None);
    }
    LiquidSheet::new(grid, Heights::F32(turned), liquid.kind())?.with_wet(&wet).map(Some)
}

/// A liquid that fills its group up to a level: one cell over the box of the group.
fn level_sheet(liquid: &ModelLiquid, group: &Group) -> Result<Option<LiquidSheet>, LiquidError> {
    let ModelLiquidSurface::Level(level) = liquid.surface else { return Ok(None) };
    let (min, max) = (group.bounds.min, group.bounds.max);
    let spacing = [max.x - min.x, max.y - min.y];
    // A group without width holds no liquid.
    if spacing.iter().any(|width| *width <= 0.0) {
        return Ok(None);
    }
    let grid = LiquidGrid { rows: 1, columns: 1, spacing, origin: [min.x, min.y] };
    LiquidSheet::new(grid, Heights::Flat(level), liquid.kind()).map(Some)
}

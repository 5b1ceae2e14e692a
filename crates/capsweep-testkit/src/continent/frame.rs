//! Frames, tile numbers and the terrain lattice.
//!
//! The world frame has +X north, +Y west and +Z up. The internal frame is the world turned by half
//! a turn about Z and moved to the map's corner: +X south, +Y east, all coordinates positive. The
//! unit is the yard.

use glam::{DVec3, dvec3};

/// Edge of a tile in yards: 533.33333 rounded to f32, as the server cores have it.
pub const TILE_EDGE: f64 = 533.333_312_988_281_2;
/// Cells along the edge of a tile.
pub const TILE_CELLS: u32 = 128;
/// Edge of a terrain cell in yards. Exact in f32, so every lattice coordinate is exact in f64.
pub const CELL_EDGE: f64 = TILE_EDGE / TILE_CELLS as f64;
/// World coordinate of the map's corner: 32 tiles.
pub const MAP_CENTRE: f64 = 32.0 * TILE_EDGE;

/// A tile by its row (from world X) and its column (from world Y), each 0 to 63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    /// Row `floor(32 − X / 533.33)`: grows to the south.
    pub row: u32,
    /// Column `floor(32 − Y / 533.33)`: grows to the east.
    pub column: u32,
}

impl TileId {
    /// The tile that contains a point of the world.
    pub fn containing(world: DVec3) -> Self {
        let internal = world_to_internal(world);
        let index = |coordinate: f64| (coordinate / TILE_EDGE).floor().clamp(0.0, 63.0) as u32;
        Self { row: index(internal.x), column: index(internal.y) }
    }

    /// The corner of the tile with the smallest internal coordinates, in lattice cells.
    pub fn first_cell(self) -> [u32; 2] {
        [self.row * TILE_CELLS, self.column * TILE_CELLS]
    }
}

/// A point of the internal frame, in the world frame. The inverse is the same formula.
pub fn internal_to_world(point: DVec3) -> DVec3 {
    dvec3(MAP_CENTRE - point.x, MAP_CENTRE - point.y, point.z)
}

/// A point of the world frame, in the internal frame.
pub fn world_to_internal(point: DVec3) -> DVec3 {
    internal_to_world(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_f32_values_of_the_server_cores() {
        assert_eq!(TILE_EDGE, f64::from(533.333_3_f32));
        assert_eq!(MAP_CENTRE, 17_066.666_015_625);
        assert_eq!(f64::from(CELL_EDGE as f32), CELL_EDGE);
    }

    #[test]
    fn tile_rows_come_from_world_x_and_columns_from_world_y() {
        let tile = TileId::containing(dvec3(-8949.95, -132.493, 83.5312));
        assert_eq!(tile, TileId { row: 48, column: 32 });
    }
}

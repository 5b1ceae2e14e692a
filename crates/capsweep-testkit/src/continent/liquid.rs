//! Liquids of terrain tiles and of models, and their surfaces.

use super::frame::CELL_EDGE;
use glam::{DVec2, Vec3};

/// Height of a dry vertex of a terrain liquid.
pub const DRY: f32 = -500.0;
/// Chunks along the edge of a tile. A chunk has 8 × 8 cells.
pub const CHUNKS: usize = 16;

/// What a liquid is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiquidKind {
    /// Lakes, rivers and wells.
    Water,
    /// The sea.
    Ocean,
    /// Molten rock.
    Magma,
    /// Green slime.
    Slime,
}

/// The liquid of a terrain tile: a kind per chunk and heights on a rectangle of lattice vertices.
///
/// A cell is wet if its chunk has a kind and its four vertices are in the rectangle and not
/// [`DRY`].
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainLiquid {
    /// Kind of each chunk, by row and column.
    pub kinds: [[Option<LiquidKind>; CHUNKS]; CHUNKS],
    /// Row and column of the first vertex.
    pub first: [u32; 2],
    /// Rows and columns of vertices.
    pub size: [u32; 2],
    /// Heights in yards, a row after the other.
    pub heights: Vec<f32>,
}

impl TerrainLiquid {
    /// The kind of all liquid in the tile, if one kind covers every chunk of the rectangle.
    pub fn only_kind(&self) -> Option<LiquidKind> {
        let chunks = |k: usize| {
            let (first, cells) = (self.first[k] as usize, self.size[k] as usize - 1);
            first / 8..(first + cells).div_ceil(8)
        };
        let (rows, columns) = (chunks(0), chunks(1));
        let kind = self.kinds[rows.start][columns.start]?;
        let mut inside = self.kinds[rows].iter().flat_map(|row| &row[columns.clone()]);
        inside.all(|other| *other == Some(kind)).then_some(kind)
    }

    /// The height of the whole surface, if every vertex has the same.
    pub fn only_height(&self) -> Option<f32> {
        let first = *self.heights.first()?;
        self.heights.iter().all(|height| *height == first).then_some(first)
    }

    /// The kind and the height of the surface over a point of a cell.
    ///
    /// `part` is the position in the cell, from 0 to 1, to the south and to the east.
    pub fn surface(&self, cell: [u32; 2], part: [f64; 2]) -> Option<(LiquidKind, f64)> {
        let kind = self.kinds[cell[0] as usize / 8][cell[1] as usize / 8]?;
        let at = |row: u32, column: u32| {
            let row = (cell[0] + row).checked_sub(self.first[0])?;
            let column = (cell[1] + column).checked_sub(self.first[1])?;
            let inside = row < self.size[0] && column < self.size[1];
            let height = *self.heights.get((row * self.size[1] + column) as usize)?;
            (inside && height != DRY).then_some(f64::from(height))
        };
        let corners = [[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]];
        Some((kind, split_cell(corners, part)))
    }
}

/// The liquid of a model's group.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelLiquid {
    /// What it is made of.
    pub kind: LiquidKind,
    /// Where it is.
    pub shape: LiquidShape,
}

/// Where the liquid of a model's group is, in the model's frame.
#[derive(Debug, Clone, PartialEq)]
pub enum LiquidShape {
    /// A grid of tiles, each as large as a terrain cell.
    Grid(LiquidGrid),
    /// The whole group up to this height.
    Fill(f32),
}

/// A grid of liquid tiles.
#[derive(Debug, Clone, PartialEq)]
pub struct LiquidGrid {
    /// Tiles along x and along y.
    pub tiles: [u32; 2],
    /// The corner with the smallest x and y. Its z has no meaning.
    pub corner: Vec3,
    /// Heights of the vertices, x fastest.
    pub heights: Vec<f32>,
    /// Flags of the tiles, x fastest. A tile is dry if the low nibble is 15.
    pub flags: Vec<u8>,
}

impl LiquidGrid {
    /// The height of the surface over a point of the model's frame; `None` over dry tiles and
    /// outside.
    pub fn surface(&self, point: DVec2) -> Option<f64> {
        let from = (point - self.corner.truncate().as_dvec2()) / CELL_EDGE;
        let tile = from.floor();
        let inside = |x: f64, count: u32| (0.0..f64::from(count)).contains(&x);
        if !inside(tile.x, self.tiles[0]) || !inside(tile.y, self.tiles[1]) {
            return None;
        }
        let [x, y] = [tile.x as usize, tile.y as usize];
        let [width, _] = self.tiles.map(|count| count as usize);
        if self.flags[y * width + x] & 15 == 15 {
            return None;
        }
        let at = |dx, dy| f64::from(self.heights[(y + dy) * (width + 1) + x + dx]);
        let corners = [[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]];
        Some(split_cell(corners, (from - tile).to_array()))
    }
}

/// Height in a cell that the diagonal from the first to the last corner splits.
///
/// `corners` by the first axis, then the second; `x` and `y` are fractions along them.
fn split_cell([[h00, h01], [h10, h11]]: [[f64; 2]; 2], [x, y]: [f64; 2]) -> f64 {
    if x > y {
        h00 + x * (h10 - h00) + y * (h11 - h10)
    } else {
        h00 + x * (h11 - h01) + y * (h01 - h00)
    }
}

//! One terrain tile: heights, holes and liquid.

use super::frame::{CELL_EDGE, TILE_CELLS, TileId, internal_to_world};
use super::landmarks::{HOLES, LAKE, LAKE_LEVEL, LAKE_REACH, POOLS, Pool};
use super::liquid::{CHUNKS, DRY, LiquidKind, TerrainLiquid};
use super::plan::{Patch, Plan, SEA_LEVEL, TileKind};
use glam::{DVec2, DVec3, dvec3};

/// Vertices along the edge of a tile.
const CORNERS: u32 = TILE_CELLS + 1;

/// A terrain tile of 128 × 128 cells, each four triangles around a centre.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Row and column.
    pub id: TileId,
    /// 129 × 129 heights of cell corners, a row after the other.
    pub corners: Vec<f32>,
    /// 128 × 128 heights of cell centres.
    pub centres: Vec<f32>,
    /// 128 × 128 holes. A hole always covers 2 × 2 cells.
    pub holes: Vec<bool>,
    /// The liquid, if there is any.
    pub liquid: Option<TerrainLiquid>,
    /// Area of each chunk, by row and column.
    pub areas: [[u16; CHUNKS]; CHUNKS],
}

impl Tile {
    /// Generates a tile.
    pub(super) fn generate(plan: &Plan, id: TileId) -> Self {
        let patch = plan.patch(id);
        let heights = |count: u32, odd: u32| {
            let [row, column] = id.first_cell();
            let at = |i: u32, j: u32| patch.height([2 * (row + i) + odd, 2 * (column + j) + odd]);
            (0..count * count).map(|k| at(k / count, k % count)).collect()
        };
        let (corners, centres) = (heights(CORNERS, 0), heights(TILE_CELLS, 1));
        let mut tile = Self {
            id,
            corners,
            centres,
            holes: vec![false; (TILE_CELLS * TILE_CELLS) as usize],
            liquid: None,
            areas: [[(id.row * 64 + id.column) as u16; CHUNKS]; CHUNKS],
        };
        if plan.is_home(id) {
            tile.add_landmarks(plan);
        } else if plan.kind(id) == TileKind::Ocean {
            tile.liquid = Some(tile.sea([[Some(LiquidKind::Ocean); CHUNKS]; CHUNKS]));
        } else {
            tile.flood();
        }
        tile
    }

    fn add_landmarks(&mut self, plan: &Plan) {
        let home = plan.home.first_cell();
        let first = self.id.first_cell();
        let offset = [0, 1].map(|k| first[k] - home[k]);
        let local = |cell: [u32; 2]| {
            let [i, j] = [0, 1].map(|k| cell[k].wrapping_sub(offset[k]));
            (i < TILE_CELLS && j < TILE_CELLS).then_some([i, j])
        };
        for [i, j] in HOLES.into_iter().filter_map(local) {
            for (di, dj) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                self.holes[((i + di) * TILE_CELLS + j + dj) as usize] = true;
            }
        }
        // A second area in part of each tile of the home block.
        self.areas[3][5..9].fill(7);
        self.flood();
        if let Some(liquid) = &mut self.liquid {
            // A second kind, under the ground.
            liquid.kinds[2][3] = Some(LiquidKind::Water);
        }
        for pool in POOLS {
            if let Some(first) = local(pool.bed.low.map(|x| x as u32)) {
                self.liquid = Some(fill_pool(&pool, first));
            }
        }
        if let Some(centre) = local(LAKE.centre.map(|x| x as u32)) {
            self.liquid = Some(fill_lake(centre));
        }
    }

    /// Puts the sea into every chunk with ground below its level.
    fn flood(&mut self) {
        let mut kinds = [[None; CHUNKS]; CHUNKS];
        let mut any = false;
        for (k, height) in self.corners.iter().enumerate() {
            if *height < SEA_LEVEL {
                let last = TILE_CELLS as usize - 1;
                let (i, j) = (k / CORNERS as usize, k % CORNERS as usize);
                kinds[i.min(last) / 8][j.min(last) / 8] = Some(LiquidKind::Ocean);
                any = true;
            }
        }
        self.liquid = any.then(|| self.sea(kinds));
    }

    fn sea(&self, kinds: [[Option<LiquidKind>; CHUNKS]; CHUNKS]) -> TerrainLiquid {
        let heights = vec![SEA_LEVEL; self.corners.len()];
        TerrainLiquid { kinds, first: [0; 2], size: [CORNERS; 2], heights }
    }

    /// True if the cell is a hole.
    pub fn is_hole(&self, cell: [u32; 2]) -> bool {
        self.holes[(cell[0] * TILE_CELLS + cell[1]) as usize]
    }

    /// True if all heights are equal.
    pub fn is_flat(&self) -> bool {
        let mut heights = self.corners.iter().chain(&self.centres);
        heights.all(|height| *height == self.corners[0])
    }

    /// A vertex of the lattice in the world frame; odd half cells are centres.
    fn vertex(&self, half_cells: [u32; 2]) -> DVec3 {
        let [i, j] = half_cells.map(|k| k / 2);
        let height = if half_cells[0].is_multiple_of(2) {
            self.corners[(i * CORNERS + j) as usize]
        } else {
            self.centres[(i * TILE_CELLS + j) as usize]
        };
        let first = self.id.first_cell();
        let [x, y] =
            [0, 1].map(|k| (f64::from(first[k]) + 0.5 * f64::from(half_cells[k])) * CELL_EDGE);
        internal_to_world(dvec3(x, y, f64::from(height)))
    }

    /// The four triangles of a cell in the world frame, counter-clockwise from above.
    ///
    /// With A, B, D, C the corners and E the centre: (A,B,E) (B,D,E) (D,C,E) (C,A,E).
    pub fn cell_triangles(&self, [i, j]: [u32; 2]) -> [[DVec3; 3]; 4] {
        let at = |di, dj| self.vertex([2 * i + di, 2 * j + dj]);
        let [a, b, d, c, e] = [at(0, 0), at(2, 0), at(2, 2), at(0, 2), at(1, 1)];
        [[a, b, e], [b, d, e], [d, c, e], [c, a, e]]
    }

    /// All triangles outside holes, in the world frame, row by row.
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        let cells = (0..TILE_CELLS).flat_map(|i| (0..TILE_CELLS).map(move |j| [i, j]));
        cells.filter(|cell| !self.is_hole(*cell)).flat_map(|cell| self.cell_triangles(cell))
    }

    /// The cell under a point of the world, and the position in it; `None` outside the tile.
    pub fn locate(&self, world: DVec2) -> Option<([u32; 2], [f64; 2])> {
        let internal = internal_to_world(world.extend(0.0));
        let first = self.id.first_cell();
        let mut cell = [0; 2];
        let mut part = [0.0; 2];
        for k in 0..2 {
            let at = internal[k] / CELL_EDGE - f64::from(first[k]);
            if !(0.0..=f64::from(TILE_CELLS)).contains(&at) {
                return None;
            }
            cell[k] = (at as u32).min(TILE_CELLS - 1);
            part[k] = at - f64::from(cell[k]);
        }
        Some((cell, part))
    }

    /// Height of the ground under a point of the world; `None` over holes and outside the tile.
    pub fn ground(&self, world: DVec2) -> Option<f64> {
        let (cell, part) = self.locate(world)?;
        let at = |di, dj| self.vertex([2 * cell[0] + di, 2 * cell[1] + dj]).z;
        let corners = [at(0, 0), at(2, 0), at(2, 2), at(0, 2)];
        (!self.is_hole(cell)).then(|| fan_height(corners, at(1, 1), part))
    }
}

/// Height in a fan of four triangles: corners A, B, D, C, the centre, and the position in the
/// cell.
fn fan_height([a, b, d, c]: [f64; 4], centre: f64, [x, y]: [f64; 2]) -> f64 {
    // Each triangle has one edge of the cell. `along` runs from 0 to 1 on it, and `inward` is the
    // distance from it, 0.5 at the centre.
    let (from, to, along, inward) = match (x + y < 1.0, x > y) {
        (true, true) => (a, b, x, y),
        (true, false) => (a, c, y, x),
        (false, true) => (b, d, y, 1.0 - x),
        (false, false) => (c, d, x, 1.0 - y),
    };
    from + along * (to - from) + 2.0 * inward * (centre - 0.5 * (from + to))
}

/// Height of the ground at a point of the internal frame, without a whole tile.
pub(super) fn ground_of(patch: &Patch, internal: DVec2) -> f64 {
    let at = internal / CELL_EDGE;
    let cell = at.floor();
    let [i, j] = [cell.x as u32, cell.y as u32];
    let height = |di, dj| f64::from(patch.height([2 * i + di, 2 * j + dj]));
    let corners = [height(0, 0), height(2, 0), height(2, 2), height(0, 2)];
    fan_height(corners, height(1, 1), (at - cell).to_array())
}

/// The liquid of a pool whose pad begins at the cell `first`.
fn fill_pool(pool: &Pool, first: [u32; 2]) -> TerrainLiquid {
    let start = first.map(|cell| cell - pool.reach);
    let size = [0, 1].map(|k| (pool.bed.high[k] - pool.bed.low[k]) as u32 + 2 * pool.reach + 1);
    let heights = (0..size[0] * size[1]).map(|k| {
        let u = pool.bed.low[0] + (k / size[1]) as f32 - pool.reach as f32;
        pool.bed.level(u) + pool.depth
    });
    let kinds = chunk_kinds(start, size, pool.kind);
    TerrainLiquid { kinds, first: start, size, heights: heights.collect() }
}

/// The lake, with its centre at a cell.
fn fill_lake(centre: [u32; 2]) -> TerrainLiquid {
    let reach = LAKE_REACH as u32;
    let (first, size) = (centre.map(|cell| cell - reach), [2 * reach + 1; 2]);
    let heights = (0..size[0] * size[1]).map(|k| {
        let [u, v] = [LAKE.centre[0], LAKE.centre[1]];
        let (i, j) = ((k / size[1]) as f32, (k % size[1]) as f32);
        let distance = LAKE.distance(u + i - LAKE_REACH, v + j - LAKE_REACH);
        if distance <= LAKE_REACH { LAKE_LEVEL } else { DRY }
    });
    let kinds = chunk_kinds(first, size, LiquidKind::Water);
    TerrainLiquid { kinds, first, size, heights: heights.collect() }
}

/// Kinds of chunks: `kind` in every chunk that has a cell of the rectangle.
fn chunk_kinds(
    first: [u32; 2],
    size: [u32; 2],
    kind: LiquidKind,
) -> [[Option<LiquidKind>; CHUNKS]; CHUNKS] {
    let mut kinds = [[None; CHUNKS]; CHUNKS];
    let chunks = |k: usize| first[k] as usize / 8..((first[k] + size[k] - 1) as usize).div_ceil(8);
    for row in &mut kinds[chunks(0)] {
        row[chunks(1)].fill(Some(kind));
    }
    kinds
}

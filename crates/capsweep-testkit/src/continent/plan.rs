//! The plan of the land: which tiles are ocean or flat, and the height at every lattice point.
//!
//! Heights depend on the lattice point alone, so neighbouring tiles agree in bits on their border.
//! The plan is endless; a continent is a window on it. Its landmarks are in the home block, two by
//! two tiles.

use super::frame::{TILE_CELLS, TileId};
use super::landmarks::{LAKE, Pad, SEA_CORNER, pads};
use crate::level::noise::noise;
use crate::rng::{hash_cell, unit_f32};

/// Height of the sea, in yards.
pub(super) const SEA_LEVEL: f32 = 0.0;
/// Height of the sea bed in ocean tiles.
const SEA_BED: f32 = -40.0;
/// Height of flat tiles and of the borders of meadows.
const MEADOW: f32 = 24.0;
/// Height of the bumps of a meadow.
const BUMPS: f32 = 0.7;
/// Cells over which the land blends into an ocean tile or a flat tile.
const SHORE: f32 = 32.0;

/// What a whole tile is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TileKind {
    /// Hills; in the home block with landmarks.
    Hills,
    /// Land at one height.
    Flat,
    /// Land within a yard of one height, which u8 steps can store.
    Meadow,
    /// A flat sea bed under the ocean.
    Ocean,
}

/// The plan of a continent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) seed: u32,
    /// The northern and western tile of the home block.
    pub(super) home: TileId,
}

impl Plan {
    /// Kind of the tile at an offset in tiles from the first home tile.
    fn kind_at(&self, offset: [i32; 2]) -> TileKind {
        if self.is_ocean(offset) {
            return TileKind::Ocean;
        }
        // Level land and an ocean tile have different heights, so they must not touch.
        let neighbours = (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| [dr, dc]));
        let near_ocean = |[dr, dc]: [i32; 2]| self.is_ocean([offset[0] + dr, offset[1] + dc]);
        let dice = self.chance(offset, 41);
        let kind = match offset {
            [2, 0] => TileKind::Meadow,
            _ if near_home(offset) => TileKind::Hills,
            _ if dice < 0.06 => TileKind::Flat,
            _ if dice < 0.1 => TileKind::Meadow,
            _ => TileKind::Hills,
        };
        if neighbours.into_iter().any(near_ocean) { TileKind::Hills } else { kind }
    }

    fn is_ocean(&self, offset: [i32; 2]) -> bool {
        if near_home(offset) {
            return offset[1] == 2 && (0..=2).contains(&offset[0]);
        }
        self.chance(offset.map(|o| o.div_euclid(3)), 40) < 0.22
    }

    fn chance(&self, [r, c]: [i32; 2], salt: u32) -> f32 {
        let seed = self.seed.wrapping_mul(0x9E37_79B9).wrapping_add(salt);
        unit_f32(hash_cell(r.cast_unsigned(), c.cast_unsigned(), seed))
    }

    fn offset(&self, tile: TileId) -> [i32; 2] {
        [tile.row as i32 - self.home.row as i32, tile.column as i32 - self.home.column as i32]
    }

    pub(super) fn kind(&self, tile: TileId) -> TileKind {
        self.kind_at(self.offset(tile))
    }

    /// True for the four tiles of the home block.
    pub(super) fn is_home(&self, tile: TileId) -> bool {
        self.offset(tile).iter().all(|o| (0..2).contains(o))
    }

    /// The heights in and around one tile.
    pub(super) fn patch(&self, tile: TileId) -> Patch {
        let [row, column] = self.offset(tile);
        let mut level = Vec::new();
        for offset in (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| [row + dr, column + dc])) {
            let (height, bumps) = match self.kind_at(offset) {
                TileKind::Hills => continue,
                TileKind::Flat => (MEADOW, 0.0),
                TileKind::Meadow => (MEADOW, BUMPS),
                TileKind::Ocean => (SEA_BED, 0.0),
            };
            let first = offset.map(|o| (o * TILE_CELLS as i32) as f32);
            level.push(LevelTile { first, height, bumps });
        }
        Patch { plan: *self, level, pads: pads() }
    }
}

/// True near the home block, where the plan is fixed.
fn near_home(offset: [i32; 2]) -> bool {
    offset.iter().all(|o| (-3..=4).contains(o))
}

/// The heights in and around one tile.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    plan: Plan,
    /// The level tiles that are near.
    level: Vec<LevelTile>,
    pads: Vec<Pad>,
}

/// A tile at one height, or with low bumps.
#[derive(Debug, Clone, Copy)]
struct LevelTile {
    /// First cell, counted from the home block.
    first: [f32; 2],
    height: f32,
    bumps: f32,
}

impl Patch {
    /// The height at a point of the lattice, counted in half cells from the map's corner.
    ///
    /// Even numbers are corners of cells, odd numbers are centres.
    pub(super) fn height(&self, half_cells: [u32; 2]) -> f32 {
        let first = self.plan.home.first_cell();
        // Below 2¹⁴ with one binary place: exact in f32.
        let [u, v] = [0, 1].map(|k| (half_cells[k] as f32) * 0.5 - first[k] as f32);
        let mut height = None;
        for tile in &self.level {
            let [row, column] = tile.first;
            let weight = 1.0 - smooth(length(outside(u, row), outside(v, column)) / SHORE);
            if weight == 1.0 {
                return tile.height + tile.bumps * self.bump(u - row, v - column);
            }
            if weight > 0.0 {
                let land = height.unwrap_or_else(|| self.land(u, v));
                height = Some(land + (tile.height - land) * weight);
            }
        }
        height.unwrap_or_else(|| self.land(u, v))
    }

    /// Bumps of a meadow from −1 to 1, 0 on the border; the point is counted from its corner.
    fn bump(&self, i: f32, j: f32) -> f32 {
        let last = TILE_CELLS as f32;
        let border = i.min(j).min(last - i).min(last - j);
        noise(i, j, 9.0, self.plan.seed) * smooth(border / 16.0)
    }

    /// Hills, mountains away from home, and the pads of the landmarks.
    fn land(&self, u: f32, v: f32) -> f32 {
        let seed = self.plan.seed.wrapping_mul(64);
        let octave = |spacing, salt| noise(u, v, spacing, seed.wrapping_add(salt));
        let mut height =
            22.0 + octave(40.0, 1) * 8.0 + octave(10.0, 2) * 1.5 + octave(3.0, 3) * 0.3;
        let block = 2.0 * TILE_CELLS as f32;
        let away = (-u).max(u - block).max(-v).max(v - block);
        if away > 0.0 {
            let mountains = (octave(150.0, 4) + 0.4).max(0.0) * 130.0 + octave(24.0, 5) * 14.0;
            return height + mountains * smooth(away / 96.0);
        }
        for pad in &self.pads {
            let weight = pad.weight(u, v);
            if weight == 1.0 {
                height = pad.level(u);
            } else if weight > 0.0 {
                height += (pad.level(u) - height) * weight;
            }
        }
        height -= LAKE.depth * (1.0 - smooth(LAKE.distance(u, v) / LAKE.radius));
        let sea = 1.0 - smooth((SEA_CORNER.distance(u, v) - 43.0) / SEA_CORNER.radius);
        height + (-SEA_CORNER.depth - height) * sea
    }
}

/// Distance of `x` from the interval of one tile that begins at `first`, in cells.
fn outside(x: f32, first: f32) -> f32 {
    (first - x).max(x - first - TILE_CELLS as f32).max(0.0)
}

/// Length of a vector. Not `hypot`, whose bits differ between platforms.
pub(super) fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// Smoothstep from 0 at 0 to 1 at 1, constant outside.
pub(super) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

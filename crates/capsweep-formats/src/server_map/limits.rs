//! Limits on what files of servers may declare.
//!
//! No real file comes near them: each is several times the largest value among some 30 000 files
//! of four servers. The largest values seen are in the comments.

use crate::error::{Fault, LoadError};
use crate::source;
use std::path::Path;

/// Largest `.vmtree` in bytes. Seen: 3.4 MB.
pub const TREE_BYTES: u64 = 64 << 20;

/// Most placements in the tree of a map. Seen: 167 309.
pub const TREE_PLACEMENTS: u64 = 2_000_000;

/// Largest `.vmtile` or `.vmtileidx` in bytes. Seen: 460 KB.
pub const TILE_BYTES: u64 = 16 << 20;

/// Most placements in a tile. Seen: 5 028.
pub const TILE_PLACEMENTS: u64 = 65_536;

/// Largest `.vmo` in bytes. Cities exceed 3.7 MB.
pub const MODEL_BYTES: u64 = 256 << 20;

/// Most groups of a model. Seen: 284.
pub const MODEL_GROUPS: u64 = 4096;

/// Most vertices of a group. Seen: 28 330; the game's own indices end at 65 536.
pub const GROUP_VERTICES: u64 = 1_000_000;

/// Most triangles of a group. Seen: 36 264.
pub const GROUP_TRIANGLES: u64 = 2_000_000;

/// Longest name of a model in bytes. Seen: 49.
pub const NAME_BYTES: u64 = 255;

/// Most tiles of a model's liquid along one side. Seen: 188.
pub const LIQUID_TILES: u64 = 1024;

/// Most tiles of a model's liquid in all. Servers multiply the sides without a check.
pub const LIQUID_AREA: u64 = 1_000_000;

/// Largest `.map` in bytes. Seen: 200 536.
pub const TERRAIN_BYTES: u64 = 1 << 20;

/// Largest list of game objects in bytes. Seen: 123 242.
pub const GAME_OBJECT_BYTES: u64 = 16 << 20;

/// Largest magnitude of a coordinate of a model's vertex, in yards. Seen: 2 729.
pub const MAX_VERTEX: f32 = 1e5;

/// Largest magnitude of a coordinate of a placement, in yards. Seen: a little outside 0 to 34 133.
pub const MAX_SPAWN_POSITION: f32 = 1e5;

/// Largest scale of a placement. Seen: 106.
pub const MAX_SPAWN_SCALE: f32 = 1000.0;

/// Largest magnitude of a height of terrain or liquid, in yards. Seen: −500 to 1 971.
pub const MAX_HEIGHT: f32 = 20_000.0;

/// Reads a whole file of at most `limit` bytes.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    source::read(path, limit).map_err(|fault: Fault| fault.in_file(path))
}

//! Placements of one tile (`.vmtile`), and their tree indices (`.vmtileidx`).
//!
//! A tile lists every placement that touches it and many more: all props of a building are in
//! each tile that lists the building. So a placement is in several tiles.

use super::cursor::{Cursor, words};
use super::error::ParseError;
use super::limits::{TILE_BYTES, TILE_PLACEMENTS};
use super::spawn::{Layout, RecordForm, Spawn, TreeIndex, likelier};

/// The placements of a tile.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacementTile<'a> {
    /// The layout of the file. A tile without placements looks the same in both.
    pub layout: Layout,
    /// The placements.
    pub spawns: Vec<Spawn<'a>>,
}

/// Parses a `.vmtile`.
///
/// Each record of the classic layout ends with a tree index; `TrinityCore`'s newest version has a
/// shorter record without it. The layout that ends where the file ends is the right one.
///
/// # Errors
/// If the bytes are no tile of either layout.
pub fn parse(bytes: &[u8]) -> Result<PlacementTile<'_>, ParseError> {
    let mut cursor = Cursor::new(bytes, TILE_BYTES)?;
    cursor.magic()?;
    let count = cursor.count("number of placements", TILE_PLACEMENTS)?;
    let read = |layout, tree_index| {
        let form = RecordForm { layout, tree_index };
        let spawns = form.records(cursor.clone(), count)?;
        Ok(PlacementTile { layout, spawns })
    };
    read(Layout::Classic, TreeIndex::Stored).or_else(|classic| {
        read(Layout::Master, TreeIndex::Absent).map_err(|master| likelier(classic, master))
    })
}

/// Parses a `.vmtileidx`: the tree index of each placement of a tile.
///
/// # Errors
/// If the bytes are no such file.
pub fn parse_tree_indices(bytes: &[u8]) -> Result<Vec<u32>, ParseError> {
    let mut cursor = Cursor::new(bytes, TILE_BYTES)?;
    cursor.magic()?;
    let count = cursor.count("number of tree indices", TILE_PLACEMENTS)?;
    let indices = words(cursor.items("tree indices", count, 4)?).collect();
    cursor.expect_end("end of the tree indices")?;
    Ok(indices)
}

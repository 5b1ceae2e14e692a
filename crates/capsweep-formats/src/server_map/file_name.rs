//! Names of the files of a map.
//!
//! Most servers number maps with three digits. `TrinityCore`'s newest version uses four, and has a
//! folder for each map in its vmaps folder.

use super::frame::TileIndex;

/// How a server names the files of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Naming {
    /// Three digits, or four for maps above 999: `0013248.map`, `001_48_32.vmtile`.
    Classic,
    /// Four digits: `0001_32_48.map`, `0001/0001_48_32.vmtile`.
    Master,
}

impl Naming {
    /// The terrain of a tile, in the maps folder: row, then column.
    pub fn terrain(self, map: u32, tile: TileIndex) -> String {
        let (row, col) = (tile.row(), tile.col());
        match self {
            Self::Classic => format!("{map:03}{row:02}{col:02}.map"),
            Self::Master => format!("{map:04}_{row:02}_{col:02}.map"),
        }
    }

    /// The placements of a tile, relative to the vmaps folder: column, then row.
    pub fn tile(self, map: u32, tile: TileIndex) -> String {
        let (row, col) = (tile.row(), tile.col());
        match self {
            Self::Classic => format!("{map:03}_{col:02}_{row:02}.vmtile"),
            Self::Master => format!("{map:04}/{map:04}_{col:02}_{row:02}.vmtile"),
        }
    }

    /// The tree of a map, relative to the vmaps folder.
    pub fn tree(self, map: u32) -> String {
        match self {
            Self::Classic => format!("{map:03}.vmtree"),
            Self::Master => format!("{map:04}/{map:04}.vmtree"),
        }
    }
}

/// A file of a map, known by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MapFile {
    /// The terrain of a tile.
    Terrain(TileIndex),
    /// The tree of the map.
    Tree,
    /// The placements of a tile.
    Tile(TileIndex),
    /// The tree indices of a tile's placements.
    TileTreeIndices(TileIndex),
}

/// The map, the naming and the kind of a file; `None` if it is no file of a map.
///
/// Only terrain tells its naming. The other files have the naming of their folder.
pub(super) fn parse(name: &str) -> Option<(u32, MapFile)> {
    let lower = name.to_ascii_lowercase();
    let (stem, extension) = lower.rsplit_once('.')?;
    match extension {
        "map" => {
            let (map, row, col) = match stem.split_once('_') {
                Some((map, tile)) => {
                    let (row, col) = tile.split_once('_')?;
                    (map, row, col)
                }
                None if stem.is_ascii() => {
                    let (map, tile) = stem.split_at_checked(stem.len().checked_sub(4)?)?;
                    let (row, col) = tile.split_at(2);
                    (map, row, col)
                }
                None => return None,
            };
            Some((map_id(map)?, MapFile::Terrain(TileIndex::new(two(row)?, two(col)?)?)))
        }
        "vmtree" => Some((map_id(stem)?, MapFile::Tree)),
        "vmtile" | "vmtileidx" => {
            let (map, tile) = stem.split_once('_')?;
            let (col, row) = tile.split_once('_')?;
            let tile = TileIndex::new(two(row)?, two(col)?)?;
            let is_tile = extension == "vmtile";
            let file = if is_tile { MapFile::Tile(tile) } else { MapFile::TileTreeIndices(tile) };
            Some((map_id(map)?, file))
        }
        _ => None,
    }
}

/// A map of three or four digits.
pub(super) fn map_id(digits: &str) -> Option<u32> {
    number(digits, 3..=4)
}

/// A number of two digits.
fn two(digits: &str) -> Option<u8> {
    number(digits, 2..=2).and_then(|number| u8::try_from(number).ok())
}

/// A number of decimal digits, without a sign.
fn number(digits: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_number =
        lengths.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

//! Cells of a terrain tile without ground, in two forms that differ in size.

use super::cells::CellSet;
use crate::server_map::cursor::{Cursor, half_words};
use crate::server_map::error::{ParseError, Problem};

/// Chunks along a side of a tile. A chunk has 8 × 8 cells.
const CHUNKS: usize = 16;

/// Parses the whole section, which has no tag: 512 or 2 048 bytes.
pub(super) fn parse(mut cursor: Cursor<'_>) -> Result<CellSet, ParseError> {
    const FIELD: &str = "holes";
    let start = cursor.clone();
    let size = cursor.left() as u64;
    let bytes = cursor.items(FIELD, size, 1)?;
    match size {
        // A u16 for each chunk; each of its bits stands for 2 × 2 cells.
        512 => {
            let chunks: Vec<u16> = half_words(bytes).collect();
            Ok(CellSet::of(|row, col| {
                let bit = (row % 8 / 2) * 4 + col % 8 / 2;
                chunks.get(chunk(row, col)).is_some_and(|bits| bits >> bit & 1 == 1)
            }))
        }
        // Eight bytes for each chunk, one for each row of cells; a bit stands for one cell.
        2048 => Ok(CellSet::of(|row, col| {
            let row_bits = bytes.get(chunk(row, col) * 8 + row % 8);
            row_bits.is_some_and(|bits| bits >> (col % 8) & 1 == 1)
        })),
        found => Err(start.error(FIELD, Problem::Value { found, expected: "512 or 2048 bytes" })),
    }
}

/// Index of the chunk that contains a cell.
pub(super) fn chunk(row: usize, col: usize) -> usize {
    row / 8 * CHUNKS + col / 8
}

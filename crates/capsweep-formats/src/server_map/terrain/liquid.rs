//! The liquid of a terrain tile.
//!
//! Three forms have the same header of 16 bytes:
//!
//! - The common form has a byte of flags, a byte of liquid bits and the id of the liquid. Unless
//!   the whole tile has one liquid, ids and bits of the 16 × 16 chunks follow.
//! - getMaNGOS has 16 bits of flags and no byte of liquid bits. If the whole tile has one liquid,
//!   its bits are in the place of the id.
//! - The version `v2.1` is like getMaNGOS, but only the bits of the chunks follow, without ids.
//!
//! The size of the section tells whether ids follow. The flags of all forms fit into a byte, so
//! the second byte is 0 in the older two.

use super::cells::{CELLS, CellSet};
use super::heights::CORNERS;
use super::holes::chunk;
use crate::server_map::cursor::{Cursor, half_words};
use crate::server_map::error::{ParseError, Problem};
use crate::server_map::limits::MAX_HEIGHT;
use crate::server_map::liquid::{LiquidBits, LiquidEvidence, kind_of_id, names_liquid};
use capsweep::scene::LiquidKind;

/// The whole tile has one liquid: no chunks follow.
const ONE_LIQUID: u8 = 1;
/// The whole surface has one height: no heights follow.
const ONE_LEVEL: u8 = 2;

/// Chunks of a tile.
const CHUNK_COUNT: u64 = 256;

/// The height that marks a corner without liquid, in yards.
const DRY: f32 = -500.0;

/// The liquid of a terrain tile.
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainLiquid {
    /// The liquid of each chunk: that of the cell (row, col) has index `row / 8 · 16 + col / 8`.
    pub chunks: Box<[LiquidChunk; CHUNK_COUNT as usize]>,
    /// The corners with a height.
    pub extent: LiquidExtent,
    /// The heights there.
    pub surface: LiquidSurface,
}

/// The liquid of a chunk: 8 × 8 cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiquidChunk {
    /// The id of the liquid in the game's table, or 0 if the file has none.
    pub entry: u16,
    /// Bits that name the kind: see [`LiquidBits`].
    pub flags: u8,
}

/// The corners of a tile where a liquid has a height: at most up to row and column 128.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiquidExtent {
    /// The first row of corners.
    pub first_row: u8,
    /// The first column of corners.
    pub first_col: u8,
    /// Number of rows.
    pub rows: u8,
    /// Number of columns.
    pub cols: u8,
}

/// The heights of a liquid.
#[derive(Debug, Clone, PartialEq)]
pub enum LiquidSurface {
    /// The height everywhere, in yards.
    Flat(f32),
    /// The height of each corner of the extent, row by row; −500 where there is no liquid.
    Grid(Vec<f32>),
}

impl LiquidExtent {
    /// The whole tile.
    const TILE: Self =
        Self { first_row: 0, first_col: 0, rows: CORNERS as u8, cols: CORNERS as u8 };

    /// The row and the column of a corner in the extent; `None` outside.
    fn within(&self, row: usize, col: usize) -> Option<(usize, usize)> {
        let row = row.checked_sub(self.first_row.into())?;
        let col = col.checked_sub(self.first_col.into())?;
        (row < self.rows.into() && col < self.cols.into()).then_some((row, col))
    }
}

impl TerrainLiquid {
    /// The height of the surface at a corner; `None` where there is none.
    pub fn height(&self, row: usize, col: usize) -> Option<f32> {
        let (row, col) = self.extent.within(row, col)?;
        match &self.surface {
            LiquidSurface::Flat(level) => Some(*level),
            LiquidSurface::Grid(heights) => {
                let index = row * usize::from(self.extent.cols) + col;
                heights.get(index).copied().filter(|&height| height != DRY)
            }
        }
    }

    /// The cells with liquid: their chunk names one, and all four corners have a height.
    pub fn wet_cells(&self) -> CellSet {
        CellSet::of(|row, col| {
            let corners = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
            names_liquid(self.chunk(row, col).flags)
                && corners.iter().all(|&(row, col)| self.height(row, col).is_some())
        })
    }

    /// The kind of liquid that the chunk of a cell names; `None` if it names none.
    ///
    /// Where the bits name no single kind the id decides.
    pub fn kind(&self, row: usize, col: usize, bits: LiquidBits) -> Option<LiquidKind> {
        let LiquidChunk { entry, flags } = self.chunk(row, col);
        if !names_liquid(flags) {
            return None;
        }
        Some(bits.kind(flags).unwrap_or_else(|| match entry {
            0 => LiquidKind::Other(flags.into()),
            entry => kind_of_id(entry.into()),
        }))
    }

    /// What the ids of the chunks say about the meaning of their bits.
    pub fn evidence(&self) -> LiquidEvidence {
        let mut evidence = LiquidEvidence::default();
        for chunk in self.chunks.iter() {
            evidence.add(chunk.entry, chunk.flags);
        }
        evidence
    }

    /// The chunk that contains a cell; one without liquid beyond row or column 127.
    fn chunk(&self, row: usize, col: usize) -> LiquidChunk {
        let inside = row < CELLS && col < CELLS;
        self.chunks.get(chunk(row, col)).filter(|_| inside).copied().unwrap_or_default()
    }
}

/// Parses the whole section.
pub(super) fn parse(mut cursor: Cursor<'_>) -> Result<TerrainLiquid, ParseError> {
    cursor.tag("tag of the liquid", *b"MLIQ")?;
    let flags = cursor.u8("flags of the liquid")?;
    let bits = cursor.u8("bits of the liquid")?;
    let id = cursor.u16("id of the liquid")?;
    let extent = extent(&mut cursor)?;
    let before_level = cursor.clone();
    let level = cursor.f32("level of the liquid")?;
    let heights = match flags & ONE_LEVEL {
        0 => u64::from(extent.rows) * u64::from(extent.cols),
        _ => 0,
    };
    let chunks = if flags & ONE_LIQUID == 0 {
        read_chunks(&mut cursor, 4 * heights)?
    } else if bits == 0 {
        // The older form: the bits are in the place of the id. Those of all kinds fit into a byte.
        [LiquidChunk { entry: 0, flags: id.to_le_bytes()[0] }; 256]
    } else {
        [LiquidChunk { entry: id, flags: bits }; 256]
    };
    let (surface, extent) = if flags & ONE_LEVEL == 0 {
        let heights = cursor.finite_items("heights of the liquid", heights, MAX_HEIGHT)?;
        (LiquidSurface::Grid(heights), extent)
    } else {
        let mut level_only = before_level;
        level_only.finite("level of the liquid", MAX_HEIGHT)?;
        // A level without an extent is that of the whole tile.
        let has_cells = extent.rows > 1 && extent.cols > 1;
        (LiquidSurface::Flat(level), if has_cells { extent } else { LiquidExtent::TILE })
    };
    cursor.expect_end("end of the liquid")?;
    Ok(TerrainLiquid { chunks: Box::new(chunks), extent, surface })
}

/// Parses the corners that have a height. Columns come first.
fn extent(cursor: &mut Cursor<'_>) -> Result<LiquidExtent, ParseError> {
    const FIELD: &str = "extent of the liquid";
    let start = cursor.clone();
    let [first_col, first_row, cols, rows] = cursor.array(FIELD)?;
    for (first, count) in [(first_col, cols), (first_row, rows)] {
        let (found, limit) = (u64::from(first) + u64::from(count), CORNERS as u64);
        if found > limit {
            return Err(start.error(FIELD, Problem::TooMany { found, limit }));
        }
    }
    Ok(LiquidExtent { first_row, first_col, rows, cols })
}

/// Parses the chunks, which end `bytes_after` bytes before the end of the section.
fn read_chunks(
    cursor: &mut Cursor<'_>,
    bytes_after: u64,
) -> Result<[LiquidChunk; CHUNK_COUNT as usize], ParseError> {
    let mut chunks = [LiquidChunk::default(); CHUNK_COUNT as usize];
    match (cursor.left() as u64).checked_sub(bytes_after) {
        Some(size) if size == 3 * CHUNK_COUNT => {
            let entries = half_words(cursor.items("ids of the chunks", CHUNK_COUNT, 2)?);
            for (chunk, entry) in chunks.iter_mut().zip(entries) {
                chunk.entry = entry;
            }
        }
        Some(CHUNK_COUNT) => {}
        _ => {
            let tried = "256 or 768 bytes of chunks before the heights of the liquid";
            return Err(cursor.error("chunks of the liquid", Problem::Layout { tried }));
        }
    }
    let flags = cursor.items("bits of the chunks", CHUNK_COUNT, 1)?;
    for (chunk, &flags) in chunks.iter_mut().zip(flags) {
        chunk.flags = flags;
    }
    Ok(chunks)
}

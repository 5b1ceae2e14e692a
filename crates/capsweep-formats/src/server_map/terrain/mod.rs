//! Terrain tiles (`.map`): heights, holes and liquid.
//!
//! A tile is a square of 128 × 128 cells. Rows run against the world's X and columns against its
//! Y: see [`TileIndex::corner`](super::frame::TileIndex::corner). Each cell is a fan of four
//! triangles around the height of its centre.

mod cells;
mod heights;
mod holes;
mod liquid;

pub use cells::{CELLS, CellSet};
pub use heights::{CORNERS, HeightRange, Heights};
pub use liquid::{LiquidChunk, LiquidExtent, LiquidSurface, TerrainLiquid};

use super::cursor::Cursor;
use super::error::{ParseError, Problem};
use super::limits::{TERRAIN_BYTES, read};
use super::liquid::LiquidBits;
use crate::LoadError;
use std::path::Path;

/// A terrain tile.
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainTile {
    /// The version of the file: letters such as `z1.4`, or a number.
    pub version: [u8; 4],
    /// The heights of corners and centres.
    pub heights: Heights,
    /// The cells without ground.
    pub holes: CellSet,
    /// The liquid, if the tile has any.
    pub liquid: Option<TerrainLiquid>,
}

impl TerrainTile {
    /// The meaning of liquid bits that the version hints at.
    pub fn liquid_hint(&self) -> LiquidBits {
        LiquidBits::from_version(self.version)
    }

    /// The version in words: `z1.4`, or `10` for a number.
    pub fn version_name(&self) -> String {
        match std::str::from_utf8(&self.version) {
            Ok(text) if text.bytes().all(|byte| byte.is_ascii_graphic()) => text.to_owned(),
            _ => u32::from_le_bytes(self.version).to_string(),
        }
    }
}

/// Reads the tile in the file at `path`.
///
/// # Errors
/// If the file cannot be read, is too large or is damaged.
pub fn open(path: impl AsRef<Path>) -> Result<TerrainTile, LoadError> {
    let path = path.as_ref();
    parse(&read(path, TERRAIN_BYTES)?).map_err(|error| error.in_file(path))
}

/// Parses a tile.
///
/// # Errors
/// If the bytes are not a terrain tile, or a number in them is out of range.
pub fn parse(bytes: &[u8]) -> Result<TerrainTile, ParseError> {
    let mut cursor = Cursor::new(bytes, TERRAIN_BYTES)?;
    magic(&mut cursor)?;
    let version = cursor.array("version")?;
    let header = header(&mut cursor)?;
    let section = |field, section: Section| section.cursor(field, &cursor);
    if let Some(mut area) = section("area section", header.area)? {
        area.tag("tag of the areas", *b"AREA")?;
    }
    let Some(heights) = section("height section", header.heights)? else {
        let expected = "the offset of the heights";
        return Err(cursor.error("height section", Problem::Value { found: 0, expected }));
    };
    let holes = section("hole section", header.holes)?;
    let liquid = section("liquid section", header.liquid)?;
    Ok(TerrainTile {
        version,
        heights: heights::parse(heights)?,
        holes: holes.map_or_else(|| Ok(CellSet::empty()), holes::parse)?,
        liquid: liquid.map(liquid::parse).transpose()?,
    })
}

/// Parses the four letters that begin a terrain file.
fn magic(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    let start = cursor.clone();
    if cursor.array::<4>("magic")? == *b"MAPS" {
        return Ok(());
    }
    let mut found = [0; 8];
    for (found, &byte) in found.iter_mut().zip(start.rest()) {
        *found = byte;
    }
    Err(start.error("magic", Problem::Magic { found, expected: "MAPS" }))
}

/// The place of a section in the file.
#[derive(Debug, Clone, Copy)]
struct Section {
    offset: u32,
    size: u32,
    /// Length of the header, before which no section may begin.
    header: u32,
}

impl Section {
    /// Reads the section; `None` if the file does not have it.
    fn cursor<'a>(
        self,
        field: &'static str,
        file: &Cursor<'a>,
    ) -> Result<Option<Cursor<'a>>, ParseError> {
        if self.size == 0 {
            return Ok(None);
        }
        if self.offset < self.header {
            let (found, expected) = (self.offset.into(), "an offset after the header");
            return Err(file.error(field, Problem::Value { found, expected }));
        }
        file.section(field, self.offset, self.size).map(Some)
    }
}

/// The sections of a file. The file may have them in any order.
struct Header {
    area: Section,
    heights: Section,
    liquid: Section,
    holes: Section,
}

/// Parses the header after the version: 40 bytes in all, or 44 with the number of the client.
///
/// The first section follows the header, so its offset is the length of the header.
fn header(cursor: &mut Cursor<'_>) -> Result<Header, ParseError> {
    const FIELD: &str = "header";
    let start = cursor.clone();
    let mut words = [0; 8];
    for word in &mut words {
        *word = cursor.u32(FIELD)?;
    }
    let length = match words {
        // Offset and size of the areas, then those of the heights; zeros for missing areas.
        [40, ..] | [0, 0, 40, ..] => 40,
        [_, 44, ..] | [_, 0, 0, 44, ..] => 44,
        _ => {
            let tried = "a header of 40 and of 44 bytes";
            return Err(start.error(FIELD, Problem::Layout { tried }));
        }
    };
    if length == 44 {
        words.rotate_left(1);
        words[7] = cursor.u32(FIELD)?;
    }
    let [area, heights, liquid, holes] = [0, 2, 4, 6].map(|first| Section {
        offset: words[first],
        size: words[first + 1],
        header: length,
    });
    Ok(Header { area, heights, liquid, holes })
}

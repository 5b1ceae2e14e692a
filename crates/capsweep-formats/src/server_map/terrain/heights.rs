//! The heights of a terrain tile: 129 × 129 corners and 128 × 128 centres of cells.

use super::cells::CELLS;
use crate::server_map::cursor::{Cursor, half_words};
use crate::server_map::error::{ParseError, Problem};
use crate::server_map::limits::MAX_HEIGHT;

/// Corners along a side of a tile.
pub const CORNERS: usize = CELLS + 1;

/// Number of corners of a tile.
const CORNER_COUNT: u64 = (CORNERS * CORNERS) as u64;

/// Number of centres of a tile.
const CENTER_COUNT: u64 = (CELLS * CELLS) as u64;

/// No heights follow: the tile is flat.
const FLAT: u32 = 1;
/// Heights are u16.
const AS_U16: u32 = 2;
/// Heights are u8.
const AS_U8: u32 = 4;
/// Two blocks of nine i16 follow the heights: where a character counts as fallen off the map.
const FLIGHT_BOUNDS: u32 = 8;

/// The heights of a tile, as the file stores them.
///
/// Corners are row by row: the corner (row, col) has index `129 · row + col`. The centre of the
/// cell (row, col) has index `128 · row + col`. The centre's height is the true one.
#[derive(Debug, Clone, PartialEq)]
pub enum Heights {
    /// Every height is this one.
    Flat(f32),
    /// Finite heights in yards.
    F32 {
        /// The corners.
        v9: Vec<f32>,
        /// The centres.
        v8: Vec<f32>,
    },
    /// Steps of a range of heights, from 0 to 65 535.
    U16 {
        /// The heights of the first and the last step.
        range: HeightRange,
        /// The corners.
        v9: Vec<u16>,
        /// The centres.
        v8: Vec<u16>,
    },
    /// Steps of a range of heights, from 0 to 255.
    U8 {
        /// The heights of the first and the last step.
        range: HeightRange,
        /// The corners.
        v9: Vec<u8>,
        /// The centres.
        v8: Vec<u8>,
    },
}

/// The heights that the lowest and the highest number of a tile stand for. Both are finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightRange {
    /// The height of number 0, in yards.
    pub min: f32,
    /// The height of the largest number, in yards; at least `min`.
    pub max: f32,
}

impl HeightRange {
    /// The height of a 16-bit number: `raw · (max − min) / 65535 + min` in f64, rounded once.
    pub fn decode_u16(&self, raw: u16) -> f32 {
        self.decode(raw.into(), 65_535.0)
    }

    /// The height of an 8-bit number: `raw · (max − min) / 255 + min` in f64, rounded once.
    ///
    /// It equals the height of `257 · raw` as a 16-bit number, up to that rounding.
    pub fn decode_u8(&self, raw: u8) -> f32 {
        self.decode(raw.into(), 255.0)
    }

    fn decode(&self, raw: f64, steps: f64) -> f32 {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        (raw * (max - min) / steps + min) as f32
    }
}

impl Heights {
    /// The height of a corner; `None` beyond row or column 128.
    pub fn height(&self, row: usize, col: usize) -> Option<f32> {
        self.at(Points::Corners, index(row, col, CORNERS)?)
    }

    /// The height of a cell's centre; `None` beyond row or column 127.
    pub fn center(&self, row: usize, col: usize) -> Option<f32> {
        self.at(Points::Centers, index(row, col, CELLS)?)
    }

    fn at(&self, points: Points, index: usize) -> Option<f32> {
        match self {
            Self::Flat(height) => Some(*height),
            Self::F32 { v9, v8 } => points.of(v9, v8).get(index).copied(),
            Self::U16 { range, v9, v8 } => {
                points.of(v9, v8).get(index).map(|&raw| range.decode_u16(raw))
            }
            Self::U8 { range, v9, v8 } => {
                points.of(v9, v8).get(index).map(|&raw| range.decode_u8(raw))
            }
        }
    }
}

/// The points of a tile that have heights.
#[derive(Debug, Clone, Copy)]
enum Points {
    Corners,
    Centers,
}

impl Points {
    /// The list of these points.
    fn of<'a, T>(self, v9: &'a [T], v8: &'a [T]) -> &'a [T] {
        match self {
            Self::Corners => v9,
            Self::Centers => v8,
        }
    }
}

/// Index of a point in a square grid; `None` outside.
fn index(row: usize, col: usize, side: usize) -> Option<usize> {
    (row < side && col < side).then(|| row * side + col)
}

/// Parses the whole section.
pub(super) fn parse(mut cursor: Cursor<'_>) -> Result<Heights, ParseError> {
    cursor.tag("tag of the heights", *b"MHGT")?;
    let flags = cursor.u32("flags of the heights")?;
    let start = cursor.clone();
    let min = cursor.finite("lowest height", MAX_HEIGHT)?;
    let max = cursor.finite("highest height", MAX_HEIGHT)?;
    if min > max {
        return Err(start.error("lowest height", Problem::Inverted { low: min, high: max }));
    }
    let range = HeightRange { min, max };
    let (corners, centers) = ("corner heights", "centre heights");
    let heights = if flags & FLAT != 0 {
        Heights::Flat(min)
    } else if flags & AS_U16 != 0 {
        let mut read =
            |field, count| cursor.items(field, count, 2).map(|b| half_words(b).collect());
        Heights::U16 { range, v9: read(corners, CORNER_COUNT)?, v8: read(centers, CENTER_COUNT)? }
    } else if flags & AS_U8 != 0 {
        let mut read = |field, count| cursor.items(field, count, 1).map(<[u8]>::to_vec);
        Heights::U8 { range, v9: read(corners, CORNER_COUNT)?, v8: read(centers, CENTER_COUNT)? }
    } else {
        let mut read = |field, count| cursor.finite_items(field, count, MAX_HEIGHT);
        Heights::F32 { v9: read(corners, CORNER_COUNT)?, v8: read(centers, CENTER_COUNT)? }
    };
    if flags & FLIGHT_BOUNDS != 0 {
        cursor.items("flight bounds", 18, 2)?;
    }
    cursor.expect_end("end of the heights")?;
    Ok(heights)
}

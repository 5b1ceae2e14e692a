//! Errors of making liquids.

use crate::ShapeError;
use core::fmt;

/// Why a liquid could not be made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LiquidError {
    /// The sheet has no cells, or too many.
    BadSize {
        /// Rows of cells.
        rows: u32,
        /// Columns of cells.
        columns: u32,
    },
    /// The distance between rows or columns is not a number, not positive, or out of range.
    BadSpacing {
        /// Along rows and along columns.
        spacing: [f32; 2],
    },
    /// The first corner of the grid is not finite or out of range.
    BadOrigin {
        /// Along x and along y.
        origin: [f32; 2],
    },
    /// A height is NaN, infinite or larger than [`MAX_POSITION`](crate::MAX_POSITION).
    BadHeight {
        /// Index of the height.
        index: usize,
        /// The height.
        height: f32,
    },
    /// A list does not have the length that the grid gives it.
    WrongCount {
        /// The entries of the list.
        what: &'static str,
        /// Number of entries given.
        given: usize,
        /// Number of entries needed.
        needed: usize,
    },
    /// More than 256 kinds of liquid in one sheet.
    TooManyKinds {
        /// The first cell whose kind does not fit.
        cell: usize,
    },
    /// The sheet would leave the range of positions.
    OutOfRange {
        /// The coordinate that is out of range.
        error: ShapeError,
    },
    /// The pose of a ground does not keep its z axis vertical.
    TiltedGround,
    /// Two rooms of a model have the same tag.
    SameTag {
        /// The tag.
        tag: u32,
    },
    /// The rooms of a body are listed twice.
    SameKey {
        /// The key of the body.
        key: u64,
    },
    /// A liquid belongs to a room that is not listed.
    NoSuchRoom {
        /// The number of the liquid.
        liquid: usize,
        /// The key of its body.
        key: u64,
        /// The tag of its room.
        tag: u32,
    },
}

impl fmt::Display for LiquidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadSize { rows, columns } => write!(
                f,
                "a liquid sheet of {rows} × {columns} cells: it needs 1 to {} rows and columns, \
                 and at most {} cells",
                super::sheet::MAX_SIDE,
                super::sheet::MAX_CELLS
            ),
            Self::BadSpacing { spacing: [rows, columns] } => write!(
                f,
                "the grid spacing is {rows} by {columns}: both must be positive numbers, and the \
                 whole grid must stay below {:e}",
                crate::MAX_POSITION
            ),
            Self::BadOrigin { origin: [x, y] } => write!(
                f,
                "the grid begins at {x}, {y}: both must be finite and at most {:e} in magnitude",
                crate::MAX_POSITION
            ),
            Self::BadHeight { index, height } => write!(
                f,
                "height {index} is {height}: heights must be finite and at most {:e} in magnitude",
                crate::MAX_POSITION
            ),
            Self::WrongCount { what, given, needed } => {
                write!(f, "{given} {what} where the grid needs {needed}")
            }
            Self::TooManyKinds { cell } => {
                write!(f, "cell {cell} has the 257th kind of liquid: a sheet holds 256; split it")
            }
            Self::OutOfRange { error } => write!(f, "the liquid would be out of range: {error}"),
            Self::TiltedGround => f.write_str(
                "the ground of a liquid is tilted: its pose may turn about the vertical only",
            ),
            Self::SameTag { tag } => {
                write!(f, "two rooms have the tag {tag}: each room needs a tag of its own")
            }
            Self::SameKey { key } => {
                write!(f, "the rooms of the body with key {key} are listed twice; list them once")
            }
            Self::NoSuchRoom { liquid, key, tag } => write!(
                f,
                "liquid {liquid} belongs to the room with tag {tag} of the body with key {key}, \
                 which is not listed; add the room"
            ),
        }
    }
}

impl core::error::Error for LiquidError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::OutOfRange { error } => Some(error),
            _ => None,
        }
    }
}

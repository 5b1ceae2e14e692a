//! Errors of making a height field.

use core::fmt;

/// Why a height field could not be made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// There are no cells, or too many.
    BadSize {
        /// Rows of cells.
        rows: u32,
        /// Columns of cells.
        columns: u32,
        /// Most rows, and most columns.
        limit: u32,
    },
    /// The field has more triangles than queries can number.
    TooManyTriangles {
        /// Number of triangles.
        triangles: u64,
        /// Largest number that a field can hold.
        limit: u64,
    },
    /// The distance between rows or columns is not a number, not positive, or out of range.
    BadSpacing {
        /// Along rows and along columns.
        spacing: [f32; 2],
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
    /// More than 256 different pairs of tag and mask.
    TooManyMaterials {
        /// The first cell whose pair does not fit.
        cell: usize,
    },
}

impl fmt::Display for HeightFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadSize { rows, columns, limit } => write!(
                f,
                "a height field of {rows} × {columns} cells: it needs 1 to {limit} rows and \
                 columns"
            ),
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles are more than {limit}; split the field")
            }
            Self::BadSpacing { spacing: [rows, columns] } => write!(
                f,
                "the grid spacing is {rows} by {columns}: both must be positive numbers, at least \
                 {:e}, and the whole grid must stay below {:e}",
                super::MIN_SPACING,
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
            Self::TooManyMaterials { cell } => write!(
                f,
                "cell {cell} has the 257th different pair of tag and mask: a field holds 256; \
                 split the field"
            ),
        }
    }
}

impl core::error::Error for HeightFieldError {}

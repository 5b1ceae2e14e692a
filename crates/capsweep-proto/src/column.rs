//! Columns of batches.

use crate::FieldError;
use glam::{DVec3, Vec3};

/// A column of a batch: no value, one for all rows, or one for each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a, T> {
    values: &'a [T],
    /// Stride between two rows, in values: 0 if one row holds for all.
    stride: usize,
}

impl<'a, T: Copy> Column<'a, T> {
    /// A column of `rows` rows with `width` values each.
    pub(crate) fn new(
        name: &str,
        values: &'a [T],
        width: usize,
        rows: usize,
    ) -> Result<Self, FieldError> {
        if values.len() == rows * width {
            Ok(Self { values, stride: width })
        } else if values.is_empty() || values.len() == width {
            Ok(Self { values, stride: 0 })
        } else {
            Err(wrong_length(name, values.len(), width, rows))
        }
    }

    /// A column that must have every row.
    pub(crate) fn full(
        name: &str,
        values: &'a [T],
        width: usize,
        rows: usize,
    ) -> Result<Self, FieldError> {
        if values.len() == rows * width {
            Ok(Self { values, stride: width })
        } else {
            Err(wrong_length(name, values.len(), width, rows))
        }
    }

    /// A column of an answer with every row, or one that the answer leaves out.
    pub(crate) fn kept(
        name: &str,
        values: &'a [T],
        width: usize,
        rows: usize,
    ) -> Result<Self, FieldError> {
        Self::full(name, values, width, if values.is_empty() { 0 } else { rows })
    }

    /// The value in a row; `None` in a column without values.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<T> {
        self.values.get(row * self.stride).copied()
    }

    /// The `N` values in a row; `None` in a column without values.
    #[inline]
    pub(crate) fn array<const N: usize>(&self, row: usize) -> Option<[T; N]> {
        let start = row * self.stride;
        self.values.get(start..start + N)?.try_into().ok()
    }
}

impl Column<'_, f64> {
    #[inline]
    pub(crate) fn vector(&self, row: usize) -> Option<DVec3> {
        self.array(row).map(DVec3::from_array)
    }
}

impl Column<'_, f32> {
    #[inline]
    pub(crate) fn normal(&self, row: usize) -> Option<Vec3> {
        self.array(row).map(Vec3::from_array)
    }
}

#[cold]
fn wrong_length(name: &str, values: usize, width: usize, rows: usize) -> FieldError {
    let message = format!(
        "it has {values} values; {rows} rows need {}, or one row of {width} for all",
        rows * width
    );
    FieldError::new(name, message)
}

/// The number of rows of a batch's first column.
pub(crate) fn rows_of(name: &str, values: usize, width: usize) -> Result<usize, FieldError> {
    if values.is_multiple_of(width) && u32::try_from(values / width).is_ok() {
        Ok(values / width)
    } else {
        let message = format!("it has {values} values: it must hold {width} for each row");
        Err(FieldError::new(name, message))
    }
}

/// A value that is compared by its bits.
pub(crate) trait SameBits: Copy {
    fn same(self, other: Self) -> bool;
}

macro_rules! same_bits {
    ($($type:ty: $bits:ident),*) => {
        $(impl SameBits for $type {
            fn same(self, other: Self) -> bool {
                self.$bits() == other.$bits()
            }
        })*
    };
}

same_bits!(f32: to_bits, f64: to_bits);

macro_rules! same_values {
    ($($type:ty),*) => {
        $(impl SameBits for $type {
            fn same(self, other: Self) -> bool {
                self == other
            }
        })*
    };
}

same_values!(i32, u32, u64, bool);

/// Shortens a column of single values: to no value if all are the default, to one value if all are
/// the same.
pub(crate) fn shorten<T: SameBits>(column: &mut Vec<T>, default: Option<T>) {
    if let Some(&first) = column.first()
        && column.iter().all(|value| value.same(first))
    {
        let is_default = default.is_some_and(|default| default.same(first));
        column.truncate(usize::from(!is_default));
    }
}

/// The shortest form of a column of single values.
pub(crate) fn shortened<T: SameBits>(
    values: impl IntoIterator<Item = T>,
    default: Option<T>,
) -> Vec<T> {
    let mut column: Vec<T> = values.into_iter().collect();
    shorten(&mut column, default);
    column
}

/// The shortest form of a column of vectors.
pub(crate) fn shortened_vectors(
    values: impl IntoIterator<Item = DVec3>,
    default: Option<DVec3>,
) -> Vec<f64> {
    let same =
        |a: DVec3, b: DVec3| a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits);
    let mut column: Vec<DVec3> = values.into_iter().collect();
    if let Some(&first) = column.first()
        && column.iter().all(|value| same(*value, first))
    {
        let is_default = default.is_some_and(|default| same(default, first));
        column.truncate(usize::from(!is_default));
    }
    column.into_iter().flat_map(|value| value.to_array()).collect()
}

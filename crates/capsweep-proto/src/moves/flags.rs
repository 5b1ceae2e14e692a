//! Columns of flags.

use crate::FieldError;

/// Flags without unknown bits.
#[inline]
pub(super) fn flags(given: Option<u32>, known: u32) -> Result<u32, FieldError> {
    let flags = given.unwrap_or(0);
    if flags & !known == 0 {
        Ok(flags)
    } else {
        Err(FieldError::new("flags", format!("{flags} has unknown bits: the known are {known}")))
    }
}

/// A value that is present if its bit is set.
#[inline]
pub(super) fn flagged<T>(
    column: &str,
    value: Option<T>,
    is_set: bool,
) -> Result<Option<T>, FieldError> {
    match (is_set, value) {
        (false, _) => Ok(None),
        (true, Some(value)) => Ok(Some(value)),
        (true, None) => Err(FieldError::missing(column)),
    }
}

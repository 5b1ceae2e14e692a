//! Trees in the files of a vmaps folder: read to get past them, never followed.
//!
//! A block is a box (six f32), the nodes (u32 count, then words) and the objects (u32 count, then
//! indices). capsweep builds trees of its own. So a damaged tree does no harm, and only its sizes
//! matter.

use super::cursor::Cursor;
use super::error::ParseError;

/// Reads past a tree and returns the number of its objects.
pub(super) fn skip(cursor: &mut Cursor<'_>) -> Result<u64, ParseError> {
    cursor.items("bounds of the tree", 6, 4)?;
    let words = cursor.u32("words of the tree")?;
    cursor.items("nodes of the tree", words.into(), 4)?;
    let objects = cursor.u32("objects of the tree")?;
    cursor.items("object indices of the tree", objects.into(), 4)?;
    Ok(objects.into())
}

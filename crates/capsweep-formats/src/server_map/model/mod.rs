//! Collision models (`.vmo`, and files of the same layout without that extension).
//!
//! Trees in the file are skipped, and sizes of its parts are ignored: some servers write wrong
//! ones. A model is in its own space, in yards.

mod group;
mod liquid;

pub use group::{Bounds, Group};
pub use liquid::{ModelLiquid, ModelLiquidSurface};

use super::bih;
use super::cursor::Cursor;
use super::error::{ParseError, Problem};
use super::limits::{MODEL_BYTES, MODEL_GROUPS, read};
use crate::LoadError;
use std::path::Path;

/// A collision model.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldModel {
    /// Whether the model is a prop (M2); `None` in the classic layout, where the flags of its
    /// placements say it.
    pub is_m2: Option<bool>,
    /// The id of the building; 0 for props.
    pub root_id: u32,
    /// The parts of the model.
    pub groups: Vec<Group>,
}

impl WorldModel {
    /// Number of triangles in all groups.
    pub fn triangle_count(&self) -> usize {
        self.groups.iter().map(|group| group.triangles.len()).sum()
    }

    /// Number of triangles that were left out because they have no area.
    pub fn degenerate_count(&self) -> u64 {
        self.groups.iter().map(|group| group.degenerate).sum()
    }

    /// Reverses the order of the vertices of every triangle.
    ///
    /// Buildings have their front counter-clockwise, as capsweep expects it. Props have it
    /// clockwise: flip those.
    pub fn flip(&mut self) {
        for [_, b, c] in self.groups.iter_mut().flat_map(|group| &mut group.triangles) {
            std::mem::swap(b, c);
        }
    }
}

/// Reads the model in the file at `path`.
///
/// # Errors
/// If the file cannot be read, is too large or is damaged.
pub fn open(path: impl AsRef<Path>) -> Result<WorldModel, LoadError> {
    let path = path.as_ref();
    parse(&read(path, MODEL_BYTES)?).map_err(|error| error.in_file(path))
}

/// Parses a model.
///
/// # Errors
/// If the bytes are no model, or a number in them is out of range.
pub fn parse(bytes: &[u8]) -> Result<WorldModel, ParseError> {
    let mut cursor = Cursor::new(bytes, MODEL_BYTES)?;
    cursor.magic()?;
    cursor.tag("tag of the model", *b"WMOD")?;
    // Always 8, also where only 4 bytes follow.
    cursor.u32("size of the model's head")?;
    let is_m2 =
        if has_flags(&cursor)? { Some(cursor.u32("flags of the model")? & 1 != 0) } else { None };
    let root_id = cursor.u32("id of the model")?;
    let mut model = WorldModel { is_m2, root_id, groups: Vec::new() };
    if cursor.left() == 0 {
        return Ok(model);
    }
    cursor.tag("tag of the groups", *b"GMOD")?;
    let count = cursor.count("number of groups", MODEL_GROUPS)?;
    cursor.expect_items("groups", count, group::SHORTEST)?;
    model.groups.reserve_exact(count as usize);
    for _ in 0..count {
        model.groups.push(group::parse(&mut cursor)?);
    }
    cursor.tag("tag of the tree of groups", *b"GBIH")?;
    bih::skip(&mut cursor)?;
    cursor.expect_end("end of the model")?;
    Ok(model)
}

/// Whether flags precede the id, as in `TrinityCore`'s newest version: then the groups, or the end
/// of the file, come 8 bytes later instead of 4.
fn has_flags(cursor: &Cursor<'_>) -> Result<bool, ParseError> {
    let ends_at = |length: usize| {
        let rest = cursor.rest().get(length..);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"GMOD"))
    };
    match (ends_at(4), ends_at(8)) {
        (true, _) => Ok(false),
        (false, true) => Ok(true),
        (false, false) => {
            let tried = "an id with and without flags in front of it";
            Err(cursor.error("id of the model", Problem::Layout { tried }))
        }
    }
}

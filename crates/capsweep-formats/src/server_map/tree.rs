//! The tree of a map (`.vmtree`), with the placements of a map without terrain.

use super::bih;
use super::cursor::Cursor;
use super::error::{ParseError, Problem};
use super::limits::{TREE_BYTES, TREE_PLACEMENTS};
use super::spawn::{Layout, RecordForm, Spawn, TreeIndex, likelier};

/// What the tree of a map says about its placements. The tree itself is not kept.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacementTree<'a> {
    /// The layout of the file.
    pub layout: Layout,
    /// Whether the placements are in tiles. Otherwise the map has no terrain, and `spawns` has
    /// all of them.
    pub is_tiled: bool,
    /// Number of placements in the tree: every tree index is below it.
    pub placement_count: u64,
    /// The placements of a map without terrain.
    ///
    /// Some servers read only the first one, the building, and none of its props. Here are all.
    pub spawns: Vec<Spawn<'a>>,
}

/// Parses a tree.
///
/// # Errors
/// If the bytes are no tree of either layout.
pub fn parse(bytes: &[u8]) -> Result<PlacementTree<'_>, ParseError> {
    let mut cursor = Cursor::new(bytes, TREE_BYTES)?;
    cursor.magic()?;
    // TrinityCore's newest version has neither the byte in front nor the placements at the end.
    let layout = if cursor.rest().starts_with(b"NODE") { Layout::Master } else { Layout::Classic };
    let is_tiled = match layout {
        Layout::Classic => cursor.flag("tiled")?,
        Layout::Master => true,
    };
    cursor.tag("tag of the tree", *b"NODE")?;
    let start = cursor.clone();
    let placement_count = bih::skip(&mut cursor)?;
    if placement_count > TREE_PLACEMENTS {
        let problem = Problem::TooMany { found: placement_count, limit: TREE_PLACEMENTS };
        return Err(start.error("objects of the tree", problem));
    }
    let spawns = match layout {
        Layout::Classic => {
            cursor.tag("tag of the placements", *b"GOBJ")?;
            spawns(&cursor, placement_count)?
        }
        Layout::Master => {
            cursor.expect_end("end of the tree")?;
            Vec::new()
        }
    };
    Ok(PlacementTree { layout, is_tiled, placement_count, spawns })
}

/// Reads the placements up to the end of the file. Only some servers store tree indices: the
/// reading that ends where the file ends is the right one.
fn spawns<'a>(cursor: &Cursor<'a>, count: u64) -> Result<Vec<Spawn<'a>>, ParseError> {
    let read = |tree_index| {
        let form = RecordForm { layout: Layout::Classic, tree_index };
        form.records_to_end(cursor.clone(), TREE_PLACEMENTS)
    };
    let in_range = |spawn: &Spawn<'_>| spawn.tree_index.is_none_or(|i| u64::from(i) < count);
    match (read(TreeIndex::Stored), read(TreeIndex::Absent)) {
        // Both end there by chance: then the indices tell.
        (Ok(stored), Ok(absent)) => Ok(if stored.iter().all(in_range) { stored } else { absent }),
        (Ok(spawns), Err(_)) | (Err(_), Ok(spawns)) => Ok(spawns),
        (Err(stored), Err(absent)) => Err(likelier(stored, absent)),
    }
}

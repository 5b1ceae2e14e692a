//! Records of placements, in two layouts.

use super::cursor::Cursor;
use super::error::{ParseError, Problem};
use super::model_name;
use glam::Vec3;

/// The layout of a vmaps folder's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// That of nearly all servers: cmangos, vmangos, getMaNGOS, `AzerothCore`, `TrinityCore`
    /// 3.3.5.
    Classic,
    /// That of `TrinityCore`'s newest version.
    Master,
}

/// A placement of a model, as the file has it: no number is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spawn<'a> {
    /// Flags.
    pub flags: SpawnFlags,
    /// The set of names of a building; 0 for props.
    pub name_set: u16,
    /// A number that no other placement of the extraction has.
    pub id: u32,
    /// The position in the internal frame.
    pub position: Vec3,
    /// Angles in degrees: see [`placement_pose`](super::frame::placement_pose).
    pub rotation: Vec3,
    /// The scale.
    pub scale: f32,
    /// The lowest and the highest corner in the internal frame, if the file has them.
    pub bounds: Option<[Vec3; 2]>,
    /// The name of the model, with all its bytes: see
    /// [`ModelName`](super::model_name::ModelName).
    pub name: &'a [u8],
    /// The index in the map's tree, if the record has one.
    pub tree_index: Option<u32>,
}

/// The flags of a placement. The layouts number them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnFlags {
    /// 1 prop (M2), 2 building of a map without terrain, 4 has bounds.
    Classic(u32),
    /// 1 has bounds, 2 of the parent map, 4 for nav meshes only.
    Master(u8),
}

impl SpawnFlags {
    /// Whether the model is a prop (M2); `None` where only the model's file knows it.
    pub fn is_m2(self) -> Option<bool> {
        match self {
            Self::Classic(flags) => Some(flags & 1 != 0),
            Self::Master(_) => None,
        }
    }

    /// Whether the placement is the building of a map without terrain.
    pub fn is_world_spawn(self) -> bool {
        matches!(self, Self::Classic(flags) if flags & 2 != 0)
    }

    /// Whether the placement belongs to the parent of its map.
    pub fn is_parent_spawn(self) -> bool {
        matches!(self, Self::Master(flags) if flags & 2 != 0)
    }

    /// Whether the placement serves to build nav meshes, and nothing collides with it.
    pub fn is_path_only(self) -> bool {
        matches!(self, Self::Master(flags) if flags & 4 != 0)
    }

    fn has_bounds(self) -> bool {
        match self {
            Self::Classic(flags) => flags & 4 != 0,
            Self::Master(flags) => flags & 1 != 0,
        }
    }
}

/// Whether an index in the map's tree follows each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeIndex {
    Stored,
    Absent,
}

/// The form of the records of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordForm {
    pub(super) layout: Layout,
    pub(super) tree_index: TreeIndex,
}

impl RecordForm {
    /// Length of the shortest record in bytes: without bounds, with an empty name.
    fn shortest(self) -> u64 {
        let flags = match self.layout {
            Layout::Classic => 6,
            Layout::Master => 2,
        };
        let tree_index = match self.tree_index {
            TreeIndex::Stored => 4,
            TreeIndex::Absent => 0,
        };
        // Flags and name set, id, position, rotation, scale, length of the name.
        flags + 4 + 12 + 12 + 4 + 4 + tree_index
    }

    /// Reads a record.
    fn record<'a>(self, cursor: &mut Cursor<'a>) -> Result<Spawn<'a>, ParseError> {
        const FLAGS: &str = "flags of the placement";
        const NAME_SET: &str = "name set of the placement";
        let (flags, name_set) = match self.layout {
            Layout::Classic => (SpawnFlags::Classic(cursor.u32(FLAGS)?), cursor.u16(NAME_SET)?),
            Layout::Master => (SpawnFlags::Master(cursor.u8(FLAGS)?), cursor.u8(NAME_SET)?.into()),
        };
        Ok(Spawn {
            flags,
            name_set,
            id: cursor.u32("id of the placement")?,
            position: cursor.vec3("position of the placement")?,
            rotation: cursor.vec3("rotation of the placement")?,
            scale: cursor.f32("scale of the placement")?,
            bounds: if flags.has_bounds() {
                Some([
                    cursor.vec3("lowest corner of the placement")?,
                    cursor.vec3("highest corner of the placement")?,
                ])
            } else {
                None
            },
            name: model_name::read(cursor)?,
            tree_index: match self.tree_index {
                TreeIndex::Stored => Some(cursor.u32("tree index of the placement")?),
                TreeIndex::Absent => None,
            },
        })
    }

    /// Reads `count` records that end where the file ends.
    pub(super) fn records(
        self,
        mut cursor: Cursor<'_>,
        count: u64,
    ) -> Result<Vec<Spawn<'_>>, ParseError> {
        cursor.expect_items("placements", count, self.shortest())?;
        let mut spawns = Vec::with_capacity(count as usize);
        for _ in 0..count {
            spawns.push(self.record(&mut cursor)?);
        }
        cursor.expect_end("end of the placements")?;
        Ok(spawns)
    }

    /// Reads records until the file ends, at most `limit` of them.
    pub(super) fn records_to_end(
        self,
        mut cursor: Cursor<'_>,
        limit: u64,
    ) -> Result<Vec<Spawn<'_>>, ParseError> {
        let mut spawns = Vec::new();
        while cursor.left() > 0 {
            let found = spawns.len() as u64 + 1;
            if found > limit {
                return Err(cursor.error("placements", Problem::TooMany { found, limit }));
            }
            spawns.push(self.record(&mut cursor)?);
        }
        Ok(spawns)
    }
}

/// The error of two attempts that is likelier to be the right one, if no layout fits.
///
/// A file is cut off more often than it is damaged inside, and a wrong layout reads nonsense such
/// as names without end. Otherwise the attempt that got further is the likelier one.
pub(super) fn likelier(first: ParseError, second: ParseError) -> ParseError {
    let rank =
        |error: &ParseError| (matches!(error.problem, Problem::CutOff { .. }), error.offset);
    if rank(&second) > rank(&first) { second } else { first }
}

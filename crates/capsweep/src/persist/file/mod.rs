//! The container: header, table of sections, sections.

mod reader;
mod stream;
mod writer;

pub(in crate::persist) use reader::Reader;
pub(in crate::persist) use stream::StreamWriter;
pub(in crate::persist) use writer::Writer;

use crate::persist::checksum::{BLOCK, checksum};
use crate::persist::error::FileError;
use bytemuck::{Pod, Zeroable};
use core::ops::Range;

/// Latest version of the format. It changes with the layout of nodes, packets and body records,
/// and with the meaning of numbers. All versions from 1 on can be read.
///
/// A file gets the first version that can hold its content, so that earlier builds of the library
/// can read it too.
pub(in crate::persist) const VERSION: u32 = FIELDS;

/// The version since which triangles of one mesh may differ in their sides.
pub(in crate::persist) const OWN_SIDES: u32 = 2;

/// The version since which there are height fields and map files.
pub(in crate::persist) const FIELDS: u32 = 3;

const MAGIC: [u8; 8] = *b"capsweep";

/// Sections begin at a multiple of this many bytes: a cache line, which satisfies the alignment of
/// every type.
const ALIGN: usize = 64;

const _: () = assert!(ALIGN.is_multiple_of(BLOCK));

/// Mesh file, scene file or map file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::persist) enum FileKind {
    Mesh = 1,
    Scene = 2,
    /// A scene that is read on demand. Its table follows the sections, and the file's checksum is
    /// that of the header and the table.
    Map = 3,
}

/// The kind of a section.
#[derive(Clone, Copy)]
pub(in crate::persist) enum Section {
    Info = 1,
    Nodes = 2,
    Items = 3,
    Packets = 4,
    Slots = 5,
    Edges = 6,
    Masks = 7,
    Tags = 8,
    Bodies = 9,
    Notes = 10,
    FieldInfo = 11,
    Heights = 12,
    Holes = 13,
    Diagonals = 14,
    Palette = 15,
    Cells = 16,
    BodyNodes = 17,
    BodyItems = 18,
    BodyBoxes = 19,
    MapInfo = 20,
    SheetInfo = 21,
    SheetWet = 22,
    SheetPalette = 23,
    SheetKinds = 24,
    Liquids = 25,
    Rooms = 26,
    RoomLists = 27,
    RoomKeys = 28,
}

impl Section {
    const ALL: [Self; 28] = [
        Self::Info,
        Self::Nodes,
        Self::Items,
        Self::Packets,
        Self::Slots,
        Self::Edges,
        Self::Masks,
        Self::Tags,
        Self::Bodies,
        Self::Notes,
        Self::FieldInfo,
        Self::Heights,
        Self::Holes,
        Self::Diagonals,
        Self::Palette,
        Self::Cells,
        Self::BodyNodes,
        Self::BodyItems,
        Self::BodyBoxes,
        Self::MapInfo,
        Self::SheetInfo,
        Self::SheetWet,
        Self::SheetPalette,
        Self::SheetKinds,
        Self::Liquids,
        Self::Rooms,
        Self::RoomLists,
        Self::RoomKeys,
    ];

    fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|section| *section as u32 == number)
    }

    /// Whether it belongs to the scene, not to a mesh: its entry has [`NO_MESH`].
    fn is_of_the_scene(self) -> bool {
        matches!(
            self,
            Self::Bodies
                | Self::Notes
                | Self::BodyNodes
                | Self::BodyItems
                | Self::BodyBoxes
                | Self::MapInfo
                | Self::Liquids
                | Self::Rooms
                | Self::RoomLists
                | Self::RoomKeys
        )
    }

    pub(in crate::persist) fn name(self) -> &'static str {
        match self {
            Self::Info => "description",
            Self::Nodes => "list of nodes",
            Self::Items => "list of leaves",
            Self::Packets => "list of corners",
            Self::Slots => "list of triangles",
            Self::Edges => "list of edges",
            Self::Masks => "list of masks",
            Self::Tags => "list of tags",
            Self::Bodies => "list of bodies",
            Self::Notes => "notes",
            Self::FieldInfo => "description of the height field",
            Self::Heights => "list of heights",
            Self::Holes => "list of holes",
            Self::Diagonals => "list of diagonals",
            Self::Palette => "list of materials",
            Self::Cells => "list of cells",
            Self::BodyNodes => "tree of bodies",
            Self::BodyItems => "leaves of the tree of bodies",
            Self::BodyBoxes => "boxes of bodies",
            Self::MapInfo => "description of the map",
            Self::SheetInfo => "description of the liquid sheet",
            Self::SheetWet => "list of wet cells",
            Self::SheetPalette => "list of kinds of liquid",
            Self::SheetKinds => "kinds of liquid of cells",
            Self::Liquids => "list of liquids",
            Self::Rooms => "list of rooms",
            Self::RoomLists => "lists of rooms",
            Self::RoomKeys => "list of models with rooms",
        }
    }
}

/// The mesh number of the scene's own sections: the largest, so that sections of meshes come
/// first.
pub(in crate::persist) const NO_MESH: u32 = u32::MAX;

/// The first 64 bytes of a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(in crate::persist) struct Head {
    magic: [u8; 8],
    version: u32,
    /// A [`FileKind`].
    pub(in crate::persist) kind: u32,
    /// Of the file, in bytes.
    length: u64,
    /// Number of sections.
    sections: u32,
    unused: u32,
    /// Of the file, with 0 here.
    pub(in crate::persist) checksum: u64,
    /// Offset of the table in a map file; otherwise 0, and the table follows the header.
    table: u64,
    /// For later versions; 0.
    reserved: [u64; 2],
}

/// A section in the table. Entries are sorted by mesh, then by section.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(in crate::persist) struct Entry {
    section: u32,
    mesh: u32,
    /// In bytes.
    offset: u64,
    /// In bytes.
    length: u64,
    /// Of this entry, with 0 here, and of the section up to the next multiple of [`ALIGN`]. 0 if
    /// the writer did not compute one.
    checksum: u64,
}

impl Entry {
    /// The sort key of the table.
    fn key(&self) -> (u32, u32) {
        (self.mesh, self.section)
    }

    /// The bytes of the section and its padding; `None` if they lie outside of the file.
    fn padded<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let start = usize::try_from(self.offset).ok()?;
        let end = start.checked_add(usize::try_from(self.length).ok()?)?;
        bytes.get(start..end.checked_next_multiple_of(ALIGN)?)
    }

    /// The checksum of this entry and of its section's bytes.
    fn sum(&self, section: &[u8]) -> u64 {
        checksum([bytemuck::bytes_of(&Self { checksum: 0, ..*self }), section])
    }
}

/// Whether each section occurs once and begins after the end of the one before. If sections could
/// overlap, a small file could take very long to check.
fn are_in_order(entries: &[Entry]) -> bool {
    entries.is_sorted_by(|one, next| {
        let end = one.offset.checked_add(one.length);
        one.key() < next.key() && end.is_some_and(|end| end <= next.offset)
    })
}

const _: () = assert!(size_of::<Head>() == ALIGN && size_of::<Entry>() == BLOCK);

/// Receives the sections of a file, in the order of the table.
pub(in crate::persist) trait Sections {
    /// The content needs this version of the format, or a later one.
    fn need_version(&mut self, version: u32);

    fn add<T: Pod>(&mut self, section: Section, mesh: u32, values: &[T]);
}

impl FileKind {
    fn name(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Scene => "scene",
            Self::Map => "map",
        }
    }
}

impl Head {
    fn new(version: u32, kind: FileKind, sections: usize) -> Self {
        Self {
            magic: MAGIC,
            version,
            kind: kind as u32,
            length: 0,
            sections: sections as u32,
            unused: 0,
            checksum: 0,
            table: 0,
            reserved: [0; 2],
        }
    }

    /// The bytes of the table.
    fn table_range(&self) -> Option<Range<usize>> {
        let start = match self.table {
            0 => size_of::<Self>(),
            table => usize::try_from(table).ok()?,
        };
        let length = (self.sections as usize).checked_mul(size_of::<Entry>())?;
        Some(start..start.checked_add(length)?)
    }

    /// Checks the checksum of a map file, which covers the header and the table.
    pub(in crate::persist) fn check_table_sum(&self, entries: &[Entry]) -> Result<(), FileError> {
        let (stated, found) = (self.checksum, self.table_sum(entries));
        if stated == found { Ok(()) } else { Err(FileError::Checksum { stated, found }) }
    }

    fn table_sum(&self, entries: &[Entry]) -> u64 {
        let without = Self { checksum: 0, ..*self };
        checksum([bytemuck::bytes_of(&without), bytemuck::must_cast_slice(entries)])
    }

    /// The version of the format that the file states.
    pub(in crate::persist) fn version(&self) -> u32 {
        self.version
    }

    /// Reads the header of a file, if this version can read the file.
    pub(in crate::persist) fn read(bytes: &[u8]) -> Result<Self, FileError> {
        if cfg!(target_endian = "big") {
            return Err(FileError::BigEndian);
        }
        let too_short = FileError::TooShort { bytes: bytes.len() };
        let start = bytes.get(..size_of::<Self>()).ok_or(too_short)?;
        let head: Self = bytemuck::pod_read_unaligned(start);
        if head.magic != MAGIC {
            return Err(FileError::NotAFile { found: head.magic });
        }
        if !(1..=VERSION).contains(&head.version) {
            return Err(FileError::Version { found: head.version, readable: VERSION });
        }
        Ok(head)
    }

    pub(in crate::persist) fn check_length(&self, bytes: &[u8]) -> Result<(), FileError> {
        let found = bytes.len() as u64;
        if self.length != found || !found.is_multiple_of(ALIGN as u64) {
            return Err(FileError::Length { stated: self.length, found });
        }
        Ok(())
    }

    /// Checks the checksum of a whole file.
    pub(in crate::persist) fn check_sum(&self, bytes: &[u8]) -> Result<(), FileError> {
        let (stated, without) = (self.checksum, Self { checksum: 0, ..*self });
        let found = checksum([bytemuck::bytes_of(&without), &bytes[size_of::<Self>()..]]);
        if stated == found { Ok(()) } else { Err(FileError::Checksum { stated, found }) }
    }

    /// Checks that the bytes reserved for later versions are 0.
    pub(in crate::persist) fn check_unused(&self) -> Result<(), FileError> {
        let has_table = self.kind == FileKind::Map as u32;
        let fields = [
            (28, self.unused == 0),
            (40, has_table || self.table == 0),
            (48, self.reserved == [0; 2]),
        ];
        match fields.into_iter().find(|(_, is_zero)| !is_zero) {
            Some((at, _)) => Err(FileError::NotZero { at }),
            None => Ok(()),
        }
    }
}

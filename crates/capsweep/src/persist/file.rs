//! The container: header, table of sections, sections.

use crate::buffer::{Buffer, Bytes};
use crate::bvh::Node;
use crate::mesh::packet::Packet;
use crate::persist::checksum::{BLOCK, checksum};
use crate::persist::error::FileError;
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// Latest version of the format. It changes with the layout of nodes, packets and body records,
/// and with the meaning of numbers. All versions from 1 on can be read.
///
/// A file gets the first version that can hold its content, so that earlier builds of the library
/// can read it too.
pub(super) const VERSION: u32 = OWN_SIDES;

/// The version since which triangles of one mesh may differ in their sides.
pub(super) const OWN_SIDES: u32 = 2;

const MAGIC: [u8; 8] = *b"capsweep";

/// Sections begin at a multiple of this many bytes: a cache line, which satisfies the alignment of
/// every type.
const ALIGN: usize = 64;

const _: () = assert!(ALIGN.is_multiple_of(BLOCK));

/// Mesh file or scene file.
#[derive(Clone, Copy)]
pub(super) enum FileKind {
    Mesh = 1,
    Scene = 2,
}

/// The kind of a section.
#[derive(Clone, Copy)]
pub(super) enum Section {
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
}

impl Section {
    const ALL: [Self; 10] = [
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
    ];

    fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|section| *section as u32 == number)
    }

    /// Whether it belongs to the scene, not to a mesh: its entry has [`NO_MESH`].
    fn is_of_the_scene(self) -> bool {
        matches!(self, Self::Bodies | Self::Notes)
    }

    pub(super) fn name(self) -> &'static str {
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
        }
    }
}

/// The mesh number of the scene's own sections: the largest, so that sections of meshes come
/// first.
pub(super) const NO_MESH: u32 = u32::MAX;

/// The first 64 bytes of a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Head {
    magic: [u8; 8],
    version: u32,
    /// A [`FileKind`].
    pub(super) kind: u32,
    /// Of the file, in bytes.
    length: u64,
    /// Number of sections.
    sections: u32,
    unused: u32,
    /// Of the file, with 0 here.
    checksum: u64,
    /// For later versions; 0.
    reserved: [u64; 3],
}

/// A section in the table. Entries are sorted by mesh, then by section.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
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

/// Collects sections and makes a file of them.
pub(super) struct Writer {
    kind: FileKind,
    version: u32,
    entries: Vec<Entry>,
    /// All sections so far. Offsets are relative to it until the length of the table is known.
    data: Vec<u8>,
}

impl Writer {
    pub(super) fn new(kind: FileKind) -> Self {
        Self { kind, version: 1, entries: Vec::new(), data: Vec::new() }
    }

    /// The content needs this version of the format, or a later one.
    pub(super) fn need_version(&mut self, version: u32) {
        self.version = self.version.max(version);
    }

    pub(super) fn add<T: Pod>(&mut self, section: Section, mesh: u32, values: &[T]) {
        let bytes: &[u8] = bytemuck::must_cast_slice(values);
        let start = self.data.len();
        self.data.extend_from_slice(bytes);
        self.data.resize(self.data.len().next_multiple_of(ALIGN), 0);
        self.entries.push(Entry {
            section: section as u32,
            mesh,
            offset: start as u64,
            length: bytes.len() as u64,
            checksum: 0,
        });
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let table = (self.entries.len() * size_of::<Entry>()).next_multiple_of(ALIGN);
        let start = size_of::<Head>() + table;
        for entry in &mut self.entries {
            let data = &self.data[entry.offset as usize..];
            let padded = (entry.length as usize).next_multiple_of(ALIGN);
            entry.offset += start as u64;
            entry.checksum = entry.sum(&data[..padded]);
        }
        let mut head = Head {
            magic: MAGIC,
            version: self.version,
            kind: self.kind as u32,
            length: (start + self.data.len()) as u64,
            sections: self.entries.len() as u32,
            unused: 0,
            checksum: 0,
            reserved: [0; 3],
        };
        let mut bytes = Vec::with_capacity(start + self.data.len());
        bytes.extend_from_slice(bytemuck::bytes_of(&head));
        bytes.extend_from_slice(bytemuck::must_cast_slice(&self.entries));
        bytes.resize(start, 0);
        bytes.append(&mut self.data);
        head.checksum = checksum([&bytes, &[]]);
        bytes[..size_of::<Head>()].copy_from_slice(bytemuck::bytes_of(&head));
        bytes
    }
}

/// Reads the sections of a file.
pub(super) struct Reader {
    version: u32,
    bytes: Bytes,
    entries: Buffer<Entry>,
}

/// A block of aligned bytes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct AlignedBlock([u8; ALIGN]);

struct AlignedBytes(Vec<AlignedBlock>);

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        bytemuck::must_cast_slice(&self.0)
    }
}

impl Reader {
    pub(super) fn new(
        owner: impl AsRef<[u8]> + Send + Sync + 'static,
        kind: FileKind,
    ) -> Result<Self, FileError> {
        let bytes = owner.as_ref();
        let head = Head::read(bytes)?;
        head.check_length(bytes)?;
        head.check_sum(bytes)?;
        if head.kind != kind as u32 {
            let wanted = match kind {
                FileKind::Mesh => "mesh",
                FileKind::Scene => "scene",
            };
            return Err(FileError::WrongContent { found: head.kind, wanted });
        }
        Self::from_head(owner, &head)
    }

    /// A reader for a file whose length and checksum may be wrong.
    pub(super) fn from_head(
        owner: impl AsRef<[u8]> + Send + Sync + 'static,
        head: &Head,
    ) -> Result<Self, FileError> {
        let bytes = owner.as_ref();
        // The length of every file that the writer made is a multiple of the alignment.
        let bytes: Bytes = if bytes.as_ptr().addr().is_multiple_of(ALIGN_NEEDED) {
            Arc::new(owner)
        } else {
            Arc::new(AlignedBytes(
                bytes.as_chunks().0.iter().map(|block| AlignedBlock(*block)).collect(),
            ))
        };
        let table = (head.sections as usize).checked_mul(size_of::<Entry>());
        let table = table.and_then(|length| size_of::<Head>().checked_add(length));
        let entries = table.and_then(|end| Buffer::shared(&bytes, size_of::<Head>()..end));
        let bad =
            |problem| FileError::BadSection { section: "table of sections", mesh: 0, problem };
        let entries: Buffer<Entry> = entries.ok_or(bad("lies outside the file"))?;
        if !are_in_order(&entries) {
            return Err(bad("is out of order, or sections overlap"));
        }
        Ok(Self { version: head.version, bytes, entries })
    }

    /// The version of the format that the file has.
    pub(super) fn version(&self) -> u32 {
        self.version
    }

    /// Number of meshes; their numbers are below it.
    pub(super) fn meshes(&self) -> u32 {
        let is_info = |entry: &&Entry| entry.section == Section::Info as u32;
        self.entries.iter().filter(is_info).count() as u32
    }

    /// The values of a section; `None` if there is no such section.
    pub(super) fn find<T: Pod>(
        &self,
        section: Section,
        mesh: u32,
    ) -> Result<Option<Buffer<T>>, FileError> {
        let bad = |problem| FileError::BadSection { section: section.name(), mesh, problem };
        let key = (mesh, section as u32);
        let Ok(at) = self.entries.binary_search_by_key(&key, Entry::key) else { return Ok(None) };
        let entry = &self.entries[at];
        let range = usize::try_from(entry.offset).ok().zip(usize::try_from(entry.length).ok());
        let range = range.and_then(|(start, length)| Some(start..start.checked_add(length)?));
        let range = range.ok_or(bad("lies outside the file"))?;
        let values = Buffer::shared(&self.bytes, range);
        values.ok_or(bad("lies outside the file, or is not made of whole entries")).map(Some)
    }

    /// The values of a section, which must exist.
    pub(super) fn get<T: Pod>(&self, section: Section, mesh: u32) -> Result<Buffer<T>, FileError> {
        let problem = "is missing";
        let missing = FileError::BadSection { section: section.name(), mesh, problem };
        self.find(section, mesh)?.ok_or(missing)
    }
}

/// The largest alignment of a type in a file; sections lie at multiples of [`ALIGN`].
const ALIGN_NEEDED: usize = 32;

const _: () = assert!(align_of::<Packet>() <= ALIGN_NEEDED && align_of::<Node>() <= ALIGN_NEEDED);
const _: () = assert!(ALIGN.is_multiple_of(ALIGN_NEEDED));

impl Head {
    /// Reads the header of a file, if this version can read the file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, FileError> {
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

    pub(super) fn check_length(&self, bytes: &[u8]) -> Result<(), FileError> {
        let found = bytes.len() as u64;
        if self.length != found || !found.is_multiple_of(ALIGN as u64) {
            return Err(FileError::Length { stated: self.length, found });
        }
        Ok(())
    }

    pub(super) fn check_sum(&self, bytes: &[u8]) -> Result<(), FileError> {
        let (stated, without) = (self.checksum, Self { checksum: 0, ..*self });
        let found = checksum([bytemuck::bytes_of(&without), &bytes[size_of::<Self>()..]]);
        if stated == found { Ok(()) } else { Err(FileError::Checksum { stated, found }) }
    }

    /// Checks that the bytes reserved for later versions are 0.
    pub(super) fn check_unused(&self) -> Result<(), FileError> {
        let fields = [(28, self.unused == 0), (40, self.reserved == [0; 3])];
        match fields.into_iter().find(|(_, is_zero)| !is_zero) {
            Some((at, _)) => Err(FileError::NotZero { at }),
            None => Ok(()),
        }
    }
}

impl Reader {
    /// Reports defects of the table to `found`: of entries, extents, checksums and padding.
    pub(super) fn check_sections(&self, mut found: impl FnMut(FileError)) {
        let bytes = (*self.bytes).as_ref();
        let meshes = self.meshes();
        let mut end = size_of::<Head>() + size_of_val(&*self.entries);
        for entry in &*self.entries {
            let Entry { section: number, mesh, offset, length, checksum: stated } = *entry;
            let Some(section) = Section::from_number(number) else {
                found(FileError::UnknownSection { section: number, mesh });
                continue;
            };
            let mut bad =
                |problem| found(FileError::BadSection { section: section.name(), mesh, problem });
            if section.is_of_the_scene() != (mesh == NO_MESH) || mesh != NO_MESH && mesh >= meshes
            {
                bad("belongs to no mesh of the file");
            }
            if !offset.is_multiple_of(ALIGN as u64) {
                bad("does not begin at a multiple of 64 bytes");
            }
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let section_end = start.saturating_add(length);
            if start < end || section_end > bytes.len() {
                bad("lies outside the file, or in another section");
                continue;
            }
            if let Some(at) = first_not_zero(bytes, end, start) {
                found(FileError::NotZero { at });
            }
            end = section_end;
            let padded = section_end.next_multiple_of(ALIGN).min(bytes.len());
            if stated != 0 && entry.sum(&bytes[start..padded]) != stated {
                let (start, end) = (start as u64, section_end as u64);
                found(FileError::SectionChecksum { section: section.name(), mesh, start, end });
            }
        }
        if let Some(at) = first_not_zero(bytes, end, bytes.len()) {
            found(FileError::NotZero { at });
        }
    }
}

/// The first byte of a range that is not 0.
fn first_not_zero(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let range = bytes.get(start..end)?;
    range.iter().position(|byte| *byte != 0).map(|at| (start + at) as u64)
}

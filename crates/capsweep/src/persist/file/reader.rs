//! Reads a file in place.

use crate::buffer::{Buffer, Bytes};
use crate::bvh::Node;
use crate::mesh::packet::Packet;
use crate::persist::error::FileError;
use crate::persist::file::{ALIGN, Entry, FileKind, Head, NO_MESH, Section, are_in_order};
use bytemuck::{Pod, Zeroable};
use core::ops::Range;
use std::sync::Arc;

/// Reads the sections of a file.
pub(in crate::persist) struct Reader {
    version: u32,
    /// The checksum that the header states.
    checksum: u64,
    bytes: Bytes,
    entries: Buffer<Entry>,
    /// The bytes of the table.
    table: Range<usize>,
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
    pub(in crate::persist) fn new(
        owner: impl AsRef<[u8]> + Send + Sync + 'static,
        kind: FileKind,
    ) -> Result<Self, FileError> {
        let bytes = owner.as_ref();
        let head = Head::read(bytes)?;
        head.check_length(bytes)?;
        if kind != FileKind::Map {
            head.check_sum(bytes)?;
        }
        if head.kind != kind as u32 {
            return Err(FileError::WrongContent { found: head.kind, wanted: kind.name() });
        }
        let reader = Self::from_head(owner, &head)?;
        if kind == FileKind::Map {
            head.check_table_sum(&reader.entries)?;
        }
        Ok(reader)
    }

    /// A reader for a file whose length and checksum may be wrong.
    pub(in crate::persist) fn from_head(
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
        let entries = head.table_range().and_then(|range| Buffer::shared(&bytes, range));
        let bad =
            |problem| FileError::BadSection { section: "table of sections", mesh: 0, problem };
        let entries: Buffer<Entry> = entries.ok_or(bad("lies outside the file"))?;
        if !are_in_order(&entries) {
            return Err(bad("is out of order, or sections overlap"));
        }
        let table = head.table_range().unwrap_or_default();
        Ok(Self { version: head.version, checksum: head.checksum, bytes, entries, table })
    }

    pub(in crate::persist) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The version of the format that the file has.
    pub(in crate::persist) fn version(&self) -> u32 {
        self.version
    }

    /// The checksum that the header states.
    pub(in crate::persist) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Number of meshes, height fields and liquid sheets; their numbers are below it.
    pub(in crate::persist) fn surfaces(&self) -> u32 {
        let is_info = |entry: &&Entry| {
            let infos = [Section::Info, Section::FieldInfo, Section::SheetInfo];
            infos.iter().any(|info| entry.section == *info as u32)
        };
        self.entries.iter().filter(is_info).count() as u32
    }

    /// Whether there is such a section.
    pub(in crate::persist) fn has(&self, section: Section, mesh: u32) -> bool {
        self.entries.binary_search_by_key(&(mesh, section as u32), Entry::key).is_ok()
    }

    /// Checks the checksums of all sections of a mesh or height field.
    pub(in crate::persist) fn check_sums_of(&self, mesh: u32) -> Result<(), FileError> {
        let start = self.entries.partition_point(|entry| entry.mesh < mesh);
        let own = self.entries[start..].iter().take_while(|entry| entry.mesh == mesh);
        own.into_iter().try_for_each(|entry| self.check_sum(entry))
    }

    /// Checks the checksum of a section, if there is one.
    pub(in crate::persist) fn check_sum_of(
        &self,
        section: Section,
        mesh: u32,
    ) -> Result<(), FileError> {
        let place = self.entries.binary_search_by_key(&(mesh, section as u32), Entry::key);
        place.map_or(Ok(()), |place| self.check_sum(&self.entries[place]))
    }

    fn check_sum(&self, entry: &Entry) -> Result<(), FileError> {
        let section = entry.padded((*self.bytes).as_ref());
        let is_wrong =
            |section: &[u8]| entry.checksum != 0 && entry.sum(section) != entry.checksum;
        if !section.is_none_or(is_wrong) {
            return Ok(());
        }
        let (start, end) = (entry.offset, entry.offset.saturating_add(entry.length));
        let name = Section::from_number(entry.section).map_or("section", Section::name);
        Err(FileError::SectionChecksum { section: name, mesh: entry.mesh, start, end })
    }

    /// Whether a section has a kind that came with height fields.
    pub(in crate::persist) fn needs_fields(&self) -> bool {
        self.entries.iter().any(|entry| entry.section >= Section::FieldInfo as u32)
    }

    /// The values of a section; `None` if there is no such section.
    pub(in crate::persist) fn find<T: Pod>(
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
    pub(in crate::persist) fn get<T: Pod>(
        &self,
        section: Section,
        mesh: u32,
    ) -> Result<Buffer<T>, FileError> {
        let problem = "is missing";
        let missing = FileError::BadSection { section: section.name(), mesh, problem };
        self.find(section, mesh)?.ok_or(missing)
    }
}

/// The largest alignment of a type in a file; sections lie at multiples of [`ALIGN`].
const ALIGN_NEEDED: usize = 32;

const _: () = assert!(align_of::<Packet>() <= ALIGN_NEEDED && align_of::<Node>() <= ALIGN_NEEDED);
const _: () = assert!(ALIGN.is_multiple_of(ALIGN_NEEDED));

impl Reader {
    /// Reports defects of the table to `found`: of entries, extents, checksums and padding.
    pub(in crate::persist) fn check_sections(&self, mut found: impl FnMut(FileError)) {
        let bytes = (*self.bytes).as_ref();
        let surfaces = self.surfaces();
        let table = self.table.clone();
        let in_front = table.start == size_of::<Head>();
        let mut end = if in_front { table.end } else { size_of::<Head>() };
        for entry in &*self.entries {
            let Entry { section: number, mesh, offset, length, checksum: stated } = *entry;
            let Some(section) = Section::from_number(number) else {
                found(FileError::UnknownSection { section: number, mesh });
                continue;
            };
            let mut bad =
                |problem| found(FileError::BadSection { section: section.name(), mesh, problem });
            if section.is_of_the_scene() != (mesh == NO_MESH)
                || mesh != NO_MESH && mesh >= surfaces
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
        // The table of a map file comes last.
        let (until, after) =
            if in_front { (bytes.len(), bytes.len()) } else { (table.start, table.end) };
        let rest = first_not_zero(bytes, end, until);
        if let Some(at) = rest.or_else(|| first_not_zero(bytes, after, bytes.len())) {
            found(FileError::NotZero { at });
        }
    }
}

/// The first byte of a range that is not 0.
fn first_not_zero(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let range = bytes.get(start..end)?;
    range.iter().position(|byte| *byte != 0).map(|at| (start + at) as u64)
}

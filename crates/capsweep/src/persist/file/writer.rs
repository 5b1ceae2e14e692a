//! Writes a file in memory.

use crate::persist::checksum::checksum;
use crate::persist::file::{ALIGN, Entry, FileKind, Head, Section, Sections};
use bytemuck::Pod;

/// Collects sections and makes a file of them.
pub(in crate::persist) struct Writer {
    kind: FileKind,
    version: u32,
    entries: Vec<Entry>,
    /// All sections so far. Offsets are relative to it until the length of the table is known.
    data: Vec<u8>,
}

impl Writer {
    pub(in crate::persist) fn new(kind: FileKind) -> Self {
        Self { kind, version: 1, entries: Vec::new(), data: Vec::new() }
    }

    pub(in crate::persist) fn finish(mut self) -> Vec<u8> {
        let table = (self.entries.len() * size_of::<Entry>()).next_multiple_of(ALIGN);
        let start = size_of::<Head>() + table;
        for entry in &mut self.entries {
            let data = &self.data[entry.offset as usize..];
            let padded = (entry.length as usize).next_multiple_of(ALIGN);
            entry.offset += start as u64;
            entry.checksum = entry.sum(&data[..padded]);
        }
        let mut head = Head::new(self.version, self.kind, self.entries.len());
        head.length = (start + self.data.len()) as u64;
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

impl Sections for Writer {
    fn need_version(&mut self, version: u32) {
        self.version = self.version.max(version);
    }

    fn add<T: Pod>(&mut self, section: Section, mesh: u32, values: &[T]) {
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
}

//! Writes a map file piece by piece.

use crate::persist::checksum::{BLOCK, checksum};
use crate::persist::file::{ALIGN, Entry, FIELDS, FileKind, Head, Section, Sections};
use bytemuck::Pod;
use std::io;

/// Writes the sections of a map file as they come, so that they need not fit into memory.
pub(in crate::persist) struct StreamWriter<W> {
    out: W,
    entries: Vec<Entry>,
    /// Bytes written so far.
    length: u64,
    /// The first error; nothing is written after it.
    failed: Option<io::Error>,
}

impl<W: io::Write + io::Seek> StreamWriter<W> {
    /// Leaves room for the header, which is written last: a file that is not finished has none.
    pub(in crate::persist) fn new(out: W) -> Self {
        let mut writer = Self { out, entries: Vec::new(), length: 0, failed: None };
        writer.put(&[0; size_of::<Head>()]);
        writer
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
            self.length += bytes.len() as u64;
        }
    }

    /// The first error so far.
    pub(in crate::persist) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Writes the table and the header. Returns the length of the file.
    pub(in crate::persist) fn finish(mut self) -> io::Result<u64> {
        let mut head = Head::new(FIELDS, FileKind::Map, self.entries.len());
        head.table = self.length;
        let entries = core::mem::take(&mut self.entries);
        let bytes: &[u8] = bytemuck::must_cast_slice(&entries);
        self.put(bytes);
        let padding = self.length.next_multiple_of(ALIGN as u64) - self.length;
        self.put(&[0; ALIGN][..padding as usize]);
        head.length = self.length;
        head.checksum = head.table_sum(&entries);
        self.check()?;
        self.out.seek(io::SeekFrom::Start(0))?;
        self.out.write_all(bytemuck::bytes_of(&head))?;
        self.out.flush()?;
        Ok(head.length)
    }
}

impl<W: io::Write + io::Seek> Sections for StreamWriter<W> {
    /// Map files always have the version that holds everything.
    fn need_version(&mut self, _version: u32) {}

    fn add<T: Pod>(&mut self, section: Section, mesh: u32, values: &[T]) {
        let bytes: &[u8] = bytemuck::must_cast_slice(values);
        let (whole, rest) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        let mut end = [0; ALIGN];
        end[..rest.len()].copy_from_slice(rest);
        let padding = bytes.len().next_multiple_of(ALIGN) - whole.len();
        let mut entry = Entry {
            section: section as u32,
            mesh,
            offset: self.length,
            length: bytes.len() as u64,
            checksum: 0,
        };
        entry.checksum = checksum([bytemuck::bytes_of(&entry), whole, &end[..padding]]);
        self.put(whole);
        self.put(&end[..padding]);
        self.entries.push(entry);
    }
}

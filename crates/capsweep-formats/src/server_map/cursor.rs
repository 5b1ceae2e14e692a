//! A reader of little-endian numbers that checks every size before it reads or allocates.

use super::error::{ParseError, Problem};
use glam::Vec3;

/// A position in the bytes of a file.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    /// The file up to the end of the section that is read.
    bytes: &'a [u8],
    /// Offset of the next byte, at most the length of `bytes`.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads a whole file of at most `limit` bytes.
    pub(super) fn new(bytes: &'a [u8], limit: u64) -> Result<Self, ParseError> {
        let cursor = Self { bytes, at: 0 };
        let found = bytes.len() as u64;
        if found > limit {
            return Err(cursor.error("bytes of the file", Problem::TooMany { found, limit }));
        }
        Ok(cursor)
    }

    /// Reads the `size` bytes at `offset` of the same file.
    pub(super) fn section(
        &self,
        field: &'static str,
        offset: u32,
        size: u32,
    ) -> Result<Self, ParseError> {
        let left = (self.bytes.len() as u64).saturating_sub(u64::from(offset));
        let needed = u64::from(size);
        let error = Err(ParseError {
            offset: u64::from(offset),
            field,
            problem: Problem::CutOff { needed, left },
        });
        if needed > left {
            return error;
        }
        let at = offset as usize;
        match self.bytes.get(..at + size as usize) {
            Some(bytes) => Ok(Self { bytes, at }),
            None => error,
        }
    }

    /// The error `problem` of the field at the next byte.
    pub(super) fn error(&self, field: &'static str, problem: Problem) -> ParseError {
        ParseError { offset: self.at as u64, field, problem }
    }

    /// Number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The bytes that are left, without reading them.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Fails unless every byte is read.
    pub(super) fn expect_end(&self, field: &'static str) -> Result<(), ParseError> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.error(field, Problem::Unread { left: left as u64 })),
        }
    }

    /// Fails unless `count` items of at least `stride` bytes each can be left. It comes before
    /// every allocation.
    ///
    /// Returns the bytes of items that have no more than `stride` bytes.
    pub(super) fn expect_items(
        &self,
        field: &'static str,
        count: u64,
        stride: u64,
    ) -> Result<&'a [u8], ParseError> {
        let left = self.left() as u64;
        let needed = count.saturating_mul(stride);
        // What does not fit into a usize is more than is left.
        let items = usize::try_from(needed).ok().and_then(|needed| self.rest().get(..needed));
        items.ok_or_else(|| self.error(field, Problem::CutOff { needed, left }))
    }

    /// Reads `count` items of `stride` bytes each.
    pub(super) fn items(
        &mut self,
        field: &'static str,
        count: u64,
        stride: u64,
    ) -> Result<&'a [u8], ParseError> {
        let items = self.expect_items(field, count, stride)?;
        self.at += items.len();
        Ok(items)
    }

    /// Reads `N` bytes.
    pub(super) fn array<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u8; N], ParseError> {
        let bytes = self.items(field, N as u64, 1)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    pub(super) fn u8(&mut self, field: &'static str) -> Result<u8, ParseError> {
        Ok(u8::from_le_bytes(self.array(field)?))
    }

    pub(super) fn u16(&mut self, field: &'static str) -> Result<u16, ParseError> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    pub(super) fn u32(&mut self, field: &'static str) -> Result<u32, ParseError> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    /// Reads a number that may be NaN or infinite.
    pub(super) fn f32(&mut self, field: &'static str) -> Result<f32, ParseError> {
        Ok(f32::from_le_bytes(self.array(field)?))
    }

    /// Reads three numbers that may be NaN or infinite.
    pub(super) fn vec3(&mut self, field: &'static str) -> Result<Vec3, ParseError> {
        Ok(vec3(self.array(field)?))
    }

    /// Reads a finite number of at most `limit` in magnitude.
    pub(super) fn finite(&mut self, field: &'static str, limit: f32) -> Result<f32, ParseError> {
        let start = self.clone();
        let found = self.f32(field)?;
        check_number(found, limit).map_err(|problem| start.error(field, problem))?;
        Ok(found)
    }

    /// Reads `count` finite numbers of at most `limit` in magnitude.
    pub(super) fn finite_items(
        &mut self,
        field: &'static str,
        count: u64,
        limit: f32,
    ) -> Result<Vec<f32>, ParseError> {
        let start = self.clone();
        let numbers: Vec<f32> = words(self.items(field, count, 4)?).map(f32::from_bits).collect();
        for (i, &found) in numbers.iter().enumerate() {
            check_number(found, limit).map_err(|problem| start.error_at(4 * i, field, problem))?;
        }
        Ok(numbers)
    }

    /// The error `problem` of the field `distance` bytes after the next byte.
    pub(super) fn error_at(
        &self,
        distance: usize,
        field: &'static str,
        problem: Problem,
    ) -> ParseError {
        ParseError { offset: (self.at + distance) as u64, field, problem }
    }

    /// Reads a count (u32) of at most `limit`.
    pub(super) fn count(&mut self, field: &'static str, limit: u64) -> Result<u64, ParseError> {
        let start = self.clone();
        let found = u64::from(self.u32(field)?);
        if found > limit {
            return Err(start.error(field, Problem::TooMany { found, limit }));
        }
        Ok(found)
    }

    /// Reads a byte that is 0 or 1.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool, ParseError> {
        let start = self.clone();
        match self.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            found => {
                let problem = Problem::Value { found: found.into(), expected: "0 or 1" };
                Err(start.error(field, problem))
            }
        }
    }

    /// Reads four letters that mark a part of the file.
    pub(super) fn tag(
        &mut self,
        field: &'static str,
        expected: [u8; 4],
    ) -> Result<(), ParseError> {
        let start = self.clone();
        let found = self.array(field)?;
        if found != expected {
            return Err(start.error(field, Problem::Tag { found, expected }));
        }
        Ok(())
    }

    /// Reads the eight letters that begin a compiled file of a vmaps folder.
    ///
    /// They look like `VMAP_7.0`. They are no more than a sign that the file is of this family:
    /// servers use the same letters for different layouts.
    pub(super) fn magic(&mut self) -> Result<(), ParseError> {
        const FIELD: &str = "magic";
        let start = self.clone();
        let found: [u8; 8] = self.array(FIELD)?;
        let problem = match found {
            [b'V', b'M', b'A', b'P', _, _, b'.', _] => return Ok(()),
            // The extractor's own files: seven letters and a NUL.
            [b'V', b'M', b'A', b'P', _, _, _, 0] => Problem::NotAssembled,
            found => Problem::Magic { found, expected: "VMAP and a version, like VMAP_7.0" },
        };
        Err(start.error(FIELD, problem))
    }
}

/// The little-endian words of a slice.
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word))
}

/// The little-endian half-words of a slice.
pub(super) fn half_words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks().0.iter().map(|&half| u16::from_le_bytes(half))
}

/// Three numbers.
pub(super) fn vec3(bytes: [u8; 12]) -> Vec3 {
    let [x, y, z] = triple(bytes).map(f32::from_bits);
    Vec3::new(x, y, z)
}

/// Three words.
pub(super) fn triple(bytes: [u8; 12]) -> [u32; 3] {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = bytes;
    [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_le_bytes)
}

/// Checks that a number is finite and at most `limit` in magnitude.
pub(super) fn check_number(found: f32, limit: f32) -> Result<(), Problem> {
    // NaN compares as false.
    if found.abs() <= limit { Ok(()) } else { Err(Problem::Number { found, limit }) }
}

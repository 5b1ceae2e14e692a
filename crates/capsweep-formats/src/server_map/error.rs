//! Errors of the parsers: the byte, the field, the value and the expectation.

use crate::error::{LoadError, Reason};
use std::fmt;
use std::path::Path;

/// Why bytes are not a valid file of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ParseError {
    /// The offset in the file of the first byte of the field.
    pub offset: u64,
    /// The field, such as `vertices`.
    pub field: &'static str,
    /// The reason.
    pub problem: Problem,
}

/// What is wrong with a field of a server's file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The file, or a section of it, ends before the field does.
    CutOff {
        /// The bytes that the field needs.
        needed: u64,
        /// The bytes that are left.
        left: u64,
    },
    /// The first bytes belong to no known kind of file.
    Magic {
        /// The first bytes.
        found: [u8; 8],
        /// The bytes of this kind of file.
        expected: &'static str,
    },
    /// The file comes from an extractor, and the assembler has not compiled it yet.
    NotAssembled,
    /// Four letters that mark a part of the file are others.
    Tag {
        /// The four bytes in the file.
        found: [u8; 4],
        /// The four letters expected.
        expected: [u8; 4],
    },
    /// A count or a size exceeds its limit.
    TooMany {
        /// The number in the file.
        found: u64,
        /// The largest number allowed.
        limit: u64,
    },
    /// A whole number has no meaning there.
    Value {
        /// The number in the file.
        found: u64,
        /// The numbers allowed, in words.
        expected: &'static str,
    },
    /// An index leads beyond its list.
    Index {
        /// The index in the file.
        found: u64,
        /// The length of the list.
        count: u64,
    },
    /// A number is not finite, or exceeds its limit.
    Number {
        /// The number in the file.
        found: f32,
        /// The largest magnitude allowed.
        limit: f32,
    },
    /// The lower end of a range lies above its upper end.
    Inverted {
        /// The lower end.
        low: f32,
        /// The upper end.
        high: f32,
    },
    /// Bytes are left that belong to nothing.
    Unread {
        /// Their number.
        left: u64,
    },
    /// No known layout ends where the file or the section ends.
    Layout {
        /// The layouts that were tried, in words.
        tried: &'static str,
    },
}

impl ParseError {
    /// The error of the file at `path`.
    pub(crate) fn in_file(self, path: &Path) -> LoadError {
        LoadError {
            file: path.to_owned(),
            location: Some(format!("byte {}, {}", self.offset, self.field)),
            reason: Reason::ServerMap(self.problem),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}, {}: {}", self.offset, self.field, self.problem)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff { needed, left } => write!(
                f,
                "needs {needed} bytes and {left} are left; the file is cut off or damaged: \
                 extract it again"
            ),
            Self::Magic { found, expected } => write!(
                f,
                "found \"{}\", expected {expected}; it is a file of another kind",
                found.escape_ascii()
            ),
            Self::NotAssembled => f.write_str(
                "a raw file of the extractor; run the vmap assembler and use its output folder",
            ),
            Self::Tag { found, expected } => write!(
                f,
                "found \"{}\", expected \"{}\"; the file is damaged or its layout is unknown",
                found.escape_ascii(),
                expected.escape_ascii()
            ),
            Self::TooMany { found, limit } => write!(
                f,
                "found {found}, the limit is {limit}; no real file has so many: extract it again"
            ),
            Self::Value { found, expected } => {
                write!(f, "found {found}, expected {expected}: extract the file again")
            }
            Self::Index { found, count } => write!(
                f,
                "index {found} leads beyond a list of {count}; the file is damaged: extract it \
                 again"
            ),
            Self::Number { found, limit } => write!(
                f,
                "found {found}, expected a finite number of at most {limit} in magnitude; the \
                 file is damaged: extract it again"
            ),
            Self::Inverted { low, high } => write!(
                f,
                "the range from {low} to {high} is empty; the file is damaged: extract it again"
            ),
            Self::Unread { left } => write!(
                f,
                "{left} bytes are left that belong to nothing; the file is damaged or its layout \
                 is unknown"
            ),
            Self::Layout { tried } => {
                write!(f, "no known layout ends where the bytes end; tried {tried}")
            }
        }
    }
}

//! Errors of an import.

use crate::LoadError;
use capsweep::persist::FileError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a server's map could not be imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// A folder cannot be read.
    Load(LoadError),
    /// The folders have no files of the map.
    NoSuchMap {
        /// The map.
        map: u32,
        /// The maps that have files.
        known: Vec<u32>,
    },
    /// The map file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// Writing failed.
    Io(io::Error),
    /// The caller interrupted the import.
    Interrupted,
}

impl ImportError {
    /// A part that refers to another part that was not written.
    pub(super) fn bug(error: FileError) -> Self {
        Self::Io(io::Error::other(error.to_string()))
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}

/// Most maps that a message lists.
const LISTED: usize = 20;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::NoSuchMap { map, known } if known.is_empty() => write!(
                f,
                "no file of map {map} or of any other map: are these the vmaps and maps folders \
                 of a server?"
            ),
            Self::NoSuchMap { map, known } => {
                write!(f, "no file of map {map}; there are files of")?;
                for known in known.iter().take(LISTED) {
                    write!(f, " {known}")?;
                }
                let more = known.len().saturating_sub(LISTED);
                if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Self::Write { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Io(error) => write!(f, "the map cannot be written: {error}"),
            Self::Interrupted => f.write_str("the import was interrupted; nothing was written"),
        }
    }
}

impl std::error::Error for ImportError {}

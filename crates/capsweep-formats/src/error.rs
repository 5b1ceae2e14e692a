//! Errors of loading, each with a complete message.
//!
//! In this crate `Display` includes the causes of an error, so `source()` returns `None`. A
//! program that prints the whole chain prints each cause once. [`LoadError::reason`] has the cause
//! itself.

use crate::WorldError;
use crate::server_map::Problem;
use capsweep::ShapeError;
use capsweep::persist::FileError;
use capsweep::scene::MeshError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be loaded: the file, the location in it and the reason.
///
/// The message is complete: it includes the cause, so [`source`](std::error::Error::source)
/// returns `None`.
#[derive(Debug)]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// The location in it, such as `line 12` or `meshes[3].primitives[0]`; `None` if the reason
    /// concerns the whole file.
    pub location: Option<String>,
    /// The reason.
    pub reason: Reason,
}

/// Why a file could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The system cannot read the file.
    Io(io::Error),
    /// The extension belongs to no known format.
    UnknownFormat,
    /// The file breaks the rules of its format.
    Malformed(String),
    /// The file is valid, but uses a feature that is not supported.
    Unsupported(String),
    /// The file has, or declares, more than [`Limits`](crate::Limits) allow.
    TooMuch {
        /// The items that are counted.
        what: &'static str,
        /// Their number.
        found: u64,
        /// The largest number allowed.
        limit: u64,
    },
    /// A vertex or an index is invalid.
    Mesh(MeshError),
    /// A transform is not a valid pose.
    Pose(ShapeError),
    /// The world in the file cannot become a scene.
    World(WorldError),
    /// The file is not a scene file, or is damaged.
    SceneFile(FileError),
    /// The file is not a server's file of its kind, or is damaged.
    ServerMap(Problem),
    /// The file has no triangles.
    Empty,
}

impl LoadError {
    pub(crate) fn new(file: &Path, reason: Reason) -> Self {
        Self { file: file.to_owned(), location: None, reason }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        self.reason.fmt(f)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::UnknownFormat => {
                f.write_str("its name does not end in .obj, .gltf, .glb or .capsweep")
            }
            Self::Malformed(message) | Self::Unsupported(message) => f.write_str(message),
            Self::TooMuch { what, found, limit } => {
                write!(
                    f,
                    "{found} {what} are more than the limit of {limit}; raise it if they are meant"
                )
            }
            Self::Mesh(error) => error.fmt(f),
            Self::Pose(error) => error.fmt(f),
            Self::World(error) => error.fmt(f),
            Self::SceneFile(error) => error.fmt(f),
            Self::ServerMap(problem) => problem.fmt(f),
            Self::Empty => f.write_str("there are no triangles in it"),
        }
    }
}

impl std::error::Error for LoadError {}

/// A [`LoadError`] without the file's name.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) location: Option<String>,
    pub(crate) reason: Reason,
}

impl Fault {
    /// Sets the location, unless a more exact one is known already.
    pub(crate) fn at(self, location: impl FnOnce() -> String) -> Self {
        Self { location: self.location.or_else(|| Some(location())), ..self }
    }

    pub(crate) fn in_file(self, file: &Path) -> LoadError {
        LoadError { file: file.to_owned(), location: self.location, reason: self.reason }
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self { location: None, reason }
    }
}

/// A fault of a file that breaks the rules of its format.
pub(crate) fn malformed(message: impl Into<String>) -> Fault {
    Reason::Malformed(message.into()).into()
}

/// Checks a count against its limit.
pub(crate) fn within(what: &'static str, found: u64, limit: u64) -> Result<(), Fault> {
    if found <= limit { Ok(()) } else { Err(Reason::TooMuch { what, found, limit }.into()) }
}

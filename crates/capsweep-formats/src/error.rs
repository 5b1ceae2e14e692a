use crate::WorldError;
use capsweep::ShapeError;
use capsweep::persist::FileError;
use capsweep::scene::MeshError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file did not become a world: which file, where in it, and what is wrong there.
#[derive(Debug)]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// Where in it, such as `line 12` or `meshes[3].primitives[0]`; `None` if it is the file as a whole.
    pub place: Option<String>,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The system refuses to read it.
    Io(io::Error),
    /// Its extension names no format.
    UnknownFormat,
    /// It breaks the rules of its format.
    Malformed(String),
    /// It follows them, but asks for what is not supported.
    Unsupported(String),
    /// It is, or declares to be, larger than [`Limits`](crate::Limits) allow.
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// A vertex or an index that a mesh cannot have.
    Mesh(MeshError),
    /// A transform that an instance cannot have.
    Pose(ShapeError),
    /// What it holds cannot stand where it should.
    World(WorldError),
    /// It is no scene file, or a damaged one.
    SceneFile(FileError),
    /// It holds no triangles.
    Empty,
}

impl LoadError {
    pub(crate) fn new(file: &Path, reason: Reason) -> Self {
        Self { file: file.to_owned(), place: None, reason }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
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
            Self::Malformed(what) | Self::Unsupported(what) => f.write_str(what),
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
            Self::Empty => f.write_str("there are no triangles in it"),
        }
    }
}

impl std::error::Error for LoadError {
    /// What is behind the reason, which is said already: who prints the whole chain should not read it twice.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::Io(error) => error.source(),
            Reason::Mesh(error) => error.source(),
            Reason::Pose(error) => error.source(),
            Reason::World(error) => error.source(),
            Reason::SceneFile(error) => error.source(),
            _ => None,
        }
    }
}

/// A reason and where it was found, before the file's name is put to it.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: Option<String>,
    pub(crate) reason: Reason,
}

impl Fault {
    /// The same at `place`, unless a closer place is known already.
    pub(crate) fn at(self, place: impl FnOnce() -> String) -> Self {
        Self { place: self.place.or_else(|| Some(place())), ..self }
    }

    pub(crate) fn in_file(self, file: &Path) -> LoadError {
        LoadError { file: file.to_owned(), place: self.place, reason: self.reason }
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self { place: None, reason }
    }
}

/// A broken rule of the format, in words.
pub(crate) fn malformed(what: impl Into<String>) -> Fault {
    Reason::Malformed(what.into()).into()
}

/// Checks a count against its limit.
pub(crate) fn within(what: &'static str, found: u64, limit: u64) -> Result<(), Fault> {
    if found <= limit { Ok(()) } else { Err(Reason::TooMuch { what, found, limit }.into()) }
}

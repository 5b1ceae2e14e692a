use crate::ShapeError;
use crate::bvh::BvhDefect;
use core::fmt;

/// Why bytes are no mesh or scene.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FileError {
    /// There are fewer bytes than a file's head has.
    TooShort {
        /// How many there are.
        bytes: usize,
    },
    /// They do not begin like a file of this library.
    NotAFile {
        /// What they begin with.
        found: [u8; 8],
    },
    /// The file was written by another version of the format.
    Version {
        /// The version it states.
        found: u32,
        /// The one that can be read.
        readable: u32,
    },
    /// This computer keeps numbers the other way around.
    BigEndian,
    /// The file is shorter or longer than it states: it was cut off, or something was added.
    Length {
        /// Bytes that it states.
        stated: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The bytes are not those that were written.
    Checksum {
        /// The sum that the file states.
        stated: u64,
        /// The sum of its bytes.
        found: u64,
    },
    /// It is a scene where a mesh was asked for, or the other way around.
    WrongContent {
        /// What the file states to be: 1 is a mesh, 2 a scene.
        found: u32,
        /// What was asked for.
        wanted: &'static str,
    },
    /// A section is missing, lies outside the file or in another, or is of the wrong size.
    BadSection {
        /// What the section holds.
        section: &'static str,
        /// The mesh that it is of, by its number in the file.
        mesh: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// The tree of a mesh is none.
    BadTree {
        /// The mesh, by its number in the file.
        mesh: u32,
        /// What is wrong.
        defect: BvhDefect,
    },
    /// A triangle is not where the mesh says, or has a corner that no mesh may have.
    BadTriangle {
        /// The mesh, by its number in the file.
        mesh: u32,
        /// The triangle.
        triangle: u32,
    },
    /// A number that stands for a choice stands for none.
    BadBody {
        /// The body, by its number in the file.
        body: u32,
        /// What the number is for.
        field: &'static str,
        /// The number.
        found: u32,
    },
    /// A body's shape or pose is none that can be made.
    BadShape {
        /// The body, by its number in the file.
        body: u32,
        /// Why.
        error: ShapeError,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { bytes } => write!(f, "{bytes} bytes are too few to be a file"),
            Self::NotAFile { found } => {
                write!(
                    f,
                    "this is no capsweep file: it begins with {:?}",
                    found.escape_ascii().to_string()
                )
            }
            Self::Version { found, readable } => write!(
                f,
                "the file has version {found} of the format and this library reads {readable}: write it again"
            ),
            Self::BigEndian => write!(f, "files cannot be used in place on big-endian computers"),
            Self::Length { stated, found } => write!(
                f,
                "the file should have {stated} bytes and has {found}: it was cut off or added to"
            ),
            Self::Checksum { stated, found } => write!(
                f,
                "the file was altered: its checksum is {found:016x} and should be {stated:016x}"
            ),
            Self::WrongContent { found, wanted } => {
                let found = match found {
                    1 => "a mesh",
                    2 => "a scene",
                    _ => "something unknown",
                };
                write!(f, "the file holds {found}, not a {wanted}")
            }
            Self::BadSection { section, mesh, problem } => {
                write!(f, "the {section} of mesh {mesh} {problem}")
            }
            Self::BadTree { mesh, defect } => {
                write!(f, "the tree of mesh {mesh} is broken: {defect}")
            }
            Self::BadTriangle { mesh, triangle } => {
                write!(f, "triangle {triangle} of mesh {mesh} is out of place or out of range")
            }
            Self::BadBody { body, field, found } => {
                write!(f, "the {field} of body {body} is {found}, which means nothing")
            }
            Self::BadShape { body, error } => write!(f, "body {body}: {error}"),
        }
    }
}

impl core::error::Error for FileError {}

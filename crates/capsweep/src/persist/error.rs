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
    /// A section's bytes are not those that were written.
    SectionChecksum {
        /// What the section holds.
        section: &'static str,
        /// The mesh that it is of, by its number in the file; `u32::MAX` for the scene.
        mesh: u32,
        /// Its first byte in the file.
        start: u64,
        /// The byte after its last.
        end: u64,
    },
    /// The table names a section of a kind that this version does not know.
    UnknownSection {
        /// The number of the kind.
        section: u32,
        /// The mesh that it is of.
        mesh: u32,
    },
    /// A byte that no section has, or that is for later versions, is not 0.
    NotZero {
        /// Its place in the file.
        at: u64,
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
    /// How a triangle joins its neighbours is not what its and their corners give.
    BadEdges {
        /// The mesh, by its number in the file.
        mesh: u32,
        /// The triangle; `u32::MAX` for a place that holds none.
        triangle: u32,
    },
    /// An option of a mesh has no meaning.
    BadOption {
        /// The mesh, by its number in the file.
        mesh: u32,
        /// The option.
        option: &'static str,
        /// The number that it has.
        found: u32,
    },
    /// A body has numbers that no writer leaves: for fields that its form does not have, or
    /// rounded otherwise.
    NotAsWritten {
        /// The body, by its number in the file.
        body: u32,
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
            Self::SectionChecksum { section, mesh, start, end } => {
                let owner = Owner(mesh);
                write!(f, "the {section} of {owner} was altered, in bytes {start} to {end}")
            }
            Self::UnknownSection { section, mesh } => {
                write!(f, "a section of {} is of the unknown kind {section}", Owner(mesh))
            }
            Self::NotZero { at } => {
                write!(f, "byte {at} belongs to nothing and should be 0")
            }
            Self::BadSection { section, mesh, problem } => {
                write!(f, "the {section} of {} {problem}", Owner(mesh))
            }
            Self::BadEdges { mesh, triangle: u32::MAX } => {
                write!(f, "mesh {mesh} has edges, masks or tags where it has no triangle")
            }
            Self::BadEdges { mesh, triangle } => {
                write!(
                    f,
                    "the edges of triangle {triangle} of mesh {mesh} disagree with its neighbours"
                )
            }
            Self::BadOption { mesh, option, found } => {
                write!(f, "the option {option} of mesh {mesh} is {found}, which means nothing")
            }
            Self::NotAsWritten { body } => {
                write!(f, "body {body} has numbers that no writer leaves")
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

/// What a section belongs to.
struct Owner(u32);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            u32::MAX => f.write_str("the scene"),
            mesh => write!(f, "mesh {mesh}"),
        }
    }
}

//! Errors of reading a file.

use crate::ShapeError;
use crate::bvh::BvhDefect;
use crate::mesh::height_field::HeightFieldError;
use crate::scene::LiquidError;
use core::fmt;

/// Why bytes cannot be read as a mesh or a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FileError {
    /// There are fewer bytes than a file's header has.
    TooShort {
        /// Number of bytes.
        bytes: usize,
    },
    /// The bytes do not begin like a file of this library.
    NotAFile {
        /// The first bytes.
        found: [u8; 8],
    },
    /// The file has another version of the format.
    Version {
        /// The version that the file states.
        found: u32,
        /// The latest version that can be read; so can all before it.
        readable: u32,
    },
    /// This computer is big-endian; files are little-endian and used in place.
    BigEndian,
    /// The file is shorter or longer than it states: it was truncated, or bytes were added.
    Length {
        /// The length that the file states.
        stated: u64,
        /// The actual length.
        found: u64,
    },
    /// The checksum is wrong: the bytes differ from those that were written.
    Checksum {
        /// The checksum that the file states.
        stated: u64,
        /// The checksum of its bytes.
        found: u64,
    },
    /// The file holds a scene where a mesh was asked for, or vice versa.
    WrongContent {
        /// The content that the file states: 1 is a mesh, 2 a scene, 3 a map.
        found: u32,
        /// The content that was asked for.
        wanted: &'static str,
    },
    /// The checksum of a section is wrong.
    SectionChecksum {
        /// The content of the section.
        section: &'static str,
        /// The number of its mesh in the file; `u32::MAX` for the scene.
        mesh: u32,
        /// Offset of its first byte.
        start: u64,
        /// Offset of the byte after its last.
        end: u64,
    },
    /// The table has a section of a kind that this version does not know.
    UnknownSection {
        /// The number of the kind.
        section: u32,
        /// The number of its mesh in the file.
        mesh: u32,
    },
    /// A byte between sections or a reserved byte is not 0.
    NotZero {
        /// Offset of the byte.
        at: u64,
    },
    /// A section is missing, lies outside the file, overlaps another, or has the wrong size.
    BadSection {
        /// The content of the section.
        section: &'static str,
        /// The number of its mesh in the file.
        mesh: u32,
        /// The defect.
        problem: &'static str,
    },
    /// The tree of a mesh is invalid.
    BadTree {
        /// The number of the mesh in the file.
        mesh: u32,
        /// The defect.
        defect: BvhDefect,
    },
    /// A triangle is not in the slot that the mesh states, or has a corner out of range.
    BadTriangle {
        /// The number of the mesh in the file.
        mesh: u32,
        /// Index of the triangle; `u32::MAX` for an unused slot.
        triangle: u32,
    },
    /// The edges of a triangle differ from those that the corners of the mesh give.
    BadEdges {
        /// The number of the mesh in the file.
        mesh: u32,
        /// Index of the triangle; `u32::MAX` for an unused slot.
        triangle: u32,
    },
    /// A mesh whose triangles should differ in their sides has no double-sided one.
    NoDoubleSides {
        /// The number of the mesh in the file.
        mesh: u32,
    },
    /// An option of a mesh has an unknown value.
    BadOption {
        /// The number of the mesh in the file.
        mesh: u32,
        /// The option.
        option: &'static str,
        /// The value.
        found: u32,
    },
    /// The file states another version of the format than its content needs.
    OtherVersion {
        /// The version that the file states.
        found: u32,
        /// The version that the writer gives such content.
        needed: u32,
    },
    /// A height field has a grid or a height that is not allowed.
    BadField {
        /// The number of the height field in the file.
        mesh: u32,
        /// The reason.
        error: HeightFieldError,
    },
    /// A liquid or a room is invalid.
    BadLiquid {
        /// The reason.
        error: LiquidError,
    },
    /// The tree over the bodies of a map is invalid.
    BadBodyTree {
        /// The defect.
        defect: BvhDefect,
    },
    /// A body of a map reaches out of its box in the tree.
    OutsideItsBox {
        /// The number of the body in the file.
        body: u32,
    },
    /// A body has numbers that the writer does not produce: in fields that its form does not use,
    /// or not normalized.
    NotAsWritten {
        /// The number of the body in the file.
        body: u32,
    },
    /// A field of a body has an unknown value.
    BadBody {
        /// The number of the body in the file.
        body: u32,
        /// The field.
        field: &'static str,
        /// The value.
        found: u32,
    },
    /// A body's shape or pose is invalid.
    BadShape {
        /// The number of the body in the file.
        body: u32,
        /// The reason.
        error: ShapeError,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { bytes } => {
                write!(f, "{bytes} bytes: shorter than the 64-byte header")
            }
            Self::NotAFile { found } => {
                let found = found.escape_ascii().to_string();
                write!(f, "this is no capsweep file: it begins with {found:?}")
            }
            Self::Version { found, readable } => write!(
                f,
                "the file has version {found} of the format, but this library reads 1 to \
                 {readable}: write it again"
            ),
            Self::BigEndian => write!(f, "files cannot be used on big-endian computers"),
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
                    3 => "a map",
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
                write!(f, "byte {at} belongs to no section and should be 0")
            }
            Self::BadSection { section, mesh, problem } => {
                write!(f, "the {section} of {} {problem}", Owner(mesh))
            }
            Self::BadEdges { mesh, triangle: u32::MAX } => {
                write!(f, "mesh {mesh} has edges, masks or tags where it has no triangle")
            }
            Self::BadEdges { mesh, triangle } => write!(
                f,
                "the edges of triangle {triangle} of mesh {mesh} disagree with its neighbours"
            ),
            Self::BadOption { mesh, option, found } => {
                write!(f, "the option {option} of mesh {mesh} has the unknown value {found}")
            }
            Self::BadTriangle { mesh, triangle } => write!(
                f,
                "triangle {triangle} of mesh {mesh} is in the wrong slot or out of range"
            ),
            Self::OtherVersion { .. }
            | Self::NoDoubleSides { .. }
            | Self::BadTree { .. }
            | Self::BadField { .. }
            | Self::BadLiquid { .. }
            | Self::BadBodyTree { .. }
            | Self::NotAsWritten { .. }
            | Self::OutsideItsBox { .. }
            | Self::BadBody { .. }
            | Self::BadShape { .. } => self.fmt_content(f),
        }
    }
}

impl FileError {
    /// Writes an error of a mesh, a height field, a liquid, a body or the version.
    fn fmt_content(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion { found, needed } => write!(
                f,
                "the file states version {found} of the format, but its content needs {needed}"
            ),
            Self::NoDoubleSides { mesh } => write!(f, "mesh {mesh} has no double-sided face"),
            Self::BadTree { mesh, defect } => {
                write!(f, "the tree of mesh {mesh} is invalid: {defect}")
            }
            Self::BadField { mesh, error } => write!(f, "height field {mesh}: {error}"),
            Self::BadLiquid { error } => write!(f, "a liquid of the scene: {error}"),
            Self::BadBodyTree { defect } => write!(f, "the tree of bodies is invalid: {defect}"),
            Self::NotAsWritten { body } => {
                write!(f, "body {body} has numbers that the writer does not produce")
            }
            Self::OutsideItsBox { body } => {
                write!(f, "body {body} reaches out of its box in the tree of bodies")
            }
            Self::BadBody { body, field, found } => {
                write!(f, "the {field} of body {body} has the unknown value {found}")
            }
            Self::BadShape { body, error } => write!(f, "body {body}: {error}"),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for FileError {}

/// The owner of a section: a mesh or the scene.
struct Owner(u32);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            u32::MAX => f.write_str("the scene"),
            mesh => write!(f, "mesh {mesh}"),
        }
    }
}

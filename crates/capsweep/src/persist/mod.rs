//! Meshes and scenes as bytes: written once, used in place.
//!
//! A file is a header of 64 bytes, a table of sections, and the sections. Each section begins at a
//! multiple of 64 bytes. All numbers are little-endian.
//!
//! Meshes are stored as they are in memory. So [`TriMesh::from_bytes`] and [`Scene::from_bytes`]
//! copy no triangle of a memory map: they check every index, box and corner once, and queries then
//! read the bytes. A scene stores each mesh once, however many bodies share it. The tree over its
//! bodies is built again.
//!
//! | bytes | header |
//! |---|---|
//! | 0–8 | `capsweep` |
//! | 8–12 | version of the format: the first that can hold the content, from 1 to 3 |
//! | 12–16 | 1 for a mesh, 2 for a scene, 3 for a [map](MapFile) |
//! | 16–24 | length of the file |
//! | 24–28 | number of sections |
//! | 32–40 | checksum of the file (of a map: of header and table), with these bytes as zeros |
//! | 40–48 | offset of the table of a map; 0 in other files, where it follows the header |
//!
//! A section's entry in the table has its kind and mesh (4 bytes each), offset, length and
//! checksum (8 bytes each). Reading needs only the checksum of the file. [`verify()`] uses the
//! checksums of the sections to locate damage.
//!
//! [`TriMesh::from_bytes`]: crate::scene::TriMesh::from_bytes
//! [`Scene::from_bytes`]: crate::scene::Scene::from_bytes

mod checksum;
mod error;
mod field;
mod file;
mod liquid;
mod map;
mod mesh;
mod record;
mod scene;
mod surface;
#[cfg(test)]
mod tests;
mod verify;

pub use error::FileError;
pub use map::{MapFile, MapUnit, MapWriter, PlacedSheet, PlacedSurface, SheetRole};
pub use verify::{Verification, verify};

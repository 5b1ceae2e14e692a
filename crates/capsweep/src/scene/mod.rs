//! The world (rules 3, 10, 12): where meshes stand, and what they are made of.
//!
//! - [`Pose`]: position, rotation and scale of an instance, and the one function that makes a world
//!   vertex out of a local one.
//! - [`wow`]: the axes of World of Warcraft's own files.
//! - [`MeshReport`]: what is wrong with a mesh, triangle by triangle; [`EdgeTopology`]: how each edge
//!   joins its neighbour. [`inspect_mesh`] makes both at once.

mod buckets;
mod edges;
mod mesh_report;
mod pose;
mod weld;
pub mod wow;

pub use edges::{EdgeKind, EdgeTopology};
pub use mesh_report::{EdgeDefects, MeshReport, inspect_mesh};
pub use pose::{MAX_SCALE, MIN_SCALE, Pose};

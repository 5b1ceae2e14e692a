//! Worlds: meshes, where they stand, and the queries over them (rules 3, 10, 12).
//!
//! - [`TriMesh`]: triangles and their tree. [`MeshReport`] says what is wrong with them, [`EdgeTopology`] how each
//!   edge joins its neighbour. [`TriangleSource`]: geometry that is kept elsewhere.
//! - [`Scene`]: bodies (placed meshes, shapes, obstacles), changed in bulk and then [committed](Scene::commit); queried
//!   from any number of threads.
//! - [`batch`]: many queries at once.
//! - [`Pose`]: position, rotation and scale, and the one function that makes a world vertex out of a local one.
//! - [`VerticalWindow`]: the heights that a sweep can reach, for triangles that are kept elsewhere.
//! - [`wow`]: the axes of World of Warcraft's own files.

mod at_point;
pub mod batch;
pub(crate) mod body;
mod buckets;
mod closest;
mod depenetrate;
mod earliest;
mod edges;
mod face_at;
mod filter;
mod first_touch;
mod gathered;
mod glance;
mod heading;
mod impact;
mod layer;
mod line;
mod local_ray;
mod local_sweep;
pub(crate) mod mesh;
mod mesh_report;
mod moving_box;
mod near;
mod neighbor;
mod outlines;
mod overlap;
pub(crate) mod packet;
mod pose;
mod put_off;
mod ray;
pub(crate) mod region;
mod seam;
mod shortcut;
mod slabs;
mod source;
mod store;
mod supports;
mod sweep;
mod sweep_all;
mod sweep_any;
mod sweep_where;
#[cfg(test)]
mod tests;
mod ties;
mod turned;
mod walk;
mod weld;
mod window;
pub mod wow;

pub use crate::bvh::{BvhDefect, BvhStats};
pub use body::{Body, BodyId, BodyKind, Mobility, Shape};
pub use depenetrate::{Clearance, Depenetration, MAX_PUSHES};
pub use edges::{EdgeKind, EdgeTopology};
pub use filter::{Bodies, Filter, StartOverlaps};
pub use first_touch::{HitTarget, SceneHit};
pub(crate) use gathered::{Neighborhood, NeighborhoodView, Place};
pub(crate) use glance::Look;
pub use mesh::{MeshError, MeshOptions, TriMesh};
pub use mesh_report::{EdgeDefects, MeshReport, inspect_mesh};
pub use pose::{MAX_SCALE, MIN_SCALE, Pose};
pub(crate) use shortcut::{CandidateCount, NeighborhoodCandidates};
pub use source::{Owner, SourceTriangle, TriangleSource};
pub use store::{Revision, Scene, SceneError};
pub use supports::{Column, Facing, Support};
pub use window::VerticalWindow;

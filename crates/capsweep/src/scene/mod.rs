//! Worlds: meshes, where they stand, and the queries over them (rules 3, 10, 12).
//!
//! - [`TriMesh`]: triangles and their tree. [`MeshReport`] says what is wrong with them, [`EdgeTopology`] how each
//!   edge joins its neighbour. [`TriangleSource`](crate::query::TriangleSource): geometry that is kept elsewhere.
//! - [`Scene`]: bodies (placed meshes, shapes, obstacles), changed in bulk and then [committed](Scene::commit); queried
//!   from any number of threads.
//! - [`query`](crate::query): what the queries take and answer, and many at once.
//! - [`Pose`]: position, rotation and scale, and the one function that makes a world vertex out of a local one.
//! - [`VerticalWindow`]: the heights that a sweep can reach, for triangles that are kept elsewhere.
//! - [`wow`]: the axes of World of Warcraft's own files.

pub(crate) mod body;
pub(crate) mod filter;
pub(crate) mod hit;
pub(crate) mod layer;
pub(crate) mod mesh_instance;
pub(crate) mod store;

pub use crate::bvh::{BvhDefect, BvhStats};
pub use crate::mesh::edges::{EdgeKind, EdgeTopology};
pub use crate::mesh::report::{EdgeDefects, MeshReport, inspect_mesh};
pub use crate::mesh::tri_mesh::{MeshError, MeshOptions, TriMesh};
pub use crate::pair::rules::window::VerticalWindow;
pub use crate::shape::pose::{MAX_SCALE, MIN_SCALE, Pose};
pub use crate::shape::wow;
pub use body::{Body, BodyId, BodyKind, Mobility, Shape};
pub use filter::{Bodies, Filter, StartOverlaps};
pub use hit::{HitTarget, SceneHit};
pub use store::{Revision, Scene, SceneError};

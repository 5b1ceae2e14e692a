//! Worlds: meshes, their poses, and scenes of bodies that queries run on.
//!
//! - [`TriMesh`]: triangles and their tree. [`MeshReport`] lists a mesh's defects,
//!   [`EdgeTopology`] how its edges join. [`TriangleSource`](crate::query::TriangleSource) makes a
//!   mesh of geometry that is stored elsewhere.
//! - [`HeightField`]: terrain as a grid of heights, for a twentieth of a mesh's memory.
//! - [`Liquids`]: lakes and flooded rooms, for [`Scene::liquid_at`].
//! - [`Scene`]: bodies (placed meshes, shapes, obstacles). Any number of threads can query one.
//! - [`query`](crate::query): arguments and answers of queries, and batches of them.
//! - [`Pose`]: position, rotation and scale, and the transform from a mesh's space to the world.
//! - [`VerticalWindow`]: the heights that a sweep can reach, for triangles that are stored
//!   elsewhere.
//! - [`AxisSystem`]: which way the axes point, and conversions between such conventions.

pub(crate) mod body;
mod edit;
pub(crate) mod filter;
pub(crate) mod hit;
pub(crate) mod layer;
pub(crate) mod liquid;
pub(crate) mod map_layer;
pub(crate) mod mesh_instance;
pub(crate) mod on_demand;
pub(crate) mod store;

pub use crate::bvh::{BvhDefect, BvhStats};
pub use crate::mesh::edges::{EdgeKind, EdgeTopology};
pub use crate::mesh::height_field::{
    CellMaterial, CellTriangles, HeightField, HeightFieldError, HeightFieldOptions, HeightGrid,
    Heights,
};
pub use crate::mesh::report::{EdgeDefects, MeshReport, inspect_mesh};
pub use crate::mesh::tri_mesh::{MeshError, MeshOptions, TriMesh};
pub use crate::pair::rules::window::VerticalWindow;
pub use crate::shape::axis_system::{AxisConversion, AxisSystem, Compass};
pub use crate::shape::pose::{MAX_SCALE, MIN_SCALE, Pose};
pub use body::{Body, BodyId, BodyKind, Mobility, Shape};
pub use edit::SceneEdit;
pub use filter::{Bodies, Filter, StartOverlaps};
pub use hit::{HitTarget, SceneHit};
pub use liquid::{
    LiquidError, LiquidGrid, LiquidGround, LiquidKind, LiquidRole, LiquidSheet, Liquids,
    ModelRooms, PlacedLiquid, Room, Rooms,
};
pub use store::{Revision, Scene, SceneError};

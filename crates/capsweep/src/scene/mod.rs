//! Worlds: meshes, instances and the queries over them (rules 3, 10, 12).

mod mesh;
mod packet;
mod sweep;

pub use crate::bvh::BvhDefect;
pub use mesh::{MeshError, MeshOptions, TriMesh};
pub use sweep::MeshHit;

//! Triangle meshes: packets of eight triangles under a tree, edge topology, and mesh defects.

mod buckets;
pub(crate) mod edges;
pub(crate) mod packet;
pub(crate) mod report;
pub(crate) mod sides;
pub(crate) mod tri_mesh;
mod weld;

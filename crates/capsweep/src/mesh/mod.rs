//! Triangle meshes: packets of eight triangles under a tree, how edges join, and what is wrong with a mesh.

mod buckets;
pub(crate) mod edges;
pub(crate) mod packet;
pub(crate) mod report;
pub(crate) mod tri_mesh;
mod weld;

//! Triangle meshes: packets of eight triangles under a tree, edge topology, and mesh defects.
//! Height fields: terrain whose triangles are implicit. [`surface`] is either.

mod buckets;
pub(crate) mod edges;
pub(crate) mod height_field;
pub(crate) mod packet;
pub(crate) mod report;
pub(crate) mod sides;
pub(crate) mod surface;
pub(crate) mod tri_mesh;
mod weld;

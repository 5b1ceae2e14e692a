//! The queries of a scene, one file each. `collect` stores and ranks their contacts, `seam`
//! corrects normals at internal edges.

pub mod batch;
mod bodies_in_box;
pub(crate) mod closest;
pub(crate) mod collect;
pub(crate) mod depenetrate;
pub(crate) mod impact;
pub(crate) mod line;
mod liquid;
mod neighbor;
pub(crate) mod overlap;
mod posed_mesh;
pub(crate) mod ray;
pub(crate) mod seam;
pub(crate) mod source;
pub(crate) mod supports;
pub(crate) mod sweep;
pub(crate) mod sweep_all;
mod sweep_any;
pub(crate) mod sweep_where;
#[cfg(test)]
mod tests;

pub use depenetrate::{Clearance, Depenetration, MAX_PUSHES};
pub use liquid::Liquid;
pub use posed_mesh::{MeshHit, PosedMesh};
pub use source::{Owner, SourceTriangle, TriangleSource};
pub use supports::{Column, Facing, Support};

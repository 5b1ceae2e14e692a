//! What a query skips in f32, with proven margins: boxes, and the triangles of a packet.

pub(crate) mod local_ray;
pub(crate) mod local_sweep;
pub(crate) mod moving_box;
pub(crate) mod near;
pub(crate) mod slabs;
pub(crate) mod sweep_frame;
mod traits;
pub(crate) mod triangles_in_frame;

pub(crate) use traits::{Candidates, Cull, CullBoxes};

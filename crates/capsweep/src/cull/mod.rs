//! Culling: f32 tests with margins above their rounding errors, for boxes and packets of
//! triangles. They only reject; the f64 solver decides.

pub(crate) mod local_capsule;
pub(crate) mod local_ray;
pub(crate) mod local_sweep;
pub(crate) mod moving_box;
pub(crate) mod slabs;
pub(crate) mod sweep_frame;
mod traits;
pub(crate) mod triangles_in_frame;

use traits::box_tests_of;
pub(crate) use traits::{Candidates, Cull, CullBoxes};

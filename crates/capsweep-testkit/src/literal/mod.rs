//! The rules' own steps, taken at their word in f64: what somebody gets who types them in.
//!
//! Only the steps that capsweep corrects are here, numbered as in `docs/rules.md`, and nothing here is
//! meant to be right. Tests put these answers next to the true ones. Helpers that the rules name but
//! leave open are exact, so that what goes wrong is the step's own doing.

mod contact;
mod overlap;
mod primitive;
mod scene;
mod skin;
mod sweep;
mod transform;

pub use contact::{region_by_bands, sweep_contact_point};
pub use overlap::{LiteralOverlap, closest_segment_triangle, overlap_capsule_triangle};
pub use primitive::{
    EPSILON, closest_point_segment, point_in_triangle, signed_distance, triangle_normal,
};
pub use scene::{VerticalWindow, sweep_triangles};
pub use skin::{advance_keeping_skin, safe_advance};
pub use sweep::{
    Touch, sweep_along, sweep_capsule_edge, sweep_capsule_triangle, sweep_capsule_vertex,
};
pub use transform::{scale_depth, uniform_normal_to_world};

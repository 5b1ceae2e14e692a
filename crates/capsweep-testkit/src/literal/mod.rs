//! The steps of the capsule-sweep rules, implemented literally in f64.
//!
//! Only the steps that capsweep corrects are here, with their numbers in `docs/rules.md`. They are
//! wrong on purpose: tests compare their answers with the true ones. Helpers that the rules name
//! but do not define are exact, so that every error comes from the step itself.

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

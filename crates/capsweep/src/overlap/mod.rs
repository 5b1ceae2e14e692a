//! Static overlap and the shortest way out (rules 2.2, 5): the public pairs, and the push-out below them.

mod capsule_box;
mod capsule_capsule;
mod capsule_half_space;
mod capsule_sphere;
mod capsule_triangle;
mod push_out;

pub use capsule_box::overlap_capsule_box;
pub use capsule_capsule::overlap_capsule_capsule;
pub use capsule_half_space::overlap_capsule_half_space;
pub use capsule_sphere::overlap_capsule_sphere;
pub use capsule_triangle::overlap_capsule_triangle;

pub(crate) use push_out::{
    Exits, PushOut, clearance, push_out_of_box, push_out_of_polygon, push_out_of_triangle,
};

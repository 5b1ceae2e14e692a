//! Contact rules as functions: region, normal, point, depth.
//!
//! Hits carry all of these already, measured at the closest points. The functions are for contacts
//! from other sources, and for callers that want these classifications. They do plain arithmetic:
//! finite numbers in the range of positions give finite answers, NaN gives NaN.

mod depth;
mod normal;
mod point;
mod region;
pub(crate) mod window;

pub use depth::{depth_from_closest, scale_depth};
pub use normal::{face_capsule, face_up, oppose_motion};
pub use point::contact_point_from_normal;
pub use region::{region_by_bands, region_by_parameter};

//! The oracle: distances, sweeps and depths in f64 from one primitive, the closest point of a shape to a point.
//!
//! Everything is measured relative to the capsule's `p0`, so coordinates far from the origin lose nothing beyond
//! the rounding of the input itself.

mod depth;
mod distance;
mod shape;
mod sweep;

pub use depth::{Depth, push_out};
pub use distance::{Closest, segment_distance};
pub(crate) use shape::on_segment;
pub use shape::{Core, Flat, Nearest, Solid};
pub use sweep::{Sweep, sweep};

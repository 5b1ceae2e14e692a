//! The oracle: distances, sweeps and depths in f64 from one primitive, the closest point of a
//! shape to a point.
//!
//! All coordinates are relative to the capsule's `p0`. So a case far from the origin has no error
//! beyond the rounding of its input.

mod depth;
mod distance;
mod shape;
mod sweep;

pub use depth::{PushOut, push_out};
pub use distance::{Closest, segment_distance};
pub(crate) use shape::on_segment;
pub use shape::{Core, Nearest, OracleTriangle, Solid};
pub use sweep::{Sweep, sweep};

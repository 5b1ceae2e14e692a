//! Geometry below the contract: closest points (`closest_*`), the sweep solver (`prism`, `round`),
//! the push-out, and overlaps with boxes. Nothing here decides what counts as a hit.

pub(crate) mod box_overlap;
pub(crate) mod closest_point_segment;
pub(crate) mod closest_segment_box;
pub(crate) mod closest_segment_polygon;
pub(crate) mod closest_segment_segment;
pub(crate) mod polygon;
pub(crate) mod prism;
pub(crate) mod push_out;
pub(crate) mod round;
mod segment;
mod sweep_input;

pub(crate) use closest_segment_box::{box_feature, closest_segment_box, line_contact_box};
pub(crate) use closest_segment_polygon::{closest_segment_polygon, end_over_face, line_contact};
pub(crate) use prism::{ContactSite, Entry, FlatOutcome, FlatPieceTest};
pub(crate) use push_out::{
    Exits, PushOut, clearance, push_out_of_box, push_out_of_polygon, push_out_of_triangle,
};
pub(crate) use segment::{ClosestPair, RelativeSegment};
pub(crate) use sweep_input::SweepInput;

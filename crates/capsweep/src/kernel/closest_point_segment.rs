//! The closest point of a segment to a point.

use glam::DVec3;

/// The point of the segment from `a` to `b` that is closest to `point`.
///
/// A segment of no length is its start. There is no tolerance: any length above zero has a
/// direction. Coordinates must be in the range of positions; NaN gives NaN.
pub fn closest_point_segment(point: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    a + (b - a) * clamped_parameter(point - a, b - a)
}

/// Parameter, 0 to 1, of the point of a segment closest to `offset`. Both arguments are relative
/// to the segment's start.
pub(crate) fn clamped_parameter(offset: DVec3, vector: DVec3) -> f64 {
    let length_squared = vector.length_squared();
    if length_squared > 0.0 { (offset.dot(vector) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

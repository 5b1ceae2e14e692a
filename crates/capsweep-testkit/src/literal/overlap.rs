//! Sections 5 and 9.1: closest points of axis and triangle, and a depth of at most one radius.

use super::primitive::{
    EPSILON, closest, closest_on_triangle, closest_segments, edges, point_in_triangle,
    signed_distance, triangle_normal,
};
use capsweep::{Capsule, Triangle};
use glam::DVec3;

/// Result of the literal overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiteralOverlap {
    /// `radius − distance`.
    pub depth: f64,
    /// Direction that should push the capsule out.
    pub normal: DVec3,
    /// Closest point on the triangle.
    pub point: DVec3,
}

/// 5.2, with the depth of 9.1, which is the radius if the axis pierces the triangle.
pub fn overlap_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> Option<LiteralOverlap> {
    let (on_axis, point) = closest_segment_triangle(capsule.p0(), capsule.p1(), triangle);
    let distance = on_axis.distance(point);
    let radius = f64::from(capsule.radius());
    if distance >= radius {
        return None;
    }
    let normal = if distance > EPSILON {
        (on_axis - point) / distance
    } else {
        let face = triangle_normal(triangle);
        if face.dot(capsule.center() - point) < 0.0 { -face } else { face }
    };
    Some(LiteralOverlap { depth: radius - distance, normal, point })
}

/// 5.3. Step 5.3.3 is empty, as in the rule.
pub fn closest_segment_triangle(p0: DVec3, p1: DVec3, triangle: &Triangle) -> (DVec3, DVec3) {
    // 5.3.1 and 5.3.2
    let (low, high) = (signed_distance(p0, triangle), signed_distance(p1, triangle));
    if low * high < 0.0 {
        let crossing = p0 + (p1 - p0) * (low / (low - high));
        if point_in_triangle(crossing, triangle) {
            return (crossing, crossing);
        }
    }
    // 5.3.4. The vertices of 5.3.5 are the ends of the edges.
    let on_edges = edges(triangle).map(|edge| closest_segments((p0, p1), edge));
    // 5.3.6
    let from_ends = [p0, p1].map(|end| (end, closest_on_triangle(end, triangle)));
    closest(on_edges.into_iter().chain(from_ends))
}

//! Appendix A with its one absolute tolerance, and helpers that the rules do not define.

use capsweep::Triangle;
use glam::DVec3;

/// The one tolerance of the rules, for lengths, squared lengths and areas alike. The rules give no
/// value; 10⁻⁶ is common in such code.
pub const EPSILON: f64 = 1e-6;

/// A.1: barycentric weights by one division by the squared area, which may be zero.
pub fn point_in_triangle(point: DVec3, triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.vertices();
    let (to_c, to_b, to_point) = (c - a, b - a, point - a);
    let (cc, cb, bb) = (to_c.dot(to_c), to_c.dot(to_b), to_b.dot(to_b));
    let (cp, bp) = (to_c.dot(to_point), to_b.dot(to_point));
    let inverse = 1.0 / (cc * bb - cb * cb);
    let u = (bb * cp - cb * bp) * inverse;
    let v = (cc * bp - cb * cp) * inverse;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0
}

/// A.2: a segment with a *squared* length below [`EPSILON`] (1 mm) counts as its start.
pub fn closest_point_segment(a: DVec3, b: DVec3, point: DVec3) -> DVec3 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared < EPSILON {
        return a;
    }
    a + along * ((point - a).dot(along) / length_squared).clamp(0.0, 1.0)
}

/// A.3: a triangle with a doubled *area* below [`EPSILON`] (1 mm²) gets the normal up.
pub fn triangle_normal(triangle: &Triangle) -> DVec3 {
    let area_vector = triangle.area_vector();
    let length = area_vector.length();
    if length < EPSILON { DVec3::Z } else { area_vector / length }
}

/// A.4, with the normal of A.3.
pub fn signed_distance(point: DVec3, triangle: &Triangle) -> f64 {
    (point - triangle.vertices()[0]).dot(triangle_normal(triangle))
}

/// The three edges, in order.
pub(super) fn edges(triangle: &Triangle) -> [(DVec3, DVec3); 3] {
    let [a, b, c] = triangle.vertices();
    [(a, b), (b, c), (c, a)]
}

/// Closest points of segments `p` and `q`, exactly. The rules do not define this step.
///
/// Either one point is an end of its segment, or the line between them is perpendicular to both
/// segments. The best of these five candidates is the answer.
pub(super) fn closest_segments(p: (DVec3, DVec3), q: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let on = |segment: (DVec3, DVec3), point: DVec3| {
        let along = segment.1 - segment.0;
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 {
            ((point - segment.0).dot(along) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        segment.0 + along * t
    };
    let mut candidates =
        vec![(p.0, on(q, p.0)), (p.1, on(q, p.1)), (on(p, q.0), q.0), (on(p, q.1), q.1)];
    let (d1, d2, r) = (p.1 - p.0, q.1 - q.0, p.0 - q.0);
    let across = d1.cross(d2);
    let scale = across.length_squared();
    if scale > 0.0 {
        // r + s·d1 − t·d2 is parallel to `across`. Its cross products with d2 and d1 give s and t.
        let s = -r.cross(d2).dot(across) / scale;
        let t = -r.cross(d1).dot(across) / scale;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            candidates.push((p.0 + d1 * s, q.0 + d2 * t));
        }
    }
    closest(candidates)
}

/// The point of the triangle closest to `point`, exactly for a triangle with an area. The rules do
/// not define this step.
///
/// The projection to the plane if it is inside, otherwise the nearest point of the edges.
pub(super) fn closest_on_triangle(point: DVec3, triangle: &Triangle) -> DVec3 {
    let foot = point - triangle_normal(triangle) * signed_distance(point, triangle);
    if point_in_triangle(foot, triangle) {
        return foot;
    }
    let on_edges = edges(triangle).map(|edge| closest_segments((point, point), edge));
    closest(on_edges).1
}

/// The pair with the smallest distance; the first if several are equal.
pub(super) fn closest(pairs: impl IntoIterator<Item = (DVec3, DVec3)>) -> (DVec3, DVec3) {
    let far = (DVec3::ZERO, DVec3::INFINITY);
    pairs.into_iter().fold(far, |best, pair| {
        if pair.0.distance_squared(pair.1) < best.0.distance_squared(best.1) { pair } else { best }
    })
}

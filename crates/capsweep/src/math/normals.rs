//! Normals of triangles and spans, exact enough for slivers.

use crate::tolerance::{FAINT_SQ, MIN_DIRECTION_LENGTH, THIN, WELL_SPREAD_SQ};
use glam::DVec3;

/// Unit normal of the front of `vertices`; `None` if they are thinner than 2⁻⁴⁰ of their length.
#[inline]
pub(crate) fn face_normal(vertices: &[DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = *vertices;
    let (ab, ac) = (b - a, c - a);
    let spread = TriangleConditioning::new(ab.cross(ac), ab.length_squared() + ac.length_squared());
    if spread.is_well_shaped() { Some(spread.normal()) } else { sliver_normal(*vertices) }
}

/// The area of a triangle, and what it says of its shape.
#[derive(Clone, Copy)]
pub(crate) struct TriangleConditioning {
    /// `ab × ac`.
    pub(crate) area_vector: DVec3,
    area_squared: f64,
    /// No edge is longer; squared.
    longest_squared: f64,
}

impl TriangleConditioning {
    /// Of `ab × ac`, and the sum of the squares of these edges.
    #[inline]
    pub(crate) fn new(area_vector: DVec3, edges_squared: f64) -> Self {
        let area_squared = area_vector.length_squared();
        // |ac − ab|² ≤ 2·(|ab|² + |ac|²).
        Self { area_vector, area_squared, longest_squared: 2.0 * edges_squared }
    }

    /// Whether it is so well shaped that its cross product will do, as nearly every triangle is.
    #[inline]
    pub(crate) fn is_well_shaped(&self) -> bool {
        let Self { area_squared, longest_squared, .. } = *self;
        area_squared > WELL_SPREAD_SQ * longest_squared * longest_squared
            && area_squared > MIN_DIRECTION_LENGTH
    }

    /// Whether a stout one is seen as it is from this distance of a corner, squared; see [`FAINT_SQ`].
    #[inline]
    pub(crate) fn is_clear_from(&self, distance_squared: f64) -> bool {
        self.area_squared > FAINT_SQ * distance_squared * self.longest_squared
    }

    /// Unit normal of a stout one.
    #[inline]
    pub(crate) fn normal(&self) -> DVec3 {
        self.area_vector / self.area_squared.sqrt()
    }
}

/// Unit normal of any other triangle.
#[cold]
pub(crate) fn sliver_normal(vertices: [DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = vertices;
    let i = longest_of([a.distance_squared(b), b.distance_squared(c), c.distance_squared(a)]);
    let [start, end, top] = [0, 1, 2].map(|k| vertices[(i + k) % 3]);
    // Seen from the front, the next edge turns to the left of the longest.
    let (long, next) = (end - start, top - end);
    let width_times_length = long.cross(next).length();
    if width_times_length <= THIN * long.length_squared() {
        return None;
    }
    span_normal(long, next)
}

/// The largest of three; the first of equals.
pub(crate) fn longest_of(lengths: [f64; 3]) -> usize {
    if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        0
    } else if lengths[1] >= lengths[2] {
        1
    } else {
        2
    }
}

/// Unit normal of the plane that two vectors span, on the side from which `other` turns left of
/// `long`, the longer one; `None` if they are parallel within [`THIN`] or span nothing.
///
/// A plain cross product loses its direction on slivers: for a length `L` and a width `w` its
/// error is `ε·L²` and its size `L·w`, so the plane tilts along the *long* side by `ε·L/w` and
/// misses the far end by `ε·L²/w`: 1.6 mm for 4 km by 1 µm. Here two orthonormal directions are
/// made first, along the longer vector and across it, orthogonal twice over. What is left of the
/// error turns the plane about the longer vector, where it moves no point by more than `ε·L`.
///
/// Where the two are well spread, the cross product is as good and cheaper.
pub(crate) fn span_normal(long: DVec3, other: DVec3) -> Option<DVec3> {
    let cross = long.cross(other);
    let cross_squared = cross.length_squared();
    let spread = long.length_squared() * other.length_squared();
    if cross_squared > WELL_SPREAD_SQ * spread && cross_squared > MIN_DIRECTION_LENGTH {
        return Some(cross / cross_squared.sqrt());
    }
    let length = long.length();
    if length <= MIN_DIRECTION_LENGTH {
        return None;
    }
    let along = long / length;
    let across = other - along * along.dot(other);
    let width = across.length();
    if width <= (THIN * other.length()).max(MIN_DIRECTION_LENGTH) {
        return None;
    }
    let across = across / width;
    let across = (across - along * along.dot(across)).normalize();
    // Dividing by the length, not multiplying by its inverse, makes an axis-aligned normal exact.
    let normal = along.cross(across);
    Some(normal / normal.length())
}

/// Unit normal of the plane that two vectors span, whichever is longer; on one side or the other.
pub(crate) fn span_of(a: DVec3, b: DVec3) -> Option<DVec3> {
    if b.length_squared() > a.length_squared() { span_normal(b, a) } else { span_normal(a, b) }
}

/// Whether the projection of `point` along `normal` falls on the polygon, its border included.
pub(crate) fn lies_over<const N: usize>(
    vertices: &[DVec3; N],
    normal: DVec3,
    point: DVec3,
) -> bool {
    (0..N).all(|i| {
        let edge = vertices[(i + 1) % N] - vertices[i];
        normal.dot(edge.cross(point - vertices[i])) >= 0.0
    })
}

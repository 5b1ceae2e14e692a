use crate::Aabb;
use crate::error::{ShapeError, check_position, xyz};
use crate::kernel;
use crate::kernel::polygon::span_normal;
use crate::tolerance::{FAINT_SQ, MIN_DIRECTION_LENGTH, THIN, WELL_SPREAD_SQ};
use glam::{DVec3, Vec3};

/// A triangle: three finite vertices. Seen from the front they run counter-clockwise.
///
/// One with no area is allowed: it is the segment or the point that its vertices span.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serial::TriangleParts", into = "crate::serial::TriangleParts")
)]
pub struct Triangle {
    vertices: [DVec3; 3],
}

impl Triangle {
    /// The triangle with these corners.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range.
    pub fn new(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("a"), a)?;
        check_position(xyz!("b"), b)?;
        check_position(xyz!("c"), c)?;
        Ok(Self { vertices: [a, b, c] })
    }

    /// A triangle known to be valid: its corners come from a checked mesh.
    pub(crate) fn from_checked(vertices: [DVec3; 3]) -> Self {
        Self { vertices }
    }

    /// The three corners.
    pub fn vertices(&self) -> [DVec3; 3] {
        self.vertices
    }

    /// Twice the area times the front's unit normal: `(b − a) × (c − a)`.
    ///
    /// Its sign against a motion decides what [`Sides::Front`](crate::Sides::Front) skips.
    pub fn area_vector(&self) -> DVec3 {
        let [a, b, c] = self.vertices;
        (b - a).cross(c - a)
    }

    /// Unit normal of the front; `None` if the triangle is degenerate (rule A.3).
    ///
    /// Degenerate means thinner than 2⁻⁴⁰ of its longest edge, whatever its size.
    pub fn normal(&self) -> Option<Vec3> {
        face_normal(&self.vertices).map(DVec3::as_vec3)
    }

    /// Whether the triangle is thinner than 2⁻⁴⁰ of its longest edge: a segment or a point.
    pub fn is_degenerate(&self) -> bool {
        face_normal(&self.vertices).is_none()
    }

    /// Height of `point` over the plane, positive in front; `None` if degenerate (rule A.4).
    pub fn signed_distance(&self, point: DVec3) -> Option<f64> {
        face_normal(&self.vertices).map(|normal| normal.dot(point - self.vertices[0]))
    }

    /// Whether `point` lies over the triangle: its projection onto the plane is inside, the
    /// border included (rule A.1). `None` if degenerate, where no projection is defined.
    pub fn contains_projection(&self, point: DVec3) -> Option<bool> {
        let normal = face_normal(&self.vertices)?;
        Some(kernel::lies_over(&self.vertices, normal, point))
    }

    /// The smallest axis-aligned box around it.
    pub fn bounds(&self) -> Aabb {
        let [a, b, c] = self.vertices;
        Aabb::from_corners(a.min(b).min(c), a.max(b).max(c))
    }
}

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

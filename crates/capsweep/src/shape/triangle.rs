use crate::Aabb;
use crate::error::{ShapeError, check_position, xyz};
use crate::math::normals::{contains_projection, face_normal};
use glam::{DVec3, Vec3};

/// A triangle of three finite vertices, counter-clockwise seen from the front.
///
/// A degenerate triangle is allowed: it is the segment or the point that its vertices span.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "TriangleParts", into = "TriangleParts"))]
pub struct Triangle {
    vertices: [DVec3; 3],
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    TriangleParts of Triangle { vertices: [DVec3; 3] }
    by |[a, b, c]: [DVec3; 3]| Triangle::new(a, b, c)
);

impl Triangle {
    /// The triangle with these vertices.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range.
    pub fn new(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("a"), a)?;
        check_position(xyz!("b"), b)?;
        check_position(xyz!("c"), c)?;
        Ok(Self { vertices: [a, b, c] })
    }

    /// A triangle whose vertices come from a checked mesh, so that it is known to be valid.
    pub(crate) fn from_checked(vertices: [DVec3; 3]) -> Self {
        Self { vertices }
    }

    /// The three vertices.
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

    /// The unit normal of the front; `None` if the triangle is degenerate.
    ///
    /// Degenerate means thinner than 2⁻⁴⁰ of its longest edge, at any size.
    pub fn normal(&self) -> Option<Vec3> {
        face_normal(&self.vertices).map(DVec3::as_vec3)
    }

    /// Whether the triangle is thinner than 2⁻⁴⁰ of its longest edge: a segment or a point.
    pub fn is_degenerate(&self) -> bool {
        face_normal(&self.vertices).is_none()
    }

    /// The height of `point` over the plane in metres, positive in front; `None` if degenerate.
    pub fn signed_distance(&self, point: DVec3) -> Option<f64> {
        face_normal(&self.vertices).map(|normal| normal.dot(point - self.vertices[0]))
    }

    /// Whether the projection of `point` onto the plane lies inside the triangle, border included.
    /// `None` if the triangle is degenerate, where no projection is defined.
    pub fn contains_projection(&self, point: DVec3) -> Option<bool> {
        let normal = face_normal(&self.vertices)?;
        Some(contains_projection(&self.vertices, normal, point))
    }

    /// The smallest axis-aligned box around the triangle.
    pub fn bounds(&self) -> Aabb {
        let [a, b, c] = self.vertices;
        Aabb::from_corners(a.min(b).min(c), a.max(b).max(c))
    }
}

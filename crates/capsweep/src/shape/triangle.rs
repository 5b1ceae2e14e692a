use crate::Aabb;
use crate::error::{ShapeError, check_position, xyz};
use crate::math::normals::{face_normal, lies_over};
use glam::{DVec3, Vec3};

/// A triangle: three finite vertices. Seen from the front they run counter-clockwise.
///
/// One with no area is allowed: it is the segment or the point that its vertices span.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "TriangleParts", into = "TriangleParts"))]
pub struct Triangle {
    vertices: [DVec3; 3],
}

#[cfg(feature = "serde")]
crate::serial::parts!(TriangleParts of Triangle { vertices: [DVec3; 3] } by |[a, b, c]: [DVec3; 3]| Triangle::new(a, b, c));

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
        Some(lies_over(&self.vertices, normal, point))
    }

    /// The smallest axis-aligned box around it.
    pub fn bounds(&self) -> Aabb {
        let [a, b, c] = self.vertices;
        Aabb::from_corners(a.min(b).min(c), a.max(b).max(c))
    }
}

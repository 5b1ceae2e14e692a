use crate::Aabb;
use crate::error::{ShapeError, check_position, check_radius, xyz};
use glam::DVec3;

/// A solid sphere. All numbers are finite, and the radius is greater than zero.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SphereParts", into = "SphereParts"))]
pub struct Sphere {
    center: DVec3,
    radius: f32,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(SphereParts of Sphere { center: DVec3, radius: f32 } by Sphere::new);

impl Sphere {
    /// The sphere of `radius` metres around `center`.
    ///
    /// # Errors
    /// If a number is not finite or out of range, or `radius` is not greater than zero.
    pub fn new(center: DVec3, radius: f32) -> Result<Self, ShapeError> {
        check_position(xyz!("center"), center)?;
        check_radius("radius", radius)?;
        Ok(Self { center, radius })
    }

    /// The centre of the sphere.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The radius in metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The smallest axis-aligned box around the sphere.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_corners(self.center, self.center).grown(f64::from(self.radius))
    }
}

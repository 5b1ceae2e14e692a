//! Vectors, poses, motions and shapes.

use crate::error::Within as _;
use crate::target::body_id;
use crate::{FieldError, v1};
use capsweep::scene::{BodyId, Pose, Shape};
use capsweep::{Capsule, Motion, Obb, Sphere};
use glam::{DQuat, DVec3, Vec3};

impl From<DVec3> for v1::Vector {
    fn from(DVec3 { x, y, z }: DVec3) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z) }
    }
}

impl From<v1::Vector> for DVec3 {
    fn from(v1::Vector { x, y, z }: v1::Vector) -> Self {
        Self::from_array([x, y, z].map(Option::unwrap_or_default))
    }
}

impl From<Vec3> for v1::Normal {
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z) }
    }
}

impl From<v1::Normal> for Vec3 {
    fn from(v1::Normal { x, y, z }: v1::Normal) -> Self {
        Self::from_array([x, y, z].map(Option::unwrap_or_default))
    }
}

impl From<DQuat> for v1::Quaternion {
    fn from(DQuat { x, y, z, w }: DQuat) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z), w: Some(w) }
    }
}

impl From<v1::Quaternion> for DQuat {
    fn from(v1::Quaternion { x, y, z, w }: v1::Quaternion) -> Self {
        Self::from_array([x, y, z, w].map(Option::unwrap_or_default))
    }
}

/// The vector of a required field.
pub(crate) fn vector(field: &str, vector: Option<&v1::Vector>) -> Result<DVec3, FieldError> {
    vector.map(|&vector| vector.into()).ok_or_else(|| FieldError::missing(field))
}

pub(crate) fn normal(field: &str, normal: Option<&v1::Normal>) -> Result<Vec3, FieldError> {
    normal.map(|&normal| normal.into()).ok_or_else(|| FieldError::missing(field))
}

impl From<Pose> for v1::Pose {
    fn from(pose: Pose) -> Self {
        Self {
            position: Some(pose.position().into()),
            rotation: Some(pose.rotation().into()),
            scale: Some(pose.scale().into()),
        }
    }
}

pub(crate) fn pose(field: &str, pose: Option<&v1::Pose>) -> Result<Pose, FieldError> {
    let Some(v1::Pose { position, rotation, scale }) = pose else {
        return Err(FieldError::missing(field));
    };
    let position = position.map_or(DVec3::ZERO, DVec3::from);
    let rotation = rotation.map_or(DQuat::IDENTITY, DQuat::from);
    let scale = scale.map_or(DVec3::ONE, DVec3::from);
    Pose::new(position, rotation, scale).within(field)
}

impl From<Capsule> for v1::Capsule {
    fn from(capsule: Capsule) -> Self {
        Self {
            p0: Some(capsule.p0().into()),
            p1: Some(capsule.p1().into()),
            radius: capsule.radius(),
        }
    }
}

pub(crate) fn capsule(field: &str, capsule: Option<&v1::Capsule>) -> Result<Capsule, FieldError> {
    let v1::Capsule { p0, p1, radius } = capsule.ok_or_else(|| FieldError::missing(field))?;
    let p0 = vector("p0", p0.as_ref()).within(field)?;
    let p1 = vector("p1", p1.as_ref()).within(field)?;
    Capsule::new(p0, p1, *radius).within(field)
}

impl From<Motion> for v1::Motion {
    fn from(motion: Motion) -> Self {
        let length = stated_length(&motion);
        Self { vector: Some(motion.vector().into()), length }
    }
}

/// The length of a motion, if it differs from the length of its vector.
pub(crate) fn stated_length(motion: &Motion) -> Option<f64> {
    let length = motion.length();
    let computed = Motion::new(motion.vector()).map_or(f64::NAN, |motion| motion.length());
    (length.to_bits() != computed.to_bits()).then_some(length)
}

/// A motion from its vector, and from its length if that is given.
#[inline]
pub(crate) fn motion_of(
    field: &str,
    vector: DVec3,
    length: Option<f64>,
) -> Result<Motion, FieldError> {
    match length {
        None => Motion::new(vector),
        Some(length) => Motion::from_parts(vector, length),
    }
    .within(field)
}

pub(crate) fn motion(field: &str, motion: Option<&v1::Motion>) -> Result<Motion, FieldError> {
    let v1::Motion { vector: given, length } = motion.ok_or_else(|| FieldError::missing(field))?;
    motion_of(field, vector("vector", given.as_ref()).within(field)?, *length)
}

impl v1::Obstacle {
    /// The shape of an obstacle.
    ///
    /// # Errors
    /// If it has none, or a number of it is bad.
    pub fn checked_shape(&self) -> Result<Shape, FieldError> {
        use v1::obstacle::Shape as Given;
        match self.shape.as_ref().ok_or_else(|| FieldError::missing("shape"))? {
            Given::Capsule(given) => capsule("capsule", Some(given)).map(Shape::Capsule),
            Given::Box(v1::Box { center, half_extents, rotation }) => {
                let center = vector("box.center", center.as_ref())?;
                let half = normal("box.half_extents", half_extents.as_ref())?;
                let rotation = rotation.map_or(DQuat::IDENTITY, DQuat::from);
                Obb::new(center, half, rotation).within("box").map(Shape::Box)
            }
            Given::Sphere(v1::Sphere { center, radius }) => {
                let center = vector("sphere.center", center.as_ref())?;
                Sphere::new(center, *radius).within("sphere").map(Shape::Sphere)
            }
        }
    }
}

impl v1::MovedBody {
    /// The body and its pose.
    ///
    /// # Errors
    /// If one is missing, or a number is bad.
    pub fn checked(&self) -> Result<(BodyId, Pose), FieldError> {
        Ok((body_id("body", self.body)?, pose("pose", self.pose.as_ref())?))
    }
}

#[inline]
pub(crate) fn push3(column: &mut Vec<f64>, vector: DVec3) {
    column.extend_from_slice(&vector.to_array());
}

#[inline]
pub(crate) fn push3f(column: &mut Vec<f32>, vector: Vec3) {
    column.extend_from_slice(&vector.to_array());
}

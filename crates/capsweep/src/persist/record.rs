//! Bodies as bytes.

use crate::mesh::surface::SharedSurface;
use crate::persist::checksum::{BLOCK, checksum};
use crate::persist::error::FileError;
use crate::scene::body::Geometry;
use crate::scene::{Body, Mobility, Pose, Shape};
use crate::{Capsule, HalfSpace, Obb, ShapeError, Sphere};
use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3};

/// A body in a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Record {
    key: u64,
    mask: u32,
    /// 0 static, 1 dynamic.
    mobility: u32,
    /// 0 mesh or height field, 1 box, 2 sphere, 3 capsule, 4 half-space.
    pub(super) form: u32,
    /// For shapes: 0 a shape of the world, 1 an obstacle.
    obstacle: u32,
    /// For meshes and height fields: its number in the file.
    pub(super) surface: u32,
    /// In a map: a checksum of the other fields, since bodies are read one by one. 0 if the writer
    /// did not compute one, and in scenes, which have a checksum of the whole file.
    sum: u32,
    /// For meshes: position, rotation, scale. For shapes: their parameters. The rest is 0.
    numbers: [f64; 16],
}

// The checksum takes whole blocks.
const _: () = assert!(size_of::<Record>().is_multiple_of(BLOCK));

impl Record {
    /// A static mesh or height field; `surface` is its number in the file.
    pub(super) fn placement(key: u64, mask: u32, surface: u32, pose: &Pose) -> Self {
        let mut numbers = NumberWriter::default();
        numbers.push_pose(pose);
        let (form, numbers) = (0, numbers.values);
        let mut record =
            Self { key, mask, mobility: 0, form, obstacle: 0, surface, sum: 0, numbers };
        record.sum = record.own_sum();
        record
    }

    /// The checksum of the other fields.
    fn own_sum(&self) -> u32 {
        checksum([bytemuck::bytes_of(&Self { sum: 0, ..*self })]) as u32
    }

    pub(super) fn new(body: &Body, surface: u32) -> Self {
        let mut numbers = NumberWriter::default();
        let (form, obstacle) = match &body.geometry {
            Geometry::Surface { pose, .. } => {
                numbers.push_pose(pose);
                (0, 0)
            }
            Geometry::Shape(shape) => (numbers.push_shape(shape), 0),
            Geometry::Obstacle(shape) => (numbers.push_shape(shape), 1),
        };
        Self {
            key: body.key(),
            mask: body.mask(),
            mobility: match body.mobility() {
                Mobility::Static => 0,
                Mobility::Dynamic => 1,
            },
            form,
            obstacle,
            surface,
            sum: 0,
            numbers: numbers.values,
        }
    }

    /// The record that a writer makes of `body`; with a checksum if this one has one.
    pub(super) fn as_written(&self, body: &Body, surface: u32) -> Self {
        match body.pose() {
            Some(pose) if self.sum != 0 => Self::placement(body.key(), body.mask(), surface, pose),
            _ => Self::new(body, surface),
        }
    }

    /// The body; `surface` is the one that the record names.
    pub(super) fn body(
        &self,
        number: u32,
        surface: Option<&SharedSurface>,
    ) -> Result<Body, FileError> {
        let bad = |field, found| FileError::BadBody { body: number, field, found };
        let body = if self.form == 0 {
            let surface = surface.ok_or(bad("mesh", self.surface))?;
            let instance = self.pose().and_then(|pose| Body::from_surface(surface.clone(), pose));
            instance.map_err(|error| FileError::BadShape { body: number, error })?
        } else {
            let shape =
                self.shape().map_err(|error| FileError::BadShape { body: number, error })?;
            let shape = shape.ok_or(bad("form", self.form))?;
            match self.obstacle {
                0 => Body::shape(shape),
                1 => Body::obstacle(shape),
                found => return Err(bad("kind", found)),
            }
        };
        let mobility = match self.mobility {
            0 => Mobility::Static,
            1 => Mobility::Dynamic,
            found => return Err(bad("mobility", found)),
        };
        Ok(body.with_key(self.key).with_mask(self.mask).with_mobility(mobility))
    }

    /// Checks the record of a map: its checksum, and that it is one of a static mesh or height
    /// field.
    pub(super) fn check_placement(&self, number: u32) -> Result<(), FileError> {
        if self.sum != 0 && self.sum != self.own_sum() {
            return Err(FileError::NotAsWritten { body: number });
        }
        for (field, found) in [("form", self.form), ("mobility", self.mobility)] {
            if found != 0 {
                return Err(FileError::BadBody { body: number, field, found });
            }
        }
        Ok(())
    }

    /// The vector whose x is number `at`.
    fn vector(&self, at: usize) -> DVec3 {
        DVec3::new(self.numbers[at], self.numbers[at + 1], self.numbers[at + 2])
    }

    pub(super) fn pose(&self) -> Result<Pose, ShapeError> {
        let [numbers @ .., _, _, _, _, _, _] = &self.numbers;
        pose_of(numbers)
    }

    /// The shape; `None` if the form is unknown.
    fn shape(&self) -> Result<Option<Shape>, ShapeError> {
        let radius = |at: usize| self.numbers[at] as f32;
        Ok(Some(match self.form {
            1 => {
                let axes = DMat3::from_cols(self.vector(6), self.vector(9), self.vector(12));
                Shape::Box(Obb::from_axes(self.vector(0), self.vector(3).as_vec3(), axes)?)
            }
            2 => Shape::Sphere(Sphere::new(self.vector(0), radius(3))?),
            3 => Shape::Capsule(Capsule::new(self.vector(0), self.vector(3), radius(6))?),
            4 => Shape::HalfSpace(HalfSpace::new(self.vector(0), self.vector(3))?),
            _ => return Ok(None),
        }))
    }
}

/// The pose whose position, rotation and scale these are.
pub(super) fn pose_of(numbers: &[f64; 10]) -> Result<Pose, ShapeError> {
    let [px, py, pz, x, y, z, w, sx, sy, sz] = *numbers;
    Pose::new(DVec3::new(px, py, pz), DQuat::from_xyzw(x, y, z, w), DVec3::new(sx, sy, sz))
}

/// Fills [`Record::numbers`] from the start.
#[derive(Default)]
pub(super) struct NumberWriter {
    pub(super) values: [f64; 16],
    count: usize,
}

impl NumberWriter {
    fn push(&mut self, values: &[f64]) {
        self.values[self.count..][..values.len()].copy_from_slice(values);
        self.count += values.len();
    }

    fn push_vector(&mut self, value: DVec3) {
        self.push(&value.to_array());
    }

    pub(super) fn push_pose(&mut self, pose: &Pose) {
        self.push_vector(pose.position());
        self.push(&pose.rotation().to_array());
        self.push_vector(pose.scale());
    }

    /// Writes the parameters of a shape, and returns its form.
    fn push_shape(&mut self, shape: &Shape) -> u32 {
        match shape {
            Shape::Box(obb) => {
                self.push_vector(obb.center());
                self.push_vector(obb.half_extents().as_dvec3());
                self.push(&obb.axes().to_cols_array());
                1
            }
            Shape::Sphere(sphere) => {
                self.push_vector(sphere.center());
                self.push(&[f64::from(sphere.radius())]);
                2
            }
            Shape::Capsule(capsule) => {
                self.push_vector(capsule.p0());
                self.push_vector(capsule.p1());
                self.push(&[f64::from(capsule.radius())]);
                3
            }
            Shape::HalfSpace(half_space) => {
                self.push_vector(half_space.point());
                self.push_vector(half_space.normal());
                4
            }
        }
    }
}

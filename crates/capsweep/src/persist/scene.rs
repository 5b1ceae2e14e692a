//! Scenes as bytes.

use crate::buffer::Buffer;
use crate::persist::error::FileError;
use crate::persist::file::{FileKind, NO_MESH, Reader, Section, Writer};
use crate::persist::mesh;
use crate::scene::body::Geometry;
use crate::scene::{Body, Mobility, Pose, Scene, Shape, TriMesh};
use crate::{Capsule, HalfSpace, Obb, ShapeError, Sphere};
use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A body in a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    key: u64,
    mask: u32,
    /// 0 static, 1 dynamic.
    mobility: u32,
    /// 0 mesh, 1 box, 2 sphere, 3 capsule, 4 half-space.
    form: u32,
    /// For shapes: 0 a shape of the world, 1 an obstacle.
    obstacle: u32,
    /// For meshes: the mesh's number in the file.
    mesh: u32,
    unused: u32,
    /// For meshes: position, rotation, scale. For shapes: their parameters. The rest is 0.
    numbers: [f64; 16],
}

impl Scene {
    /// The scene as the bytes of a file, for [`Scene::from_bytes`]: all its
    /// [bodies](Scene::bodies), and each mesh once.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with_notes(&[])
    }

    /// As [`Scene::to_bytes`], with bytes of the caller's own in the same file and under the same
    /// checksum, such as the names of bodies and tags. [`Scene::from_bytes_with_notes`] returns
    /// them.
    pub fn to_bytes_with_notes(&self, notes: &[u8]) -> Vec<u8> {
        let mut numbers = BTreeMap::new();
        let mut meshes = Vec::new();
        let mut records = Vec::new();
        for (_, body) in self.bodies() {
            let number = body.instance().map(|(mesh, _)| {
                *numbers.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
                    meshes.push(mesh);
                    meshes.len() as u32 - 1
                })
            });
            records.push(Record::new(body, number.unwrap_or(0)));
        }
        let mut writer = Writer::new(FileKind::Scene);
        for (mesh, number) in meshes.into_iter().zip(0..) {
            mesh::write(&mut writer, mesh, number);
        }
        writer.add(Section::Bodies, NO_MESH, &records);
        if !notes.is_empty() {
            writer.add(Section::Notes, NO_MESH, notes);
        }
        writer.finish()
    }

    /// A scene that [`Scene::to_bytes`] wrote. It answers like the original, in every bit.
    ///
    /// Meshes use the bytes in place and are checked as by [`TriMesh::from_bytes`], whose notes on
    /// bytes apply. Bodies keep their order and their keys, and get ids of this scene: the same
    /// numbers as before, if no body was ever removed.
    ///
    /// # Errors
    /// If the bytes differ from those that were written, or are not those of a scene.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        Self::from_bytes_with_notes(bytes).map(|(scene, _)| scene)
    }

    /// As [`Scene::from_bytes`], with the [notes](Scene::to_bytes_with_notes) of the file; empty
    /// if it has none.
    ///
    /// # Errors
    /// As [`Scene::from_bytes`].
    pub fn from_bytes_with_notes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<(Self, Vec<u8>), FileError> {
        let reader = Reader::new(bytes, FileKind::Scene)?;
        let records: Buffer<Record> = reader.get(Section::Bodies, NO_MESH)?;
        let meshes: Vec<Arc<TriMesh>> = (0..reader.meshes())
            .map(|number| mesh::read(&reader, number).map(Arc::new))
            .collect::<Result<_, _>>()?;
        let mut scene = Self::new();
        scene.edit(|edit| -> Result<(), FileError> {
            for (record, number) in records.iter().zip(0..) {
                edit.insert(record.body(number, meshes.get(record.mesh as usize))?);
            }
            Ok(())
        })?;
        let notes: Option<Buffer<u8>> = reader.find(Section::Notes, NO_MESH)?;
        Ok((scene, notes.map_or_else(Vec::new, |notes| notes.to_vec())))
    }
}

/// Reports every defect of the bodies to `found`, and returns the number of bodies.
pub(super) fn verify_bodies(
    reader: &Reader,
    meshes: &[Option<Arc<TriMesh>>],
    mut found: impl FnMut(FileError),
) -> usize {
    let records: Buffer<Record> = match reader.get(Section::Bodies, NO_MESH) {
        Ok(records) => records,
        Err(error) => {
            found(error);
            return 0;
        }
    };
    for (record, number) in records.iter().zip(0..) {
        let mesh = meshes.get(record.mesh as usize);
        if record.form == 0 && matches!(mesh, Some(None)) {
            // Its mesh is damaged, which is reported already.
            if let Err(error) = record.pose() {
                found(FileError::BadShape { body: number, error });
            }
            continue;
        }
        match record.body(number, mesh.and_then(Option::as_ref)) {
            Err(error) => found(error),
            Ok(body) => {
                let mesh = if record.form == 0 { record.mesh } else { 0 };
                let written = Record::new(&body, mesh);
                if bytemuck::bytes_of(&written) != bytemuck::bytes_of(record) {
                    found(FileError::NotAsWritten { body: number });
                }
            }
        }
    }
    records.len()
}

impl Record {
    fn new(body: &Body, mesh: u32) -> Self {
        let mut numbers = NumberWriter::default();
        let (form, obstacle) = match &body.geometry {
            Geometry::Surface { pose, .. } => {
                numbers.push_vector(pose.position());
                numbers.push(&pose.rotation().to_array());
                numbers.push_vector(pose.scale());
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
            mesh,
            unused: 0,
            numbers: numbers.values,
        }
    }

    fn body(&self, number: u32, mesh: Option<&Arc<TriMesh>>) -> Result<Body, FileError> {
        let bad = |field, found| FileError::BadBody { body: number, field, found };
        let body = if self.form == 0 {
            let mesh = mesh.ok_or(bad("mesh", self.mesh))?;
            let instance = self.pose().and_then(|pose| Body::mesh(Arc::clone(mesh), pose));
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

    /// The vector whose x is number `at`.
    fn vector(&self, at: usize) -> DVec3 {
        DVec3::new(self.numbers[at], self.numbers[at + 1], self.numbers[at + 2])
    }

    fn pose(&self) -> Result<Pose, ShapeError> {
        let [x, y, z, w] = [3, 4, 5, 6].map(|i| self.numbers[i]);
        Pose::new(self.vector(0), DQuat::from_xyzw(x, y, z, w), self.vector(7))
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

/// Fills [`Record::numbers`] from the start.
#[derive(Default)]
struct NumberWriter {
    values: [f64; 16],
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

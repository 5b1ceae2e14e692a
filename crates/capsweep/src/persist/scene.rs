use crate::buffer::Buffer;
use crate::persist::error::FileError;
use crate::persist::file::{Content, NO_MESH, Reader, Section, Writer};
use crate::persist::mesh;
use crate::scene::body::Geometry;
use crate::scene::{Body, Mobility, Pose, Scene, Shape, TriMesh};
use crate::{Capsule, HalfSpace, Obb, ShapeError, Sphere};
use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A body. `form` is 0 for a mesh, 1 to 4 for a box, sphere, capsule, half-space.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    key: u64,
    mask: u32,
    /// 0 static, 1 dynamic.
    mobility: u32,
    form: u32,
    /// Of a shape: 0 of the world, 1 an obstacle.
    obstacle: u32,
    /// Of a mesh: its number in the file.
    mesh: u32,
    unused: u32,
    /// Of a mesh: position, rotation, scale. Of a shape: what it is made of. The rest is 0.
    numbers: [f64; 16],
}

impl Scene {
    /// The scene as the bytes of a file, for [`Scene::from_bytes`]: all its [bodies](Scene::bodies), and each mesh once.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with_notes(&[])
    }

    /// As [`Scene::to_bytes`], with bytes of the caller's own in the same file and under the same checksum: the names of
    /// bodies and tags, for example. [`Scene::from_bytes_with_notes`] gives them back.
    pub fn to_bytes_with_notes(&self, notes: &[u8]) -> Vec<u8> {
        let mut numbers = BTreeMap::new();
        let mut meshes = Vec::new();
        let mut records = Vec::new();
        for (_, body) in self.bodies() {
            let number = body.geometry.mesh().map(|mesh| {
                *numbers.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
                    meshes.push(mesh);
                    meshes.len() as u32 - 1
                })
            });
            records.push(Record::new(body, number.unwrap_or(0)));
        }
        let mut writer = Writer::new(Content::Scene);
        for (one, number) in meshes.into_iter().zip(0..) {
            mesh::write(&mut writer, one, number);
        }
        writer.add(Section::Bodies, NO_MESH, &records);
        if !notes.is_empty() {
            writer.add(Section::Notes, NO_MESH, notes);
        }
        writer.finish()
    }

    /// A scene that [`Scene::to_bytes`] wrote, committed: it answers like the one that was written, in every bit.
    ///
    /// Meshes are used where the bytes are and checked as by [`TriMesh::from_bytes`], which says what else there is to know about
    /// them. Bodies come back in their order with their keys, and with ids of this scene: those they had, if none was
    /// ever removed.
    ///
    /// # Errors
    /// If the bytes are not what was written, or what was written is no scene.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        Self::from_bytes_with_notes(bytes).map(|(scene, _)| scene)
    }

    /// As [`Scene::from_bytes`], and the [notes](Scene::to_bytes_with_notes) that were written with it: none, if none were.
    ///
    /// # Errors
    /// As [`Scene::from_bytes`].
    pub fn from_bytes_with_notes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<(Self, Vec<u8>), FileError> {
        let reader = Reader::new(bytes, Content::Scene)?;
        let records: Buffer<Record> = reader.get(Section::Bodies, NO_MESH)?;
        let meshes: Vec<Arc<TriMesh>> = (0..reader.meshes())
            .map(|number| mesh::read(&reader, number).map(Arc::new))
            .collect::<Result<_, _>>()?;
        let mut scene = Self::new();
        for (record, number) in records.iter().zip(0..) {
            scene.insert(record.body(number, meshes.get(record.mesh as usize))?);
        }
        scene.commit();
        let notes: Option<Buffer<u8>> = reader.find(Section::Notes, NO_MESH)?;
        Ok((scene, notes.map_or_else(Vec::new, |notes| notes.to_vec())))
    }
}

/// Tells `found` what is wrong with the bodies; how many there are.
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
            // Its mesh is damaged, which is told already.
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
        let mut numbers = Numbers::default();
        let (form, obstacle) = match &body.geometry {
            Geometry::Mesh { pose, .. } => {
                numbers.vector(pose.position());
                numbers.all(&pose.rotation().to_array());
                numbers.vector(pose.scale());
                (0, 0)
            }
            Geometry::Shape(shape) => (numbers.shape(shape), 0),
            Geometry::Obstacle(shape) => (numbers.shape(shape), 1),
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

    /// Three numbers from the `at`th on.
    fn vector(&self, at: usize) -> DVec3 {
        DVec3::new(self.numbers[at], self.numbers[at + 1], self.numbers[at + 2])
    }

    fn pose(&self) -> Result<Pose, ShapeError> {
        let [x, y, z, w] = [3, 4, 5, 6].map(|i| self.numbers[i]);
        Pose::new(self.vector(0), DQuat::from_xyzw(x, y, z, w), self.vector(7))
    }

    /// `None` if there is no such form.
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

/// The numbers of a record as they are put down.
#[derive(Default)]
struct Numbers {
    values: [f64; 16],
    count: usize,
}

impl Numbers {
    fn all(&mut self, values: &[f64]) {
        self.values[self.count..][..values.len()].copy_from_slice(values);
        self.count += values.len();
    }

    fn vector(&mut self, value: DVec3) {
        self.all(&value.to_array());
    }

    /// Puts down a shape; what form it has.
    fn shape(&mut self, shape: &Shape) -> u32 {
        match shape {
            Shape::Box(obb) => {
                self.vector(obb.center());
                self.vector(obb.half_extents().as_dvec3());
                self.all(&obb.axes().to_cols_array());
                1
            }
            Shape::Sphere(sphere) => {
                self.vector(sphere.center());
                self.all(&[f64::from(sphere.radius())]);
                2
            }
            Shape::Capsule(capsule) => {
                self.vector(capsule.p0());
                self.vector(capsule.p1());
                self.all(&[f64::from(capsule.radius())]);
                3
            }
            Shape::HalfSpace(half_space) => {
                self.vector(half_space.point());
                self.vector(half_space.normal());
                4
            }
        }
    }
}

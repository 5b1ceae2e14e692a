use crate::Names;
use capsweep::ShapeError;
use capsweep::scene::{Body, MeshError, MeshOptions, Pose, Scene, TriMesh};
use core::fmt;
use glam::Vec3;
use std::sync::Arc;

/// The meshes of a file and their placements. Z up, metres.
#[derive(Debug, Clone)]
pub struct World {
    models: Vec<Model>,
    placements: Vec<Placement>,
    names: Names,
}

/// A mesh in its own space. Every index is valid and every vertex is finite.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The name in the file, or an empty string.
    pub name: String,
    /// Positions of the vertices.
    pub vertices: Vec<Vec3>,
    /// Indices of three vertices each; counter-clockwise is the front.
    pub triangles: Vec<[u32; 3]>,
    /// One tag for each triangle; [`Names::tag`] gives its name.
    pub tags: Vec<u32>,
    /// Whether queries meet both sides of a triangle: one flag for each, or none at all if no
    /// triangle is double-sided.
    pub double_sided: Vec<bool>,
}

/// A model placed in the world.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The name of the node in a glTF file, or of an OBJ file.
    pub name: String,
    /// Index of the model in [`World::models`].
    pub model: usize,
    /// Position, rotation and scale.
    pub pose: Pose,
}

/// Why a world could not become a scene. The message includes the cause.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// A model is not a valid mesh.
    Model {
        /// The model's name.
        model: String,
        /// The cause.
        error: MeshError,
    },
    /// A placement leads out of the range of positions.
    Placement {
        /// The placement's name.
        placement: String,
        /// The cause.
        error: ShapeError,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { model, error } => write!(f, "model {model:?}: {error}"),
            Self::Placement { placement, error } => write!(f, "node {placement:?}: {error}"),
        }
    }
}

impl core::error::Error for WorldError {}

impl World {
    /// Every placement must have a valid model index, and every tag a name.
    pub(crate) fn new(models: Vec<Model>, placements: Vec<Placement>, tags: Vec<String>) -> Self {
        let bodies = placements.iter().map(|placement| placement.name.clone()).collect();
        Self { models, placements, names: Names::new(bodies, tags) }
    }

    /// All models; each counts once, however often it is placed.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// All placements.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Names of placements, by the keys of their bodies in [`World::scene`], and of materials by
    /// tag.
    pub fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn into_names(self) -> Names {
        self.names
    }

    /// Builds a scene of all placements. The body of placement `i` has the key `i`.
    ///
    /// # Errors
    /// If a placement leads out of the range of positions. With raised [`Limits`](crate::Limits),
    /// also if a model has more triangles than a mesh can number.
    pub fn scene(&self) -> Result<Scene, WorldError> {
        let mesh = |model: &Model| {
            let refused = |error| WorldError::Model { model: model.name.clone(), error };
            model.mesh().map(Arc::new).map_err(refused)
        };
        let meshes: Vec<Arc<TriMesh>> = self.models.iter().map(mesh).collect::<Result<_, _>>()?;
        let mut scene = Scene::new();
        scene.edit(|edit| -> Result<(), WorldError> {
            for (placement, key) in self.placements.iter().zip(0..) {
                let mesh = Arc::clone(&meshes[placement.model]);
                let refused =
                    |error| WorldError::Placement { placement: placement.name.clone(), error };
                edit.insert(Body::mesh(mesh, placement.pose).map_err(refused)?.with_key(key));
            }
            Ok(())
        })?;
        Ok(scene)
    }

    /// Number of triangles in the world: those of each model times its placements.
    pub fn triangle_count(&self) -> usize {
        let of = |placement: &Placement| self.models[placement.model].triangles.len();
        self.placements.iter().map(of).sum()
    }
}

impl Model {
    /// Builds the mesh for queries, with its tags and sides.
    ///
    /// # Errors
    /// If a vertex is out of range, an index is invalid, or there is not one tag, or one flag of
    /// sides where there are any, for each triangle.
    pub fn mesh(&self) -> Result<TriMesh, MeshError> {
        let flags = &self.double_sided;
        // As an option of the mesh, it lets queries cull by it.
        let all = flags.len() == self.triangles.len() && !flags.contains(&false);
        let options = MeshOptions { double_sided: all && !flags.is_empty() };
        let mesh =
            TriMesh::new(&self.vertices, &self.triangles, options)?.with_tags(&self.tags)?;
        if flags.is_empty() { Ok(mesh) } else { mesh.with_double_sided(flags) }
    }

    /// Finds the first vertex from index `first` on that is out of range.
    pub(crate) fn bad_vertex_from(&self, first: usize) -> Option<MeshError> {
        let limit = capsweep::MAX_POSITION as f32;
        // Negated, so that NaN counts as out of range.
        let bad = |position: &Vec3| !position.abs().cmple(Vec3::splat(limit)).all();
        let vertex = first + self.vertices[first..].iter().position(bad)?;
        Some(MeshError::BadVertex { vertex, position: self.vertices[vertex] })
    }
}

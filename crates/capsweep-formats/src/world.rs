use crate::Names;
use capsweep::ShapeError;
use capsweep::scene::{Body, MeshError, MeshOptions, Pose, Scene, TriMesh};
use core::fmt;
use glam::Vec3;
use std::sync::Arc;

/// What a file holds: meshes, and where copies of them stand. Z up, metres.
#[derive(Debug, Clone)]
pub struct World {
    models: Vec<Model>,
    placements: Vec<Placement>,
    names: Names,
}

/// A mesh in its own space. Every triangle names vertices that exist, and every vertex is finite.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The name that the file gives it, or nothing.
    pub name: String,
    /// Positions.
    pub vertices: Vec<Vec3>,
    /// Three vertices each; counter-clockwise is the front.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle its tag: what [`Names::tag`] knows the name of.
    pub tags: Vec<u32>,
    /// Whether both sides of its triangles count.
    pub double_sided: bool,
}

/// A copy of a model.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The name of the node that placed it, or of the file.
    pub name: String,
    /// Its place in [`World::models`].
    pub model: usize,
    /// Where it stands.
    pub pose: Pose,
}

/// Why a world could not become a scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// A model cannot be made a mesh.
    Model {
        /// Its name.
        model: String,
        /// Why.
        error: MeshError,
    },
    /// A copy of a model cannot stand where it should.
    Placement {
        /// Its name.
        placement: String,
        /// Why.
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
    /// Every placement's model must be one of `models`; there must be a name for every tag.
    pub(crate) fn new(models: Vec<Model>, placements: Vec<Placement>, tags: Vec<String>) -> Self {
        let bodies = placements.iter().map(|placement| placement.name.clone()).collect();
        Self { models, placements, names: Names::new(bodies, tags) }
    }

    /// Each mesh once.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Each copy of a mesh.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The names of placements, by their bodies' keys in [`World::scene`], and of materials, by tags.
    pub fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn into_names(self) -> Names {
        self.names
    }

    /// A scene of all placements; the body of placement `i` has the key `i`.
    ///
    /// # Errors
    /// If a placement leads out of the range of positions, or a model has more triangles than a mesh can number, which only raised
    /// [`Limits`](crate::Limits) let happen.
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

    /// How many triangles there are, each placement counted.
    pub fn triangle_count(&self) -> usize {
        let of = |placement: &Placement| self.models[placement.model].triangles.len();
        self.placements.iter().map(of).sum()
    }
}

impl Model {
    /// The mesh that queries use, with its tags.
    ///
    /// # Errors
    /// If a vertex is out of range, an index names none, or there is not one tag for each triangle.
    pub fn mesh(&self) -> Result<TriMesh, MeshError> {
        let options = MeshOptions { double_sided: self.double_sided };
        TriMesh::new(&self.vertices, &self.triangles, options)?.with_tags(&self.tags)
    }

    /// The first vertex from number `first` on that a mesh cannot have.
    pub(crate) fn bad_vertex_from(&self, first: usize) -> Option<MeshError> {
        let limit = capsweep::MAX_POSITION as f32;
        // NaN is not at most anything.
        let bad = |position: &Vec3| !position.abs().cmple(Vec3::splat(limit)).all();
        let vertex = first + self.vertices[first..].iter().position(bad)?;
        Some(MeshError::BadVertex { vertex, position: self.vertices[vertex] })
    }
}

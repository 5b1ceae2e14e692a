//! Scenes: bodies, and how they are changed.

use crate::ShapeError;
use crate::bvh::BvhDefect;
use crate::mesh::tri_mesh::TriMesh;
use crate::scene::body::{Body, BodyId, BodyKind, Geometry, Mobility, Shape, check_placement};
use crate::scene::filter::Bodies;
use crate::scene::layer::{Layer, mobility_of};
use crate::shape::pose::Pose;
use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies the static content of a scene, uniquely in the process: scenes with equal revisions
/// hold the same static bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(u64);

impl Revision {
    fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Why a scene could not be changed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// No body of this scene has this id: it was removed, or the id is of another scene.
    NoSuchBody {
        /// The id.
        id: BodyId,
    },
    /// The body is of another kind than the change asks for.
    WrongKind {
        /// The id.
        id: BodyId,
    },
    /// The mesh would leave the range of positions.
    OutOfRange {
        /// The id.
        id: BodyId,
        /// Where.
        error: ShapeError,
    },
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBody { id } => write!(f, "the scene has no body {id:?}"),
            Self::WrongKind { id } => write!(f, "body {id:?} is of another kind"),
            Self::OutOfRange { id, error } => write!(f, "body {id:?} cannot stand there: {error}"),
        }
    }
}

impl core::error::Error for SceneError {}

/// Bodies in a world. Queries need `&Scene` and no lock, so any number of threads can ask while another prepares the
/// next scene.
///
/// Changes take effect with [`Scene::commit`]; queries see the bodies as of the last one. A commit costs O(log n) on average
/// for each body that was changed, and a mesh is never built again: moving a platform does not touch the world it moves through.
///
/// Cloning is cheap, and clones are independent. They share their static bodies and their dynamic ones until either are
/// changed in one of them; the first change then copies that half, about 300 bytes a body. A server that hands out
/// a clone every tick pays that for its dynamic bodies, never for the world.
#[derive(Debug, Clone)]
pub struct Scene {
    content: Content,
}

/// What queries walk through.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// The static bodies, then the dynamic ones.
    layers: [Arc<Layer>; 2],
    /// Largest magnitude of a coordinate of a body that has an end.
    pub(crate) size: f64,
    /// Whether any body has none.
    pub(crate) has_unbounded: bool,
    revision: Revision,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// A scene without bodies.
    pub fn new() -> Self {
        let layers =
            [Mobility::Static, Mobility::Dynamic].map(|mobility| Arc::new(Layer::new(mobility)));
        let revision = Revision::next();
        Self { content: Content { layers, size: 0.0, has_unbounded: false, revision } }
    }

    /// Adds a body; queries see it after the next [`Scene::commit`].
    pub fn insert(&mut self, body: Body) -> BodyId {
        self.layer_mut(body.mobility).insert(body)
    }

    /// Takes a body out of the scene.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.body(id)?;
        let body = self.layer_mut(mobility_of(id.index)).remove(id);
        body.ok_or(SceneError::NoSuchBody { id })
    }

    /// Puts an instance of a mesh elsewhere.
    ///
    /// # Errors
    /// If there is no such body, it is not a mesh, or it would leave the range of positions; it then stays where it is.
    pub fn move_mesh(&mut self, id: BodyId, to: Pose) -> Result<(), SceneError> {
        let Geometry::Mesh { mesh, .. } = &self.body(id)?.geometry else {
            return Err(SceneError::WrongKind { id });
        };
        let mesh = Arc::clone(mesh);
        check_placement(&mesh, &to).map_err(|error| SceneError::OutOfRange { id, error })?;
        self.change(id, Geometry::Mesh { mesh, pose: to })
    }

    /// Gives an instance another mesh, such as the same one [bent](TriMesh::refit).
    ///
    /// # Errors
    /// If there is no such body, it is not a mesh, or it would leave the range of positions; it then stays what it is.
    pub fn set_mesh(&mut self, id: BodyId, to: Arc<TriMesh>) -> Result<(), SceneError> {
        let Geometry::Mesh { pose, .. } = self.body(id)?.geometry else {
            return Err(SceneError::WrongKind { id });
        };
        check_placement(&to, &pose).map_err(|error| SceneError::OutOfRange { id, error })?;
        self.change(id, Geometry::Mesh { mesh: to, pose })
    }

    /// Replaces a shape or an obstacle by `to`, wherever that is.
    ///
    /// # Errors
    /// If there is no such body, or it is a mesh.
    pub fn move_shape(&mut self, id: BodyId, to: Shape) -> Result<(), SceneError> {
        match self.body(id)?.kind() {
            BodyKind::Mesh => Err(SceneError::WrongKind { id }),
            BodyKind::Shape => self.change(id, Geometry::Shape(to)),
            BodyKind::Obstacle => self.change(id, Geometry::Obstacle(to)),
        }
    }

    fn change(&mut self, id: BodyId, to: Geometry) -> Result<(), SceneError> {
        let body = self.layer_mut(mobility_of(id.index)).body_mut(id);
        body.ok_or(SceneError::NoSuchBody { id })?.geometry = to;
        Ok(())
    }

    /// Makes all changes since the last commit visible to queries.
    pub fn commit(&mut self) {
        for mobility in [Mobility::Static, Mobility::Dynamic] {
            if self.content.layer(mobility).is_changed() {
                self.layer_mut(mobility).commit();
                if mobility == Mobility::Static {
                    self.content.revision = Revision::next();
                }
            }
        }
        let layers = &self.content.layers;
        self.content.size = layers.iter().fold(0.0, |size, one| one.size().max(size));
        self.content.has_unbounded = layers.iter().any(|one| one.has_unbounded());
    }

    /// The body with this id.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        self.content.layer(mobility_of(id.index)).body(id).ok_or(SceneError::NoSuchBody { id })
    }

    /// All bodies, the static ones first.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.content.layers.iter().flat_map(|layer| layer.bodies())
    }

    /// Renewed by every commit that changed static bodies.
    pub fn revision(&self) -> Revision {
        self.content.revision
    }

    /// Checks the trees over the committed bodies.
    ///
    /// # Errors
    /// The first defect found. There is none, whatever the scene has been through.
    pub fn validate(&self) -> Result<(), BvhDefect> {
        self.content.layers.iter().try_for_each(|layer| layer.validate())
    }

    pub(crate) fn content(&self) -> &Content {
        &self.content
    }

    /// Whether there are dynamic bodies.
    pub(crate) fn has_dynamic(&self) -> bool {
        self.content.layer(Mobility::Dynamic).holds_any()
    }

    /// A half of the scene that is its own: copied first if a clone has it too.
    fn layer_mut(&mut self, mobility: Mobility) -> &mut Layer {
        Arc::make_mut(&mut self.content.layers[mobility as usize])
    }
}

impl Content {
    fn layer(&self, mobility: Mobility) -> &Layer {
        &self.layers[mobility as usize]
    }

    /// The halves of the scene that have the bodies a query asks for.
    pub(crate) fn layers(&self, bodies: Bodies) -> &[Arc<Layer>] {
        match bodies {
            Bodies::All => &self.layers,
            Bodies::Static => &self.layers[..1],
            Bodies::Dynamic => &self.layers[1..],
        }
    }

    /// Whether all bodies that a query asks for may be kept in a neighborhood: they are static and bounded.
    #[inline]
    pub(crate) fn is_all_gathered(&self, bodies: Bodies) -> bool {
        let [lasting, moving] = &self.layers;
        match bodies {
            Bodies::All => !lasting.has_unbounded() && !moving.holds_any(),
            Bodies::Static => !lasting.has_unbounded(),
            Bodies::Dynamic => false,
        }
    }

    /// A committed body by its index.
    pub(crate) fn at(&self, index: u32) -> Option<(BodyId, &Body)> {
        self.layer(mobility_of(index)).at(index)
    }
}

//! The scene's own memory: bodies, ids, and the tree over them.

use super::body::{Body, BodyId, Geometry, Mobility, Shape, check_placement};
use super::pose::Pose;
use crate::ShapeError;
use crate::bvh::{self, Bvh};
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
    /// No body has this id: it was removed, or belongs to another scene.
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

#[derive(Debug, Clone, Default)]
struct Slot {
    generation: u32,
    body: Option<Body>,
}

/// Bodies in a world. Cloning is cheap: clones share their content until one of them is changed.
///
/// Changes take effect with [`Scene::commit`]; queries see the bodies as of the last one. Queries need `&Scene` and no
/// lock, so any number of threads can ask while another prepares the next scene.
#[derive(Debug, Clone)]
pub struct Scene {
    content: Arc<Content>,
}

#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// The bodies as the caller has changed them.
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The bodies as of the last commit, which queries see.
    committed: Vec<Slot>,
    /// Bodies with a box, as of the last commit: the tree's items are places in `bounded`.
    pub(super) tree: Bvh,
    pub(super) bounded: Vec<u32>,
    /// Bodies without end.
    pub(super) endless: Vec<u32>,
    /// Largest magnitude of a coordinate of a box in the tree.
    pub(super) size: f64,
    revision: Revision,
    static_changed: bool,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// A scene without bodies.
    pub fn new() -> Self {
        let content = Content {
            slots: Vec::new(),
            free: Vec::new(),
            committed: Vec::new(),
            tree: Bvh::default(),
            bounded: Vec::new(),
            endless: Vec::new(),
            size: 0.0,
            revision: Revision::next(),
            static_changed: false,
        };
        Self { content: Arc::new(content) }
    }

    /// Adds a body; queries see it after the next [`Scene::commit`].
    pub fn insert(&mut self, body: Body) -> BodyId {
        let content = Arc::make_mut(&mut self.content);
        content.static_changed |= body.mobility == Mobility::Static;
        let index = content.free.pop().unwrap_or_else(|| {
            content.slots.push(Slot::default());
            (content.slots.len() - 1) as u32
        });
        let slot = &mut content.slots[index as usize];
        slot.body = Some(body);
        BodyId { index, generation: slot.generation }
    }

    /// Takes a body out of the scene.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.body(id)?;
        let content = Arc::make_mut(&mut self.content);
        let slot = &mut content.slots[id.index as usize];
        slot.generation += 1;
        let body = slot.body.take().ok_or(SceneError::NoSuchBody { id })?;
        content.free.push(id.index);
        content.static_changed |= body.mobility == Mobility::Static;
        Ok(body)
    }

    /// Puts an instance of a mesh elsewhere.
    ///
    /// # Errors
    /// If there is no such body, it is not a mesh, or it would leave the range of positions; it then stays where it is.
    pub fn move_mesh(&mut self, id: BodyId, to: Pose) -> Result<(), SceneError> {
        if let Some(mesh) = self.body(id)?.geometry.mesh() {
            check_placement(mesh, &to).map_err(|error| SceneError::OutOfRange { id, error })?;
        }
        self.change(id, |geometry| match geometry {
            Geometry::Mesh { pose, .. } => {
                *pose = to;
                true
            }
            _ => false,
        })
    }

    /// Replaces a shape or an obstacle by `to`, wherever that is.
    ///
    /// # Errors
    /// If there is no such body, or it is a mesh.
    pub fn move_shape(&mut self, id: BodyId, to: Shape) -> Result<(), SceneError> {
        self.change(id, |geometry| match geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                *shape = to;
                true
            }
            Geometry::Mesh { .. } => false,
        })
    }

    fn change(
        &mut self,
        id: BodyId,
        apply: impl FnOnce(&mut Geometry) -> bool,
    ) -> Result<(), SceneError> {
        self.body(id)?;
        let content = Arc::make_mut(&mut self.content);
        let body = content.slots[id.index as usize].body.as_mut();
        let body = body.ok_or(SceneError::NoSuchBody { id })?;
        if !apply(&mut body.geometry) {
            return Err(SceneError::WrongKind { id });
        }
        content.static_changed |= body.mobility == Mobility::Static;
        Ok(())
    }

    /// Makes all changes since the last commit visible to queries.
    pub fn commit(&mut self) {
        let content = Arc::make_mut(&mut self.content);
        content.bounded.clear();
        content.endless.clear();
        let mut boxes = Vec::new();
        content.size = 0.0;
        for (slot, index) in content.slots.iter().zip(0..) {
            let Some(body) = &slot.body else { continue };
            match (body.bounds(), &body.geometry) {
                (Some(bounds), _) => {
                    let reach = bounds.min.abs().max(bounds.max.abs()).max_element();
                    content.size = content.size.max(f64::from(reach));
                    content.bounded.push(index);
                    boxes.push(bounds);
                }
                // A mesh without triangles is nowhere.
                (None, Geometry::Mesh { .. }) => {}
                (None, _) => content.endless.push(index),
            }
        }
        content.tree = bvh::build(&boxes);
        content.committed.clone_from(&content.slots);
        if core::mem::take(&mut content.static_changed) {
            content.revision = Revision::next();
        }
    }

    /// The body with this id.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        self.content
            .slots
            .get(id.index as usize)
            .filter(|slot| slot.generation == id.generation)
            .and_then(|slot| slot.body.as_ref())
            .ok_or(SceneError::NoSuchBody { id })
    }

    /// All bodies.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.content.slots.iter().zip(0..).filter_map(|(slot, index)| {
            let body = slot.body.as_ref()?;
            Some((BodyId { index, generation: slot.generation }, body))
        })
    }

    /// Renewed by every commit that changed static bodies.
    pub fn revision(&self) -> Revision {
        self.content.revision
    }

    pub(crate) fn content(&self) -> &Content {
        &self.content
    }
}

impl Content {
    /// A committed body by its place.
    pub(super) fn at(&self, index: u32) -> Option<(BodyId, &Body)> {
        let slot = self.committed.get(index as usize)?;
        let body = slot.body.as_ref()?;
        Some((BodyId { index, generation: slot.generation }, body))
    }
}

//! Scenes: the bodies of a world in two layers, static and dynamic.

use crate::ShapeError;
use crate::bvh::BvhDefect;
use crate::scene::body::{Body, BodyId, BodyKind, Mobility};
use crate::scene::filter::Bodies;
use crate::scene::layer::{Layer, is_of_map, mobility_of};
use crate::scene::liquid::Liquids;
use crate::scene::map_layer::MapLayer;
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
    /// The change does not apply to bodies of this kind. `move_mesh` and `set_mesh` need a mesh,
    /// `move_shape` needs a shape or an obstacle.
    WrongKind {
        /// The id.
        id: BodyId,
        /// The body's kind.
        kind: BodyKind,
    },
    /// The body is one of a map file, and those cannot be changed.
    OfMap {
        /// The id.
        id: BodyId,
    },
    /// The mesh would leave the range of positions.
    OutOfRange {
        /// The id.
        id: BodyId,
        /// The coordinate that is out of range.
        error: ShapeError,
    },
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBody { id } => write!(f, "the scene has no body {id:?}"),
            Self::OfMap { id } => write!(
                f,
                "body {id:?} belongs to a map file and cannot be changed: insert a body of its \
                 own, or hide it by its mask"
            ),
            Self::WrongKind { id, kind: BodyKind::Mesh } => {
                write!(f, "body {id:?} is a mesh; move_shape needs a shape or an obstacle")
            }
            Self::WrongKind { id, kind: BodyKind::Shape } => {
                write!(f, "body {id:?} is a shape; move_mesh and set_mesh need a mesh")
            }
            Self::WrongKind { id, kind: BodyKind::Obstacle } => {
                write!(f, "body {id:?} is an obstacle; move_mesh and set_mesh need a mesh")
            }
            Self::OutOfRange { id, error } => {
                write!(f, "body {id:?} would leave the range of positions: {error}")
            }
        }
    }
}

impl core::error::Error for SceneError {}

/// Bodies in a world. Queries take `&Scene` and no lock, so any number of threads can query one
/// scene. Only in a [map](crate::persist::MapFile) a query may have to wait, once for each part of
/// the map: while another thread reads the part that both reach first.
///
/// Every change is visible to the next query. A single change costs O(log n) on average and never
/// builds a mesh again. So moving a platform does not touch the world around it. [`Scene::edit`]
/// makes many changes at once for less.
///
/// To change a world while other threads query it, change a clone and swap it in. Cloning is
/// cheap, and clones are independent. They share their static and their dynamic layer until one of
/// them changes that layer; the first change copies it, about 300 bytes a body. A server that
/// publishes a clone every tick pays that for its dynamic bodies, never for the static world.
#[derive(Debug, Clone)]
pub struct Scene {
    content: Content,
    liquids: Option<Arc<Liquids>>,
}

/// The data of a scene that queries traverse.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// The static bodies, then the dynamic ones.
    layers: [Arc<Layer>; 2],
    /// Static bodies of a map file.
    map: Option<Arc<MapLayer>>,
    /// Largest magnitude of a coordinate of a bounded body.
    pub(crate) max_coordinate: f64,
    /// Whether any body is unbounded, or there is a map.
    pub(crate) has_unbounded_or_map: bool,
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
        let content = Content {
            layers,
            map: None,
            max_coordinate: 0.0,
            has_unbounded_or_map: false,
            revision,
        };
        Self { content, liquids: None }
    }

    /// A scene of the bodies of a map.
    pub(crate) fn of_map(map: MapLayer) -> Self {
        let mut scene = Self::new();
        scene.content.map = Some(Arc::new(map));
        scene.update_trees();
        scene
    }

    /// Brings the trees and all that is derived from them up to date with the bodies.
    pub(crate) fn update_trees(&mut self) {
        for mobility in [Mobility::Static, Mobility::Dynamic] {
            if self.content.layer(mobility).is_changed() {
                self.layer_mut(mobility).update_tree();
                if mobility == Mobility::Static {
                    self.content.revision = Revision::next();
                }
            }
        }
        let layers = &self.content.layers;
        self.content.max_coordinate =
            layers.iter().fold(0.0, |largest, layer| layer.max_coordinate().max(largest));
        if let Some(map) = &self.content.map {
            self.content.max_coordinate = self.content.max_coordinate.max(map.max_coordinate());
        }
        self.content.has_unbounded_or_map =
            self.content.map.is_some() || layers.iter().any(|layer| layer.has_unbounded());
    }

    /// The body with this id.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        let body = if is_of_map(id.index) {
            self.content.map.as_ref().and_then(|map| map.body(id))
        } else {
            self.content.layer(mobility_of(id.index)).body(id)
        };
        body.ok_or(SceneError::NoSuchBody { id })
    }

    /// All bodies, the static ones first. Those of a [map](crate::persist::MapFile) come before
    /// all others, and are loaded.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let of_map = self.content.map.iter().flat_map(|map| map.bodies());
        of_map.chain(self.own_bodies())
    }

    /// The bodies beside those of a map: all bodies of a scene without one. Loads nothing.
    pub fn own_bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.content.layers.iter().flat_map(|layer| layer.bodies())
    }

    /// A new one after every change of static bodies; changes of dynamic bodies keep it.
    pub fn revision(&self) -> Revision {
        self.content.revision
    }

    /// The liquids; `None` if there are none.
    pub fn liquids(&self) -> Option<&Arc<Liquids>> {
        self.liquids.as_ref()
    }

    /// Replaces the liquids. Bodies and the [revision](Scene::revision) stay.
    pub fn set_liquids(&mut self, liquids: Option<Arc<Liquids>>) {
        self.liquids = liquids;
    }

    /// Checks the trees over the bodies.
    ///
    /// # Errors
    /// The first defect found. No sequence of changes causes one, so a defect is a bug in this
    /// library.
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

    /// A layer to change; copied first if a clone shares it.
    pub(crate) fn layer_mut(&mut self, mobility: Mobility) -> &mut Layer {
        Arc::make_mut(&mut self.content.layers[mobility as usize])
    }
}

impl Content {
    fn layer(&self, mobility: Mobility) -> &Layer {
        &self.layers[mobility as usize]
    }

    /// The bodies of a map, if a query asks for static ones.
    pub(crate) fn map(&self, bodies: Bodies) -> Option<&MapLayer> {
        self.map.as_deref().filter(|_| bodies != Bodies::Dynamic)
    }

    /// The layers that hold the bodies a query asks for.
    pub(crate) fn layers(&self, bodies: Bodies) -> &[Arc<Layer>] {
        match bodies {
            Bodies::All => &self.layers,
            Bodies::Static => &self.layers[..1],
            Bodies::Dynamic => &self.layers[1..],
        }
    }

    /// Whether a neighborhood suffices for a query: all bodies it asks for are static and bounded.
    #[inline]
    pub(crate) fn neighborhood_suffices(&self, bodies: Bodies) -> bool {
        let [static_layer, dynamic_layer] = &self.layers;
        match bodies {
            Bodies::All => !static_layer.has_unbounded() && !dynamic_layer.holds_any(),
            Bodies::Static => !static_layer.has_unbounded(),
            Bodies::Dynamic => false,
        }
    }

    /// The body with this index.
    pub(crate) fn body_by_index(&self, index: u32) -> Option<(BodyId, &Body)> {
        if is_of_map(index) {
            return self.body_of_map(index);
        }
        self.layer(mobility_of(index)).body_by_index(index)
    }

    #[inline(never)]
    fn body_of_map(&self, index: u32) -> Option<(BodyId, &Body)> {
        self.map.as_ref()?.body_by_index(index)
    }
}

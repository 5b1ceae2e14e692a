//! Changes to a scene: one at a time, or many at once.

use crate::mesh::surface::SharedSurface;
use crate::mesh::tri_mesh::TriMesh;
use crate::scene::body::{Body, BodyId, BodyKind, Geometry, Shape, check_placement};
use crate::scene::layer::{is_of_map, mobility_of};
use crate::scene::store::{Scene, SceneError};
use crate::shape::pose::Pose;
use std::sync::Arc;

/// Many changes to a scene, made by [`Scene::edit`].
///
/// It borrows the scene, so no query can run in between. The end of the edit updates the trees
/// once.
#[derive(Debug)]
pub struct SceneEdit<'a> {
    scene: &'a mut Scene,
}

impl Scene {
    /// Makes many changes, and brings the trees up to date once at the end. That also happens if
    /// `changes` returns an error or panics.
    ///
    /// Use it to load a world or to move many bodies. To insert 100 000 bodies this way takes a
    /// third of the time of single insertions, and the tree is better: sweeps take 30 % less time.
    ///
    /// ```
    /// use capsweep::scene::{Body, Scene, Shape};
    /// use capsweep::{ShapeError, Sphere};
    /// use glam::DVec3;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut scene = Scene::new();
    /// let balls = (0..1_000).map(|i| Sphere::new(DVec3::X * f64::from(i), 0.4));
    /// let balls = balls.collect::<Result<Vec<_>, ShapeError>>()?;
    /// let ids: Vec<_> = scene.edit(|edit| {
    ///     balls.into_iter().map(|ball| edit.insert(Body::shape(Shape::Sphere(ball)))).collect()
    /// });
    /// scene.edit(|edit| ids.iter().step_by(2).try_for_each(|id| edit.remove(*id).map(drop)))?;
    /// assert_eq!(scene.bodies().count(), 500);
    /// # Ok(())
    /// # }
    /// ```
    pub fn edit<R>(&mut self, changes: impl FnOnce(&mut SceneEdit<'_>) -> R) -> R {
        changes(&mut SceneEdit { scene: self })
    }

    /// Adds a body.
    pub fn insert(&mut self, body: Body) -> BodyId {
        self.edit(|edit| edit.insert(body))
    }

    /// Takes a body out of the scene.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.edit(|edit| edit.remove(id))
    }

    /// Moves an instance of a mesh or of a height field.
    ///
    /// # Errors
    /// If there is no such body, it is not a mesh, or it would leave the [range of
    /// positions](crate::MAX_POSITION). It then stays where it is.
    pub fn move_mesh(&mut self, id: BodyId, to: Pose) -> Result<(), SceneError> {
        self.edit(|edit| edit.move_mesh(id, to))
    }

    /// Gives an instance a mesh in place of its own, such as the same one after
    /// [`TriMesh::refit`].
    ///
    /// # Errors
    /// If there is no such body, it is not a mesh, or it would leave the [range of
    /// positions](crate::MAX_POSITION). It then keeps its mesh.
    pub fn set_mesh(&mut self, id: BodyId, to: Arc<TriMesh>) -> Result<(), SceneError> {
        self.edit(|edit| edit.set_mesh(id, to))
    }

    /// Replaces a shape or an obstacle by `to`, which has its own position.
    ///
    /// # Errors
    /// If there is no such body, or it is a mesh.
    pub fn move_shape(&mut self, id: BodyId, to: Shape) -> Result<(), SceneError> {
        self.edit(|edit| edit.move_shape(id, to))
    }
}

impl SceneEdit<'_> {
    /// As [`Scene::insert`].
    pub fn insert(&mut self, body: Body) -> BodyId {
        self.scene.layer_mut(body.mobility).insert(body)
    }

    /// As [`Scene::remove`].
    ///
    /// # Errors
    /// As [`Scene::remove`].
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.changeable(id)?;
        let body = self.scene.layer_mut(mobility_of(id.index)).remove(id);
        body.ok_or(SceneError::NoSuchBody { id })
    }

    /// As [`Scene::move_mesh`].
    ///
    /// # Errors
    /// As [`Scene::move_mesh`].
    pub fn move_mesh(&mut self, id: BodyId, to: Pose) -> Result<(), SceneError> {
        let body = self.changeable(id)?;
        let Geometry::Surface { surface, .. } = &body.geometry else {
            return Err(SceneError::WrongKind { id, kind: body.kind() });
        };
        let surface = surface.clone();
        self.place(id, surface, to)
    }

    /// As [`Scene::set_mesh`].
    ///
    /// # Errors
    /// As [`Scene::set_mesh`].
    pub fn set_mesh(&mut self, id: BodyId, to: Arc<TriMesh>) -> Result<(), SceneError> {
        let body = self.changeable(id)?;
        let Some(&pose) = body.pose() else {
            return Err(SceneError::WrongKind { id, kind: body.kind() });
        };
        self.place(id, SharedSurface::Mesh(to), pose)
    }

    /// As [`Scene::move_shape`].
    ///
    /// # Errors
    /// As [`Scene::move_shape`].
    pub fn move_shape(&mut self, id: BodyId, to: Shape) -> Result<(), SceneError> {
        match self.changeable(id)?.kind() {
            kind @ BodyKind::Mesh => Err(SceneError::WrongKind { id, kind }),
            BodyKind::Shape => self.replace(id, Geometry::Shape(to)),
            BodyKind::Obstacle => self.replace(id, Geometry::Obstacle(to)),
        }
    }

    /// The body with this id, with all changes so far.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        self.scene.body(id)
    }

    /// All bodies with all changes so far, the static ones first.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.scene.bodies()
    }

    /// The body with this id, unless it is one of a map.
    fn changeable(&self, id: BodyId) -> Result<&Body, SceneError> {
        let body = self.body(id)?;
        if is_of_map(id.index) { Err(SceneError::OfMap { id }) } else { Ok(body) }
    }

    fn place(&mut self, id: BodyId, surface: SharedSurface, pose: Pose) -> Result<(), SceneError> {
        check_placement(surface.as_surface(), &pose)
            .map_err(|error| SceneError::OutOfRange { id, error })?;
        self.replace(id, Geometry::Surface { surface, pose })
    }

    fn replace(&mut self, id: BodyId, to: Geometry) -> Result<(), SceneError> {
        let body = self.scene.layer_mut(mobility_of(id.index)).body_mut(id);
        body.ok_or(SceneError::NoSuchBody { id })?.geometry = to;
        Ok(())
    }
}

/// A drop also runs when a closure of [`Scene::edit`] panics: the trees never stay behind the
/// bodies.
impl Drop for SceneEdit<'_> {
    fn drop(&mut self) {
        self.scene.update_trees();
    }
}

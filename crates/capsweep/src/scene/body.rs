//! [`Body`]: a placed mesh, a shape or an obstacle of a scene, and the ids of bodies.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::Bounds;
use crate::error::{check_position, xyz};
use crate::mesh::height_field::HeightField;
use crate::mesh::surface::{SharedSurface, Surface};
use crate::mesh::tri_mesh::TriMesh;
use crate::pair::contract::{CapsuleFrame, Target};
use crate::pair::ray::{
    PreparedRay, Span, span_of_box, span_of_capsule, span_of_half_space, span_of_sphere,
};
use crate::pair::target::{BoxTarget, HalfSpaceTarget, RoundTarget};
use crate::shape::pose::Pose;
use crate::{Aabb, Capsule, HalfSpace, Obb, ShapeError, Sphere};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use glam::{DVec3, Vec3};
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU32};

/// A solid shape, placed in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// An oriented box.
    Box(Obb),
    /// A ball.
    Sphere(Sphere),
    /// A capsule.
    Capsule(Capsule),
    /// Everything behind a plane.
    HalfSpace(HalfSpace),
}

impl Shape {
    /// Its box in the world; `None` for a half-space, which has none.
    pub fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::Box(obb) => Some(obb.bounds()),
            Self::Sphere(sphere) => Some(sphere.bounds()),
            Self::Capsule(capsule) => Some(capsule.bounds()),
            Self::HalfSpace(_) => None,
        }
    }
}

/// An operation that is generic over the kind of a shape.
pub(crate) trait Visitor {
    type Output;

    fn visit(self, target: &impl Target) -> Self::Output;
}

impl Shape {
    /// The part of a ray's line inside the shape.
    pub(crate) fn ray_span(&self, ray: &PreparedRay) -> Option<Span> {
        match self {
            Self::Box(obb) => span_of_box(ray, obb),
            Self::Sphere(sphere) => span_of_sphere(ray, sphere),
            Self::Capsule(capsule) => span_of_capsule(ray, capsule),
            Self::HalfSpace(half_space) => span_of_half_space(ray, half_space),
        }
    }

    /// Calls `visitor` with this shape as a target in a capsule's frame.
    pub(crate) fn visit<V: Visitor>(&self, frame: &CapsuleFrame, visitor: V) -> V::Output {
        match self {
            Self::Box(obb) => visitor.visit(&BoxTarget::new(frame, obb)),
            Self::Sphere(sphere) => visitor.visit(&RoundTarget::sphere(frame, sphere)),
            Self::Capsule(capsule) => visitor.visit(&RoundTarget::capsule(frame, capsule)),
            Self::HalfSpace(half_space) => visitor.visit(&HalfSpaceTarget::new(frame, half_space)),
        }
    }
}

/// The geometry of a body.
#[derive(Debug, Clone)]
pub(crate) enum Geometry {
    Surface { surface: SharedSurface, pose: Pose },
    Shape(Shape),
    Obstacle(Shape),
}

/// The kind of a body, in the order in which ties between kinds are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// An instance of a mesh or of a height field.
    Mesh,
    /// A shape that belongs to the world.
    Shape,
    /// A shape that the caller places in the world: another character, a door.
    Obstacle,
}

/// Whether a body may move, and so the layer of the scene that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// It rarely moves. Inserting, moving or removing it changes the scene's
    /// [`Revision`](crate::scene::Revision), which makes caches refill.
    #[default]
    Static,
    /// It may move at any time.
    Dynamic,
}

/// Names a body of a scene. A scene never gives the same id to two bodies.
///
/// An id that a scene made finds its body in that scene and in its clones, and nothing in any
/// other scene. This holds in memory only: `Eq`, `Ord`, `Hash`, `Debug` and serde see the two
/// numbers alone, so ids of different scenes can be equal. An id that was read from data finds
/// the body with its numbers in any scene.
// Packed, so that the stamp fits into the padding of a `HitTarget`: hits do not grow by it.
#[derive(Clone, Copy)]
#[repr(Rust, packed)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) stamp: InsertionStamp,
}

/// Number of an insertion, unique in the process for the first 2²⁴ insertions. It tells bodies
/// of different scenes with equal ids apart.
///
/// After that the numbers repeat. Two bodies then count as one if index, generation and stamp are
/// equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct InsertionStamp([u8; 3]);

impl InsertionStamp {
    /// The stamp of an id that was read from data.
    const UNKNOWN: Self = Self([0; 3]);

    pub(crate) fn next() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        loop {
            let [a, b, c, _] = NEXT.fetch_add(1, atomic::Ordering::Relaxed).to_le_bytes();
            let next = Self([a, b, c]);
            if next != Self::UNKNOWN {
                return next;
            }
        }
    }

    /// Whether an id with this stamp can name a body with `other`: they are equal, or one is
    /// unknown.
    pub(crate) fn matches(self, other: Self) -> bool {
        self == other || self == Self::UNKNOWN || other == Self::UNKNOWN
    }
}

impl BodyId {
    /// The id with these numbers, as data holds them. It finds the body with its numbers in any
    /// scene.
    pub fn from_numbers(index: u32, generation: u32) -> Self {
        Self { index, generation, stamp: InsertionStamp::UNKNOWN }
    }

    /// Number of its place in the scene.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number that tells it from earlier bodies at that place.
    pub fn generation(self) -> u32 {
        self.generation
    }

    /// Whether both name the same body. Ids of different scenes differ if both stamps are known.
    pub(crate) fn names_same(self, other: Self) -> bool {
        self == other && self.stamp.matches(other.stamp)
    }

    fn numbers(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

impl PartialEq for BodyId {
    fn eq(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }
}

impl Eq for BodyId {}

impl PartialOrd for BodyId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BodyId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers().cmp(&other.numbers())
    }
}

impl Hash for BodyId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.numbers().hash(state);
    }
}

impl fmt::Debug for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (index, generation) = self.numbers();
        f.debug_struct("BodyId").field("index", &index).field("generation", &generation).finish()
    }
}

/// A body of a scene: a placed mesh, a shape or an obstacle, with the caller's key and mask.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) geometry: Geometry,
    pub(crate) key: u64,
    pub(crate) mask: u32,
    pub(crate) mobility: Mobility,
}

impl Body {
    fn from_geometry(geometry: Geometry) -> Self {
        Self { geometry, key: 0, mask: u32::MAX, mobility: Mobility::Static }
    }

    /// An instance of `mesh`; any number of bodies can share one.
    ///
    /// # Errors
    /// If a corner of its box in the world leaves the [range of positions](crate::MAX_POSITION).
    pub fn mesh(mesh: Arc<TriMesh>, pose: Pose) -> Result<Self, ShapeError> {
        Self::from_surface(SharedSurface::Mesh(mesh), pose)
    }

    /// An instance of a height field; any number of bodies can share one. Its
    /// [kind](Self::kind) is that of a mesh, and so are its answers.
    ///
    /// # Errors
    /// If a corner of its box in the world leaves the [range of positions](crate::MAX_POSITION).
    pub fn height_field(field: Arc<HeightField>, pose: Pose) -> Result<Self, ShapeError> {
        Self::from_surface(SharedSurface::Field(field), pose)
    }

    pub(crate) fn from_surface(surface: SharedSurface, pose: Pose) -> Result<Self, ShapeError> {
        check_placement(surface.as_surface(), &pose)?;
        Ok(Self::from_geometry(Geometry::Surface { surface, pose }))
    }

    /// A solid shape.
    pub fn shape(shape: Shape) -> Self {
        Self::from_geometry(Geometry::Shape(shape))
    }

    /// A solid shape that the caller places in the world, such as another character or a door.
    pub fn obstacle(shape: Shape) -> Self {
        Self::from_geometry(Geometry::Obstacle(shape))
    }

    /// The caller's own number, 0 unless set. Hits report it, and it decides between bodies that
    /// are hit at the same time. If all keys differ, answers do not depend on the order of
    /// insertion.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key, ..self }
    }

    /// A query sees the body if their masks share a bit. All bits are set by default.
    #[must_use]
    pub fn with_mask(self, mask: u32) -> Self {
        Self { mask, ..self }
    }

    /// Whether the body may move; [`Mobility::Static`] by default.
    #[must_use]
    pub fn with_mobility(self, mobility: Mobility) -> Self {
        Self { mobility, ..self }
    }

    /// The kind of body.
    pub fn kind(&self) -> BodyKind {
        match self.geometry {
            Geometry::Surface { .. } => BodyKind::Mesh,
            Geometry::Shape(_) => BodyKind::Shape,
            Geometry::Obstacle(_) => BodyKind::Obstacle,
        }
    }

    /// The mesh and its pose; `None` for height fields, shapes and obstacles.
    pub fn instance(&self) -> Option<(&Arc<TriMesh>, &Pose)> {
        match &self.geometry {
            Geometry::Surface { surface: SharedSurface::Mesh(mesh), pose } => Some((mesh, pose)),
            Geometry::Surface { .. } | Geometry::Shape(_) | Geometry::Obstacle(_) => None,
        }
    }

    /// The height field and its pose; `None` for meshes, shapes and obstacles.
    pub fn field_instance(&self) -> Option<(&Arc<HeightField>, &Pose)> {
        match &self.geometry {
            Geometry::Surface { surface: SharedSurface::Field(field), pose } => {
                Some((field, pose))
            }
            Geometry::Surface { .. } | Geometry::Shape(_) | Geometry::Obstacle(_) => None,
        }
    }

    /// The pose of a mesh or a height field; `None` for shapes and obstacles, which have their
    /// own position.
    pub fn pose(&self) -> Option<&Pose> {
        self.surface().map(|(_, pose)| pose)
    }

    pub(crate) fn shared_surface(&self) -> Option<&SharedSurface> {
        match &self.geometry {
            Geometry::Surface { surface, .. } => Some(surface),
            Geometry::Shape(_) | Geometry::Obstacle(_) => None,
        }
    }

    #[inline(always)]
    pub(crate) fn surface(&self) -> Option<(Surface<'_>, &Pose)> {
        match &self.geometry {
            Geometry::Surface { surface, pose } => Some((surface.as_surface(), pose)),
            Geometry::Shape(_) | Geometry::Obstacle(_) => None,
        }
    }

    /// The shape in the world; `None` for meshes and height fields.
    pub fn solid(&self) -> Option<&Shape> {
        match &self.geometry {
            Geometry::Surface { .. } => None,
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => Some(shape),
        }
    }

    /// Its box in the world; `None` for a half-space, which is unbounded, and for a mesh without
    /// triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        match &self.geometry {
            Geometry::Surface { surface, pose } => world_corners(surface.as_surface(), pose)
                .map(|(min, max)| Aabb::from_corners(min, max)),
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => shape.bounds(),
        }
    }

    /// The caller's own number.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A query sees the body if its mask shares a bit with this one.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// Whether the body may move.
    pub fn mobility(&self) -> Mobility {
        self.mobility
    }

    /// Whether it is unbounded, so that no tree can hold it.
    pub(crate) fn is_unbounded(&self) -> bool {
        matches!(
            &self.geometry,
            Geometry::Shape(Shape::HalfSpace(_)) | Geometry::Obstacle(Shape::HalfSpace(_))
        )
    }

    /// Its [bounds](Self::bounds) for a tree, rounded outward to f32.
    pub(crate) fn tree_bounds(&self) -> Option<Bounds> {
        self.bounds().map(|bounds| outward(bounds.min(), bounds.max()))
    }
}

/// Smallest and largest corner of a surface's box in the world; `None` without triangles. They
/// may be out of range.
fn world_corners(surface: Surface, pose: &Pose) -> Option<(DVec3, DVec3)> {
    Some(pose.corners_to_world(&surface.bounds()?))
}

/// Checks that all of a placed surface is in the range of positions.
pub(crate) fn check_placement(surface: Surface, pose: &Pose) -> Result<(), ShapeError> {
    surface.bounds().map_or(Ok(()), |bounds| placed_corners(&bounds, pose).map(drop))
}

/// Smallest and largest corner of a local box in the world, if they are in the range of positions.
pub(crate) fn placed_corners(local: &Aabb, pose: &Pose) -> Result<(DVec3, DVec3), ShapeError> {
    let (min, max) = pose.corners_to_world(local);
    check_position(xyz!("the mesh's world bounds min"), min)?;
    check_position(xyz!("the mesh's world bounds max"), max)?;
    Ok((min, max))
}

/// The f32 box around an f64 box, wider by a few roundings.
pub(crate) fn outward(min: DVec3, max: DVec3) -> Bounds {
    let (min, max) = (min.as_vec3(), max.as_vec3());
    Bounds { min: min - roundings(min), max: max + roundings(max) }
}

/// An f32 box inside an f64 box, narrower by a few roundings.
pub(crate) fn inward(min: DVec3, max: DVec3) -> Bounds {
    let (min, max) = (min.as_vec3(), max.as_vec3());
    Bounds { min: min + roundings(min), max: max - roundings(max) }
}

/// More than the rounding of a corner to f32 and that of the sum with this margin.
fn roundings(corner: Vec3) -> Vec3 {
    corner.abs() * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE
}

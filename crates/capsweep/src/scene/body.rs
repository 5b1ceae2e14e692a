use crate::bvh::Bounds;
use crate::error::{check_position, xyz};
use crate::mesh::tri_mesh::TriMesh;
use crate::pair::contract::{CapsuleFrame, Target};
use crate::pair::ray::{
    Cast, Span, span_of_box, span_of_capsule, span_of_half_space, span_of_sphere,
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

/// Something to do with a shape, whatever its kind.
pub(crate) trait Visitor {
    type Output;

    fn visit(self, target: &impl Target) -> Self::Output;
}

impl Shape {
    /// The part of a ray's line inside the shape.
    pub(crate) fn ray_span(&self, ray: &Cast) -> Option<Span> {
        match self {
            Self::Box(obb) => span_of_box(ray, obb),
            Self::Sphere(sphere) => span_of_sphere(ray, sphere),
            Self::Capsule(capsule) => span_of_capsule(ray, capsule),
            Self::HalfSpace(half_space) => span_of_half_space(ray, half_space),
        }
    }

    /// Does `visitor`'s work with this shape, seen from a capsule.
    pub(crate) fn visit<V: Visitor>(&self, view: &CapsuleFrame, visitor: V) -> V::Output {
        match self {
            Self::Box(obb) => visitor.visit(&BoxTarget::new(view, obb)),
            Self::Sphere(sphere) => visitor.visit(&RoundTarget::sphere(view, sphere)),
            Self::Capsule(capsule) => visitor.visit(&RoundTarget::capsule(view, capsule)),
            Self::HalfSpace(half_space) => visitor.visit(&HalfSpaceTarget::new(view, half_space)),
        }
    }
}

/// What a body is made of.
#[derive(Debug, Clone)]
pub(crate) enum Geometry {
    Mesh { mesh: Arc<TriMesh>, pose: Pose },
    Shape(Shape),
    Obstacle(Shape),
}

impl Geometry {
    pub(crate) fn mesh(&self) -> Option<&Arc<TriMesh>> {
        match self {
            Self::Mesh { mesh, .. } => Some(mesh),
            Self::Shape(_) | Self::Obstacle(_) => None,
        }
    }
}

/// The kind of a body, in the order in which ties between kinds are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// An instance of a mesh.
    Mesh,
    /// A shape that belongs to the world.
    Shape,
    /// A shape that the caller puts in the way: another character, a door.
    Obstacle,
}

/// Whether a body may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// It stays where it is. Inserting, moving or removing it changes the scene's [`Revision`](crate::scene::Revision).
    #[default]
    Static,
    /// It may move at any time.
    Dynamic,
}

/// Names a body of a scene. An id is never used again for another body of the same scene.
///
/// An id that a scene made finds its body in that scene and in its clones, and nothing in any
/// other scene. This holds in memory only: `Eq`, `Ord`, `Hash`, `Debug` and serde see the two
/// numbers alone, so ids of different scenes can be equal. An id that was read from data finds
/// what has its numbers in whichever scene it is used with.
// Packed, so that the stamp fits into what is padding in a `HitTarget`: hits are not larger for it.
#[derive(Clone, Copy)]
#[repr(Rust, packed)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) stamp: Stamp,
}

/// Tells bodies with equal ids apart: every insertion in the process has its own, until 2²⁴ are
/// used up. Then stamps are used again, and two bodies are taken for one if index, generation and
/// stamp are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp([u8; 3]);

impl Stamp {
    /// Of an id that was read from data.
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

    /// Whether an id with this stamp may name a body with `other`.
    pub(crate) fn fits(self, other: Self) -> bool {
        self == other || self == Self::UNKNOWN || other == Self::UNKNOWN
    }
}

impl BodyId {
    /// Whether both name the same body, as far as it is known which scenes they are of.
    pub(crate) fn names_same(self, other: Self) -> bool {
        self == other && self.stamp.fits(other.stamp)
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

/// A thing in a scene: a placed mesh, a shape or an obstacle, and what the caller says about it.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) geometry: Geometry,
    pub(crate) key: u64,
    pub(crate) mask: u32,
    pub(crate) mobility: Mobility,
}

impl Body {
    fn of(geometry: Geometry) -> Self {
        Self { geometry, key: 0, mask: u32::MAX, mobility: Mobility::Static }
    }

    /// An instance of `mesh`; any number of bodies can share one.
    ///
    /// # Errors
    /// If a corner of its box, placed so, leaves the [range of positions](crate::MAX_POSITION).
    pub fn mesh(mesh: Arc<TriMesh>, pose: Pose) -> Result<Self, ShapeError> {
        check_placement(&mesh, &pose)?;
        Ok(Self::of(Geometry::Mesh { mesh, pose }))
    }

    /// A solid shape.
    pub fn shape(shape: Shape) -> Self {
        Self::of(Geometry::Shape(shape))
    }

    /// A solid shape that the caller puts in the way (rule 10.2).
    pub fn obstacle(shape: Shape) -> Self {
        Self::of(Geometry::Obstacle(shape))
    }

    /// The caller's own number, 0 unless set. It comes back in hits, and it decides between bodies that are hit at the
    /// same time: with keys that differ, answers do not depend on the order of insertion.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key, ..self }
    }

    /// Bits of which a query's mask must share one; all set unless set otherwise.
    #[must_use]
    pub fn with_mask(self, mask: u32) -> Self {
        Self { mask, ..self }
    }

    /// Whether the body may move; static unless set.
    #[must_use]
    pub fn with_mobility(self, mobility: Mobility) -> Self {
        Self { mobility, ..self }
    }

    /// What kind of body this is.
    pub fn kind(&self) -> BodyKind {
        match self.geometry {
            Geometry::Mesh { .. } => BodyKind::Mesh,
            Geometry::Shape(_) => BodyKind::Shape,
            Geometry::Obstacle(_) => BodyKind::Obstacle,
        }
    }

    /// The mesh and where it stands; `None` of shapes and obstacles.
    pub fn instance(&self) -> Option<(&Arc<TriMesh>, &Pose)> {
        match &self.geometry {
            Geometry::Mesh { mesh, pose } => Some((mesh, pose)),
            Geometry::Shape(_) | Geometry::Obstacle(_) => None,
        }
    }

    /// The shape, where it stands; `None` of meshes.
    pub fn solid(&self) -> Option<&Shape> {
        match &self.geometry {
            Geometry::Mesh { .. } => None,
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => Some(shape),
        }
    }

    /// The box around it in the world; `None` if it has no end, or is a mesh without triangles.
    pub fn world_bounds(&self) -> Option<Aabb> {
        match &self.geometry {
            Geometry::Mesh { mesh, pose } => {
                placed_corners(mesh, pose).map(|(min, max)| Aabb::from_corners(min, max))
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => shape.bounds(),
        }
    }

    /// The caller's own number.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The bits that a query's mask is compared with.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// Whether the body may move.
    pub fn mobility(&self) -> Mobility {
        self.mobility
    }

    /// Whether it has no end, and so no box.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(
            &self.geometry,
            Geometry::Shape(Shape::HalfSpace(_)) | Geometry::Obstacle(Shape::HalfSpace(_))
        )
    }

    /// Its box in the world, rounded outward to f32; `None` if it has no end, or is a mesh without triangles.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        self.world_bounds().map(|bounds| outward(bounds.min(), bounds.max()))
    }
}

/// Smallest and largest corner of a mesh's box in the world; `None` if it has no triangles.
fn placed_corners(mesh: &TriMesh, pose: &Pose) -> Option<(DVec3, DVec3)> {
    let (min, max) = mesh.bounds()?;
    Some(pose.corners_to_world(&Aabb::from_corners(min.as_dvec3(), max.as_dvec3())))
}

/// Whether a mesh may stand there: all of it in the range of positions.
pub(crate) fn check_placement(mesh: &TriMesh, pose: &Pose) -> Result<(), ShapeError> {
    let Some((min, max)) = placed_corners(mesh, pose) else { return Ok(()) };
    check_position(xyz!("the placed mesh's min"), min)?;
    check_position(xyz!("the placed mesh's max"), max)
}

/// The f32 box around an f64 box, a few roundings wider.
pub(crate) fn outward(min: DVec3, max: DVec3) -> Bounds {
    let (min, max) = (min.as_vec3(), max.as_vec3());
    Bounds { min: min - roundings(min), max: max + roundings(max) }
}

/// The f32 box inside of an f64 box, a few roundings narrower.
pub(crate) fn inward(min: DVec3, max: DVec3) -> Bounds {
    let (min, max) = (min.as_vec3(), max.as_vec3());
    Bounds { min: min + roundings(min), max: max - roundings(max) }
}

/// What f32 loses of coordinates, and of a sum with this, several times over.
fn roundings(corner: Vec3) -> Vec3 {
    corner.abs() * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE
}

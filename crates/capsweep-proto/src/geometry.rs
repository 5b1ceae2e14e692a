//! Vectors, poses, shapes, filters, ids and targets.

use crate::column::{Column, shortened};
use crate::error::Within as _;
use crate::{FieldError, v1};
use capsweep::scene::{Bodies, BodyId, BodyKind, Filter, HitTarget, Pose, Shape, StartOverlaps};
use capsweep::{Capsule, Feature, Motion, Obb, Region, Sides, Sphere};
use glam::{DQuat, DVec3, Vec3};

impl From<DVec3> for v1::Vector {
    fn from(DVec3 { x, y, z }: DVec3) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z) }
    }
}

impl From<v1::Vector> for DVec3 {
    fn from(v1::Vector { x, y, z }: v1::Vector) -> Self {
        Self::from_array([x, y, z].map(Option::unwrap_or_default))
    }
}

impl From<Vec3> for v1::Normal {
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z) }
    }
}

impl From<v1::Normal> for Vec3 {
    fn from(v1::Normal { x, y, z }: v1::Normal) -> Self {
        Self::from_array([x, y, z].map(Option::unwrap_or_default))
    }
}

impl From<DQuat> for v1::Quaternion {
    fn from(DQuat { x, y, z, w }: DQuat) -> Self {
        Self { x: Some(x), y: Some(y), z: Some(z), w: Some(w) }
    }
}

impl From<v1::Quaternion> for DQuat {
    fn from(v1::Quaternion { x, y, z, w }: v1::Quaternion) -> Self {
        Self::from_array([x, y, z, w].map(Option::unwrap_or_default))
    }
}

/// The vector of a field that must be there.
pub(crate) fn vector(field: &str, vector: Option<&v1::Vector>) -> Result<DVec3, FieldError> {
    vector.map(|&vector| vector.into()).ok_or_else(|| FieldError::missing(field))
}

pub(crate) fn normal(field: &str, normal: Option<&v1::Normal>) -> Result<Vec3, FieldError> {
    normal.map(|&normal| normal.into()).ok_or_else(|| FieldError::missing(field))
}

impl From<Pose> for v1::Pose {
    fn from(pose: Pose) -> Self {
        Self {
            position: Some(pose.position().into()),
            rotation: Some(pose.rotation().into()),
            scale: Some(pose.scale().into()),
        }
    }
}

pub(crate) fn pose(field: &str, pose: Option<&v1::Pose>) -> Result<Pose, FieldError> {
    let Some(v1::Pose { position, rotation, scale }) = pose else {
        return Err(FieldError::missing(field));
    };
    let position = position.map_or(DVec3::ZERO, DVec3::from);
    let rotation = rotation.map_or(DQuat::IDENTITY, DQuat::from);
    let scale = scale.map_or(DVec3::ONE, DVec3::from);
    Pose::new(position, rotation, scale).within(field)
}

impl From<Capsule> for v1::Capsule {
    fn from(capsule: Capsule) -> Self {
        Self {
            p0: Some(capsule.p0().into()),
            p1: Some(capsule.p1().into()),
            radius: capsule.radius(),
        }
    }
}

pub(crate) fn capsule(field: &str, capsule: Option<&v1::Capsule>) -> Result<Capsule, FieldError> {
    let v1::Capsule { p0, p1, radius } = capsule.ok_or_else(|| FieldError::missing(field))?;
    let p0 = vector("p0", p0.as_ref()).within(field)?;
    let p1 = vector("p1", p1.as_ref()).within(field)?;
    Capsule::new(p0, p1, *radius).within(field)
}

impl From<Motion> for v1::Motion {
    fn from(motion: Motion) -> Self {
        let length = stated_length(&motion);
        Self { vector: Some(motion.vector().into()), length }
    }
}

/// The length of a motion, if it is not the one that its vector gives.
pub(crate) fn stated_length(motion: &Motion) -> Option<f64> {
    let length = motion.length();
    let computed = Motion::new(motion.vector()).map_or(f64::NAN, |motion| motion.length());
    (length.to_bits() != computed.to_bits()).then_some(length)
}

/// A motion by its vector, and its length if it is stated.
#[inline]
pub(crate) fn motion_of(
    field: &str,
    vector: DVec3,
    length: Option<f64>,
) -> Result<Motion, FieldError> {
    match length {
        None => Motion::new(vector),
        Some(length) => Motion::from_parts(vector, length),
    }
    .within(field)
}

pub(crate) fn motion(field: &str, motion: Option<&v1::Motion>) -> Result<Motion, FieldError> {
    let v1::Motion { vector: given, length } = motion.ok_or_else(|| FieldError::missing(field))?;
    motion_of(field, vector("vector", given.as_ref()).within(field)?, *length)
}

impl From<BodyId> for v1::BodyId {
    fn from(id: BodyId) -> Self {
        Self { index: id.index(), generation: id.generation() }
    }
}

impl From<v1::BodyId> for BodyId {
    fn from(v1::BodyId { index, generation }: v1::BodyId) -> Self {
        Self::from_numbers(index, generation)
    }
}

pub(crate) fn body_id(field: &str, id: Option<v1::BodyId>) -> Result<BodyId, FieldError> {
    id.map(BodyId::from).ok_or_else(|| FieldError::missing(field))
}

/// Defines both directions of an enum.
macro_rules! enum_pair {
    ($encode:ident, $decode:ident: $library:ident = $proto:ident { $($variant:ident),+ }) => {
        pub(crate) fn $encode(value: $library) -> i32 {
            match value {
                $($library::$variant => v1::$proto::$variant as i32,)+
            }
        }

        #[inline]
        pub(crate) fn $decode(field: &str, value: i32) -> Result<$library, FieldError> {
            match v1::$proto::try_from(value) {
                $(Ok(v1::$proto::$variant) => Ok($library::$variant),)+
                Err(_) => Err(FieldError::unknown(field, value)),
            }
        }
    };
}

pub(crate) use enum_pair;

enum_pair!(encode_sides, sides: Sides = Sides { Front, Both });
enum_pair!(encode_bodies, bodies: Bodies = Bodies { All, Static, Dynamic });
enum_pair!(encode_start_overlaps, start_overlaps: StartOverlaps = StartOverlaps { Report, Skip });
enum_pair!(encode_kind, body_kind: BodyKind = BodyKind { Mesh, Shape, Obstacle });
enum_pair!(encode_region, region: Region = Region { Bottom, Side, Top, Sphere });

impl From<Filter> for v1::Filter {
    fn from(filter: Filter) -> Self {
        Self {
            mask: (filter.mask != u32::MAX).then_some(filter.mask),
            sides: encode_sides(filter.sides),
            bodies: encode_bodies(filter.bodies),
            start_overlaps: encode_start_overlaps(filter.start_overlaps),
        }
    }
}

pub(crate) fn filter(filter: Option<&v1::Filter>) -> Result<Filter, FieldError> {
    let Some(filter) = filter else { return Ok(Filter::default()) };
    Ok(Filter {
        mask: filter.mask.unwrap_or(u32::MAX),
        sides: sides("filter.sides", filter.sides)?,
        bodies: bodies("filter.bodies", filter.bodies)?,
        start_overlaps: start_overlaps("filter.start_overlaps", filter.start_overlaps)?,
    })
}

/// Columns of filters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filters<'a> {
    mask: Column<'a, u32>,
    sides: Column<'a, i32>,
    bodies: Column<'a, i32>,
    start_overlaps: Column<'a, i32>,
}

impl<'a> Filters<'a> {
    pub(crate) fn new(
        columns: Option<&'a v1::FilterColumns>,
        rows: usize,
    ) -> Result<Self, FieldError> {
        const NONE: &v1::FilterColumns = &v1::FilterColumns {
            mask: Vec::new(),
            sides: Vec::new(),
            bodies: Vec::new(),
            start_overlaps: Vec::new(),
        };
        let v1::FilterColumns { mask, sides, bodies, start_overlaps } = columns.unwrap_or(NONE);
        Ok(Self {
            mask: Column::new("filters.mask", mask, 1, rows)?,
            sides: Column::new("filters.sides", sides, 1, rows)?,
            bodies: Column::new("filters.bodies", bodies, 1, rows)?,
            start_overlaps: Column::new("filters.start_overlaps", start_overlaps, 1, rows)?,
        })
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<Filter, FieldError> {
        let start = self.start_overlaps.get(row).unwrap_or(0);
        Ok(Filter {
            mask: self.mask.get(row).unwrap_or(u32::MAX),
            sides: sides("filters.sides", self.sides.get(row).unwrap_or(0))?,
            bodies: bodies("filters.bodies", self.bodies.get(row).unwrap_or(0))?,
            start_overlaps: start_overlaps("filters.start_overlaps", start)?,
        })
    }
}

pub(crate) fn encode_filters(
    filters: impl Iterator<Item = Filter> + Clone,
) -> Option<v1::FilterColumns> {
    let columns = v1::FilterColumns {
        mask: shortened(filters.clone().map(|filter| filter.mask), Some(u32::MAX)),
        sides: shortened(filters.clone().map(|filter| encode_sides(filter.sides)), Some(0)),
        bodies: shortened(filters.clone().map(|filter| encode_bodies(filter.bodies)), Some(0)),
        start_overlaps: shortened(
            filters.map(|filter| encode_start_overlaps(filter.start_overlaps)),
            Some(0),
        ),
    };
    (columns != v1::FilterColumns::default()).then_some(columns)
}

#[inline]
pub(crate) fn encode_feature(feature: Feature) -> (i32, u32) {
    match feature {
        Feature::Face => (v1::FeatureKind::Face as i32, 0),
        Feature::Edge(number) => (v1::FeatureKind::Edge as i32, number.into()),
        Feature::Vertex(number) => (v1::FeatureKind::Vertex as i32, number.into()),
    }
}

pub(crate) fn feature(kind: i32, number: u32) -> Result<Feature, FieldError> {
    let small = || {
        let message = format!("{number} is no number of an edge or vertex");
        u8::try_from(number).map_err(|_| FieldError::new("feature.number", message))
    };
    match v1::FeatureKind::try_from(kind) {
        Ok(v1::FeatureKind::Face) => Ok(Feature::Face),
        Ok(v1::FeatureKind::Edge) => Ok(Feature::Edge(small()?)),
        Ok(v1::FeatureKind::Vertex) => Ok(Feature::Vertex(small()?)),
        Err(_) => Err(FieldError::unknown("feature.kind", kind)),
    }
}

impl From<Feature> for v1::Feature {
    fn from(feature: Feature) -> Self {
        let (kind, number) = encode_feature(feature);
        Self { kind, number }
    }
}

pub(crate) fn feature_message(message: Option<v1::Feature>) -> Result<Feature, FieldError> {
    message.map_or(Ok(Feature::Face), |v1::Feature { kind, number }| feature(kind, number))
}

impl From<HitTarget> for v1::Target {
    fn from(target: HitTarget) -> Self {
        Self {
            body: Some(target.body.into()),
            key: target.key,
            kind: encode_kind(target.kind),
            triangle: target.triangle,
            tag: target.tag,
        }
    }
}

pub(crate) fn target(target: Option<&v1::Target>) -> Result<HitTarget, FieldError> {
    let target = target.ok_or_else(|| FieldError::missing("target"))?;
    Ok(HitTarget {
        body: body_id("target.body", target.body)?,
        key: target.key,
        kind: body_kind("target.kind", target.kind)?,
        triangle: target.triangle,
        tag: target.tag,
    })
}

impl v1::TargetColumns {
    #[inline]
    pub(crate) fn push(&mut self, target: &HitTarget) {
        self.body_index.push(target.body.index());
        self.body_generation.push(target.body.generation());
        self.key.push(target.key);
        self.kind.push(encode_kind(target.kind));
        self.triangle.push(target.triangle.unwrap_or(0));
        self.tag.push(target.tag);
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        self.body_index.reserve(rows);
        self.body_generation.reserve(rows);
        self.key.reserve(rows);
        self.kind.reserve(rows);
        self.triangle.reserve(rows);
        self.tag.reserve(rows);
    }
}

/// Columns of targets in an answer.
pub(crate) struct Targets<'a> {
    body_index: Column<'a, u32>,
    body_generation: Column<'a, u32>,
    key: Column<'a, u64>,
    kind: Column<'a, i32>,
    triangle: Column<'a, u32>,
    tag: Column<'a, u32>,
}

impl<'a> Targets<'a> {
    pub(crate) fn new(
        columns: Option<&'a v1::TargetColumns>,
        rows: usize,
    ) -> Result<Self, FieldError> {
        const NONE: &v1::TargetColumns = &v1::TargetColumns {
            body_index: Vec::new(),
            body_generation: Vec::new(),
            key: Vec::new(),
            kind: Vec::new(),
            triangle: Vec::new(),
            tag: Vec::new(),
        };
        let columns = columns.unwrap_or(NONE);
        Ok(Self {
            body_index: Column::full("target.body_index", &columns.body_index, 1, rows)?,
            body_generation: Column::full(
                "target.body_generation",
                &columns.body_generation,
                1,
                rows,
            )?,
            key: Column::full("target.key", &columns.key, 1, rows)?,
            kind: Column::full("target.kind", &columns.kind, 1, rows)?,
            triangle: Column::full("target.triangle", &columns.triangle, 1, rows)?,
            tag: Column::full("target.tag", &columns.tag, 1, rows)?,
        })
    }

    pub(crate) fn get(&self, row: usize) -> Result<HitTarget, FieldError> {
        let index = self.body_index.get(row).unwrap_or(0);
        let generation = self.body_generation.get(row).unwrap_or(0);
        let kind = body_kind("target.kind", self.kind.get(row).unwrap_or(0))?;
        let triangle = (kind == BodyKind::Mesh).then(|| self.triangle.get(row).unwrap_or(0));
        Ok(HitTarget {
            body: BodyId::from_numbers(index, generation),
            key: self.key.get(row).unwrap_or(0),
            kind,
            triangle,
            tag: self.tag.get(row).unwrap_or(0),
        })
    }
}

pub(crate) fn encode_barycentrics(weights: Option<[f64; 3]>) -> Option<v1::Barycentrics> {
    weights.map(|[a, b, c]| v1::Barycentrics { a: Some(a), b: Some(b), c: Some(c) })
}

pub(crate) fn barycentrics(weights: Option<v1::Barycentrics>) -> Option<[f64; 3]> {
    weights.map(|v1::Barycentrics { a, b, c }| [a, b, c].map(Option::unwrap_or_default))
}

impl v1::Obstacle {
    /// The shape of an obstacle.
    ///
    /// # Errors
    /// If it has none, or a number of it is bad.
    pub fn checked_shape(&self) -> Result<Shape, FieldError> {
        use v1::obstacle::Shape as Given;
        match self.shape.as_ref().ok_or_else(|| FieldError::missing("shape"))? {
            Given::Capsule(given) => capsule("capsule", Some(given)).map(Shape::Capsule),
            Given::Box(v1::Box { center, half_extents, rotation }) => {
                let center = vector("box.center", center.as_ref())?;
                let half = normal("box.half_extents", half_extents.as_ref())?;
                let rotation = rotation.map_or(DQuat::IDENTITY, DQuat::from);
                Obb::new(center, half, rotation).within("box").map(Shape::Box)
            }
            Given::Sphere(v1::Sphere { center, radius }) => {
                let center = vector("sphere.center", center.as_ref())?;
                Sphere::new(center, *radius).within("sphere").map(Shape::Sphere)
            }
        }
    }
}

impl v1::MovedBody {
    /// The body and its pose.
    ///
    /// # Errors
    /// If one is missing, or a number is bad.
    pub fn checked(&self) -> Result<(BodyId, Pose), FieldError> {
        Ok((body_id("body", self.body)?, pose("pose", self.pose.as_ref())?))
    }
}

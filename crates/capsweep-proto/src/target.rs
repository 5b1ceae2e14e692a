//! Targets of hits: bodies, features and triangles.

use crate::batch::join;
use crate::column::{Column, shorten};
use crate::enums::{body_kind, encode_kind};
use crate::{FieldError, v1};
use capsweep::Feature;
use capsweep::scene::{BodyId, BodyKind, HitTarget};

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

/// Columns of features.
pub(crate) struct Features<'a>(Column<'a, i32>, Column<'a, u32>);

impl<'a> Features<'a> {
    pub(crate) fn new(
        kinds: &'a [i32],
        numbers: &'a [u32],
        rows: usize,
    ) -> Result<Self, FieldError> {
        let kinds = Column::full("feature", kinds, 1, rows)?;
        Ok(Self(kinds, Column::full("feature_number", numbers, 1, rows)?))
    }

    pub(crate) fn get(&self, row: usize) -> Result<Feature, FieldError> {
        feature(self.0.get(row).unwrap_or(0), self.1.get(row).unwrap_or(0))
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

    pub(crate) fn append(&mut self, other: &mut Self) {
        join!(self, other; body_index, body_generation, key, kind, triangle, tag);
    }

    /// Shortens columns whose values are all the same: most hits are on few bodies.
    pub(crate) fn shorten(&mut self) {
        shorten(&mut self.body_index, Some(0));
        shorten(&mut self.body_generation, Some(0));
        shorten(&mut self.key, Some(0));
        shorten(&mut self.kind, Some(0));
        shorten(&mut self.tag, Some(0));
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
            body_index: Column::new("target.body_index", &columns.body_index, 1, rows)?,
            body_generation: Column::new(
                "target.body_generation",
                &columns.body_generation,
                1,
                rows,
            )?,
            key: Column::new("target.key", &columns.key, 1, rows)?,
            kind: Column::new("target.kind", &columns.kind, 1, rows)?,
            triangle: Column::full("target.triangle", &columns.triangle, 1, rows)?,
            tag: Column::new("target.tag", &columns.tag, 1, rows)?,
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

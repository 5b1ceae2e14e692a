//! Answers of queries: from the library's types to messages, and back.

use crate::batch::{Answers, common_parts};
use crate::column::Column;
use crate::geometry::{
    Targets, barycentrics, encode_barycentrics, encode_feature, encode_region, feature,
    feature_message, normal, region, target, vector,
};
use crate::{FieldError, v1};
use capsweep::query::{Facing, Liquid, Support};
use capsweep::scene::{LiquidKind, SceneHit};
use capsweep::{ClosestPoints, Overlap, RayHit, SweepHit};
use glam::{DVec3, Vec3};

#[inline]
pub(crate) fn push3(column: &mut Vec<f64>, vector: DVec3) {
    column.extend_from_slice(&vector.to_array());
}

#[inline]
pub(crate) fn push3f(column: &mut Vec<f32>, vector: Vec3) {
    column.extend_from_slice(&vector.to_array());
}

/// Reserves rows in columns of a width.
macro_rules! reserve {
    ($self:ident, $rows:expr; $($width:literal: $($column:ident),+);+) => {
        $($($self.$column.reserve($width * $rows);)+)+
        $self.target.get_or_insert_default().reserve($rows);
    };
}

/// Columns of features.
struct Features<'a>(Column<'a, i32>, Column<'a, u32>);

impl<'a> Features<'a> {
    fn new(kinds: &'a [i32], numbers: &'a [u32], rows: usize) -> Result<Self, FieldError> {
        let kinds = Column::full("feature", kinds, 1, rows)?;
        Ok(Self(kinds, Column::full("feature_number", numbers, 1, rows)?))
    }

    fn get(&self, row: usize) -> Result<capsweep::Feature, FieldError> {
        feature(self.0.get(row).unwrap_or(0), self.1.get(row).unwrap_or(0))
    }
}

fn doubles<'a>(
    name: &str,
    values: &'a [f64],
    width: usize,
    rows: usize,
) -> Result<Column<'a, f64>, FieldError> {
    Column::full(name, values, width, rows)
}

fn floats<'a>(name: &str, values: &'a [f32], rows: usize) -> Result<Column<'a, f32>, FieldError> {
    Column::full(name, values, 3, rows)
}

impl From<&SceneHit<SweepHit>> for v1::SweepHit {
    fn from(SceneHit { hit, target }: &SceneHit<SweepHit>) -> Self {
        Self {
            time: Some(hit.time),
            distance: Some(hit.distance),
            point: Some(hit.point.into()),
            normal: Some(hit.normal.into()),
            face_normal: Some(hit.face_normal.into()),
            depth: Some(hit.depth),
            feature: Some(hit.feature.into()),
            barycentrics: encode_barycentrics(hit.barycentrics),
            region: encode_region(hit.region),
            target: Some((*target).into()),
        }
    }
}

impl TryFrom<&v1::SweepHit> for SceneHit<SweepHit> {
    type Error = FieldError;

    fn try_from(given: &v1::SweepHit) -> Result<Self, FieldError> {
        let hit = SweepHit {
            time: given.time.unwrap_or_default(),
            distance: given.distance.unwrap_or_default(),
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            depth: given.depth.unwrap_or_default(),
            feature: feature_message(given.feature)?,
            barycentrics: barycentrics(given.barycentrics),
            region: region("region", given.region)?,
        };
        Ok(Self { hit, target: target(given.target.as_ref())? })
    }
}

impl Answers for v1::SweepBatchResponse {
    type Answer = SceneHit<SweepHit>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, time, distance, depth, feature, feature_number, region;
            3: point, normal, face_normal, barycentrics);
    }

    #[inline]
    fn push(&mut self, query: u32, SceneHit { hit, target }: &SceneHit<SweepHit>) {
        self.query.push(query);
        self.time.push(hit.time);
        self.distance.push(hit.distance);
        push3(&mut self.point, hit.point);
        push3f(&mut self.normal, hit.normal);
        push3f(&mut self.face_normal, hit.face_normal);
        self.depth.push(hit.depth);
        let (kind, number) = encode_feature(hit.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.barycentrics.extend_from_slice(&hit.barycentrics.unwrap_or_default());
        self.region.push(encode_region(hit.region));
        self.target.get_or_insert_default().push(target);
    }

    fn answers(&self) -> Result<Vec<(u32, SceneHit<SweepHit>)>, FieldError> {
        let rows = self.query.len();
        let time = doubles("time", &self.time, 1, rows)?;
        let distance = doubles("distance", &self.distance, 1, rows)?;
        let point = doubles("point", &self.point, 3, rows)?;
        let normal = floats("normal", &self.normal, rows)?;
        let face_normal = floats("face_normal", &self.face_normal, rows)?;
        let depth = doubles("depth", &self.depth, 1, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let weights = doubles("barycentrics", &self.barycentrics, 3, rows)?;
        let regions = Column::full("region", &self.region, 1, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let target = targets.get(row)?;
            let hit = SweepHit {
                time: time.get(row).unwrap_or_default(),
                distance: distance.get(row).unwrap_or_default(),
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                depth: depth.get(row).unwrap_or_default(),
                feature: features.get(row)?,
                barycentrics: target.triangle.and_then(|_| weights.array(row)),
                region: region("region", regions.get(row).unwrap_or(0))?,
            };
            Ok((query, SceneHit { hit, target }))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

impl From<&SceneHit<Overlap>> for v1::OverlapHit {
    fn from(SceneHit { hit, target }: &SceneHit<Overlap>) -> Self {
        Self {
            depth: Some(hit.depth),
            point: Some(hit.point.into()),
            normal: Some(hit.normal.into()),
            face_normal: Some(hit.face_normal.into()),
            feature: Some(hit.feature.into()),
            barycentrics: encode_barycentrics(hit.barycentrics),
            region: encode_region(hit.region),
            target: Some((*target).into()),
        }
    }
}

impl TryFrom<&v1::OverlapHit> for SceneHit<Overlap> {
    type Error = FieldError;

    fn try_from(given: &v1::OverlapHit) -> Result<Self, FieldError> {
        let hit = Overlap {
            depth: given.depth.unwrap_or_default(),
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            feature: feature_message(given.feature)?,
            barycentrics: barycentrics(given.barycentrics),
            region: region("region", given.region)?,
        };
        Ok(Self { hit, target: target(given.target.as_ref())? })
    }
}

impl Answers for v1::OverlapBatchResponse {
    type Answer = SceneHit<Overlap>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, depth, feature, feature_number, region;
            3: point, normal, face_normal, barycentrics);
    }

    fn push(&mut self, query: u32, SceneHit { hit, target }: &SceneHit<Overlap>) {
        self.query.push(query);
        self.depth.push(hit.depth);
        push3(&mut self.point, hit.point);
        push3f(&mut self.normal, hit.normal);
        push3f(&mut self.face_normal, hit.face_normal);
        let (kind, number) = encode_feature(hit.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.barycentrics.extend_from_slice(&hit.barycentrics.unwrap_or_default());
        self.region.push(encode_region(hit.region));
        self.target.get_or_insert_default().push(target);
    }

    fn answers(&self) -> Result<Vec<(u32, SceneHit<Overlap>)>, FieldError> {
        let rows = self.query.len();
        let depth = doubles("depth", &self.depth, 1, rows)?;
        let point = doubles("point", &self.point, 3, rows)?;
        let normal = floats("normal", &self.normal, rows)?;
        let face_normal = floats("face_normal", &self.face_normal, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let weights = doubles("barycentrics", &self.barycentrics, 3, rows)?;
        let regions = Column::full("region", &self.region, 1, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let target = targets.get(row)?;
            let hit = Overlap {
                depth: depth.get(row).unwrap_or_default(),
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                feature: features.get(row)?,
                barycentrics: target.triangle.and_then(|_| weights.array(row)),
                region: region("region", regions.get(row).unwrap_or(0))?,
            };
            Ok((query, SceneHit { hit, target }))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

impl From<&SceneHit<ClosestPoints>> for v1::ClosestHit {
    fn from(SceneHit { hit, target }: &SceneHit<ClosestPoints>) -> Self {
        Self {
            distance: Some(hit.distance),
            on_capsule: Some(hit.on_capsule.into()),
            on_geometry: Some(hit.on_geometry.into()),
            normal: Some(hit.normal.into()),
            face_normal: Some(hit.face_normal.into()),
            feature: Some(hit.feature.into()),
            barycentrics: encode_barycentrics(hit.barycentrics),
            region: encode_region(hit.region),
            target: Some((*target).into()),
        }
    }
}

impl TryFrom<&v1::ClosestHit> for SceneHit<ClosestPoints> {
    type Error = FieldError;

    fn try_from(given: &v1::ClosestHit) -> Result<Self, FieldError> {
        let hit = ClosestPoints {
            distance: given.distance.unwrap_or_default(),
            on_capsule: vector("on_capsule", given.on_capsule.as_ref())?,
            on_geometry: vector("on_geometry", given.on_geometry.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            feature: feature_message(given.feature)?,
            barycentrics: barycentrics(given.barycentrics),
            region: region("region", given.region)?,
        };
        Ok(Self { hit, target: target(given.target.as_ref())? })
    }
}

impl Answers for v1::ClosestBatchResponse {
    type Answer = SceneHit<ClosestPoints>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, distance, feature, feature_number, region;
            3: on_capsule, on_geometry, normal, face_normal, barycentrics);
    }

    fn push(&mut self, query: u32, SceneHit { hit, target }: &SceneHit<ClosestPoints>) {
        self.query.push(query);
        self.distance.push(hit.distance);
        push3(&mut self.on_capsule, hit.on_capsule);
        push3(&mut self.on_geometry, hit.on_geometry);
        push3f(&mut self.normal, hit.normal);
        push3f(&mut self.face_normal, hit.face_normal);
        let (kind, number) = encode_feature(hit.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.barycentrics.extend_from_slice(&hit.barycentrics.unwrap_or_default());
        self.region.push(encode_region(hit.region));
        self.target.get_or_insert_default().push(target);
    }

    fn answers(&self) -> Result<Vec<(u32, SceneHit<ClosestPoints>)>, FieldError> {
        let rows = self.query.len();
        let distance = doubles("distance", &self.distance, 1, rows)?;
        let on_capsule = doubles("on_capsule", &self.on_capsule, 3, rows)?;
        let on_geometry = doubles("on_geometry", &self.on_geometry, 3, rows)?;
        let normal = floats("normal", &self.normal, rows)?;
        let face_normal = floats("face_normal", &self.face_normal, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let weights = doubles("barycentrics", &self.barycentrics, 3, rows)?;
        let regions = Column::full("region", &self.region, 1, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let target = targets.get(row)?;
            let hit = ClosestPoints {
                distance: distance.get(row).unwrap_or_default(),
                on_capsule: on_capsule.vector(row).unwrap_or_default(),
                on_geometry: on_geometry.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                feature: features.get(row)?,
                barycentrics: target.triangle.and_then(|_| weights.array(row)),
                region: region("region", regions.get(row).unwrap_or(0))?,
            };
            Ok((query, SceneHit { hit, target }))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

impl From<&SceneHit<RayHit>> for v1::RayHit {
    fn from(SceneHit { hit, target }: &SceneHit<RayHit>) -> Self {
        Self {
            time: Some(hit.time),
            distance: Some(hit.distance),
            point: Some(hit.point.into()),
            normal: Some(hit.normal.into()),
            feature: Some(hit.feature.into()),
            barycentrics: encode_barycentrics(hit.barycentrics),
            target: Some((*target).into()),
        }
    }
}

impl TryFrom<&v1::RayHit> for SceneHit<RayHit> {
    type Error = FieldError;

    fn try_from(given: &v1::RayHit) -> Result<Self, FieldError> {
        let hit = RayHit {
            time: given.time.unwrap_or_default(),
            distance: given.distance.unwrap_or_default(),
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            feature: feature_message(given.feature)?,
            barycentrics: barycentrics(given.barycentrics),
        };
        Ok(Self { hit, target: target(given.target.as_ref())? })
    }
}

impl Answers for v1::RayBatchResponse {
    type Answer = SceneHit<RayHit>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, time, distance, feature, feature_number; 3: point, normal, barycentrics);
    }

    fn push(&mut self, query: u32, SceneHit { hit, target }: &SceneHit<RayHit>) {
        self.query.push(query);
        self.time.push(hit.time);
        self.distance.push(hit.distance);
        push3(&mut self.point, hit.point);
        push3f(&mut self.normal, hit.normal);
        let (kind, number) = encode_feature(hit.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.barycentrics.extend_from_slice(&hit.barycentrics.unwrap_or_default());
        self.target.get_or_insert_default().push(target);
    }

    fn answers(&self) -> Result<Vec<(u32, SceneHit<RayHit>)>, FieldError> {
        let rows = self.query.len();
        let time = doubles("time", &self.time, 1, rows)?;
        let distance = doubles("distance", &self.distance, 1, rows)?;
        let point = doubles("point", &self.point, 3, rows)?;
        let normal = floats("normal", &self.normal, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let weights = doubles("barycentrics", &self.barycentrics, 3, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let target = targets.get(row)?;
            let hit = RayHit {
                time: time.get(row).unwrap_or_default(),
                distance: distance.get(row).unwrap_or_default(),
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                feature: features.get(row)?,
                barycentrics: target.triangle.and_then(|_| weights.array(row)),
            };
            Ok((query, SceneHit { hit, target }))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

impl From<&Support> for v1::Support {
    fn from(support: &Support) -> Self {
        Self {
            height: Some(support.height),
            point: Some(support.point.into()),
            normal: Some(support.normal.into()),
            faces_up: support.facing == Facing::Up,
            walkable: support.walkable,
            feature: Some(support.feature.into()),
            target: Some(support.target.into()),
        }
    }
}

fn facing(faces_up: bool) -> Facing {
    if faces_up { Facing::Up } else { Facing::Down }
}

impl TryFrom<&v1::Support> for Support {
    type Error = FieldError;

    fn try_from(given: &v1::Support) -> Result<Self, FieldError> {
        Ok(Self {
            height: given.height.unwrap_or_default(),
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            facing: facing(given.faces_up),
            walkable: given.walkable,
            feature: feature_message(given.feature)?,
            target: target(given.target.as_ref())?,
        })
    }
}

impl Answers for v1::SupportsBatchResponse {
    type Answer = Vec<Support>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, height, faces_up, walkable, feature, feature_number; 3: point, normal);
    }

    fn push(&mut self, query: u32, supports: &Vec<Support>) {
        for support in supports {
            self.query.push(query);
            self.height.push(support.height);
            push3(&mut self.point, support.point);
            push3f(&mut self.normal, support.normal);
            self.faces_up.push(support.facing == Facing::Up);
            self.walkable.push(support.walkable);
            let (kind, number) = encode_feature(support.feature);
            self.feature.push(kind);
            self.feature_number.push(number);
            self.target.get_or_insert_default().push(&support.target);
        }
    }

    fn answers(&self) -> Result<Vec<(u32, Vec<Support>)>, FieldError> {
        let rows = self.query.len();
        let height = doubles("height", &self.height, 1, rows)?;
        let point = doubles("point", &self.point, 3, rows)?;
        let normal = floats("normal", &self.normal, rows)?;
        let faces_up = Column::full("faces_up", &self.faces_up, 1, rows)?;
        let walkable = Column::full("walkable", &self.walkable, 1, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let mut all: Vec<(u32, Vec<Support>)> = Vec::new();
        for (row, &query) in self.query.iter().enumerate() {
            let support = Support {
                height: height.get(row).unwrap_or_default(),
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                facing: facing(faces_up.get(row).unwrap_or_default()),
                walkable: walkable.get(row).unwrap_or_default(),
                feature: features.get(row)?,
                target: targets.get(row)?,
            };
            match all.last_mut() {
                Some((last, supports)) if *last == query => supports.push(support),
                _ => all.push((query, vec![support])),
            }
        }
        Ok(all)
    }
}

fn encode_liquid_kind(kind: LiquidKind) -> (i32, u32) {
    let (kind, other) = match kind {
        LiquidKind::Water => (v1::LiquidKind::Water, 0),
        LiquidKind::Ocean => (v1::LiquidKind::Ocean, 0),
        LiquidKind::Magma => (v1::LiquidKind::Magma, 0),
        LiquidKind::Slime => (v1::LiquidKind::Slime, 0),
        LiquidKind::Other(number) => (v1::LiquidKind::Other, number),
        // A kind that this version of the protocol does not know.
        _ => (v1::LiquidKind::Other, u32::MAX),
    };
    (kind as i32, other)
}

fn liquid_kind(kind: i32, other: u32) -> Result<LiquidKind, FieldError> {
    match v1::LiquidKind::try_from(kind) {
        Ok(v1::LiquidKind::Water) => Ok(LiquidKind::Water),
        Ok(v1::LiquidKind::Ocean) => Ok(LiquidKind::Ocean),
        Ok(v1::LiquidKind::Magma) => Ok(LiquidKind::Magma),
        Ok(v1::LiquidKind::Slime) => Ok(LiquidKind::Slime),
        Ok(v1::LiquidKind::Other) => Ok(LiquidKind::Other(other)),
        Err(_) => Err(FieldError::unknown("kind", kind)),
    }
}

impl From<&Liquid> for v1::Liquid {
    fn from(&Liquid { surface, depth, kind, number }: &Liquid) -> Self {
        let (kind, other) = encode_liquid_kind(kind);
        Self { surface: Some(surface), depth: Some(depth), kind, other, number }
    }
}

impl TryFrom<&v1::Liquid> for Liquid {
    type Error = FieldError;

    fn try_from(given: &v1::Liquid) -> Result<Self, FieldError> {
        let &v1::Liquid { surface, depth, kind, other, number } = given;
        let [surface, depth] = [surface, depth].map(Option::unwrap_or_default);
        Ok(Self { surface, depth, kind: liquid_kind(kind, other)?, number })
    }
}

impl Answers for v1::LiquidBatchResponse {
    type Answer = Liquid;

    common_parts!();

    fn reserve(&mut self, _rows: usize) {}

    fn push(&mut self, query: u32, liquid: &Liquid) {
        self.query.push(query);
        self.surface.push(liquid.surface);
        self.depth.push(liquid.depth);
        let (kind, other) = encode_liquid_kind(liquid.kind);
        self.kind.push(kind);
        self.other.push(other);
        self.number.push(liquid.number);
    }

    fn answers(&self) -> Result<Vec<(u32, Liquid)>, FieldError> {
        let rows = self.query.len();
        let surface = doubles("surface", &self.surface, 1, rows)?;
        let depth = doubles("depth", &self.depth, 1, rows)?;
        let kind = Column::full("kind", &self.kind, 1, rows)?;
        let other = Column::full("other", &self.other, 1, rows)?;
        let number = Column::full("number", &self.number, 1, rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let kind = liquid_kind(kind.get(row).unwrap_or(0), other.get(row).unwrap_or(0))?;
            let liquid = Liquid {
                surface: surface.get(row).unwrap_or_default(),
                depth: depth.get(row).unwrap_or_default(),
                kind,
                number: number.get(row).unwrap_or_default(),
            };
            Ok((query, liquid))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

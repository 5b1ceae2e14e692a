//! Queries: from requests to the library's types, and back.

use crate::batch::Queries;
use crate::column::{Column, rows_of, shortened, shortened_vectors};
use crate::error::Within as _;
use crate::geometry::{
    Filters, capsule, encode_filters, filter, motion, motion_of, stated_length, vector,
};
use crate::{FieldError, v1};
use capsweep::query::Column as VerticalColumn;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::scene::Filter;
use capsweep::{Capsule, Limit, Motion, Point, Ray, SlopeLimit};
use glam::DVec3;

/// The arguments of [`Scene::supports`](capsweep::scene::Scene::supports).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportsQuery {
    /// Where to look.
    pub column: VerticalColumn,
    /// The steepest walkable slope.
    pub slope_limit: SlopeLimit,
    /// What counts.
    pub filter: Filter,
}

/// A request for one query.
pub trait Single {
    /// The library's type.
    type Query;

    /// The query.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    fn query(&self) -> Result<Self::Query, FieldError>;
}

impl Single for v1::SweepRequest {
    type Query = SweepQuery;

    fn query(&self) -> Result<SweepQuery, FieldError> {
        Ok(SweepQuery {
            capsule: capsule("capsule", self.capsule.as_ref())?,
            motion: motion("motion", self.motion.as_ref())?,
            filter: filter(self.filter.as_ref())?,
        })
    }
}

impl Single for v1::OverlapRequest {
    type Query = OverlapQuery;

    fn query(&self) -> Result<OverlapQuery, FieldError> {
        let capsule = capsule("capsule", self.capsule.as_ref())?;
        Ok(OverlapQuery { capsule, filter: filter(self.filter.as_ref())? })
    }
}

impl Single for v1::ClosestRequest {
    type Query = ClosestQuery;

    fn query(&self) -> Result<ClosestQuery, FieldError> {
        Ok(ClosestQuery {
            capsule: capsule("capsule", self.capsule.as_ref())?,
            limit: limit(self.limit)?,
            filter: filter(self.filter.as_ref())?,
        })
    }
}

impl Single for v1::RayRequest {
    type Query = RayQuery;

    fn query(&self) -> Result<RayQuery, FieldError> {
        let origin = vector("origin", self.origin.as_ref())?;
        let motion = motion("motion", self.motion.as_ref())?;
        let ray = Ray::new(origin, motion).map_err(FieldError::top)?;
        Ok(RayQuery { ray, filter: filter(self.filter.as_ref())? })
    }
}

impl Single for v1::SupportsRequest {
    type Query = SupportsQuery;

    fn query(&self) -> Result<SupportsQuery, FieldError> {
        let point = vector("point", self.point.as_ref())?;
        let up = self.up.map_or(DVec3::Z, DVec3::from);
        let column = VerticalColumn::new(point, up, self.above, self.below);
        Ok(SupportsQuery {
            column: column.map_err(FieldError::top)?,
            slope_limit: slope_limit(self.slope_limit_cos)?,
            filter: filter(self.filter.as_ref())?,
        })
    }
}

impl Single for v1::LiquidRequest {
    type Query = Point;

    fn query(&self) -> Result<Point, FieldError> {
        let point = vector("point", self.point.as_ref())?;
        Point::new(point).within("point")
    }
}

fn limit(metres: Option<f64>) -> Result<Limit, FieldError> {
    match metres {
        None => Ok(Limit::UNBOUNDED),
        Some(metres) if metres == f64::INFINITY => Ok(Limit::UNBOUNDED),
        Some(metres) => Limit::new(metres).map_err(|error| FieldError::new("limit", error)),
    }
}

fn slope_limit(cos: Option<f32>) -> Result<SlopeLimit, FieldError> {
    let Some(cos) = cos else { return Ok(SlopeLimit::DEGREES_50) };
    SlopeLimit::from_cos(cos).map_err(|error| FieldError::new("slope_limit_cos", error))
}

/// Columns of capsules.
#[derive(Debug, Clone, Copy)]
struct Capsules<'a> {
    rows: usize,
    p0: Column<'a, f64>,
    p1: Column<'a, f64>,
    radius: Column<'a, f32>,
}

impl<'a> Capsules<'a> {
    fn new(columns: Option<&'a v1::CapsuleColumns>) -> Result<Self, FieldError> {
        let v1::CapsuleColumns { p0, p1, radius } =
            columns.ok_or_else(|| FieldError::missing("capsules"))?;
        let rows = rows_of("capsules.p0", p0.len(), 3)?;
        Ok(Self {
            rows,
            p0: Column::new("capsules.p0", p0, 3, rows)?,
            p1: Column::new("capsules.p1", p1, 3, rows)?,
            radius: Column::new("capsules.radius", radius, 1, rows)?,
        })
    }

    #[inline]
    fn get(&self, row: usize) -> Result<Capsule, FieldError> {
        let p0 = self.p0.vector(row).unwrap_or_default();
        let p1 = self.p1.vector(row).ok_or_else(|| FieldError::missing("capsules.p1"))?;
        let radius = self.radius.get(row);
        let radius = radius.ok_or_else(|| FieldError::missing("capsules.radius"))?;
        Capsule::new(p0, p1, radius).within("capsules")
    }
}

/// Columns of motions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motions<'a> {
    name: &'static str,
    vector: Column<'a, f64>,
    length: Column<'a, f64>,
}

impl<'a> Motions<'a> {
    pub(crate) fn new(
        name: &'static str,
        vector: &'a [f64],
        length: &'a [f64],
        rows: usize,
    ) -> Result<Self, FieldError> {
        Ok(Self {
            name,
            vector: Column::new(name, vector, 3, rows)?,
            length: Column::new(&format!("{name}_length"), length, 1, rows)?,
        })
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<Motion, FieldError> {
        let vector = self.vector.vector(row).ok_or_else(|| FieldError::missing(self.name))?;
        motion_of(self.name, vector, self.length.get(row))
    }
}

/// Checked columns of a batch of sweeps.
#[derive(Debug, Clone, Copy)]
pub struct SweepColumns<'a>(Capsules<'a>, Motions<'a>, Filters<'a>);

impl v1::SweepBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<SweepColumns<'_>, FieldError> {
        let capsules = Capsules::new(self.capsules.as_ref())?;
        let rows = capsules.rows;
        let motions = Motions::new("motion", &self.motion, &self.motion_length, rows)?;
        Ok(SweepColumns(capsules, motions, Filters::new(self.filters.as_ref(), rows)?))
    }
}

impl Queries for SweepColumns<'_> {
    type Query = SweepQuery;

    fn rows(&self) -> usize {
        self.0.rows
    }

    #[inline]
    fn query(&self, row: usize) -> Result<SweepQuery, FieldError> {
        let Self(capsules, motions, filters) = self;
        let (capsule, motion) = (capsules.get(row)?, motions.get(row)?);
        Ok(SweepQuery { capsule, motion, filter: filters.get(row)? })
    }
}

/// Checked columns of a batch of overlap queries.
#[derive(Debug, Clone, Copy)]
pub struct OverlapColumns<'a>(Capsules<'a>, Filters<'a>);

impl v1::OverlapBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<OverlapColumns<'_>, FieldError> {
        let capsules = Capsules::new(self.capsules.as_ref())?;
        Ok(OverlapColumns(capsules, Filters::new(self.filters.as_ref(), capsules.rows)?))
    }
}

impl Queries for OverlapColumns<'_> {
    type Query = OverlapQuery;

    fn rows(&self) -> usize {
        self.0.rows
    }

    #[inline]
    fn query(&self, row: usize) -> Result<OverlapQuery, FieldError> {
        Ok(OverlapQuery { capsule: self.0.get(row)?, filter: self.1.get(row)? })
    }
}

/// Checked columns of a batch of queries for closest points.
#[derive(Debug, Clone, Copy)]
pub struct ClosestColumns<'a>(Capsules<'a>, Column<'a, f64>, Filters<'a>);

impl v1::ClosestBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<ClosestColumns<'_>, FieldError> {
        let capsules = Capsules::new(self.capsules.as_ref())?;
        let limits = Column::new("limit", &self.limit, 1, capsules.rows)?;
        let filters = Filters::new(self.filters.as_ref(), capsules.rows)?;
        Ok(ClosestColumns(capsules, limits, filters))
    }
}

impl Queries for ClosestColumns<'_> {
    type Query = ClosestQuery;

    fn rows(&self) -> usize {
        self.0.rows
    }

    #[inline]
    fn query(&self, row: usize) -> Result<ClosestQuery, FieldError> {
        let Self(capsules, limits, filters) = self;
        let (capsule, limit) = (capsules.get(row)?, limit(limits.get(row))?);
        Ok(ClosestQuery { capsule, limit, filter: filters.get(row)? })
    }
}

/// Checked columns of a batch of rays.
#[derive(Debug, Clone, Copy)]
pub struct RayColumns<'a> {
    rows: usize,
    origin: Column<'a, f64>,
    motions: Motions<'a>,
    filters: Filters<'a>,
}

impl v1::RayBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<RayColumns<'_>, FieldError> {
        let rows = rows_of("origin", self.origin.len(), 3)?;
        Ok(RayColumns {
            rows,
            origin: Column::new("origin", &self.origin, 3, rows)?,
            motions: Motions::new("motion", &self.motion, &self.motion_length, rows)?,
            filters: Filters::new(self.filters.as_ref(), rows)?,
        })
    }
}

impl Queries for RayColumns<'_> {
    type Query = RayQuery;

    fn rows(&self) -> usize {
        self.rows
    }

    #[inline]
    fn query(&self, row: usize) -> Result<RayQuery, FieldError> {
        let origin = self.origin.vector(row).unwrap_or_default();
        let ray = Ray::new(origin, self.motions.get(row)?).map_err(FieldError::top)?;
        Ok(RayQuery { ray, filter: self.filters.get(row)? })
    }
}

/// Checked columns of a batch of queries for supports.
#[derive(Debug, Clone, Copy)]
pub struct SupportsColumns<'a> {
    rows: usize,
    point: Column<'a, f64>,
    up: Column<'a, f64>,
    above: Column<'a, f64>,
    below: Column<'a, f64>,
    slope_limit: Column<'a, f32>,
    filters: Filters<'a>,
}

impl v1::SupportsBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<SupportsColumns<'_>, FieldError> {
        let rows = rows_of("point", self.point.len(), 3)?;
        Ok(SupportsColumns {
            rows,
            point: Column::new("point", &self.point, 3, rows)?,
            up: Column::new("up", &self.up, 3, rows)?,
            above: Column::new("above", &self.above, 1, rows)?,
            below: Column::new("below", &self.below, 1, rows)?,
            slope_limit: Column::new("slope_limit_cos", &self.slope_limit_cos, 1, rows)?,
            filters: Filters::new(self.filters.as_ref(), rows)?,
        })
    }
}

impl Queries for SupportsColumns<'_> {
    type Query = SupportsQuery;

    fn rows(&self) -> usize {
        self.rows
    }

    fn query(&self, row: usize) -> Result<SupportsQuery, FieldError> {
        let point = self.point.vector(row).unwrap_or_default();
        let up = self.up.vector(row).unwrap_or(DVec3::Z);
        let (above, below) = (self.above.get(row), self.below.get(row));
        let column = VerticalColumn::new(point, up, above.unwrap_or(0.0), below.unwrap_or(0.0));
        Ok(SupportsQuery {
            column: column.map_err(FieldError::top)?,
            slope_limit: slope_limit(self.slope_limit.get(row))?,
            filter: self.filters.get(row)?,
        })
    }
}

/// Checked columns of a batch of queries for liquids.
#[derive(Debug, Clone, Copy)]
pub struct LiquidColumns<'a>(usize, Column<'a, f64>);

impl v1::LiquidBatchRequest {
    /// The queries.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<LiquidColumns<'_>, FieldError> {
        let rows = rows_of("point", self.point.len(), 3)?;
        Ok(LiquidColumns(rows, Column::new("point", &self.point, 3, rows)?))
    }
}

impl Queries for LiquidColumns<'_> {
    type Query = Point;

    fn rows(&self) -> usize {
        self.0
    }

    fn query(&self, row: usize) -> Result<Point, FieldError> {
        Point::new(self.1.vector(row).unwrap_or_default()).within("point")
    }
}

// From the library's types to requests.

fn capsule_columns(capsules: &(impl Iterator<Item = Capsule> + Clone)) -> v1::CapsuleColumns {
    let flat = |point: fn(&Capsule) -> DVec3| {
        capsules.clone().flat_map(move |capsule| point(&capsule).to_array()).collect()
    };
    v1::CapsuleColumns {
        p0: flat(Capsule::p0),
        p1: flat(Capsule::p1),
        radius: shortened(capsules.clone().map(|capsule| capsule.radius()), None),
    }
}

/// Vectors and lengths of motions; no lengths if all are those of the vectors.
pub(crate) fn motion_columns(
    motions: impl Iterator<Item = Motion> + Clone,
) -> (Vec<f64>, Vec<f64>) {
    let vectors = motions.clone().flat_map(|motion| motion.vector().to_array()).collect();
    let stated = motions.clone().any(|motion| stated_length(&motion).is_some());
    let lengths =
        if stated { motions.map(|motion| motion.length()).collect() } else { Vec::new() };
    (vectors, lengths)
}

impl From<&[SweepQuery]> for v1::SweepBatchRequest {
    fn from(queries: &[SweepQuery]) -> Self {
        let all = queries.iter();
        let (motion, motion_length) = motion_columns(all.clone().map(|query| query.motion));
        Self {
            capsules: Some(capsule_columns(&all.clone().map(|query| query.capsule))),
            motion,
            motion_length,
            filters: encode_filters(all.map(|query| query.filter)),
            ..Self::default()
        }
    }
}

impl From<&[OverlapQuery]> for v1::OverlapBatchRequest {
    fn from(queries: &[OverlapQuery]) -> Self {
        let all = queries.iter();
        Self {
            capsules: Some(capsule_columns(&all.clone().map(|query| query.capsule))),
            filters: encode_filters(all.map(|query| query.filter)),
            ..Self::default()
        }
    }
}

impl From<&[ClosestQuery]> for v1::ClosestBatchRequest {
    fn from(queries: &[ClosestQuery]) -> Self {
        let all = queries.iter();
        let limits = all.clone().map(|query| query.limit.metres());
        Self {
            capsules: Some(capsule_columns(&all.clone().map(|query| query.capsule))),
            limit: shortened(limits, Some(f64::INFINITY)),
            filters: encode_filters(all.map(|query| query.filter)),
            ..Self::default()
        }
    }
}

impl From<&[RayQuery]> for v1::RayBatchRequest {
    fn from(queries: &[RayQuery]) -> Self {
        let all = queries.iter();
        let (motion, motion_length) = motion_columns(all.clone().map(|query| query.ray.motion()));
        Self {
            origin: all.clone().flat_map(|query| query.ray.origin().to_array()).collect(),
            motion,
            motion_length,
            filters: encode_filters(all.map(|query| query.filter)),
            ..Self::default()
        }
    }
}

impl From<&[SupportsQuery]> for v1::SupportsBatchRequest {
    fn from(queries: &[SupportsQuery]) -> Self {
        let all = queries.iter();
        let limits = all.clone().map(|query| query.slope_limit.cos());
        Self {
            point: all.clone().flat_map(|query| query.column.point().to_array()).collect(),
            up: shortened_vectors(all.clone().map(|query| query.column.up()), Some(DVec3::Z)),
            above: shortened(all.clone().map(|query| query.column.above()), Some(0.0)),
            below: shortened(all.clone().map(|query| query.column.below()), Some(0.0)),
            slope_limit_cos: shortened(limits, Some(SlopeLimit::DEGREES_50.cos())),
            filters: encode_filters(all.map(|query| query.filter)),
            ..Self::default()
        }
    }
}

impl From<&[Point]> for v1::LiquidBatchRequest {
    fn from(points: &[Point]) -> Self {
        let point = points.iter().flat_map(|point| point.position().to_array()).collect();
        Self { point, ..Self::default() }
    }
}

impl From<&SweepQuery> for v1::SweepRequest {
    fn from(query: &SweepQuery) -> Self {
        Self {
            capsule: Some(query.capsule.into()),
            motion: Some(query.motion.into()),
            filter: Some(query.filter.into()),
            ..Self::default()
        }
    }
}

impl From<&OverlapQuery> for v1::OverlapRequest {
    fn from(query: &OverlapQuery) -> Self {
        let (capsule, filter) = (Some(query.capsule.into()), Some(query.filter.into()));
        Self { capsule, filter, ..Self::default() }
    }
}

impl From<&ClosestQuery> for v1::ClosestRequest {
    fn from(query: &ClosestQuery) -> Self {
        Self {
            capsule: Some(query.capsule.into()),
            limit: Some(query.limit.metres()),
            filter: Some(query.filter.into()),
            ..Self::default()
        }
    }
}

impl From<&RayQuery> for v1::RayRequest {
    fn from(query: &RayQuery) -> Self {
        Self {
            origin: Some(query.ray.origin().into()),
            motion: Some(query.ray.motion().into()),
            filter: Some(query.filter.into()),
            ..Self::default()
        }
    }
}

impl From<&SupportsQuery> for v1::SupportsRequest {
    fn from(query: &SupportsQuery) -> Self {
        Self {
            point: Some(query.column.point().into()),
            up: Some(query.column.up().into()),
            above: query.column.above(),
            below: query.column.below(),
            slope_limit_cos: Some(query.slope_limit.cos()),
            filter: Some(query.filter.into()),
            ..Self::default()
        }
    }
}

impl From<&Point> for v1::LiquidRequest {
    fn from(point: &Point) -> Self {
        Self { point: Some(point.position().into()), ..Self::default() }
    }
}

//! Batches of queries as columns.

use super::SupportsQuery;
use super::single::{limit, slope_limit};
use crate::batch::Queries;
use crate::column::{Column, rows_of};
use crate::error::Within as _;
use crate::filter::Filters;
use crate::geometry::motion_of;
use crate::{FieldError, v1};
use capsweep::query::Column as VerticalColumn;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::{Capsule, Motion, Point, Ray};
use glam::DVec3;

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

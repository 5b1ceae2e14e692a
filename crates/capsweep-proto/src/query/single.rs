//! Requests for one query.

use super::SupportsQuery;
use crate::error::Within as _;
use crate::filter::filter;
use crate::geometry::{capsule, motion, vector};
use crate::{FieldError, v1};
use capsweep::query::Column as VerticalColumn;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::{Limit, Point, Ray, SlopeLimit};
use glam::DVec3;

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

pub(super) fn limit(metres: Option<f64>) -> Result<Limit, FieldError> {
    match metres {
        None => Ok(Limit::UNBOUNDED),
        Some(metres) if metres == f64::INFINITY => Ok(Limit::UNBOUNDED),
        Some(metres) => Limit::new(metres).map_err(|error| FieldError::new("limit", error)),
    }
}

pub(super) fn slope_limit(cos: Option<f32>) -> Result<SlopeLimit, FieldError> {
    let Some(cos) = cos else { return Ok(SlopeLimit::DEGREES_50) };
    SlopeLimit::from_cos(cos).map_err(|error| FieldError::new("slope_limit_cos", error))
}

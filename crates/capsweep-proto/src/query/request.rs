//! From the library's types to requests.

use super::SupportsQuery;
use crate::column::{shortened, shortened_vectors};
use crate::filter::encode_filters;
use crate::geometry::stated_length;
use crate::v1;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::{Capsule, Motion, Point, SlopeLimit};
use glam::DVec3;

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

//! The closest-points query: the closest points of a capsule and the geometry.

use super::details::{HitDetails, normal_to_f64};
use super::named_target::NamedTarget;
use super::tie_break::{best_hit, query_each};
use super::{LineCorners, Query, SidesArg, WorldRef, all_bits, line_triangles};
use crate::output::{Rows, Text, length, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::persist::MapUnit;
use capsweep::scene::Filter;
use capsweep::{Capsule, ClosestPoints, Limit};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Debug)]
pub(crate) struct ClosestQuery {
    capsule: Capsule,
    limit: Limit,
    filter: Filter,
}

impl ClosestQuery {
    /// `limit` is in metres; `None` is unlimited.
    pub(crate) fn new(capsule: Capsule, limit: Option<f64>, filter: Filter) -> Result<Self> {
        Ok(Self { capsule, limit: Limit::try_from(limit)?, filter })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClosestLine {
    capsule: Capsule,
    #[serde(default, deserialize_with = "required_number")]
    limit: Option<f64>,
    #[serde(default)]
    sides: SidesArg,
    #[serde(default = "all_bits")]
    mask: u32,
    triangles: LineCorners,
}

/// Reads a limit that is present: it must be a number, not `null`.
fn required_number<'de, D: Deserializer<'de>>(line: D) -> Result<Option<f64>, D::Error> {
    f64::deserialize(line).map(Some)
}

#[derive(Serialize)]
pub(crate) struct ClosestAnswer<'a> {
    hit: bool,
    distance: f64,
    on_capsule: [f64; 3],
    on_geometry: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    details: HitDetails<'a>,
    #[serde(skip)]
    found: ClosestPoints,
}

impl Query for ClosestQuery {
    type Line = ClosestLine;
    type Answer<'a> = ClosestAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is within the limit";

    fn from_line(line: ClosestLine) -> Result<(Self, Option<Vec<Target>>)> {
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(line.capsule, line.limit, filter)?, line_triangles(line.triangles)?))
    }

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<ClosestAnswer<'a>> {
        let Self { capsule, limit, filter } = self;
        match world {
            WorldRef::Level(level) => {
                let found = level.scene.closest(capsule, *limit, filter)?;
                Some(ClosestAnswer::new(found.hit, NamedTarget::in_level(level, &found.target)))
            }
            WorldRef::Targets(targets) | WorldRef::LineTriangles(targets) => {
                let within = |points: &ClosestPoints| points.distance <= limit.metres();
                let nearest = |target: &Target| Some(target.closest(capsule)).filter(within);
                let found = query_each(targets, filter, nearest);
                let (_, (index, points)) = best_hit(found, |points| points.distance, |_| 0.0)?;
                Some(ClosestAnswer::new(
                    points,
                    NamedTarget::in_targets(world, index, &targets[index]),
                ))
            }
        }
    }
}

impl<'a> ClosestAnswer<'a> {
    fn new(found: ClosestPoints, target: NamedTarget<'a>) -> Self {
        Self {
            hit: true,
            distance: found.distance,
            on_capsule: found.on_capsule.to_array(),
            on_geometry: found.on_geometry.to_array(),
            normal: normal_to_f64(found.normal),
            face_normal: normal_to_f64(found.face_normal),
            details: HitDetails::new(
                found.feature,
                Some(found.region),
                target,
                found.barycentrics,
            ),
            found,
        }
    }
}

impl Text for ClosestAnswer<'_> {
    fn text(&self, unit: MapUnit) -> String {
        let points = &self.found;
        Rows::default()
            .row("distance", length(points.distance, unit))
            .row("on capsule", position(points.on_capsule, unit))
            .row("on target", position(points.on_geometry, unit))
            .normals(points.normal, points.face_normal)
            .feature(points.feature)
            .region(points.region)
            .barycentrics(points.barycentrics)
            .under(&format!("closest to {}", self.details.target.describe()))
    }
}

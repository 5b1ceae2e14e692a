//! The ray query: where a moving point first hits a surface.

use super::details::{HitDetails, normal_to_f64};
use super::named_target::NamedTarget;
use super::tie_break::{best_hit, query_each};
use super::{LineCorners, Query, SidesArg, WorldRef, all_bits, line_triangles};
use crate::output::{Rows, Text, length, number, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::persist::MapUnit;
use capsweep::scene::Filter;
use capsweep::{Motion, Ray, RayHit};
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct RayQuery {
    ray: Ray,
    filter: Filter,
}

impl RayQuery {
    pub(crate) fn new(origin: DVec3, motion: Motion, filter: Filter) -> Result<Self> {
        Ok(Self { ray: Ray::new(origin, motion)?, filter })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RayLine {
    origin: DVec3,
    direction: DVec3,
    distance: f64,
    #[serde(default)]
    sides: SidesArg,
    #[serde(default = "all_bits")]
    mask: u32,
    triangles: LineCorners,
}

#[derive(Serialize)]
pub(crate) struct RayAnswer<'a> {
    hit: bool,
    time: f64,
    distance: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    details: HitDetails<'a>,
    #[serde(skip)]
    found: RayHit,
}

impl Query for RayQuery {
    type Line = RayLine;
    type Answer<'a> = RayAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is on the ray";

    fn from_line(line: RayLine) -> Result<(Self, Option<Vec<Target>>)> {
        let motion = Motion::along(line.direction, line.distance)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(line.origin, motion, filter)?, line_triangles(line.triangles)?))
    }

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<RayAnswer<'a>> {
        let Self { ray, filter } = self;
        match world {
            WorldRef::Level(level) => {
                let found = level.scene.ray(ray, filter)?;
                Some(RayAnswer::new(found.hit, NamedTarget::in_level(level, &found.target)))
            }
            WorldRef::Targets(targets) | WorldRef::LineTriangles(targets) => {
                let first = |target: &Target| target.ray(ray, filter.sides);
                let found = query_each(targets, filter, first);
                let time = found.iter().map(|(_, hit)| hit.time).reduce(f64::min)?;
                let head_on =
                    |hit: &RayHit| hit.normal.as_dvec3().dot(ray.motion().vector()).abs();
                let (distance, (index, hit)) = best_hit(found, |hit| hit.distance, head_on)?;
                // The answer has the earliest time of all ties, whichever hit wins.
                let hit = RayHit { time, distance, ..hit };
                Some(RayAnswer::new(hit, NamedTarget::in_targets(world, index, &targets[index])))
            }
        }
    }
}

impl<'a> RayAnswer<'a> {
    fn new(found: RayHit, target: NamedTarget<'a>) -> Self {
        Self {
            hit: true,
            time: found.time,
            distance: found.distance,
            point: found.point.to_array(),
            normal: normal_to_f64(found.normal),
            face_normal: normal_to_f64(found.normal),
            details: HitDetails::new(found.feature, None, target, found.barycentrics),
            found,
        }
    }
}

impl Text for RayAnswer<'_> {
    fn text(&self, unit: MapUnit) -> String {
        let hit = &self.found;
        Rows::default()
            .row("time", format!("{} of the motion", number(hit.time)))
            .row("distance", length(hit.distance, unit))
            .row("point", position(hit.point, unit))
            .normals(hit.normal, hit.normal)
            .feature(hit.feature)
            .barycentrics(hit.barycentrics)
            .under(&format!("hits {}", self.details.target.describe()))
    }
}

//! The sweep query: where a moving capsule first touches.

use super::details::{HitDetails, normal_to_f64};
use super::named_target::NamedTarget;
use super::tie_break::{TargetHit, best_hit, query_each};
use super::{LineCorners, Query, SidesArg, WorldRef, all_bits, line_triangles};
use crate::output::{Rows, Text, along_normal, length, number, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::persist::MapUnit;
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion, SweepHit};
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct SweepQuery {
    pub(crate) capsule: Capsule,
    pub(crate) motion: Motion,
    pub(crate) filter: Filter,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SweepLine {
    capsule: Capsule,
    direction: DVec3,
    distance: f64,
    #[serde(default)]
    sides: SidesArg,
    #[serde(default = "all_bits")]
    mask: u32,
    triangles: LineCorners,
}

#[derive(Serialize)]
pub(crate) struct SweepAnswer<'a> {
    hit: bool,
    time: f64,
    distance: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    depth: f64,
    #[serde(flatten)]
    details: HitDetails<'a>,
    #[serde(skip)]
    found: SweepHit,
}

impl Query for SweepQuery {
    type Line = SweepLine;
    type Answer<'a> = SweepAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is touched along the motion";

    fn from_line(line: SweepLine) -> Result<(Self, Option<Vec<Target>>)> {
        let motion = Motion::along(line.direction, line.distance)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self { capsule: line.capsule, motion, filter }, line_triangles(line.triangles)?))
    }

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<SweepAnswer<'a>> {
        let Self { capsule, motion, filter } = self;
        match world {
            WorldRef::Level(level) => {
                let found = level.scene.sweep(capsule, motion, filter)?;
                Some(SweepAnswer::new(found.hit, NamedTarget::in_level(level, &found.target)))
            }
            WorldRef::Targets(targets) | WorldRef::LineTriangles(targets) => {
                let sweep = |target: &Target| target.sweep(capsule, motion, filter.sides);
                let (index, hit) = self.first(query_each(targets, filter, sweep))?;
                Some(SweepAnswer::new(hit, NamedTarget::in_targets(world, index, &targets[index])))
            }
        }
    }
}

impl SweepQuery {
    /// The deepest overlap at the start, otherwise the first touch.
    fn first(&self, hits: Vec<TargetHit<SweepHit>>) -> Option<TargetHit<SweepHit>> {
        let head_on = |hit: &SweepHit| hit.normal.as_dvec3().dot(self.motion.vector()).abs();
        let (overlaps, later): (Vec<_>, Vec<_>) =
            hits.into_iter().partition(|(_, hit)| hit.starts_overlapping());
        if !overlaps.is_empty() {
            return best_hit(overlaps, |hit| -hit.depth, head_on).map(|(_, deepest)| deepest);
        }
        let first = later.iter().map(|(_, hit)| hit.time).reduce(f64::min)?;
        let (distance, (index, hit)) = best_hit(later, |hit| hit.distance, head_on)?;
        // The answer has the earliest time of all ties, whichever contact wins.
        Some((index, SweepHit { time: first, distance, ..hit }))
    }
}

impl<'a> SweepAnswer<'a> {
    fn new(found: SweepHit, target: NamedTarget<'a>) -> Self {
        Self {
            hit: true,
            time: found.time,
            distance: found.distance,
            point: found.point.to_array(),
            normal: normal_to_f64(found.normal),
            face_normal: normal_to_f64(found.face_normal),
            depth: found.depth,
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

impl Text for SweepAnswer<'_> {
    fn text(&self, unit: MapUnit) -> String {
        let hit = &self.found;
        let rows = Rows::default()
            .row("time", format!("{} of the motion", number(hit.time)))
            .row("distance", length(hit.distance, unit))
            .row("point", position(hit.point, unit));
        let (heading, rows) = if hit.starts_overlapping() {
            ("starts overlapping", rows.row("depth", along_normal(hit.depth, unit)))
        } else {
            ("touches", rows)
        };
        rows.normals(hit.normal, hit.face_normal)
            .feature(hit.feature)
            .region(hit.region)
            .barycentrics(hit.barycentrics)
            .under(&format!("{heading} {}", self.details.target.describe()))
    }
}

//! The overlap query: the deepest overlap of a capsule at rest.

use super::details::{HitDetails, normal_to_f64};
use super::named_target::NamedTarget;
use super::tie_break::{best_hit, query_each};
use super::{LineCorners, Query, SidesArg, WorldRef, all_bits, line_triangles};
use crate::output::{Rows, Text, along_normal, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::persist::MapUnit;
use capsweep::scene::Filter;
use capsweep::{Capsule, Overlap};
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct OverlapQuery {
    pub(crate) capsule: Capsule,
    pub(crate) filter: Filter,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlapLine {
    capsule: Capsule,
    #[serde(default)]
    sides: SidesArg,
    #[serde(default = "all_bits")]
    mask: u32,
    triangles: LineCorners,
}

#[derive(Serialize)]
pub(crate) struct OverlapAnswer<'a> {
    hit: bool,
    depth: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    details: HitDetails<'a>,
    #[serde(skip)]
    found: Overlap,
}

impl Query for OverlapQuery {
    type Line = OverlapLine;
    type Answer<'a> = OverlapAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is overlapped";

    fn from_line(line: OverlapLine) -> Result<(Self, Option<Vec<Target>>)> {
        let filter = line.sides.filter(line.mask);
        Ok((Self { capsule: line.capsule, filter }, line_triangles(line.triangles)?))
    }

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<OverlapAnswer<'a>> {
        let Self { capsule, filter } = self;
        match world {
            WorldRef::Level(level) => {
                let found = level.scene.overlap(capsule, filter)?;
                Some(OverlapAnswer::new(found.hit, NamedTarget::in_level(level, &found.target)))
            }
            WorldRef::Targets(targets) | WorldRef::LineTriangles(targets) => {
                let found = query_each(targets, filter, |target| target.overlap(capsule));
                let (_, (index, overlap)) = best_hit(found, |overlap| -overlap.depth, |_| 0.0)?;
                Some(OverlapAnswer::new(
                    overlap,
                    NamedTarget::in_targets(world, index, &targets[index]),
                ))
            }
        }
    }
}

impl<'a> OverlapAnswer<'a> {
    fn new(found: Overlap, target: NamedTarget<'a>) -> Self {
        Self {
            hit: true,
            depth: found.depth,
            point: found.point.to_array(),
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

impl Text for OverlapAnswer<'_> {
    fn text(&self, unit: MapUnit) -> String {
        let overlap = &self.found;
        Rows::default()
            .row("depth", along_normal(overlap.depth, unit))
            .row("point", position(overlap.point, unit))
            .normals(overlap.normal, overlap.face_normal)
            .feature(overlap.feature)
            .region(overlap.region)
            .barycentrics(overlap.barycentrics)
            .under(&format!("overlaps {}", self.details.target.describe()))
    }
}

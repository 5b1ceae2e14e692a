//! Where does the capsule first touch when it moves?

use super::choose::{Found, ask_each, choose};
use super::part::{Part, widened};
use super::place::Place;
use super::{Around, Corners, Question, SidesWord, every_bit, triangles};
use crate::output::{Rows, Text, along_normal, metres, number, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion, SweepHit};
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct SweepQuestion {
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
    sides: SidesWord,
    #[serde(default = "every_bit")]
    mask: u32,
    triangles: Corners,
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
    part: Part<'a>,
    #[serde(skip)]
    found: SweepHit,
}

impl Question for SweepQuestion {
    type Line = SweepLine;
    type Answer<'a> = SweepAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is touched along the motion";

    fn read(line: SweepLine) -> Result<(Self, Option<Vec<Target>>)> {
        let motion = Motion::along(line.direction, line.distance)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self { capsule: line.capsule, motion, filter }, triangles(line.triangles)?))
    }

    fn ask<'a>(&self, around: Around<'a>) -> Option<SweepAnswer<'a>> {
        let Self { capsule, motion, filter } = self;
        match around {
            Around::Level(level) => {
                let found = level.scene.sweep(capsule, motion, filter)?;
                Some(SweepAnswer::new(found.hit, Place::in_level(level, &found.target)))
            }
            Around::Targets(targets) | Around::Triangles(targets) => {
                let sweep = |target: &Target| target.sweep(capsule, motion, filter.sides);
                let (index, hit) = self.first(ask_each(targets, filter, sweep))?;
                Some(SweepAnswer::new(hit, Place::of_target(around, index, &targets[index])))
            }
        }
    }
}

impl SweepQuestion {
    /// The deepest overlap at the start, or else the first touch.
    fn first(&self, found: Vec<Found<SweepHit>>) -> Option<Found<SweepHit>> {
        let head_on = |hit: &SweepHit| hit.normal.as_dvec3().dot(self.motion.vector()).abs();
        let (overlaps, later): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, hit)| hit.starts_overlapping());
        if !overlaps.is_empty() {
            return choose(overlaps, |hit| -hit.depth, head_on).map(|(_, chosen)| chosen);
        }
        let first = later.iter().map(|(_, hit)| hit.time).reduce(f64::min)?;
        let (distance, (index, hit)) = choose(later, |hit| hit.distance, head_on)?;
        // The smallest is reported, whichever of the tied contacts is shown.
        Some((index, SweepHit { time: first, distance, ..hit }))
    }
}

impl<'a> SweepAnswer<'a> {
    fn new(found: SweepHit, place: Place<'a>) -> Self {
        Self {
            hit: true,
            time: found.time,
            distance: found.distance,
            point: found.point.to_array(),
            normal: widened(found.normal),
            face_normal: widened(found.face_normal),
            depth: found.depth,
            part: Part::new(found.feature, Some(found.region), place, found.barycentrics),
            found,
        }
    }
}

impl Text for SweepAnswer<'_> {
    fn text(&self) -> String {
        let hit = &self.found;
        let rows = Rows::default()
            .row("time", format!("{} of the motion", number(hit.time)))
            .row("distance", metres(hit.distance))
            .row("point", position(hit.point));
        let (heading, rows) = if hit.starts_overlapping() {
            ("starts overlapping", rows.row("depth", along_normal(hit.depth)))
        } else {
            ("touches", rows)
        };
        rows.normals(hit.normal, hit.face_normal)
            .feature(hit.feature)
            .region(hit.region)
            .barycentrics(hit.barycentrics)
            .under(&format!("{heading} {}", self.part.place.name()))
    }
}

//! Does the capsule overlap where it is, and which way is out?

use super::choose::{ask_each, choose};
use super::part::{Part, widened};
use super::place::Place;
use super::{Around, Corners, Question, SidesWord, every_bit, triangles};
use crate::output::{Rows, Text, along_normal, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::scene::Filter;
use capsweep::{Capsule, Overlap};
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct OverlapQuestion {
    pub(crate) capsule: Capsule,
    pub(crate) filter: Filter,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlapLine {
    capsule: Capsule,
    #[serde(default)]
    sides: SidesWord,
    #[serde(default = "every_bit")]
    mask: u32,
    triangles: Corners,
}

#[derive(Serialize)]
pub(crate) struct OverlapAnswer<'a> {
    hit: bool,
    depth: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    part: Part<'a>,
    #[serde(skip)]
    found: Overlap,
}

impl Question for OverlapQuestion {
    type Line = OverlapLine;
    type Answer<'a> = OverlapAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is overlapped";

    fn read(line: OverlapLine) -> Result<(Self, Option<Vec<Target>>)> {
        let filter = line.sides.filter(line.mask);
        Ok((Self { capsule: line.capsule, filter }, triangles(line.triangles)?))
    }

    fn ask<'a>(&self, around: Around<'a>) -> Option<OverlapAnswer<'a>> {
        let Self { capsule, filter } = self;
        match around {
            Around::Level(level) => {
                let found = level.scene.overlap(capsule, filter)?;
                Some(OverlapAnswer::new(found.hit, Place::in_level(level, &found.target)))
            }
            Around::Targets(targets) | Around::Triangles(targets) => {
                let found = ask_each(targets, filter, |target| target.overlap(capsule));
                let (_, (index, overlap)) = choose(found, |overlap| -overlap.depth, |_| 0.0)?;
                Some(OverlapAnswer::new(overlap, Place::of_target(around, index, &targets[index])))
            }
        }
    }
}

impl<'a> OverlapAnswer<'a> {
    fn new(found: Overlap, place: Place<'a>) -> Self {
        Self {
            hit: true,
            depth: found.depth,
            point: found.point.to_array(),
            normal: widened(found.normal),
            face_normal: widened(found.face_normal),
            part: Part::new(found.feature, Some(found.region), place, found.barycentrics),
            found,
        }
    }
}

impl Text for OverlapAnswer<'_> {
    fn text(&self) -> String {
        let overlap = &self.found;
        Rows::default()
            .row("depth", along_normal(overlap.depth))
            .row("point", position(overlap.point))
            .normals(overlap.normal, overlap.face_normal)
            .feature(overlap.feature)
            .region(overlap.region)
            .barycentrics(overlap.barycentrics)
            .under(&format!("overlaps {}", self.part.place.name()))
    }
}

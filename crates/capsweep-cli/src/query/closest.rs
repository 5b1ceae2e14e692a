//! Which points of the capsule and the geometry are closest?

use super::choose::{ask_each, choose};
use super::part::{Part, widened};
use super::place::Place;
use super::{Around, Corners, Question, SidesWord, every_bit, triangles};
use crate::output::{Rows, Text, metres, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::scene::Filter;
use capsweep::{Capsule, ClosestPoints, Limit};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Debug)]
pub(crate) struct ClosestQuestion {
    capsule: Capsule,
    limit: Limit,
    filter: Filter,
}

impl ClosestQuestion {
    /// `limit` is in metres; everything is looked at if it is left out.
    pub(crate) fn new(capsule: Capsule, limit: Option<f64>, filter: Filter) -> Result<Self> {
        Ok(Self { capsule, limit: Limit::try_from(limit)?, filter })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClosestLine {
    capsule: Capsule,
    #[serde(default, deserialize_with = "some_number")]
    limit: Option<f64>,
    #[serde(default)]
    sides: SidesWord,
    #[serde(default = "every_bit")]
    mask: u32,
    triangles: Corners,
}

/// A limit that is given is a number: `null` is refused.
fn some_number<'de, D: Deserializer<'de>>(line: D) -> Result<Option<f64>, D::Error> {
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
    part: Part<'a>,
    #[serde(skip)]
    found: ClosestPoints,
}

impl Question for ClosestQuestion {
    type Line = ClosestLine;
    type Answer<'a> = ClosestAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is within the limit";

    fn read(line: ClosestLine) -> Result<(Self, Option<Vec<Target>>)> {
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(line.capsule, line.limit, filter)?, triangles(line.triangles)?))
    }

    fn ask<'a>(&self, around: Around<'a>) -> Option<ClosestAnswer<'a>> {
        let Self { capsule, limit, filter } = self;
        match around {
            Around::Level(level) => {
                let found = level.scene.closest(capsule, *limit, filter)?;
                Some(ClosestAnswer::new(found.hit, Place::in_level(level, &found.target)))
            }
            Around::Targets(targets) | Around::Triangles(targets) => {
                let within = |points: &ClosestPoints| points.distance <= limit.metres();
                let nearest = |target: &Target| Some(target.closest(capsule)).filter(within);
                let found = ask_each(targets, filter, nearest);
                let (_, (index, points)) = choose(found, |points| points.distance, |_| 0.0)?;
                Some(ClosestAnswer::new(points, Place::of_target(around, index, &targets[index])))
            }
        }
    }
}

impl<'a> ClosestAnswer<'a> {
    fn new(found: ClosestPoints, place: Place<'a>) -> Self {
        Self {
            hit: true,
            distance: found.distance,
            on_capsule: found.on_capsule.to_array(),
            on_geometry: found.on_geometry.to_array(),
            normal: widened(found.normal),
            face_normal: widened(found.face_normal),
            part: Part::new(found.feature, Some(found.region), place, found.barycentrics),
            found,
        }
    }
}

impl Text for ClosestAnswer<'_> {
    fn text(&self) -> String {
        let points = &self.found;
        Rows::default()
            .row("distance", metres(points.distance))
            .row("on capsule", position(points.on_capsule))
            .row("on target", position(points.on_geometry))
            .normals(points.normal, points.face_normal)
            .feature(points.feature)
            .region(points.region)
            .barycentrics(points.barycentrics)
            .under(&format!("closest to {}", self.part.place.name()))
    }
}

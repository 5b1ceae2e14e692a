//! Where does a moving point first meet a surface?

use super::choose::{ask_each, choose};
use super::part::{Part, widened};
use super::place::Place;
use super::{Around, Corners, Question, SidesWord, every_bit, triangles};
use crate::output::{Rows, Text, metres, number, position};
use crate::target::Target;
use anyhow::Result;
use capsweep::scene::Filter;
use capsweep::{Motion, Ray, RayHit};
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct RayQuestion {
    ray: Ray,
    filter: Filter,
}

impl RayQuestion {
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
    sides: SidesWord,
    #[serde(default = "every_bit")]
    mask: u32,
    triangles: Corners,
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
    part: Part<'a>,
    #[serde(skip)]
    found: RayHit,
}

impl Question for RayQuestion {
    type Line = RayLine;
    type Answer<'a> = RayAnswer<'a>;
    const CLEAR: &'static str = "clear: nothing is on the ray";

    fn read(line: RayLine) -> Result<(Self, Option<Vec<Target>>)> {
        let motion = Motion::along(line.direction, line.distance)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(line.origin, motion, filter)?, triangles(line.triangles)?))
    }

    fn ask<'a>(&self, around: Around<'a>) -> Option<RayAnswer<'a>> {
        let Self { ray, filter } = self;
        match around {
            Around::Level(level) => {
                let found = level.scene.ray(ray, filter)?;
                Some(RayAnswer::new(found.hit, Place::in_level(level, &found.target)))
            }
            Around::Targets(targets) | Around::Triangles(targets) => {
                let first = |target: &Target| target.ray(ray, filter.sides);
                let found = ask_each(targets, filter, first);
                let time = found.iter().map(|(_, hit)| hit.time).reduce(f64::min)?;
                let head_on = |hit: &RayHit| hit.normal.as_dvec3().dot(ray.motion().vector()).abs();
                let (distance, (index, hit)) = choose(found, |hit| hit.distance, head_on)?;
                // The smallest is reported, whichever of the tied hits is shown.
                let hit = RayHit { time, distance, ..hit };
                Some(RayAnswer::new(hit, Place::of_target(around, index, &targets[index])))
            }
        }
    }
}

impl<'a> RayAnswer<'a> {
    fn new(found: RayHit, place: Place<'a>) -> Self {
        Self {
            hit: true,
            time: found.time,
            distance: found.distance,
            point: found.point.to_array(),
            normal: widened(found.normal),
            face_normal: widened(found.normal),
            part: Part::new(found.feature, None, place, found.barycentrics),
            found,
        }
    }
}

impl Text for RayAnswer<'_> {
    fn text(&self) -> String {
        let hit = &self.found;
        Rows::default()
            .row("time", format!("{} of the motion", number(hit.time)))
            .row("distance", metres(hit.distance))
            .row("point", position(hit.point))
            .normals(hit.normal, hit.normal)
            .feature(hit.feature)
            .barycentrics(hit.barycentrics)
            .under(&format!("meets {}", self.part.place.name()))
    }
}

//! Which surfaces lie over and under a point?

use super::part::{feature_index, feature_word, widened};
use super::place::Place;
use super::{Around, Corners, Question, SidesWord, every_bit, triangles};
use crate::output::{Text, list, number};
use crate::target::Target;
use anyhow::{Result, bail};
use capsweep::query::{Column, Facing, Support};
use capsweep::scene::{Body, Filter, Scene};
use capsweep::{
    CONTACT_TOLERANCE, Feature, Motion, Ray, RayHit, Sides, SlopeLimit, Triangle, ray_triangle,
};
use capsweep_formats::Level;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Steepest slope that counts as walkable unless said otherwise, in degrees: that of the library's human.
pub(crate) const SLOPE_LIMIT: f64 = 50.0;

#[derive(Debug)]
pub(crate) struct SupportsQuestion {
    column: Column,
    slope_limit: SlopeLimit,
    filter: Filter,
}

impl SupportsQuestion {
    /// `slope_limit` is in degrees.
    pub(crate) fn new(column: Column, slope_limit: f64, filter: Filter) -> Result<Self> {
        if !(0.0..=90.0).contains(&slope_limit) {
            bail!("slope_limit is {slope_limit}: it must be an angle of 0 to 90 degrees");
        }
        let slope_limit = SlopeLimit::from_degrees(slope_limit)?;
        Ok(Self { column, slope_limit, filter })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SupportsLine {
    point: DVec3,
    above: f64,
    below: f64,
    #[serde(default = "upwards")]
    up: DVec3,
    #[serde(default = "slope_limit")]
    slope_limit: f64,
    #[serde(default)]
    sides: SidesWord,
    #[serde(default = "every_bit")]
    mask: u32,
    triangles: Corners,
}

fn upwards() -> DVec3 {
    DVec3::Z
}

fn slope_limit() -> f64 {
    SLOPE_LIMIT
}

#[derive(Serialize)]
pub(crate) struct SupportsAnswer<'a> {
    hit: bool,
    supports: Vec<SupportAnswer<'a>>,
}

#[derive(Serialize)]
struct SupportAnswer<'a> {
    height: f64,
    point: [f64; 3],
    normal: [f64; 3],
    facing: &'static str,
    walkable: bool,
    feature: &'static str,
    #[serde(flatten)]
    place: Place<'a>,
    feature_index: Option<u8>,
}

impl Question for SupportsQuestion {
    type Line = SupportsLine;
    type Answer<'a> = SupportsAnswer<'a>;
    const CLEAR: &'static str = "clear: no surface is over or under the point";

    fn read(line: SupportsLine) -> Result<(Self, Option<Vec<Target>>)> {
        let column = Column::new(line.point, line.up, line.above, line.below)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(column, line.slope_limit, filter)?, triangles(line.triangles)?))
    }

    fn ask<'a>(&self, around: Around<'a>) -> Option<SupportsAnswer<'a>> {
        let supports = match around {
            Around::Level(level) => self.in_level(level),
            Around::Targets(targets) | Around::Triangles(targets) => {
                self.of_targets(around, targets)
            }
        };
        (!supports.is_empty()).then_some(SupportsAnswer { hit: true, supports })
    }
}

impl SupportsQuestion {
    fn in_level<'a>(&self, level: &'a Level) -> Vec<SupportAnswer<'a>> {
        let mut found = Vec::new();
        level.scene.supports(&self.column, self.slope_limit, &self.filter, &mut found);
        let answer = |one: &Support| SupportAnswer::new(one, Place::in_level(level, &one.target));
        found.iter().map(answer).collect()
    }

    /// What a scene of these targets would answer. Triangles are crossed as they are, in f64; a scene's meshes are f32.
    fn of_targets<'a>(&self, around: Around<'a>, targets: &[Target]) -> Vec<SupportAnswer<'a>> {
        let mut found = Vec::new();
        let seen = if self.filter.mask == 0 { &[] } else { targets };
        for (index, target) in seen.iter().enumerate() {
            let place = || Place::of_target(around, index, target);
            match target {
                Target::Triangle(triangle) => {
                    found.extend(self.crossing(triangle).map(|one| one.answer(place())));
                }
                solid => found.extend(
                    self.of_solid(solid).iter().map(|one| SupportAnswer::new(one, place())),
                ),
            }
        }
        // The order of the targets decides between equals.
        found.sort_by(|a, b| b.height.total_cmp(&a.height).then(a.facing.cmp(b.facing).reverse()));
        count_once(found, self.column.up())
    }

    fn crossing(&self, triangle: &Triangle) -> Option<Crossing> {
        let up = self.column.up();
        let (height, hit) = self.height_of(triangle)?;
        let own = triangle.normal().unwrap_or(hit.normal);
        let turned = self.filter.sides == Sides::Both && own.as_dvec3().dot(up) < 0.0;
        let normal = if turned { -own } else { own };
        let level = normal.as_dvec3().dot(up);
        let walkable = level >= 0.0 && level >= f64::from(self.slope_limit.cos());
        Some(Crossing {
            height,
            point: hit.point,
            normal,
            faces_up: level >= 0.0,
            walkable,
            feature: hit.feature,
        })
    }

    /// Where the column crosses a triangle, and how high that is over its point.
    fn height_of(&self, triangle: &Triangle) -> Option<(f64, RayHit)> {
        let column = &self.column;
        let (point, up, above, below) =
            (column.point(), column.up(), column.above(), column.below());
        let hit = |ray: &Ray| ray_triangle(ray, triangle, Sides::Both);
        let down = Motion::along(-up, above + below);
        if let Ok(ray) = down.and_then(|down| Ray::new(point + up * above, down)) {
            return hit(&ray).map(|hit| (above - hit.distance, hit));
        }
        // A ray cannot reach out of the range of positions: each half is asked from the point.
        let half = |way, length| Ray::new(point, Motion::along(way, length).ok()?).ok();
        let under = half(-up, below).and_then(|ray| hit(&ray)).map(|hit| (-hit.distance, hit));
        let over = || half(up, above).and_then(|ray| hit(&ray)).map(|hit| (hit.distance, hit));
        under.or_else(over)
    }

    /// A shape's floor and ceiling.
    fn of_solid(&self, target: &Target) -> Vec<Support> {
        let mut found = Vec::new();
        if let Some(shape) = target.shape() {
            let mut scene = Scene::new();
            scene.insert(Body::shape(shape));
            scene.supports(&self.column, self.slope_limit, &self.filter, &mut found);
        }
        found
    }
}

/// Where the column crosses a triangle.
struct Crossing {
    height: f64,
    point: DVec3,
    normal: Vec3,
    faces_up: bool,
    walkable: bool,
    feature: Feature,
}

impl Crossing {
    fn answer(self, place: Place) -> SupportAnswer {
        SupportAnswer {
            height: self.height,
            point: self.point.to_array(),
            normal: widened(self.normal),
            facing: if self.faces_up { "up" } else { "down" },
            walkable: self.walkable,
            feature: feature_word(self.feature),
            place,
            feature_index: feature_index(self.feature),
        }
    }
}

/// Makes one of the surfaces that the column meets at a common edge or vertex: of those at one height that face the same way, and that it
/// does not both cross inside, the most level stays.
fn count_once(found: Vec<SupportAnswer>, up: DVec3) -> Vec<SupportAnswer> {
    let level = |one: &SupportAnswer| DVec3::from_array(one.normal).dot(up).abs();
    let mut kept: Vec<SupportAnswer> = Vec::new();
    for next in found {
        let same = kept
            .iter_mut()
            .rev()
            .take_while(|other| other.height - next.height <= CONTACT_TOLERANCE)
            .find(|other| {
                let on_a_border = other.feature_index.is_some() || next.feature_index.is_some();
                other.facing == next.facing && on_a_border
            });
        match same {
            Some(other) if level(&next) > level(other) => *other = next,
            Some(_) => {}
            None => kept.push(next),
        }
    }
    kept
}

impl<'a> SupportAnswer<'a> {
    fn new(found: &Support, place: Place<'a>) -> Self {
        Self {
            height: found.height,
            point: found.point.to_array(),
            normal: widened(found.normal),
            facing: match found.facing {
                Facing::Up => "up",
                Facing::Down => "down",
            },
            walkable: found.walkable,
            feature: feature_word(found.feature),
            place,
            feature_index: feature_index(found.feature),
        }
    }
}

impl Text for SupportsAnswer<'_> {
    /// From top to bottom, a line each.
    fn text(&self) -> String {
        let line = |one: &SupportAnswer| {
            let kind = match (one.facing, one.walkable) {
                ("up", true) => "walkable floor",
                ("up", false) => "steep floor",
                _ => "ceiling",
            };
            let (height, normal) = (number(one.height), list(one.normal));
            format!("\n  {height:>12} m  {kind:14}  normal {normal}  {}", one.place.name())
        };
        let count = self.supports.len();
        let surfaces = if count == 1 { "surface" } else { "surfaces" };
        let lines: String = self.supports.iter().map(line).collect();
        format!("{count} {surfaces}, heights from the point{lines}")
    }
}

//! The supports query: the floors and ceilings over and under a point.

use super::details::{feature_index, feature_name, normal_to_f64};
use super::named_target::NamedTarget;
use super::{LineCorners, Query, SidesArg, WorldRef, all_bits, line_triangles};
use crate::output::{Text, count, list, number};
use crate::target::Target;
use anyhow::{Result, bail};
use capsweep::persist::MapUnit;
use capsweep::query::{Column, Facing, Support};
use capsweep::scene::{Body, Filter, Scene};
use capsweep::{
    CONTACT_TOLERANCE, Feature, Motion, Ray, RayHit, Sides, SlopeLimit, Triangle, ray_triangle,
};
use capsweep_formats::Level;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Default for the steepest walkable slope, in degrees: that of the library's human preset.
pub(crate) const SLOPE_LIMIT: f64 = 50.0;

#[derive(Debug)]
pub(crate) struct SupportsQuery {
    column: Column,
    slope_limit: SlopeLimit,
    filter: Filter,
}

impl SupportsQuery {
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
    #[serde(default = "z_up")]
    up: DVec3,
    #[serde(default = "default_slope_limit")]
    slope_limit: f64,
    #[serde(default)]
    sides: SidesArg,
    #[serde(default = "all_bits")]
    mask: u32,
    triangles: LineCorners,
}

fn z_up() -> DVec3 {
    DVec3::Z
}

fn default_slope_limit() -> f64 {
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
    target: NamedTarget<'a>,
    feature_index: Option<u8>,
}

impl Query for SupportsQuery {
    type Line = SupportsLine;
    type Answer<'a> = SupportsAnswer<'a>;
    const CLEAR: &'static str = "clear: no surface is over or under the point";

    fn from_line(line: SupportsLine) -> Result<(Self, Option<Vec<Target>>)> {
        let column = Column::new(line.point, line.up, line.above, line.below)?;
        let filter = line.sides.filter(line.mask);
        Ok((Self::new(column, line.slope_limit, filter)?, line_triangles(line.triangles)?))
    }

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<SupportsAnswer<'a>> {
        let supports = match world {
            WorldRef::Level(level) => self.in_level(level),
            WorldRef::Targets(targets) | WorldRef::LineTriangles(targets) => {
                self.in_targets(world, targets)
            }
        };
        (!supports.is_empty()).then_some(SupportsAnswer { hit: true, supports })
    }
}

impl SupportsQuery {
    fn in_level<'a>(&self, level: &'a Level) -> Vec<SupportAnswer<'a>> {
        let mut found = Vec::new();
        level.scene.supports(&self.column, self.slope_limit, &self.filter, &mut found);
        let answer =
            |one: &Support| SupportAnswer::new(one, NamedTarget::in_level(level, &one.target));
        found.iter().map(answer).collect()
    }

    /// The answer of a scene of these targets. Triangles keep their f64 corners; a scene's meshes
    /// would round them to f32.
    fn in_targets<'a>(&self, world: WorldRef<'a>, targets: &[Target]) -> Vec<SupportAnswer<'a>> {
        let mut found = Vec::new();
        let visible = if self.filter.mask == 0 { &[] } else { targets };
        for (index, target) in visible.iter().enumerate() {
            let named = || NamedTarget::in_targets(world, index, target);
            match target {
                Target::Triangle(triangle) => {
                    found.extend(self.crossing(triangle).map(|one| one.answer(named())));
                }
                solid => found.extend(
                    self.of_solid(solid).iter().map(|one| SupportAnswer::new(one, named())),
                ),
            }
        }
        // The sort is stable: of equals, the first target stays first.
        found.sort_by(|a, b| b.height.total_cmp(&a.height).then(a.facing.cmp(b.facing).reverse()));
        merge_shared_edges(found, self.column.up())
    }

    fn crossing(&self, triangle: &Triangle) -> Option<Crossing> {
        let up = self.column.up();
        let (height, hit) = self.height_of(triangle)?;
        let front = triangle.normal().unwrap_or(hit.normal);
        let is_flipped = self.filter.sides == Sides::Both && front.as_dvec3().dot(up) < 0.0;
        let normal = if is_flipped { -front } else { front };
        let cos_slope = normal.as_dvec3().dot(up);
        let walkable = cos_slope >= 0.0 && cos_slope >= f64::from(self.slope_limit.cos());
        Some(Crossing {
            height,
            point: hit.point,
            normal,
            faces_up: cos_slope >= 0.0,
            walkable,
            feature: hit.feature,
        })
    }

    /// The crossing of the column and a triangle, and its height over the column's point.
    fn height_of(&self, triangle: &Triangle) -> Option<(f64, RayHit)> {
        let column = &self.column;
        let (point, up, above, below) =
            (column.point(), column.up(), column.above(), column.below());
        let hit = |ray: &Ray| ray_triangle(ray, triangle, Sides::Both);
        let down = Motion::along(-up, above + below);
        if let Ok(ray) = down.and_then(|down| Ray::new(point + up * above, down)) {
            return hit(&ray).map(|hit| (above - hit.distance, hit));
        }
        // The column's top is outside the range of positions: cast one ray down and one ray up
        // from the point instead.
        let half =
            |direction, length| Ray::new(point, Motion::along(direction, length).ok()?).ok();
        let under = half(-up, below).and_then(|ray| hit(&ray)).map(|hit| (-hit.distance, hit));
        let over = || half(up, above).and_then(|ray| hit(&ray)).map(|hit| (hit.distance, hit));
        under.or_else(over)
    }

    /// The floor and the ceiling of a solid shape, from a scene that holds nothing else.
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

/// The crossing of the column and a triangle.
struct Crossing {
    height: f64,
    point: DVec3,
    normal: Vec3,
    faces_up: bool,
    walkable: bool,
    feature: Feature,
}

impl Crossing {
    fn answer(self, target: NamedTarget) -> SupportAnswer {
        SupportAnswer {
            height: self.height,
            point: self.point.to_array(),
            normal: normal_to_f64(self.normal),
            facing: if self.faces_up { "up" } else { "down" },
            walkable: self.walkable,
            feature: feature_name(self.feature),
            target,
            feature_index: feature_index(self.feature),
        }
    }
}

/// Merges the surfaces that the column meets at a shared edge or vertex: of surfaces at one height
/// that face the same way, the most level stays. Two crossings inside faces are never merged.
fn merge_shared_edges(found: Vec<SupportAnswer>, up: DVec3) -> Vec<SupportAnswer> {
    let levelness = |one: &SupportAnswer| DVec3::from_array(one.normal).dot(up).abs();
    let mut kept: Vec<SupportAnswer> = Vec::new();
    for next in found {
        let same = kept
            .iter_mut()
            .rev()
            .take_while(|other| other.height - next.height <= CONTACT_TOLERANCE)
            .find(|other| {
                let on_border = other.feature_index.is_some() || next.feature_index.is_some();
                other.facing == next.facing && on_border
            });
        match same {
            Some(other) if levelness(&next) > levelness(other) => *other = next,
            Some(_) => {}
            None => kept.push(next),
        }
    }
    kept
}

impl<'a> SupportAnswer<'a> {
    fn new(found: &Support, target: NamedTarget<'a>) -> Self {
        Self {
            height: found.height,
            point: found.point.to_array(),
            normal: normal_to_f64(found.normal),
            facing: match found.facing {
                Facing::Up => "up",
                Facing::Down => "down",
            },
            walkable: found.walkable,
            feature: feature_name(found.feature),
            target,
            feature_index: feature_index(found.feature),
        }
    }
}

impl Text for SupportsAnswer<'_> {
    /// One line per surface, from top to bottom.
    fn text(&self, unit: MapUnit) -> String {
        let line = |one: &SupportAnswer| {
            let kind = match (one.facing, one.walkable) {
                ("up", true) => "walkable floor",
                ("up", false) => "steep floor",
                _ => "ceiling",
            };
            let (height, normal) = (number(one.height), list(one.normal));
            let (unit, target) = (unit.symbol(), one.target.describe());
            format!("\n  {height:>12} {unit}  {kind:14}  normal {normal}  {target}")
        };
        let surfaces = count(self.supports.len(), "surface", "surfaces");
        let lines: String = self.supports.iter().map(line).collect();
        format!("{surfaces}, heights from the point{lines}")
    }
}

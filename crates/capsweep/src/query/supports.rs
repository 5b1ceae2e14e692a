//! Every surface over and under a point: what a character can stand on, and what is over its head.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::error::{MAX_POSITION, ShapeError, check_direction, check_number, check_position, xyz};
use crate::math::F32x8;
use crate::pair::ray::{Cast, Surface};
use crate::query::line::{Line, Observer};
use crate::scene::body::{Body, Shape};
use crate::scene::filter::Filter;
use crate::scene::hit::HitTarget;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::tolerance::{END_SLACK, SAME_HEIGHT};
use crate::{Feature, Motion, Ray, Sides, SlopeLimit};
use glam::{DVec3, Vec3};

/// A piece of the line through a point along an up direction: checked when it is made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ColumnParts", into = "ColumnParts"))]
pub struct Column {
    point: DVec3,
    up: DVec3,
    above: f64,
    below: f64,
}

#[cfg(feature = "serde")]
crate::serial::parts!(ColumnParts of Column { point: DVec3, up: DVec3, above: f64, below: f64 } by Column::new);

impl Column {
    /// From `above` metres over `point` to `below` metres under it; `up` may have any length but zero.
    ///
    /// # Errors
    /// If a number is not finite or out of range, `above` or `below` is negative, or `up` is zero.
    pub fn new(point: DVec3, up: DVec3, above: f64, below: f64) -> Result<Self, ShapeError> {
        check_position(xyz!("point"), point)?;
        let up = check_direction("up", xyz!("up"), up)?;
        for (field, value) in [("above", above), ("below", below)] {
            check_number(field, value, MAX_POSITION)?;
            if value < 0.0 {
                return Err(ShapeError::Negative { field, value });
            }
        }
        Ok(Self { point, up, above, below })
    }

    /// The point that heights count from.
    pub fn point(&self) -> DVec3 {
        self.point
    }

    /// Unit.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// Metres that the column reaches over the point.
    pub fn above(&self) -> f64 {
        self.above
    }

    /// Metres that the column reaches under the point.
    pub fn below(&self) -> f64 {
        self.below
    }
}

/// Which way a surface faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Facing {
    /// A floor: its outside is above it.
    Up,
    /// A ceiling: its outside is below it.
    Down,
}

/// A surface over or under a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Support {
    /// Metres over the column's point; negative under it.
    pub height: f64,
    /// Where the column crosses the surface.
    pub point: DVec3,
    /// The surface's own unit normal. It points up where both sides of a triangle count.
    pub normal: Vec3,
    /// Which way the normal points.
    pub facing: Facing,
    /// Whether it faces up and is no steeper than the slope limit.
    pub walkable: bool,
    /// Which part of the target is crossed: the border only where the column meets it exactly.
    pub feature: Feature,
    /// On which part of which body.
    pub target: HitTarget,
}

impl Scene {
    /// Every surface in `column`, from top to bottom, of what `filter` lets it see. `out` is emptied first.
    ///
    /// Triangles count whichever side the column comes from; solids have a floor on top and a ceiling below. A surface
    /// counts once where the column meets an edge or a vertex of it: of those that meet there and face the same way the
    /// most level is reported, then by kind, key and triangle. What stands upright is not crossed. A surface is walkable
    /// where `normal · up` is at least the cosine of the slope limit.
    pub fn supports(
        &self,
        column: &Column,
        slope_limit: SlopeLimit,
        filter: &Filter,
        out: &mut Vec<Support>,
    ) {
        out.clear();
        // A metre for each unit of time.
        let Some(ray) = Motion::new(-column.up)
            .ok()
            .and_then(|down| Cast::new(&Ray::from_checked(column.point, down)))
        else {
            return;
        };
        let line = Line {
            content: self.content(),
            filter,
            start: column.point + column.up * column.above,
            motion: column.up * -(column.above + column.below),
        };
        let steepest = f64::from(slope_limit.cos());
        line.show(&mut Collector { content: line.content, filter, column, ray, steepest, out });
        out.sort_unstable_by(|a, b| {
            let by_height = b.height.total_cmp(&a.height);
            by_height.then(a.facing.cmp(&b.facing)).then(a.target.rank().cmp(&b.target.rank()))
        });
        count_once(out, column.up);
    }
}

/// Collects what a column crosses.
struct Collector<'a> {
    content: &'a Content,
    filter: &'a Filter,
    column: &'a Column,
    /// Down from the column's point, a metre in unit time.
    ray: Cast,
    steepest: f64,
    out: &'a mut Vec<Support>,
}

impl Observer for Collector<'_> {
    fn limit(&self) -> f64 {
        let length = self.column.above + self.column.below;
        if length > 0.0 { 1.0 + END_SLACK / length } else { 1.0 }
    }

    fn sides(&self, _body: &Body) -> Sides {
        Sides::Both
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, at: &MeshInstance, slot: usize) {
        let corners = at.mesh.world_corners::<L::F64x4>(at.pose, slot);
        let Some(piercing) = self.ray.cross_corners(corners, at.sides) else { return };
        let Some(target) = self.content.target(at.body, slot as u32) else { return };
        let mut surface = piercing.surface();
        surface.feature = at.pose.feature_to_mesh(surface.feature);
        let both = at.mesh.is_double_sided() || self.filter.sides == Sides::Both;
        if both && surface.normal.dot(self.column.up) < 0.0 {
            surface.normal = -surface.normal;
        }
        self.take(&surface, target);
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        let Some(target) = self.content.target(body, 0) else { return };
        if let Some(span) = shape.ray_span(&self.ray) {
            self.take(&span.enter, target);
            self.take(&span.exit, target);
        }
    }
}

impl Collector<'_> {
    fn take(&mut self, surface: &Surface, target: HitTarget) {
        let column = self.column;
        let height = -surface.time;
        if height > column.above + END_SLACK || height < -column.below - END_SLACK {
            return;
        }
        let level = surface.normal.dot(column.up);
        let facing = if level >= 0.0 { Facing::Up } else { Facing::Down };
        self.out.push(Support {
            height,
            point: column.point + column.up * height,
            normal: surface.normal.as_vec3(),
            facing,
            walkable: facing == Facing::Up && level >= self.steepest,
            feature: surface.feature,
            target,
        });
    }
}

/// Makes one of the surfaces that the column meets at a common edge or vertex: those at the same height that face the
/// same way, and that it does not both cross inside.
fn count_once(out: &mut Vec<Support>, up: DVec3) {
    let level = |support: &Support| support.normal.as_dvec3().dot(up).abs();
    let mut kept = 0;
    for i in 0..out.len() {
        let next = out[i];
        let same_height = |other: &Support| {
            other.height - next.height <= SAME_HEIGHT * (1.0 + other.height.abs())
        };
        let same = (0..kept).rev().take_while(|k| same_height(&out[*k])).find(|k| {
            let other = &out[*k];
            other.facing == next.facing
                && (other.feature != Feature::Face || next.feature != Feature::Face)
        });
        let Some(same) = same else {
            out[kept] = next;
            kept += 1;
            continue;
        };
        let other = out[same];
        let (a, b) = (level(&next), level(&other));
        if a > b || (a == b && next.target.rank() < other.target.rank()) {
            // The place stays, so the order does.
            out[same] = Support { height: other.height, point: other.point, ..next };
        }
    }
    out.truncate(kept);
}

//! Supports: every surface over and under a point, such as floors to stand on and ceilings.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::error::{MAX_POSITION, ShapeError, check_direction, check_number, check_position, xyz};
use crate::math::F32x8;
use crate::pair::ray::{PreparedRay, SurfaceCrossing};
use crate::query::line::{Line, LineVisitor};
use crate::scene::body::Shape;
use crate::scene::filter::Filter;
use crate::scene::hit::HitTarget;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::tolerance::{END_SLACK, SAME_HEIGHT};
use crate::traverse::static_source::StaticSource;
use crate::{Feature, Motion, Ray, Sides, SlopeLimit};
use glam::{DVec3, Vec3};

/// A segment of the line through a point along an up direction: finite and in range by
/// construction.
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
crate::serde_parts::parts!(
    ColumnParts of Column { point: DVec3, up: DVec3, above: f64, below: f64 } by Column::new
);

impl Column {
    /// From `above` metres over `point` to `below` metres under it. `up` may have any length but
    /// zero.
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

    /// The up direction, of unit length.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// How far the column reaches over the point, metres.
    pub fn above(&self) -> f64 {
        self.above
    }

    /// How far the column reaches under the point, metres.
    pub fn below(&self) -> f64 {
        self.below
    }
}

/// Whether a surface faces up or down.
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
    /// The surface's own normal, of unit length. Where both sides of a triangle count, it is the
    /// one that points up.
    pub normal: Vec3,
    /// Whether the normal points up or down.
    pub facing: Facing,
    /// Whether the surface faces up and is no steeper than the slope limit.
    pub walkable: bool,
    /// The part of the target that the column crosses. An edge or vertex only where the column
    /// meets it exactly.
    pub feature: Feature,
    /// The body, and the triangle of a mesh.
    pub target: HitTarget,
}

impl Scene {
    /// Finds every surface that `column` crosses, from top to bottom, among what `filter` sees.
    /// Clears `out` first.
    ///
    /// - **Surfaces.** Triangles count from both sides. Solids have a floor on top and a ceiling
    ///   below. Vertical surfaces are not crossed.
    /// - **Walkable** surfaces have `normal · up` of at least the cosine of the slope limit.
    /// - **Shared edges.** Where the column meets an edge or a vertex, surfaces of one height that
    ///   face the same side count once. The most level one is reported, then by kind, key and
    ///   triangle.
    /// - **Order.** At equal heights floors come before ceilings, then by kind, key and triangle.
    /// - **Ends.** Surfaces at exactly the ends of the column count.
    ///
    /// ```
    /// use capsweep::query::{Column, Facing};
    /// use capsweep::scene::{Body, Filter, Scene, Shape};
    /// use capsweep::{Obb, SlopeLimit};
    /// use glam::{DQuat, DVec3, dvec3, vec3};
    ///
    /// // A table top: its upper side at 1 m, its lower side at 0.5 m.
    /// let mut scene = Scene::new();
    /// let table = Obb::new(dvec3(0.0, 0.0, 0.75), vec3(1.0, 1.0, 0.25), DQuat::IDENTITY)?;
    /// scene.insert(Body::shape(Shape::Box(table)));
    ///
    /// let column = Column::new(dvec3(0.2, 0.1, 2.0), DVec3::Z, 1.0, 5.0)?;
    /// let mut found = Vec::new();
    /// scene.supports(&column, SlopeLimit::DEGREES_50, &Filter::default(), &mut found);
    /// let [floor, ceiling] = found[..] else { panic!("two surfaces") };
    /// assert_eq!((floor.facing, floor.walkable), (Facing::Up, true));
    /// assert!((floor.height + 1.0).abs() < 1e-9);
    /// assert_eq!((ceiling.facing, ceiling.walkable), (Facing::Down, false));
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn supports(
        &self,
        column: &Column,
        slope_limit: SlopeLimit,
        filter: &Filter,
        out: &mut Vec<Support>,
    ) {
        out.clear();
        // The motion has unit length, so that times are metres.
        let Some(ray) = Motion::new(-column.up)
            .ok()
            .and_then(|down| PreparedRay::new(&Ray::from_checked(column.point, down)))
        else {
            return;
        };
        let line = Line {
            content: self.content(),
            source: StaticSource::Tree,
            filter,
            start: column.point + column.up * column.above,
            motion: column.up * -(column.above + column.below),
        };
        let content = line.content;
        let min_cos = f64::from(slope_limit.cos());
        line.traverse(&mut SupportCollector { content, filter, column, ray, min_cos, out });
        out.sort_unstable_by(|a, b| {
            let by_height = b.height.total_cmp(&a.height);
            by_height.then(a.facing.cmp(&b.facing)).then(a.target.rank().cmp(&b.target.rank()))
        });
        merge_shared_edges(out, column.up);
    }
}

/// Collects the surfaces that a column crosses.
struct SupportCollector<'a> {
    content: &'a Content,
    filter: &'a Filter,
    column: &'a Column,
    /// Down from the column's point, one metre in unit time.
    ray: PreparedRay,
    /// Cosine of the slope limit.
    min_cos: f64,
    out: &'a mut Vec<Support>,
}

impl LineVisitor for SupportCollector<'_> {
    fn limit(&self) -> f64 {
        let length = self.column.above + self.column.below;
        if length > 0.0 { 1.0 + END_SLACK / length } else { 1.0 }
    }

    fn sides(&self) -> Sides {
        Sides::Both
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize) {
        let MeshInstance { body, surface: triangles, pose, sides } = *instance;
        let corners = triangles.world_corners::<L::F64x4>(pose, slot);
        let Some(piercing) = self.ray.cross_corners(corners, sides) else { return };
        let Some(target) = self.content.target(body, slot as u32) else { return };
        let mut surface = piercing.surface();
        surface.feature = pose.feature_to_mesh(surface.feature);
        let both = triangles.sides_in(slot, self.filter.sides) == Sides::Both;
        if both && surface.normal.dot(self.column.up) < 0.0 {
            surface.normal = -surface.normal;
        }
        self.add(&surface, target);
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        let Some(target) = self.content.target(body, 0) else { return };
        if let Some(span) = shape.ray_span(&self.ray) {
            self.add(&span.enter, target);
            self.add(&span.exit, target);
        }
    }
}

impl SupportCollector<'_> {
    fn add(&mut self, surface: &SurfaceCrossing, target: HitTarget) {
        let column = self.column;
        let height = -surface.time;
        if height > column.above + END_SLACK || height < -column.below - END_SLACK {
            return;
        }
        let cos = surface.normal.dot(column.up);
        let facing = if cos >= 0.0 { Facing::Up } else { Facing::Down };
        self.out.push(Support {
            height,
            point: column.point + column.up * height,
            normal: surface.normal.as_vec3(),
            facing,
            walkable: facing == Facing::Up && cos >= self.min_cos,
            feature: surface.feature,
            target,
        });
    }
}

/// Merges the surfaces that the column meets at a shared edge or vertex. These have equal height
/// and facing, and the column crosses the interior of at most one of them.
fn merge_shared_edges(out: &mut Vec<Support>, up: DVec3) {
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
            // The height and point stay, so the order does too.
            out[same] = Support { height: other.height, point: other.point, ..next };
        }
    }
    out.truncate(kept);
}

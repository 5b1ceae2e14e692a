//! Liquids over and under a point.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::math::F32x8;
use crate::mesh::surface::Surface;
use crate::pair::ray::PreparedRay;
use crate::query::line::{Line, LineVisitor};
use crate::scene::body::Shape;
use crate::scene::filter::Filter;
use crate::scene::hit::HitTarget;
use crate::scene::liquid::crossing::Crossing;
use crate::scene::liquid::store::probe_of;
use crate::scene::liquid::{LiquidKind, Liquids};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::tolerance::END_SLACK;
use crate::traverse::static_source::StaticSource;
use crate::{Motion, Point, Ray, Sides};
use glam::DVec3;

/// The surface of a liquid straight above or below a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Liquid {
    /// World z of the surface.
    pub surface: f64,
    /// Metres from the surface down to the point; negative if the point is above it.
    pub depth: f64,
    /// The kind of liquid.
    pub kind: LiquidKind,
    /// Its number in [`Liquids::placed`].
    pub number: u32,
}

impl Scene {
    /// The liquid that a point is in; `None` if it is in none.
    ///
    /// Up is +z. [`Liquids`] states which liquids count. Of those whose surface is not below the
    /// point, it is the one with the lowest surface; so `depth` is 0 or more. The answer depends
    /// on no filter.
    ///
    /// ```
    /// # use capsweep::{Point, scene::Scene};
    /// # use glam::dvec3;
    /// # fn main() -> Result<(), capsweep::ShapeError> {
    /// # let scene = Scene::new();
    /// let feet = Point::new(dvec3(1.0, 2.0, 3.0))?;
    /// if let Some(liquid) = scene.liquid_at(&feet) {
    ///     println!("{} m deep in {}", liquid.depth, liquid.kind);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn liquid_at(&self, point: &Point) -> Option<Liquid> {
        let mut lowest: Option<Liquid> = None;
        self.visit_liquids(point.position(), 0.0, |liquid| {
            let key = |liquid: &Liquid| (liquid.surface, liquid.number);
            if lowest.is_none_or(|other| key(&liquid) < key(&other)) {
                lowest = Some(liquid);
            }
        });
        lowest
    }

    /// The liquid with the highest surface that is at most `reach` metres above a point; `None` if
    /// there is none over or under the point.
    pub(crate) fn liquid_under(&self, point: &Point, reach: f64) -> Option<Liquid> {
        let mut highest: Option<Liquid> = None;
        self.visit_liquids(point.position(), f64::NEG_INFINITY, |liquid| {
            let is_higher = highest.is_none_or(|other| {
                liquid.surface > other.surface
                    || (liquid.surface == other.surface && liquid.number < other.number)
            });
            if liquid.depth <= reach && is_higher {
                highest = Some(liquid);
            }
        });
        highest
    }

    /// Finds every liquid surface straight above and below a point, from top to bottom. Clears
    /// `out` first.
    ///
    /// Up is +z. [`Liquids`] states which surfaces count. Those above the point have a depth of 0
    /// or more, those below it a negative one. At equal heights the smaller number comes first.
    pub fn liquids_over(&self, point: &Point, out: &mut Vec<Liquid>) {
        out.clear();
        self.visit_liquids(point.position(), f64::NEG_INFINITY, |liquid| out.push(liquid));
        out.sort_unstable_by(|a, b| b.surface.total_cmp(&a.surface).then(a.number.cmp(&b.number)));
    }

    /// Calls `found` with each surface that counts for a point and has at least this depth, in any
    /// order.
    fn visit_liquids(&self, point: DVec3, min_depth: f64, mut found: impl FnMut(Liquid)) {
        let Some(liquids) = self.liquids() else { return };
        // Most points are in no column of liquid, so the ray waits until a surface needs it.
        let mut room = None;
        liquids.cross(point, &mut |number, Crossing { surface, kind }| {
            let depth = surface - point.z;
            if !(depth >= min_depth && liquids.holds(number, point, surface)) {
                return;
            }
            let room = *room.get_or_insert_with(|| room_at(self.content(), liquids, point));
            if room.is_none_or(|room| liquids.belongs_to(number, room)) {
                found(Liquid { surface, depth, kind, number });
            }
        });
    }
}

/// The key and the tag of the indoor room that a point is in; `None` if it is in none.
fn room_at(content: &Content, liquids: &Liquids, point: DVec3) -> Option<(u64, u32)> {
    let probe = probe_of(point);
    if liquids.rooms().is_empty() {
        return None;
    }
    let below = Separators::along(content, liquids, probe, DVec3::NEG_Z);
    let (floor_distance, floor) = below.mesh?;
    let room = liquids.room(floor.key, floor.tag).filter(|room| room.indoor)?;
    let (_, pose) = content.surface(floor.body.index)?;
    if !room.holds(pose, [point, probe]) {
        return None;
    }
    let is_on_floor = below.field.is_none_or(|(distance, ground)| {
        floor_distance < distance || (floor_distance == distance && floor.rank() < ground.rank())
    });
    // Terrain that rises through the floor is inside, if a room of the same body is overhead.
    let is_inside = is_on_floor || {
        let above = Separators::along(content, liquids, probe, DVec3::Z);
        let roof = above
            .mesh
            .filter(|(distance, _)| above.field.is_none_or(|(terrain, _)| *distance <= terrain));
        roof.is_some_and(|(_, roof)| {
            roof.body == floor.body
                && liquids.room(roof.key, roof.tag).is_some_and(|room| room.indoor)
        })
    };
    is_inside.then_some((floor.key, floor.tag))
}

/// The first triangles on a vertical line that separate rooms: of terrain, and of meshes whose key
/// is listed with rooms. Each with its distance from the start.
struct Separators<'a> {
    content: &'a Content,
    liquids: &'a Liquids,
    /// One metre in unit time.
    ray: PreparedRay,
    /// Metres to the end of the world.
    length: f64,
    field: Option<(f64, HitTarget)>,
    mesh: Option<(f64, HitTarget)>,
}

/// What a line met.
#[derive(Default)]
struct Met {
    field: Option<(f64, HitTarget)>,
    mesh: Option<(f64, HitTarget)>,
}

impl Separators<'_> {
    /// Follows the line from `start` up or down to the end of the world.
    fn along(content: &Content, liquids: &Liquids, start: DVec3, way: DVec3) -> Met {
        // All bounded bodies end at this height.
        let length = content.max_coordinate - start.z * way.z;
        let ray = Motion::new(way).ok().map(|way| Ray::from_checked(start, way));
        let Some(ray) = ray.and_then(|ray| PreparedRay::new(&ray)) else { return Met::default() };
        if length <= 0.0 {
            return Met::default();
        }
        let filter = &Filter { sides: Sides::Both, ..Filter::default() };
        let source = StaticSource::Tree;
        let line = Line { content, source, filter, start, motion: way * length };
        let mut found = Separators { content, liquids, ray, length, field: None, mesh: None };
        line.traverse(&mut found);
        Met { field: found.field, mesh: found.mesh }
    }
}

impl LineVisitor for Separators<'_> {
    fn limit(&self) -> f64 {
        // Terrain does not end the line: the floor of a room may be below it.
        self.mesh.map_or(1.0, |(distance, _)| distance / self.length) + END_SLACK / self.length
    }

    fn sides(&self) -> Sides {
        Sides::Both
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize) {
        let MeshInstance { body, surface, pose, .. } = *instance;
        let corners = surface.world_corners::<L::F64x4>(pose, slot);
        let Some(piercing) = self.ray.cross_corners(corners, Sides::Both) else { return };
        let distance = piercing.time;
        if distance < -END_SLACK {
            return;
        }
        let Some((id, body)) = self.content.body_by_index(body) else { return };
        let is_field = matches!(body.surface(), Some((Surface::Field(_), _)));
        if !is_field && self.liquids.rooms_of(body.key).is_none() {
            return;
        }
        let target = HitTarget::of(id, body, slot as u32);
        let first = if is_field { &mut self.field } else { &mut self.mesh };
        let is_first = first.is_none_or(|(other, first)| {
            distance < other || (distance == other && target.rank() < first.rank())
        });
        if is_first {
            *first = Some((distance, target));
        }
    }

    fn shape(&mut self, _body: u32, _shape: &Shape) {}
}

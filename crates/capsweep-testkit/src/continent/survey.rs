//! Vertical lines through a continent in f64: its surfaces and its liquids.
//!
//! This is the oracle for imported worlds. It uses the source triangles only and tests them one by
//! one.

use super::frame::TileId;
use super::liquid::{LiquidKind, LiquidShape};
use super::model::{Group, INDOOR, Model, ModelKind};
use super::placement::{Fate, Transform};
use super::tile::Tile;
use super::{Continent, internal_to_world};
use glam::{DVec2, DVec3, Vec3};
use std::collections::BTreeMap;

/// Where a triangle comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A terrain tile.
    Terrain(TileId),
    /// A group of a placed model.
    Placement {
        /// Index of the placement in the continent.
        index: usize,
        /// Index of the group in the model.
        group: usize,
    },
}

/// A crossing of a vertical line and a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Height in yards.
    pub height: f64,
    /// Unit normal of the triangle's front.
    pub normal: DVec3,
    /// Where the triangle comes from.
    pub source: Source,
}

/// The liquid at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiquidAt {
    /// What it is made of.
    pub kind: LiquidKind,
    /// Height of its surface over the point, in yards.
    pub surface: f64,
    /// Distance from the surface down to the point.
    pub depth: f64,
    /// The terrain tile or the group that holds it.
    pub source: Source,
}

/// Some tiles of a continent and the placements that touch them, ready for vertical lines.
#[derive(Debug, Clone)]
pub struct Survey {
    tiles: BTreeMap<TileId, Tile>,
    models: BTreeMap<usize, Model>,
    placed: Vec<Placed>,
}

#[derive(Debug, Clone)]
struct Placed {
    index: usize,
    model: usize,
    transform: Transform,
    /// Bounds in the world frame.
    low: DVec2,
    high: DVec2,
}

impl Survey {
    /// Prepares the given tiles. Placements that an importer skips are left out.
    pub fn new(continent: &Continent, tiles: &[TileId]) -> Self {
        let mut survey =
            Self { tiles: BTreeMap::new(), models: BTreeMap::new(), placed: Vec::new() };
        survey.tiles.extend(tiles.iter().map(|id| (*id, continent.tile(*id))));
        for (index, placement) in continent.placements.iter().enumerate() {
            if placement.fate != Fate::Present {
                continue;
            }
            let entry = &continent.models[placement.model];
            // Generating a model is dear. Nothing but the bridge reaches further than a tile.
            let at = TileId::containing(internal_to_world(placement.position.as_dvec3()));
            let near =
                |id: &TileId| id.row.abs_diff(at.row) <= 1 && id.column.abs_diff(at.column) <= 1;
            if !tiles.iter().any(near) {
                continue;
            }
            let model = survey.models.entry(placement.model).or_insert_with(|| entry.model());
            let [a, b] = placement.bounds(model).map(|v| internal_to_world(v.as_dvec3()));
            survey.placed.push(Placed {
                index,
                model: placement.model,
                transform: placement.transform(),
                low: a.min(b).truncate(),
                high: a.max(b).truncate(),
            });
        }
        survey
    }

    /// All crossings of the vertical line through a point of the world, from the highest down.
    pub fn surfaces(&self, at: DVec2) -> Vec<Surface> {
        let mut found = Vec::new();
        if let Some((tile, cell)) = self.cell(at)
            && !tile.is_hole(cell)
        {
            let source = Source::Terrain(tile.id);
            found.extend(tile.cell_triangles(cell).iter().filter_map(|t| cross(t, at, source)));
        }
        for placed in self.placed_over(at) {
            for (group, part) in self.models[&placed.model].groups.iter().enumerate() {
                let source = Source::Placement { index: placed.index, group };
                found.extend(part.corners().filter_map(|corners| {
                    let world = corners.map(|v| placed.transform.to_world(v.as_dvec3()));
                    cross(&world, at, source)
                }));
            }
        }
        found.sort_by(|one, other| other.height.total_cmp(&one.height));
        found
    }

    /// The liquid at a point of the world: of those that contain it, the one with the lowest
    /// surface.
    ///
    /// - A terrain liquid reaches from its surface down to the ground. Without ground below its
    ///   surface it has no bottom (holes), and where the ground is higher there is none.
    /// - A liquid of a model reaches from its surface down to the bottom of its group's bounds. A
    ///   fill covers these bounds, a grid its wet tiles.
    /// - In a room (an indoor group with a triangle over and under the point), only the liquid of
    ///   that room counts, neither the terrain's nor that of another room.
    pub fn liquid_at(&self, point: DVec3) -> Option<LiquidAt> {
        let at = point.truncate();
        let mut found: Vec<LiquidAt> = Vec::new();
        let mut rooms: Vec<Source> = Vec::new();
        for placed in self.placed_over(at) {
            let model = &self.models[&placed.model];
            if model.kind == ModelKind::M2 {
                continue;
            }
            let local = placed.transform.to_model(point);
            for (group, part) in model.groups.iter().enumerate() {
                let (under, over) = around(part, local);
                let source = Source::Placement { index: placed.index, group };
                if part.flags & INDOOR != 0 && under && over {
                    rooms.push(source);
                }
                if let Some((kind, height)) = group_liquid(part, local) {
                    let surface = placed.transform.to_world(local.with_z(height)).z;
                    found.push(LiquidAt { kind, surface, depth: surface - point.z, source });
                }
            }
        }
        if rooms.is_empty() {
            found.extend(self.terrain_liquid(point));
        } else {
            found.retain(|liquid| rooms.contains(&liquid.source));
        }
        found.into_iter().min_by(|one, other| one.surface.total_cmp(&other.surface))
    }

    fn terrain_liquid(&self, point: DVec3) -> Option<LiquidAt> {
        let (tile, _) = self.cell(point.truncate())?;
        let (cell, part) = tile.locate(point.truncate())?;
        let (kind, surface) = tile.liquid.as_ref()?.surface(cell, part)?;
        let bottom = tile.ground(point.truncate()).unwrap_or(f64::NEG_INFINITY);
        let wet = bottom <= point.z && point.z <= surface;
        let source = Source::Terrain(tile.id);
        wet.then_some(LiquidAt { kind, surface, depth: surface - point.z, source })
    }

    fn cell(&self, at: DVec2) -> Option<(&Tile, [u32; 2])> {
        let tile = self.tiles.get(&TileId::containing(at.extend(0.0)))?;
        Some((tile, tile.locate(at)?.0))
    }

    fn placed_over(&self, at: DVec2) -> impl Iterator<Item = &Placed> {
        self.placed
            .iter()
            .filter(move |placed| at.cmpge(placed.low).all() && at.cmple(placed.high).all())
    }
}

/// Kind and height of a group's liquid at a point of the model's frame, if the point is in it.
fn group_liquid(group: &Group, local: DVec3) -> Option<(LiquidKind, f64)> {
    let liquid = group.liquid.as_ref()?;
    let [low, high] = group.bounds()?.map(Vec3::as_dvec3);
    let height = match &liquid.shape {
        LiquidShape::Grid(grid) => grid.surface(local.truncate())?,
        LiquidShape::Fill(height) => f64::from(*height),
    };
    // A liquid fills its group, so it is where the group's bounds are, seen from above.
    let (low_xy, high_xy, at) = (low.truncate(), high.truncate(), local.truncate());
    let inside = at.cmpge(low_xy).all() && at.cmple(high_xy).all();
    (inside && low.z <= local.z && local.z <= height).then_some((liquid.kind, height))
}

/// Whether a group has a triangle under a point of the model's frame, and one over it.
fn around(group: &Group, local: DVec3) -> (bool, bool) {
    let source = Source::Placement { index: 0, group: 0 };
    let (mut under, mut over) = (false, false);
    for corners in group.corners() {
        if let Some(surface) = cross(&corners.map(Vec3::as_dvec3), local.truncate(), source) {
            under |= surface.height <= local.z;
            over |= surface.height >= local.z;
        }
    }
    (under, over)
}

/// Crosses a triangle with a vertical line. Edges count; upright triangles are never crossed.
fn cross(&[a, b, c]: &[DVec3; 3], at: DVec2, source: Source) -> Option<Surface> {
    let area = |p: DVec2, q: DVec2| p.perp_dot(q);
    let [p, q, r] = [a, b, c].map(|v| v.truncate() - at);
    let (wa, wb, wc) = (area(q, r), area(r, p), area(p, q));
    let sum = wa + wb + wc;
    let one_side = (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) || (wa <= 0.0 && wb <= 0.0 && wc <= 0.0);
    // A rotation leaves upright triangles with an area of rounding errors: 1e-9 of their size.
    let size = (b - a).cross(c - a).length();
    if !one_side || sum.abs() <= 1e-9 * size || size == 0.0 {
        return None;
    }
    let height = (wa * a.z + wb * b.z + wc * c.z) / sum;
    Some(Surface { height, normal: (b - a).cross(c - a) / size, source })
}

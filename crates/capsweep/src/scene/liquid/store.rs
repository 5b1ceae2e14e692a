//! [`Liquids`]: all liquids of a world, their tree, and the rooms of models.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::MAX_POSITION;
use crate::bvh::{
    Bounds, Bvh, Entered, F32x8, GridBox, LaneFn, NONE, Node, NodeVisitor, VisitOrder, build,
    dispatch, traverse,
};
use crate::scene::body::outward;
use crate::scene::liquid::crossing::{Crossing, cross};
use crate::scene::liquid::{LiquidError, LiquidRole, ModelRooms, PlacedLiquid, Room, Rooms};
use crate::tolerance::BELOW_GROUND;
use glam::{DVec3, Vec3};

/// All liquids of a world, and the rooms of its models.
///
/// Up is +z. These are the rules by which a surface counts for a point `p` of the world. The
/// *probe* `q` is 5 cm straight above `p`, so that rounding puts no character under its floor.
///
/// 1. **Surfaces.** The vertical line through `p` crosses the wet cells of a placed sheet. Each
///    crossing is a surface, over or under `p`.
/// 2. **Room.** A ray runs from `q` straight down. It meets both sides of the triangles of height
///    fields, and of meshes whose key is listed with rooms. It passes through everything else. So
///    a table does not separate a character from the floor of its room. The first triangle decides
///    (of triangles at one height, by kind, key and triangle). `p` is in a room if three things
///    hold: the body lists a room with the triangle's tag, the room is indoor, and its box, in the
///    space of the body, contains `p` or `q`. Terrain that comes first, because it rises through
///    the floor, is passed if the same ray upwards meets an indoor room of the same body first.
/// 3. **Terrain.** The surface of a terrain liquid counts if `p` is in no room. If the ground has
///    a height at the place of `p`, neither `q` nor the surface may be below it. A hole, and a
///    place outside of the ground, has no height.
/// 4. **Models.** The surface of a model's liquid counts if `p` is in no room, or in the liquid's
///    own room: that with the same key and tag. Seen from above it must lie in the box of its own
///    room, in the space of the liquid. `q` may not be below the lowest corner of that box in the
///    world.
///
/// `p` is in the liquid with the lowest surface that counts and is not below `p`. Of surfaces at
/// one height, the liquid with the smaller number is reported.
///
/// So a cellar below the level of a lake, or of a pool in the next room, is dry unless it has
/// liquid of its own. A cave under a lake is dry, because it is below the ground. A cave under a
/// hole in the ground is a room. On the roof of a room its box decides: a point within the box
/// counts as inside.
///
/// Liquids do not follow bodies. If a body with liquid moves, set its liquids anew.
///
/// ```
/// use capsweep::Point;
/// use capsweep::scene::{Heights, LiquidGrid, LiquidKind, LiquidRole, LiquidSheet, Liquids};
/// use capsweep::scene::{PlacedLiquid, Pose, Scene};
/// use glam::dvec3;
/// use std::sync::Arc;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A lake of 100 × 100 m whose surface is at 12 m.
/// let grid = LiquidGrid { rows: 1, columns: 1, spacing: [100.0; 2], origin: [0.0; 2] };
/// let lake = LiquidSheet::new(grid, Heights::Flat(12.0), LiquidKind::Water)?;
/// let role = LiquidRole::Terrain { ground: None };
/// let lake = PlacedLiquid::new(Arc::new(lake), Pose::IDENTITY, role)?;
///
/// let mut scene = Scene::new();
/// scene.set_liquids(Some(Arc::new(Liquids::new(vec![lake], Vec::new())?)));
/// let found = scene.liquid_at(&Point::new(dvec3(50.0, 20.0, 9.5))?).ok_or("in the lake")?;
/// assert_eq!((found.surface, found.depth, found.kind), (12.0, 2.5, LiquidKind::Water));
/// assert_eq!(scene.liquid_at(&Point::new(dvec3(50.0, 20.0, 12.5))?), None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Liquids {
    placed: Vec<PlacedLiquid>,
    /// By key.
    rooms: Vec<ModelRooms>,
    /// Over the boxes of `placed`, flat at z = 0.
    tree: Bvh,
    /// Largest magnitude of a coordinate of these boxes.
    max_coordinate: f32,
}

impl Liquids {
    /// Makes a tree over the liquids. They are numbered in the order of the list.
    ///
    /// # Errors
    /// If the rooms of one key are listed twice, or if a liquid belongs to a room that is not
    /// listed.
    pub fn new(
        placed: Vec<PlacedLiquid>,
        mut rooms: Vec<ModelRooms>,
    ) -> Result<Self, LiquidError> {
        rooms.sort_by_key(|model| model.key);
        if let Some(pair) = rooms.windows(2).find(|pair| pair[0].key == pair[1].key) {
            return Err(LiquidError::SameKey { key: pair[0].key });
        }
        let boxes: Vec<Bounds> = placed.iter().map(PlacedLiquid::column_bounds).collect();
        let all = Bounds::union_of(&boxes);
        let max_coordinate =
            if all.is_empty() { 0.0 } else { all.min.abs().max(all.max.abs()).max_element() };
        let liquids = Self { tree: build(&boxes), placed, rooms, max_coordinate };
        for (liquid, placed) in liquids.placed.iter().enumerate() {
            if let LiquidRole::Model { key, tag } = *placed.role()
                && liquids.room(key, tag).is_none()
            {
                return Err(LiquidError::NoSuchRoom { liquid, key, tag });
            }
        }
        Ok(liquids)
    }

    /// All liquids, by their number.
    pub fn placed(&self) -> &[PlacedLiquid] {
        &self.placed
    }

    /// The rooms of models, by key.
    pub fn rooms(&self) -> &[ModelRooms] {
        &self.rooms
    }

    /// The rooms of the bodies with this key; `None` if it is not listed.
    pub fn rooms_of(&self, key: u64) -> Option<&Rooms> {
        let at = self.rooms.binary_search_by_key(&key, |model| model.key).ok()?;
        self.rooms.get(at).map(|model| &*model.rooms)
    }

    pub(crate) fn room(&self, key: u64, tag: u32) -> Option<&Room> {
        self.rooms_of(key)?.get(tag)
    }

    /// Calls `found` with the number of a liquid and a crossing of its surface, for all crossings
    /// of the vertical line through a point, in any order.
    pub(crate) fn cross(&self, point: DVec3, found: &mut dyn FnMut(u32, Crossing)) {
        let at = outward(point.with_z(0.0), point.with_z(0.0));
        let largest = at.min.abs().max(at.max.abs()).max_element() + self.max_coordinate;
        let wider = Vec3::splat(8.0 * f32::EPSILON * largest);
        let on_grid = GridBox::new(at.min - wider, at.max + wider);
        dispatch(ColumnTraversal { liquids: self, point, on_grid, found });
    }

    /// Whether a surface counts for a point, but for the room that the point is in.
    pub(crate) fn holds(&self, liquid: u32, point: DVec3, surface: f64) -> bool {
        let Some(placed) = self.placed.get(liquid as usize) else { return false };
        let probe = probe_of(point);
        match placed.role() {
            LiquidRole::Terrain { ground } => {
                let ground = ground.as_ref().and_then(|ground| ground.height_at(point.x, point.y));
                ground.is_none_or(|ground| probe.z >= ground && surface >= ground)
            }
            LiquidRole::Model { key, tag } => {
                self.room(*key, *tag).is_some_and(|room| placed.is_in(room, probe, surface))
            }
        }
    }

    /// Whether a liquid counts in the indoor room with this key and tag: only if it is its own.
    pub(crate) fn belongs_to(&self, liquid: u32, room: (u64, u32)) -> bool {
        let role = self.placed.get(liquid as usize).map(PlacedLiquid::role);
        matches!(role, Some(LiquidRole::Model { key, tag }) if (*key, *tag) == room)
    }
}

/// The point from which rooms and grounds are looked up.
pub(crate) fn probe_of(point: DVec3) -> DVec3 {
    point.with_z((point.z + BELOW_GROUND).min(MAX_POSITION))
}

/// Traverses the tree down to the liquids over and under a point.
struct ColumnTraversal<'a> {
    liquids: &'a Liquids,
    point: DVec3,
    on_grid: GridBox,
    found: &'a mut dyn FnMut(u32, Crossing),
}

impl LaneFn for ColumnTraversal<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        let nodes: &[Node] = &self.liquids.tree.nodes;
        traverse::<L>(nodes, &mut self);
    }
}

impl NodeVisitor for ColumnTraversal<'_> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.on_grid), order: VisitOrder::Any }
    }

    fn limit(&self) -> f32 {
        0.0
    }

    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        for item in self.liquids.tree.leaf_items(leaf).iter().filter(|item| **item != NONE) {
            let Some(placed) = self.liquids.placed.get(*item as usize) else { continue };
            let Some(sheet) = placed.sheet() else { continue };
            let column = [self.point.x, self.point.y];
            cross(sheet, placed.pose(), column, &mut |crossing| {
                (self.found)(*item, crossing);
            });
        }
        true
    }
}

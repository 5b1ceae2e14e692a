//! A house with two doors, a bath and a flooded cellar, and its furniture.

use super::frame::CELL_EDGE;
use super::liquid::{LiquidGrid, LiquidKind, LiquidShape, ModelLiquid};
use super::model::{Group, INDOOR, Model, ModelKind, OUTDOOR};
use super::room::inward_box;
use crate::level::build::MeshBuilder;
use glam::{Vec2, Vec3, vec2, vec3};

/// Half the length and width of the house, in yards.
pub(super) const HALF: Vec2 = vec2(12.0, 8.0);
/// Height of the floor over the ground: a step at each door.
pub(super) const FLOOR: f32 = 0.15;
/// Thickness of the walls.
const WALL: f32 = 0.5;
/// Height of the ceiling.
const CEILING: f32 = 4.0;
/// Half the width of a door, and its height.
const DOOR: Vec2 = vec2(1.2, 3.0);
/// Inner corner of the bath with the smallest coordinates. The bath is one liquid tile large.
const BATH: Vec2 = vec2(-9.5, 2.75);
/// Height of the water in the bath.
const WATER: f32 = 0.75;

/// The house. Its origin is on the ground, in the middle. The doors are at both ends of x.
pub(super) fn house() -> Model {
    let mut cellar = Group::new(INDOOR, 103, {
        let mut room = MeshBuilder::default();
        inward_box(&mut room, vec3(-5.0, -4.0, -5.0), vec3(5.0, 4.0, -1.2));
        room.finish()
    });
    cellar.liquid = Some(ModelLiquid { kind: LiquidKind::Water, shape: LiquidShape::Fill(-3.0) });
    // A group without vertices, as real models have them.
    let empty = Group { flags: OUTDOOR, id: 102, ..Group::default() };
    Model { kind: ModelKind::Wmo, root_id: 77, groups: vec![outside(), inside(), empty, cellar] }
}

/// Walls with door openings, and the roof.
fn outside() -> Group {
    let mut shell = MeshBuilder::default();
    for side in [-1.0, 1.0] {
        let mut slab = |[x0, x1]: [f32; 2], [y0, y1]: [f32; 2], [z0, z1]: [f32; 2]| {
            let (a, b) = (vec3(x0 * side, y0, z0), vec3(x1 * side, y1, z1));
            shell.cuboid(a.min(b), a.max(b));
        };
        let ends = [HALF.x - WALL, HALF.x];
        slab(ends, [-HALF.y, -DOOR.x], [FLOOR, CEILING]);
        slab(ends, [DOOR.x, HALF.y], [FLOOR, CEILING]);
        slab(ends, [-DOOR.x, DOOR.x], [DOOR.y, CEILING]);
        let y = side * (HALF.y - 0.5 * WALL);
        let width = [y - 0.5 * WALL, y + 0.5 * WALL];
        slab([WALL - HALF.x, HALF.x - WALL], width, [FLOOR, CEILING]);
    }
    let eaves = HALF + 0.5;
    let outline = [
        vec2(-eaves.x, -eaves.y),
        vec2(eaves.x, -eaves.y),
        vec2(eaves.x, eaves.y),
        vec2(-eaves.x, eaves.y),
    ];
    shell.cone(&outline, CEILING + 0.3, Vec3::Z * 8.0);
    Group::new(OUTDOOR, 100, shell.finish())
}

/// Floor, ceiling and the bath.
fn inside() -> Group {
    let mut room = MeshBuilder::default();
    let slab = |z: f32| vec3(HALF.x, HALF.y, z);
    room.cuboid(-slab(0.6), slab(FLOOR));
    room.cuboid(vec3(-HALF.x, -HALF.y, CEILING), slab(CEILING + 0.3));
    let (edge, rim) = (CELL_EDGE as f32, 0.3);
    let far = BATH + edge;
    for [low, high] in [
        [BATH - rim, vec2(far.x + rim, BATH.y)],
        [vec2(BATH.x - rim, far.y), far + rim],
        [vec2(BATH.x - rim, BATH.y), vec2(BATH.x, far.y)],
        [vec2(far.x, BATH.y), vec2(far.x + rim, far.y)],
    ] {
        room.cuboid(low.extend(FLOOR), high.extend(WATER + 0.2));
    }
    let mut inside = Group::new(INDOOR, 101, room.finish());
    // Of the four tiles of the grid, only the last is wet.
    let grid = LiquidGrid {
        tiles: [2, 2],
        corner: (BATH - edge).extend(WATER),
        heights: vec![WATER; 9],
        flags: vec![0x0F, 0x4F, 0x0F, 0x04],
    };
    inside.liquid = Some(ModelLiquid { kind: LiquidKind::Water, shape: LiquidShape::Grid(grid) });
    inside
}

/// A table: a top and four legs.
pub(super) fn table() -> Model {
    let mut table = MeshBuilder::default();
    table.cuboid(vec3(-0.8, -0.5, 0.8), vec3(0.8, 0.5, 0.9));
    for (x, y) in [(-0.7, -0.4), (0.7, -0.4), (0.7, 0.4), (-0.7, 0.4)] {
        table.cuboid(vec3(x - 0.05, y - 0.05, 0.0), vec3(x + 0.05, y + 0.05, 0.8));
    }
    Model::prop(table.finish())
}

/// A chair: a seat and a back.
pub(super) fn chair() -> Model {
    let mut chair = MeshBuilder::default();
    chair.cuboid(vec3(-0.25, -0.25, 0.0), vec3(0.25, 0.25, 0.45));
    chair.cuboid(vec3(-0.25, 0.2, 0.45), vec3(0.25, 0.25, 1.0));
    Model::prop(chair.finish())
}

/// A bed: a box.
pub(super) fn bed() -> Model {
    let mut bed = MeshBuilder::default();
    bed.cuboid(vec3(-1.0, -0.6, 0.0), vec3(1.0, 0.6, 0.5));
    Model::prop(bed.finish())
}

/// One piece of furniture: name of the model, position in the house, yaw in degrees.
pub(super) type Piece = (&'static str, Vec3, f32);

/// The furniture, clear of the way from door to door.
pub(super) const FURNITURE: [Piece; 5] = [
    ("Table.m2", vec3(3.0, 4.5, FLOOR), 0.0),
    ("Chair.m2", vec3(3.0, 6.0, FLOOR), 10.0),
    ("Chair.m2", vec3(4.8, 4.4, FLOOR), -85.0),
    ("Bed.m2", vec3(7.0, -5.5, FLOOR), 90.0),
    ("Bed.m2", vec3(-6.0, -5.0, FLOOR), 0.0),
];

//! A cave under two terrain holes: a ramp down from the first hole, a hall, and a ramp up to the
//! second.
//!
//! The model's x runs from the rim of the first hole to the far rim of the second, 16 cells on.
//! The ground is at z = 0. Walls are 0.2 yards behind the rims of the holes, and stand 0.05 over
//! the ground there, so that no gap opens where positions are rounded.

use super::frame::CELL_EDGE;
use super::liquid::{LiquidGrid, LiquidKind, LiquidShape, ModelLiquid};
use super::model::{Group, INDOOR, Model, ModelKind, OUTDOOR};
use super::room::floor;
use crate::level::build::MeshBuilder;
use crate::rng::{hash_cell, unit_f32};
use glam::{Vec3, vec3};

/// Length of the cave in yards: 16 cells.
pub(super) const LENGTH: f32 = 16.0 * CELL_EDGE as f32;
/// Length of a hole and of the ramp under it.
pub(super) const RAMP: f32 = 4.0 * CELL_EDGE as f32;
/// Height of the hall's floor. The ramps fall by 24 degrees.
pub(super) const FLOOR: f32 = -7.5;
/// Height of the ramps' upper edge: a step of 5 cm below the rim.
pub(super) const LIP: f32 = -0.05;
/// How far walls are behind the rims.
pub(super) const BEHIND: f32 = 0.2;
/// Half the width of the ramps and of the mouths of the hall: two cells.
const SHAFT: f32 = CELL_EDGE as f32 + BEHIND;
/// Half the width of the hall.
const HALL: f32 = 10.0;
/// Height of the hall's ceiling, and of its mouths.
const CEILING: f32 = -2.0;
/// Height of the upper edge of the mouths.
const MOUTH: f32 = -3.0;
/// Height of the curb around the holes.
const CURB: f32 = 0.05;

/// The cave.
pub(super) fn cave() -> Model {
    let shaft = |from: f32, along: f32| {
        let mut shaft = MeshBuilder::default();
        add_shaft(&mut shaft, from, along);
        shaft.finish()
    };
    let mut hall = Group::new(INDOOR, 201, {
        let mut hall = MeshBuilder::default();
        add_hall(&mut hall);
        hall.finish()
    });
    // A crooked surface, so that a test sees the diagonal of a tile.
    let heights = [-7.1, -7.0, -6.9, -7.2, -7.0, -6.8, -7.3, -6.9, -6.9, -7.1, -7.2, -7.0];
    let grid = LiquidGrid {
        tiles: [3, 2],
        corner: vec3(RAMP + 8.0, 1.5, FLOOR),
        heights: heights.to_vec(),
        flags: vec![0, 0x42, 0, 0, 0, 0x0F],
    };
    hall.liquid = Some(ModelLiquid { kind: LiquidKind::Magma, shape: LiquidShape::Grid(grid) });
    let groups = vec![
        Group::new(OUTDOOR, 200, shaft(0.0, 1.0)),
        hall,
        Group::new(OUTDOOR, 202, shaft(LENGTH, -1.0)),
    ];
    Model { kind: ModelKind::Wmo, root_id: 78, groups }
}

/// A ramp that falls from the rim at `from` in the direction `along`, with walls up to the rim.
fn add_shaft(mesh: &mut MeshBuilder, from: f32, along: f32) {
    let end = from + along * (RAMP + BEHIND);
    let foot = from + along * RAMP;
    let lip = from - along * 0.5;
    // Ramp profile: a lip under the ground, the slope, the floor up to the hall.
    let profile = [[lip, LIP], [from, LIP], [foot, FLOOR], [end, FLOOR]];
    for pair in profile.windows(2) {
        let ([x0, z0], [x1, z1]) = (pair[0], pair[1]);
        let at = |x: f32, z: f32, y: f32| vec3(x, y, z);
        let strip = [at(x0, z0, -SHAFT), at(x1, z1, -SHAFT), at(x1, z1, SHAFT), at(x0, z0, SHAFT)];
        quad_towards(mesh, strip, Vec3::Z);
        for y in [-SHAFT, SHAFT] {
            // A curb would bar the way at the lip. Its walls stay below the ground there.
            let top = if x0 == lip { LIP } else { CURB };
            let wall = [at(x0, z0, y), at(x1, z1, y), at(x1, top, y), at(x0, top, y)];
            quad_towards(mesh, wall, Vec3::Y * -y);
        }
    }
    let lintel = [
        vec3(end, -SHAFT, MOUTH),
        vec3(end, SHAFT, MOUTH),
        vec3(end, SHAFT, CURB),
        vec3(end, -SHAFT, CURB),
    ];
    quad_towards(mesh, lintel, Vec3::X * -along);
}

/// The hall: a floor with bumps beside the way, a ceiling, walls and two mouths.
fn add_hall(mesh: &mut MeshBuilder) {
    // The same expressions as in `add_shaft`, so that the floors meet in bits.
    let (start, end) = (RAMP + BEHIND, LENGTH - (RAMP + BEHIND));
    let bump = |x: f32, y: f32| {
        let inside = x > start && x < end && y > -HALL && y < HALL && y.abs() > 3.0;
        let dice = unit_f32(hash_cell(x.to_bits(), y.to_bits(), 5));
        FLOOR + if inside { 0.2 * dice } else { 0.0 }
    };
    floor(mesh, [[start, -HALL], [end, HALL]], [14, 20], bump);
    let at = |x: f32, y: f32, z: f32| vec3(x, y, z);
    let ceiling = [
        at(start, -HALL, CEILING),
        at(end, -HALL, CEILING),
        at(end, HALL, CEILING),
        at(start, HALL, CEILING),
    ];
    quad_towards(mesh, ceiling, -Vec3::Z);
    for y in [-HALL, HALL] {
        let wall =
            [at(start, y, FLOOR), at(end, y, FLOOR), at(end, y, CEILING), at(start, y, CEILING)];
        quad_towards(mesh, wall, Vec3::Y * -y);
    }
    for (x, inward) in [(start, Vec3::X), (end, -Vec3::X)] {
        let mut wall = |[y0, y1]: [f32; 2], [z0, z1]: [f32; 2]| {
            quad_towards(
                mesh,
                [at(x, y0, z0), at(x, y1, z0), at(x, y1, z1), at(x, y0, z1)],
                inward,
            );
        };
        wall([-HALL, -SHAFT], [FLOOR, CEILING]);
        wall([SHAFT, HALL], [FLOOR, CEILING]);
        wall([-SHAFT, SHAFT], [MOUTH, CEILING]);
    }
}

/// Adds a quad so that its front faces `front`.
fn quad_towards(mesh: &mut MeshBuilder, [a, b, c, d]: [Vec3; 4], front: Vec3) {
    if (c - a).cross(d - b).dot(front) > 0.0 {
        mesh.quad([a, b, c, d]);
    } else {
        mesh.quad([a, d, c, b]);
    }
}

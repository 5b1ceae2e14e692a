//! A bridge over the lake, a dry room on the lake's bed, and the models of game objects.

use super::model::{Group, INDOOR, Model, ModelKind, OUTDOOR};
use super::room::inward_box;
use crate::level::build::{MeshBuilder, ring};
use glam::{Vec2, Vec3, vec2, vec3};

/// Half the length of the bridge in yards. Its ends are under the ground.
pub(super) const HALF_LENGTH: f32 = 90.0;
/// Top of the deck from one end to the other: x and z, with z = 0 the height of the shore.
///
/// The ramps rise by 12 degrees.
pub(super) const PROFILE: [[f32; 2]; 7] = [
    [-HALF_LENGTH, -0.3],
    [-74.5, 3.0],
    [-30.0, 3.8],
    [0.0, 4.0],
    [30.0, 3.8],
    [74.5, 3.0],
    [HALF_LENGTH, -0.3],
];
/// Half the width of the deck.
const HALF_WIDTH: f32 = 2.5;

/// The bridge: a deck along x, two rails and pillars.
pub(super) fn bridge() -> Model {
    let mut deck = MeshBuilder::default();
    extrude(&mut deck, &PROFILE, [-HALF_WIDTH, HALF_WIDTH], 0.4);
    let mut rails = MeshBuilder::default();
    let rail = PROFILE.map(|[x, z]| [x, z + 1.0]);
    for side in [-1.0_f32, 1.0] {
        let edges = [side * HALF_WIDTH, side * (HALF_WIDTH + 0.3)];
        extrude(&mut rails, &rail, [edges[0].min(edges[1]), edges[0].max(edges[1])], 1.4);
    }
    let mut pillars = MeshBuilder::default();
    for x in [-50.0, -25.0, 0.0, 25.0, 50.0] {
        pillars.prism(&ring(vec2(x, 0.0), 1.5, 8), -14.0, 2.9);
    }
    let groups = [deck, rails, pillars].into_iter().zip(300..);
    let groups = groups.map(|(mesh, id)| Group::new(OUTDOOR, id, mesh.finish())).collect();
    Model { kind: ModelKind::Wmo, root_id: 79, groups }
}

/// Adds a closed band: `top` is its upper profile along x, `thickness` below it.
fn extrude(mesh: &mut MeshBuilder, top: &[[f32; 2]], [left, right]: [f32; 2], thickness: f32) {
    let at = |[x, z]: [f32; 2], y: f32, down: f32| vec3(x, y, z - down);
    for pair in top.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let t = thickness;
        mesh.quad([at(a, left, 0.0), at(b, left, 0.0), at(b, right, 0.0), at(a, right, 0.0)]);
        mesh.quad([at(a, left, t), at(a, right, t), at(b, right, t), at(b, left, t)]);
        mesh.quad([at(a, left, t), at(b, left, t), at(b, left, 0.0), at(a, left, 0.0)]);
        mesh.quad([at(a, right, t), at(a, right, 0.0), at(b, right, 0.0), at(b, right, t)]);
    }
    if let [first, .., last] = top {
        let (f, l, t) = (*first, *last, thickness);
        mesh.quad([at(f, left, 0.0), at(f, right, 0.0), at(f, right, t), at(f, left, t)]);
        mesh.quad([at(l, left, 0.0), at(l, left, t), at(l, right, t), at(l, right, 0.0)]);
    }
}

/// A closed, dry room with thick walls, for the bed of the lake.
pub(super) fn bell() -> Model {
    let mut room = MeshBuilder::default();
    let (low, high) = (vec3(-3.0, -3.0, 0.3), vec3(3.0, 3.0, 3.3));
    room.cuboid(low - 0.3, high + 0.3);
    inward_box(&mut room, low, high);
    let groups = vec![Group::new(INDOOR, 400, room.finish())];
    Model { kind: ModelKind::Wmo, root_id: 80, groups }
}

/// A lift: a platform with two rails.
pub(super) fn lift() -> Model {
    let mut lift = MeshBuilder::default();
    lift.cuboid(vec3(-2.0, -2.5, -0.3), vec3(2.0, 2.5, 0.0));
    for x in [-2.0, 1.9] {
        lift.cuboid(vec3(x, -2.5, 0.0), vec3(x + 0.1, 2.5, 1.0));
    }
    Model::prop(lift.finish())
}

/// A door leaf that fills a door of the house.
pub(super) fn door() -> Model {
    let mut door = MeshBuilder::default();
    door.cuboid(vec3(-0.1, 0.0, 0.0), vec3(0.1, 2.4, 2.85));
    Model::prop(door.finish())
}

/// A gate: two leaves, each a group of a building.
pub(super) fn gate() -> Model {
    let leaf = |low: Vec2, high: Vec2, id: u32| {
        let mut leaf = MeshBuilder::default();
        leaf.cuboid(low.extend(0.0), high.extend(6.0));
        Group::new(OUTDOOR, id, leaf.finish())
    };
    let groups = vec![
        leaf(vec2(-0.2, 0.0), vec2(0.2, 3.0), 500),
        leaf(vec2(-0.2, -3.0), vec2(0.2, 0.0), 501),
    ];
    Model { kind: ModelKind::Wmo, root_id: 81, groups }
}

/// A sign. Its model file is missing on purpose.
pub(super) fn sign() -> Model {
    let mut sign = MeshBuilder::default();
    sign.prism(&ring(Vec2::ZERO, 0.1, 6), 0.0, 2.0);
    sign.cone(&ring(Vec2::ZERO, 0.6, 6), 2.0, Vec3::Z * 2.5);
    Model::prop(sign.finish())
}

/// A building without groups: its file ends after the first chunk.
pub(super) fn empty_shell() -> Model {
    Model { kind: ModelKind::Wmo, root_id: 82, groups: Vec::new() }
}

//! The rules of grounds and rooms, one test each.

use super::{at, open, over, pond, surface};
use capsweep::scene::{
    Body, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Heights, LiquidGrid,
    LiquidGround, LiquidKind, LiquidRole, LiquidSheet, Liquids, MeshOptions, Mobility, ModelRooms,
    PlacedLiquid, Pose, Room, Rooms, Scene, Shape, TriMesh,
};
use capsweep::{Aabb, Obb};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

/// A ramp over the pond: from z = 0 at x = 0 to z = 10 at x = 10. The cell around (7.5, 7.5) is a
/// hole.
fn ramp() -> Arc<HeightField> {
    let grid = HeightGrid { rows: 2, columns: 2, spacing: [5.0; 2] };
    let heights = Heights::F32(vec![0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 10.0, 10.0, 10.0]);
    let two = CellTriangles::Two { turned: &[] };
    let field = HeightField::new(grid, heights, two, HeightFieldOptions::default()).unwrap();
    Arc::new(field.with_holes(&[false, false, false, true]).unwrap())
}

/// A lake at z = 6 over the ramp.
fn lake() -> PlacedLiquid {
    let ground = Some(Arc::new(LiquidGround::new(ramp(), Pose::IDENTITY).unwrap()));
    PlacedLiquid::new(pond(6.0), Pose::IDENTITY, LiquidRole::Terrain { ground }).unwrap()
}

/// A model: level squares of 4 by 4 m about its origin at these heights, with these tags.
fn squares(squares: &[(f32, u32)]) -> Arc<TriMesh> {
    let corners = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
    let vertices: Vec<_> =
        squares.iter().flat_map(|(z, _)| corners.map(|(x, y)| vec3(x, y, *z))).collect();
    let first = |i: usize| 4 * i as u32;
    let indices: Vec<_> = (0..squares.len())
        .flat_map(|i| [[0, 1, 2], [0, 2, 3]].map(|face: [u32; 3]| face.map(|v| v + first(i))))
        .collect();
    let tags: Vec<_> = squares.iter().flat_map(|(_, tag)| [*tag; 2]).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    Arc::new(mesh.with_tags(&tags).unwrap())
}

/// A room of 4 by 4 m about the model's origin.
fn room(tag: u32, from: f64, to: f64, indoor: bool) -> Room {
    let bounds = Aabb::new(dvec3(-2.0, -2.0, from), dvec3(2.0, 2.0, to)).unwrap();
    Room { tag, bounds, indoor }
}

fn rooms(key: u64, rooms: &[Room]) -> ModelRooms {
    ModelRooms { key, rooms: Arc::new(Rooms::new(rooms.to_vec()).unwrap()) }
}

/// The liquid of a model: 4 by 4 m about its origin.
fn basin(level: f32, place: DVec3, key: u64, tag: u32) -> PlacedLiquid {
    let grid = LiquidGrid { rows: 2, columns: 2, spacing: [2.0; 2], origin: [-2.0; 2] };
    let sheet = LiquidSheet::new(grid, Heights::Flat(level), LiquidKind::Slime).unwrap();
    let pose = Pose::from_translation(place).unwrap();
    PlacedLiquid::new(Arc::new(sheet), pose, LiquidRole::Model { key, tag }).unwrap()
}

fn model(mesh: Arc<TriMesh>, place: DVec3, key: u64) -> Body {
    Body::mesh(mesh, Pose::from_translation(place).unwrap()).unwrap().with_key(key)
}

fn scene(bodies: Vec<Body>, placed: Vec<PlacedLiquid>, rooms: Vec<ModelRooms>) -> Scene {
    let mut scene = Scene::new();
    for body in bodies {
        scene.insert(body);
    }
    scene.set_liquids(Some(Arc::new(Liquids::new(placed, rooms).unwrap())));
    scene
}

#[test]
fn a_point_below_the_ground_is_in_no_terrain_liquid() {
    let scene = scene(vec![], vec![lake()], vec![]);
    // The ground at x = 4 is at 4, and the lake at 6.
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 5.0)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 3.0)), None);
    // A cave below the lake: not even listed.
    assert_eq!(over(&scene, dvec3(4.0, 2.0, 3.0)), []);
}

#[test]
fn a_surface_below_the_ground_is_no_liquid() {
    let scene = scene(vec![], vec![lake()], vec![]);
    // The ground at x = 7 is at 7, above the lake.
    assert_eq!(over(&scene, dvec3(7.0, 2.0, 8.0)), []);
    assert_eq!(over(&scene, dvec3(7.0, 2.0, 5.0)), []);
    // On the shore, at x = 6, the surface lies on the ground.
    assert_eq!(surface(&scene, dvec3(6.0, 2.0, 6.0)), Some(6.0));
}

#[test]
fn a_hole_has_no_ground_and_neither_has_a_place_beside_it() {
    let scene = scene(vec![], vec![lake()], vec![]);
    // The ramp would be at 8 there.
    assert_eq!(surface(&scene, dvec3(8.0, 7.0, 1.0)), Some(6.0));
    // A ground that is moved away.
    let away = Pose::from_translation(dvec3(0.0, 11.0, 0.0)).unwrap();
    let ground = Some(Arc::new(LiquidGround::new(ramp(), away).unwrap()));
    let role = LiquidRole::Terrain { ground };
    let lake = PlacedLiquid::new(pond(6.0), Pose::IDENTITY, role).unwrap();
    let scene = self::scene(vec![], vec![lake], vec![]);
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 1.0)), Some(6.0));
}

#[test]
fn a_ground_has_a_pose() {
    let pose = Pose::new(
        dvec3(10.0, 10.0, 1.0),
        DQuat::from_rotation_z(std::f64::consts::PI),
        dvec3(1.0, 1.0, 0.5),
    );
    let ground = Some(Arc::new(LiquidGround::new(ramp(), pose.unwrap()).unwrap()));
    let role = LiquidRole::Terrain { ground };
    let lake = PlacedLiquid::new(pond(6.0), Pose::IDENTITY, role).unwrap();
    let scene = scene(vec![], vec![lake], vec![]);
    // Local x is 10 − x, and the height is 1 + 0.5 · local x: 4 at x = 4.
    assert_eq!(surface(&scene, dvec3(4.0, 9.0, 4.1)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(4.0, 9.0, 3.9)), None);
}

#[test]
fn a_point_counts_as_on_the_ground_within_five_centimetres() {
    let scene = scene(vec![], vec![lake()], vec![]);
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 3.951)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 3.949)), None);
}

/// A lake at z = 6 with a house in it: its floor at 2, a ceiling at 5.
fn house(indoor: bool) -> Scene {
    let mesh = squares(&[(2.0, 4), (5.0, 4)]);
    let place = dvec3(5.0, 5.0, 0.0);
    let list = rooms(9, &[room(4, 2.0, 5.0, indoor)]);
    scene(vec![model(mesh, place, 9)], vec![open(pond(6.0), Pose::IDENTITY)], vec![list])
}

#[test]
fn a_dry_indoor_room_below_the_level_of_a_lake_is_dry() {
    let house = house(true);
    assert_eq!(over(&house, dvec3(5.0, 5.0, 3.0)), []);
    // On the floor, and a rounding below it.
    assert_eq!(over(&house, dvec3(5.0, 5.0, 2.0)), []);
    assert_eq!(over(&house, dvec3(5.0, 5.0, 1.96)), []);
    // Under the ceiling.
    assert_eq!(over(&house, dvec3(5.0, 5.0, 4.99)), []);
    // Beside the house, over its roof, and under its floor there is the lake.
    assert_eq!(surface(&house, dvec3(1.0, 5.0, 3.0)), Some(6.0));
    assert_eq!(surface(&house, dvec3(5.0, 5.0, 5.5)), Some(6.0));
    assert_eq!(surface(&house, dvec3(5.0, 5.0, 1.0)), Some(6.0));
}

#[test]
fn an_outdoor_room_keeps_nothing_out() {
    assert_eq!(surface(&house(false), dvec3(5.0, 5.0, 3.0)), Some(6.0));
}

#[test]
fn the_box_of_a_room_must_hold_the_point() {
    // Over the house, but the floor below belongs to it: the ceiling is missing.
    let mesh = squares(&[(2.0, 4)]);
    let list = || rooms(9, &[room(4, 2.0, 5.0, true)]);
    let lake = || vec![open(pond(6.0), Pose::IDENTITY)];
    let place = dvec3(5.0, 5.0, 0.0);
    let scene = scene(vec![model(mesh, place, 9)], lake(), vec![list()]);
    assert_eq!(surface(&scene, dvec3(5.0, 5.0, 4.9)), None);
    assert_eq!(surface(&scene, dvec3(5.0, 5.0, 5.1)), Some(6.0));
    // A triangle of no room.
    let mesh = squares(&[(2.0, 5)]);
    let scene = self::scene(vec![model(mesh, place, 9)], lake(), vec![list()]);
    assert_eq!(surface(&scene, dvec3(5.0, 5.0, 3.0)), Some(6.0));
}

#[test]
fn furniture_does_not_separate_a_room_from_its_floor() {
    let mut house = house(true);
    // A table without rooms, and a crate that is a solid, both under the point.
    house.insert(model(squares(&[(3.0, 4)]), dvec3(5.0, 5.0, 0.0), 10));
    let crate_ = Obb::new(dvec3(5.0, 5.0, 3.2), vec3(0.5, 0.5, 0.1), DQuat::IDENTITY).unwrap();
    house.insert(Body::shape(Shape::Box(crate_)).with_key(9));
    assert_eq!(over(&house, dvec3(5.0, 5.0, 3.5)), []);
}

#[test]
fn the_ground_separates_a_lake_from_the_cellar_below() {
    // The cellar's box reaches up through the bed of the lake.
    let mesh = squares(&[(-3.0, 1)]);
    let list = || rooms(9, &[room(1, -3.0, 5.0, true)]);
    let place = dvec3(4.0, 2.0, 0.0);
    let ground = Body::height_field(ramp(), Pose::IDENTITY).unwrap();
    let scene = scene(vec![model(mesh.clone(), place, 9), ground], vec![lake()], vec![list()]);
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 4.5)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 1.0)), None);
    // Terrain that is a mesh does so too, if it is listed.
    let bed = model(squares(&[(4.0, 0)]), place, 7);
    let bodies = vec![model(mesh, place, 9), bed];
    let open_lake = || vec![open(pond(6.0), Pose::IDENTITY)];
    let listed = vec![list(), rooms(7, &[])];
    let scene = self::scene(bodies.clone(), open_lake(), listed);
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 4.5)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 1.0)), None);
    let scene = self::scene(bodies, open_lake(), vec![list()]);
    assert_eq!(surface(&scene, dvec3(4.0, 2.0, 4.5)), None);
}

/// The ramp rises through the floor of a room on the bed of the lake.
#[test]
fn terrain_that_rises_through_the_floor_of_a_dry_room_is_inside_it() {
    let place = dvec3(4.0, 2.0, 0.0);
    let list = || vec![rooms(9, &[room(1, 1.0, 5.5, true)])];
    let ground = || Body::height_field(ramp(), Pose::IDENTITY).unwrap();
    let bodies = |squares_: &[(f32, u32)]| vec![model(squares(squares_), place, 9), ground()];
    let roofed = scene(bodies(&[(1.0, 1), (5.5, 1)]), vec![lake()], list());
    assert_eq!(surface(&roofed, dvec3(4.0, 2.0, 4.5)), None);
    assert_eq!(surface(&roofed, dvec3(4.0, 2.0, 5.8)), Some(6.0), "over the roof");
    // Without a roof, or under the roof of another model, the lake comes in.
    let open = scene(bodies(&[(1.0, 1)]), vec![lake()], list());
    assert_eq!(surface(&open, dvec3(4.0, 2.0, 4.5)), Some(6.0));
    let mut other = bodies(&[(1.0, 1), (5.5, 1)]);
    other.push(model(squares(&[(5.0, 0)]), place, 7));
    let mut listed = list();
    listed.push(rooms(7, &[]));
    let other = scene(other, vec![lake()], listed);
    assert_eq!(surface(&other, dvec3(4.0, 2.0, 4.5)), Some(6.0));
    // Without a floor below the ground: a house on stilts.
    let stilts = scene(bodies(&[(5.5, 1)]), vec![lake()], list());
    assert_eq!(surface(&stilts, dvec3(4.0, 2.0, 4.5)), Some(6.0));
}

#[test]
fn a_cave_under_a_hole_in_the_bed_of_a_lake_is_dry() {
    let mesh = squares(&[(-1.0, 1)]);
    let place = dvec3(7.5, 7.5, 0.0);
    let list = rooms(9, &[room(1, -1.0, 3.0, true)]);
    let ground = Body::height_field(ramp(), Pose::IDENTITY).unwrap();
    let scene = scene(vec![model(mesh, place, 9), ground], vec![lake()], vec![list]);
    assert_eq!(surface(&scene, dvec3(7.5, 7.5, 1.0)), None);
    // Over the cave, in the hole, there is the lake.
    assert_eq!(surface(&scene, dvec3(7.5, 7.5, 4.0)), Some(6.0));
}

#[test]
fn in_a_room_only_its_own_liquid_counts() {
    let mesh = squares(&[(0.0, 1), (4.0, 1)]);
    let place = dvec3(5.0, 5.0, 0.0);
    let lists = vec![
        rooms(9, &[room(1, 0.0, 4.0, true), room(2, 0.0, 4.0, false)]),
        rooms(8, &[room(1, 0.0, 4.0, true)]),
    ];
    let placed = vec![
        open(pond(6.0), Pose::IDENTITY),
        basin(2.0, place, 9, 1),
        basin(1.5, place, 8, 1),
        basin(3.0, place, 9, 2),
    ];
    let scene = scene(vec![model(mesh, place, 9)], placed, lists);
    let numbers = |z: f64| -> Vec<u32> {
        over(&scene, dvec3(5.0, 5.0, z)).iter().map(|liquid| liquid.number).collect()
    };
    assert_eq!(numbers(1.0), [1]);
    assert_eq!(numbers(2.5), [1]);
    let found = at(&scene, dvec3(5.0, 5.0, 1.0)).unwrap();
    assert_eq!((found.surface, found.kind), (2.0, LiquidKind::Slime));
    // Over the house all count: the lake is at 6.
    assert_eq!(numbers(5.0), [0, 3, 1, 2]);
    assert_eq!(surface(&scene, dvec3(5.0, 5.0, 5.0)), Some(6.0));
}

/// The box of a room with a pool reaches over a dry room, whose floor is below the pool's level.
#[test]
fn a_dry_room_below_the_level_of_another_rooms_pool_is_dry() {
    let place = dvec3(5.0, 5.0, 0.0);
    let mesh = squares(&[(0.0, 1), (2.5, 1), (3.0, 2), (6.0, 2)]);
    let with_pool = |dry_is_indoor: bool| {
        let list = rooms(9, &[room(1, 0.0, 2.5, dry_is_indoor), room(2, -1.0, 6.0, true)]);
        scene(vec![model(mesh.clone(), place, 9)], vec![basin(4.0, place, 9, 2)], vec![list])
    };
    assert_eq!(over(&with_pool(true), dvec3(5.0, 5.0, 1.0)), []);
    // In its own room, over the floor at 3, the pool counts.
    assert_eq!(surface(&with_pool(true), dvec3(5.0, 5.0, 3.5)), Some(4.0));
    // What is not indoor keeps nothing out.
    assert_eq!(surface(&with_pool(false), dvec3(5.0, 5.0, 1.0)), Some(4.0));
}

#[test]
fn a_liquid_of_a_model_ends_at_the_bottom_of_its_room() {
    let place = dvec3(0.0, 0.0, 100.0);
    let list = rooms(9, &[room(1, -1.0, 4.0, false)]);
    let scene = scene(vec![], vec![basin(2.0, place, 9, 1)], vec![list]);
    assert_eq!(surface(&scene, dvec3(0.0, 0.0, 99.0)), Some(102.0));
    assert_eq!(surface(&scene, dvec3(0.0, 0.0, 98.94)), None);
    // Its surface is seen from any height above.
    assert_eq!(over(&scene, dvec3(0.0, 0.0, 500.0)).len(), 1);
}

#[test]
fn a_liquid_of_a_model_ends_at_the_walls_of_its_room() {
    // The sheet is 4 by 4 m, the room 2 by 4 m.
    let bounds = Aabb::new(dvec3(-2.0, -2.0, -1.0), dvec3(0.0, 2.0, 4.0)).unwrap();
    let list = rooms(9, &[Room { tag: 1, bounds, indoor: true }]);
    let scene = scene(vec![], vec![basin(2.0, DVec3::ZERO, 9, 1)], vec![list]);
    assert_eq!(surface(&scene, dvec3(-0.1, 0.0, 0.0)), Some(2.0));
    assert_eq!(surface(&scene, dvec3(0.1, 0.0, 0.0)), None);
}

#[test]
fn the_rims_of_grounds_and_rooms_are_a_nanometre_wide() {
    // The ground ends at x = 10, the lake at x = 20.
    let ground = Some(Arc::new(LiquidGround::new(ramp(), Pose::IDENTITY).unwrap()));
    let grid = LiquidGrid { rows: 1, columns: 1, spacing: [20.0; 2], origin: [0.0; 2] };
    let wide = LiquidSheet::new(grid, Heights::Flat(20.0), LiquidKind::Water).unwrap();
    let role = LiquidRole::Terrain { ground };
    let lake = PlacedLiquid::new(Arc::new(wide), Pose::IDENTITY, role).unwrap();
    let scene = scene(vec![], vec![lake], vec![]);
    assert_eq!(surface(&scene, dvec3(10.0 + 0.5e-9, 2.0, 1.0)), None);
    assert_eq!(surface(&scene, dvec3(10.0 + 5e-9, 2.0, 1.0)), Some(20.0));
    // The floor reaches past the box of the room, which ends at x = 1.
    let bounds = Aabb::new(dvec3(-2.0, -2.0, 2.0), dvec3(1.0, 2.0, 5.0)).unwrap();
    let list = rooms(9, &[Room { tag: 4, bounds, indoor: true }]);
    let body = model(squares(&[(2.0, 4)]), dvec3(5.0, 5.0, 0.0), 9);
    let scene = self::scene(vec![body], vec![open(pond(6.0), Pose::IDENTITY)], vec![list]);
    assert_eq!(surface(&scene, dvec3(6.0 + 0.5e-9, 5.0, 3.0)), None);
    assert_eq!(surface(&scene, dvec3(6.0 + 5e-9, 5.0, 3.0)), Some(6.0));
}

#[test]
fn a_room_moves_with_its_body() {
    let mesh = squares(&[(2.0, 4), (5.0, 4)]);
    let list = rooms(9, &[room(4, 2.0, 5.0, true)]);
    let ship = model(mesh, dvec3(3.0, 3.0, 0.0), 9).with_mobility(Mobility::Dynamic);
    let mut scene = scene(vec![], vec![open(pond(6.0), Pose::IDENTITY)], vec![list]);
    let ship = scene.insert(ship);
    assert_eq!(surface(&scene, dvec3(3.0, 3.0, 3.0)), None);
    scene.move_mesh(ship, Pose::from_translation(dvec3(7.5, 7.5, 0.0)).unwrap()).unwrap();
    assert_eq!(surface(&scene, dvec3(3.0, 3.0, 3.0)), Some(6.0));
    assert_eq!(surface(&scene, dvec3(7.5, 7.5, 3.0)), None);
}

#[test]
fn an_upper_floor_hides_the_lake_below() {
    // Floors at 2 and at 7; the lake is at 6 and does not lie under the upper floor.
    let mesh = squares(&[(2.0, 1), (7.0, 2)]);
    let list = rooms(9, &[room(1, 2.0, 7.0, true), room(2, 7.0, 9.0, true)]);
    let place = dvec3(5.0, 5.0, 0.0);
    let lake = vec![open(pond(6.0), Pose::IDENTITY)];
    let scene = scene(vec![model(mesh, place, 9)], lake, vec![list]);
    assert_eq!(over(&scene, dvec3(5.0, 5.0, 8.0)), []);
    // Above the house a bird sees it.
    assert_eq!(over(&scene, dvec3(5.0, 5.0, 20.0)).len(), 1);
}

#[test]
fn the_order_of_insertion_changes_nothing() {
    // Two houses over each other with a floor at the same height: the smaller key decides.
    let mesh = squares(&[(2.0, 4)]);
    let place = dvec3(5.0, 5.0, 0.0);
    let lists =
        || vec![rooms(8, &[room(4, 2.0, 5.0, true)]), rooms(9, &[room(4, 2.0, 5.0, true)])];
    for keys in [[8, 9], [9, 8]] {
        let bodies = keys.map(|key| model(mesh.clone(), place, key)).to_vec();
        let placed = vec![basin(4.0, place, 9, 4), basin(3.0, place, 8, 4)];
        let scene = scene(bodies, placed, lists());
        assert_eq!(at(&scene, dvec3(5.0, 5.0, 3.0)).unwrap().number, 1);
    }
}

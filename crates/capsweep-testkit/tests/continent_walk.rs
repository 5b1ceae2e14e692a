//! A character walks the route of the continent, over meshes of its source triangles.
#![allow(clippy::expect_used, reason = "a helper of a test that cannot go on must stop the test")]

use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::continent::{Continent, ContinentOptions, Fate, TileId};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A mesh of triangles of the world, relative to a point near them.
fn body(triangles: impl Iterator<Item = [DVec3; 3]>, origin: DVec3) -> Option<Body> {
    let vertices: Vec<Vec3> = triangles.flatten().map(|v| (v - origin).as_vec3()).collect();
    let indices: Vec<[u32; 3]> =
        (0..vertices.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    if indices.is_empty() {
        return None;
    }
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let pose = Pose::from_translation(origin).expect("a pose");
    Some(Body::mesh(Arc::new(mesh), pose).expect("a body"))
}

/// The home block: its four tiles and every placement of the continent.
fn scene(continent: &Continent) -> Scene {
    let mut scene = Scene::new();
    let TileId { row, column } = continent.home();
    for id in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let tile = continent.tile(TileId { row: row + id.0, column: column + id.1 });
        let origin = tile.cell_triangles([64, 64])[0][0];
        scene.insert(body(tile.triangles(), origin).expect("a tile"));
    }
    for placement in continent.placements.iter().filter(|p| p.fate == Fate::Present) {
        let model = continent.models[placement.model].model();
        let origin = placement.transform().to_world(DVec3::ZERO);
        if let Some(body) = body(placement.triangles(&model), origin) {
            scene.insert(body);
        }
    }
    scene
}

#[test]
fn a_character_walks_the_whole_route_without_falling_or_stopping() {
    let options = ContinentOptions { placements: 300, ..ContinentOptions::SMALL };
    let continent = Continent::new(&options);
    let scene = scene(&continent);
    let config =
        ControllerConfig { radius: 0.4, total_height: 2.0, ..ControllerConfig::human(DVec3::Z) };
    let controller = Controller::new(config).expect("a controller");
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).expect("locomotion");
    let waypoints = &continent.route.waypoints;
    let spawned = controller.spawn(waypoints[0].feet).expect("a character");
    let mut state = LocomotionState::at_rest(spawned);
    let mut cache = TriangleCache::new();
    let (dt, speed) = (1.0 / 30.0, 7.0);
    let mut ticks = 0;
    for waypoint in &waypoints[1..] {
        let mut tries = 0;
        loop {
            let feet = controller.feet(&state.character);
            let gap = waypoint.feet.truncate() - feet.truncate();
            if gap.length() < 1e-3 {
                assert!((waypoint.feet.z - feet.z).abs() < 0.2, "{feet} beside {waypoint:?}");
                break;
            }
            assert!(tries < 30, "stuck at {feet}, on the way to {waypoint:?}");
            let walk = gap / gap.length() * (gap.length() / dt).min(speed);
            let input = LocomotionInput::new(walk.extend(0.0), dt);
            let (next, _) = locomotion.tick(&scene, &mut cache, &state, &input).expect("a tick");
            state = next;
            tries += 1;
        }
        ticks += tries;
    }
    // 2.4 km at 6.4 m/s, with a short tick at every waypoint.
    assert!(ticks > 10_000, "{ticks}");
}

//! Routes through generated levels: where they start, and what their legs do.

use super::report::reports;
use super::route::{Route, route};
use super::start::starts;
use super::walker::{Tick, Walker};
use crate::load::bounds;
use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_formats::Names;
use capsweep_testkit::level::{Mesh, city_block, dungeon, stairs, terrain};
use glam::{DVec3, Vec3, vec3};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn scene_of((vertices, triangles): &Mesh) -> Scene {
    let mesh = TriMesh::new(vertices, triangles, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    scene
}

fn human() -> Locomotion {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    Locomotion::new(controller, LocomotionConfig::human()).unwrap()
}

fn walked(scene: &Scene, route: &Route) -> Vec<Tick> {
    let mut walker = Walker::new(human(), route.start, DT);
    let mut ticks = Vec::new();
    for (number, leg) in route.legs.iter().enumerate() {
        walker.walk(&mut scene.clone(), number, leg, &mut ticks).unwrap();
    }
    ticks
}

/// A box with its front outside.
fn cuboid((vertices, triangles): &mut Mesh, low: Vec3, high: Vec3) {
    let first = vertices.len() as u32;
    let pick = |bit: u32, low: f32, high: f32| if bit == 0 { low } else { high };
    vertices.extend((0..8u32).map(|i| {
        vec3(pick(i & 1, low.x, high.x), pick(i & 2, low.y, high.y), pick(i & 4, low.z, high.z))
    }));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    for [a, b, c, d] in faces.map(|face| face.map(|corner: u32| first + corner)) {
        triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A plateau 12 m square without a railing, and walls across it that leave two halls.
fn plateau() -> Mesh {
    let mut mesh = Mesh::default();
    cuboid(&mut mesh, vec3(-6.0, -6.0, -1.0), vec3(6.0, 6.0, 0.0));
    cuboid(&mut mesh, vec3(-6.0, -0.2, 0.0), vec3(2.0, 0.2, 3.0));
    cuboid(&mut mesh, vec3(4.0, -0.2, 0.0), vec3(6.0, 0.2, 3.0));
    cuboid(&mut mesh, vec3(-2.0, 2.5, 0.0), vec3(-1.6, 6.0, 3.0));
    mesh
}

#[test]
fn starts_keep_off_rims_and_walls_where_there_is_open_ground() {
    let scene = scene_of(&plateau());
    let controller = *human().controller();
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    assert!(found.len() > 20, "{}", found.len());
    let radius = f64::from(controller.config().radius);
    for start in found {
        let feet = controller.feet(&start);
        assert!(feet.z < 0.5, "not on a wall: {feet}");
        let rim = 6.0 - feet.truncate().abs().max_element();
        assert!(rim > 4.5 * radius, "{feet} is {rim} m from the rim");
        let gap = |low: [f64; 2], high: [f64; 2]| {
            let nearest = feet.truncate().clamp(low.into(), high.into());
            nearest.distance(feet.truncate())
        };
        let walls = [
            gap([-6.0, -0.2], [2.0, 0.2]),
            gap([4.0, -0.2], [6.0, 0.2]),
            gap([-2.0, 2.5], [-1.6, 6.0]),
        ];
        assert!(walls.iter().all(|gap| *gap > 4.5 * radius), "{feet}: {walls:?}");
    }
}

#[test]
fn a_level_without_open_ground_has_starts_too() {
    // A beam half a metre wide.
    let mut mesh = Mesh::default();
    cuboid(&mut mesh, vec3(-8.0, -0.25, -1.0), vec3(8.0, 0.25, 0.0));
    let scene = scene_of(&mesh);
    let controller = *human().controller();
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    assert!(!found.is_empty());
    // Stairs two metres wide, each step lower than what is climbed: in the middle of them.
    let mut mesh = Mesh::default();
    for step in 0..6u8 {
        let near = -1.5 + 0.5 * f32::from(step);
        let top = 0.35 * f32::from(step + 1);
        cuboid(&mut mesh, vec3(near, -1.0, -1.0), vec3(near + 0.5, 1.0, top));
    }
    let scene = scene_of(&mesh);
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    let off = |start: &_| controller.feet(start).truncate().abs();
    assert!(found.iter().all(|start| off(start).y < 0.5 && off(start).x < 1.0));
}

#[test]
fn routes_start_on_the_ground_and_spend_no_leg_against_a_wall() {
    let mut around = plateau();
    // A ditch with walls around the plateau, which is out of reach from there.
    cuboid(&mut around, vec3(-20.0, -20.0, -9.0), vec3(20.0, 20.0, -8.0));
    let mut small = Mesh::default();
    for step in 0..5u8 {
        let near = -1.5 + 0.6 * f32::from(step);
        let top = 0.35 * f32::from(step + 1);
        cuboid(&mut small, vec3(near, -1.0, -1.0), vec3(near + 0.6, 1.0, top));
    }
    let levels: [(&str, Mesh); 7] = [
        ("three metres of stairs", small),
        ("plateau", plateau()),
        ("plateau over a floor", around),
        ("dungeon", dungeon()),
        ("stairs", stairs()),
        ("terrain", terrain(60)),
        ("city", city_block()),
    ];
    for (name, mesh) in levels {
        let scene = scene_of(&mesh);
        let locomotion = human();
        let found = route(&scene, &locomotion, DT).unwrap();
        assert!(found.start.is_grounded(), "{name}: the start is on the ground");
        let ticks = walked(&scene, &found);
        let names = Names::new(Vec::new(), Vec::new());
        let reports = reports(&found.legs, &ticks, locomotion.controller(), &names);
        assert!(reports.len() >= 3, "{name}: {} legs", reports.len());
        for report in &reports {
            let flags = &report.flags;
            assert!(report.ground.is_some(), "{name}, leg {} ends in the air", report.leg);
            let place = format!("{name}, leg {}", report.leg);
            assert!(flags.blocked < 0.4, "{place}: blocked for {} s", flags.blocked);
            let touching = flags.sides / report.seconds;
            assert!(touching < 0.35, "{place}: {touching} of it along walls");
            assert!(report.achieved > 0.8 * report.asked, "{place}: {} m", report.achieved);
        }
    }
}

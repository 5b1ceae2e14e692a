//! The footing rule `Point`: feet on the surface straight below, and a body that enters nothing.

use super::level::{Level, Walk, assert_near, human};
use super::modes::{Rig, go};
use capsweep::controller::{
    Controller, ControllerConfig, FootingRule, LocomotionConfig, LocomotionInput, Mode,
};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion, Ray};
use capsweep_testkit::{Rng, level};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

fn wow() -> ControllerConfig {
    ControllerConfig::wow()
}

/// Metres by which feet may miss the surface: what recordings of the client show.
const NEAR: f64 = 4e-4;

/// A plane that rises along x by `slope`, through the origin.
fn plane(slope: f32) -> Scene {
    let at = |x: f32, y: f32| vec3(x, y, slope * x);
    let corners = [at(-90.0, -90.0), at(90.0, -90.0), at(90.0, 90.0), at(-90.0, 90.0)];
    Level::default().quad(corners[0], corners[1], corners[2], corners[3]).scene()
}

/// Height of the first surface below a point a metre over `feet`.
fn surface_below(scene: &Scene, feet: DVec3) -> Option<f64> {
    let down = Motion::new(DVec3::Z * -4.0).unwrap();
    let hit = scene.ray(&Ray::new(feet + DVec3::Z, down).unwrap(), &Filter::default())?;
    Some(feet.z + 1.0 - hit.hit.distance)
}

/// Asserts that the feet stand on the surface straight below, and that the body is in nothing.
fn check_stands(rig: &Rig, what: &str) {
    let feet = rig.feet();
    assert!(rig.state.character.is_grounded(), "{what}: not grounded at {feet}");
    // A contact within 1/256 of the radius, 1.2 mm, counts as below the axis.
    let beside = [0.0, -1.3e-3, 1.3e-3].map(|x| feet + DVec3::X * x);
    let surfaces = beside.map(|point| surface_below(&rig.scene, point));
    let on = |surface: &f64| (feet.z - surface).abs() < NEAR;
    assert!(surfaces.iter().flatten().any(on), "{what}: {feet} over {surfaces:?}");
    check_is_free(rig, what);
}

fn check_is_free(rig: &Rig, what: &str) {
    let character = &rig.state.character;
    let half = f64::from(character.total_height() * 0.5 - character.radius());
    let body = Capsule::from_center(character.center(), DVec3::Z * half, character.radius());
    let overlap = rig.scene.overlap(&body.unwrap(), &Filter::default());
    let depth = overlap.map_or(0.0, |overlap| overlap.hit.depth);
    assert!(depth <= 2e-6, "{what}: {depth} deep at {}", rig.feet());
}

#[test]
fn feet_are_at_the_height_of_the_slope_below_them() {
    for degrees in [0.0_f64, 0.1, 1.0, 5.0, 12.0, 20.0, 30.0, 40.0] {
        let slope = degrees.to_radians().tan();
        let mut rig = Rig::wow(plane(slope as f32), dvec3(0.0, 0.0, 0.0));
        let mut rng = Rng::new(&[64]);
        for _ in 0..6 {
            let heading = rng.range(0.0, 6.0);
            let velocity = dvec3(heading.cos(), heading.sin(), 0.0) * rng.range(0.5, 7.0);
            for _ in 0..40 {
                rig.tick(&go(velocity));
                check_stands(&rig, &format!("{degrees}°"));
                let height = f64::from(slope as f32) * rig.feet().x;
                assert!((rig.feet().z - height).abs() < NEAR, "{degrees}°: {}", rig.feet());
            }
        }
        // What the capsule itself would be above the slope, with its skin.
        let radius = f64::from(0.3056_f32 + 0.02);
        let expected = radius / degrees.to_radians().cos() - radius;
        let sink = rig.state.character.sink();
        assert!((sink - expected).abs() < NEAR, "{degrees}°: {sink} {expected}");
    }
}

#[test]
fn a_character_placed_on_a_slope_keeps_its_place() {
    for degrees in [0.0_f64, 10.0, 30.0, 45.0] {
        let slope = f64::from(degrees.to_radians().tan() as f32);
        let feet = dvec3(3.0, -2.0, 3.0 * slope);
        let rig = Rig::wow(plane(slope as f32), feet);
        check_stands(&rig, "placed");
        assert_near(rig.feet(), feet, NEAR);
        // The capsule rule pushes it out of the slope, to the side.
        let walk = Walk::start(&rig.scene, human(), feet);
        assert!(degrees < 20.0 || (walk.feet() - feet).length() > 5e-3);
        // Teleports put the feet where asked, resizing leaves them there.
        let controller = rig.locomotion.controller();
        let crouched = controller.resize(&rig.state.character, 1.2).unwrap();
        assert_near(controller.feet(&crouched), rig.feet(), 1e-9);
        let moved = controller.teleport(&crouched, DVec3::ONE).unwrap();
        assert!(moved.sink() == 0.0 && controller.feet(&moved).distance(DVec3::ONE) < 1e-12);
    }
    // Under a low ceiling there is no room to be lifted: the push out leads it out as usual.
    let low = plane(0.5);
    let mut scene = low.clone();
    let roof = Level::default().cuboid(vec3(-9.0, -9.0, 2.06), vec3(9.0, 9.0, 3.0));
    scene.insert(Body::mesh(roof.mesh(), Pose::IDENTITY).unwrap());
    let rig = Rig::wow(scene, DVec3::ZERO);
    assert!(rig.feet().is_finite() && rig.feet().z < 0.0);
}

#[test]
fn a_jump_from_a_slope_is_exactly_the_ballistic_path_from_the_surface() {
    let config = LocomotionConfig::wow();
    for dt in [0.004, 1.0 / 60.0, 0.05] {
        let mut rig = Rig::wow(plane(0.5), DVec3::ZERO);
        rig.tick(&go(DVec3::ZERO));
        let start = rig.feet();
        assert!(start.z.abs() < NEAR && rig.state.character.sink() > 0.03);
        let mut time = 0.0;
        while time < 0.6 {
            let jump = time == 0.0;
            rig.tick(&LocomotionInput { jump, dt, ..go(DVec3::X * -2.0) });
            time += dt;
            let rise = config.jump_speed * time - 0.5 * config.gravity * time * time;
            assert_near(rig.feet(), start + dvec3(-2.0 * time, 0.0, rise), 1e-9);
            assert_eq!(rig.state.mode, Mode::Fall);
        }
        assert_eq!(rig.state.character.sink(), 0.0);
        rig.run(2.0, dt, &go(DVec3::ZERO));
        check_stands(&rig, "landed");
    }
}

#[test]
fn feet_follow_stairs_ridges_and_seams() {
    let ridge = [(6.0, -0.5), (14.0, -0.5), (10.0, 1.5)];
    let levels = [
        ("stairs", Level::floor().stairs(3.0, 8, 0.5, 0.6)),
        ("steep stairs", Level::floor().stairs(3.0, 8, 0.9, 1.2)),
        ("ridge", Level::floor().prism(&ridge, -9.0, 9.0)),
        (
            "curbs",
            Level::floor()
                .cuboid(vec3(3.0, -9.0, -1.0), vec3(3.2, 9.0, 0.3))
                .cuboid(vec3(5.0, -9.0, -1.0), vec3(9.0, 9.0, 0.7)),
        ),
    ];
    for (name, level) in levels {
        let scene = level.scene();
        for heading in [0.0, 0.3, -0.5] {
            let mut rig = Rig::wow(scene.clone(), DVec3::ZERO);
            for velocity in [dvec3(3.0, heading, 0.0), dvec3(-3.0, -heading, 0.0)] {
                for tick in 0..(60 * 5) {
                    rig.tick(&go(velocity));
                    check_stands(&rig, &format!("{name}, tick {tick}"));
                }
            }
            assert!(rig.feet().x.abs() < 1.0, "{name}: {}", rig.feet());
        }
    }
}

#[test]
fn feet_follow_rough_terrain_and_the_body_enters_nothing() {
    let (vertices, indices) = level::terrain(64);
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    let (low, high) = vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), v| {
        (l.min(v.as_dvec3()), h.max(v.as_dvec3()))
    });
    let mut grounded = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(&[65, seed]);
        let middle = (low + high) * 0.5;
        let start = middle + (high - low) * 0.3 * dvec3(rng.unit() - 0.5, rng.unit() - 0.5, 0.0);
        let start = start.with_z(high.z + 0.5);
        let mut rig = Rig::wow(scene.clone(), start);
        let mut velocity = DVec3::X;
        for tick in 0..400 {
            if rng.chance(0.03) {
                let angle = rng.range(0.0, 6.0);
                velocity = dvec3(angle.cos(), angle.sin(), 0.0) * rng.range(0.0, 7.0);
            }
            rig.tick(&LocomotionInput { jump: rng.chance(0.01), ..go(velocity) });
            check_is_free(&rig, &format!("seed {seed}, tick {tick}"));
            if rig.state.character.is_grounded() {
                grounded += 1;
                check_stands(&rig, &format!("seed {seed}, tick {tick}"));
            }
        }
    }
    assert!(grounded > 2000, "{grounded}");
}

#[test]
fn a_character_at_rest_does_not_flicker() {
    let level = Level::floor().stairs(3.0, 8, 0.5, 0.6).prism(
        &[(-14.0, -0.5), (-6.0, -0.5), (-10.0, 1.5)],
        -9.0,
        9.0,
    );
    let scene = level.scene();
    let mut rng = Rng::new(&[66]);
    for round in 0..120 {
        let x = if round % 2 == 0 { rng.range(2.8, 8.0) } else { rng.range(-14.5, -5.5) };
        let mut rig = Rig::wow(scene.clone(), dvec3(x, rng.range(-1.0, 1.0), 5.0));
        rig.run(2.0, 1.0 / 60.0, &go(DVec3::ZERO));
        check_stands(&rig, &format!("x = {x}"));
        let before = rig.feet();
        for tick in 0..60 {
            rig.tick(&go(DVec3::ZERO));
            check_stands(&rig, &format!("x = {x}, tick {tick}"));
            assert!((rig.feet() - before).length() < 1e-6, "{before} {}", rig.feet());
        }
    }
}

#[test]
fn without_ground_below_the_axis_a_character_slides_off_the_edge() {
    // A table 3 m high.
    let table = Level::floor().cuboid(vec3(-5.0, -5.0, 2.0), vec3(0.0, 5.0, 3.0)).scene();
    for (beyond, stands) in
        [(-0.2, true), (-0.01, true), (-0.0005, true), (0.03, false), (0.15, false)]
    {
        let mut rig = Rig::wow(table.clone(), dvec3(beyond, 0.0, 3.0));
        rig.run(3.0, 1.0 / 60.0, &go(DVec3::ZERO));
        let height = if stands { 3.0 } else { 0.0 };
        assert!((rig.feet().z - height).abs() < NEAR, "{beyond}: {}", rig.feet());
        check_stands(&rig, &format!("{beyond}"));
        if stands {
            assert!((rig.feet().x - beyond).abs() < 1e-6);
        }
    }
    // It walks off the edge and falls at once; with the capsule rule it first rolls over the edge.
    let mut rig = Rig::wow(table, dvec3(-1.0, 0.0, 3.0));
    let mut falls_at = None;
    for _ in 0..60 {
        rig.tick(&go(DVec3::X * 7.0));
        check_is_free(&rig, "off the table");
        if rig.state.mode == Mode::Fall && falls_at.is_none() {
            falls_at = Some(rig.feet().x);
        }
    }
    let falls_at = falls_at.unwrap();
    assert!(falls_at > 0.0 && falls_at < 0.13, "{falls_at}");
}

#[test]
fn a_gap_narrower_than_the_character_carries_it() {
    // 0.3 wide and 5 deep.
    let scene = Level::floor()
        .cuboid(vec3(-9.0, -9.0, 0.0), vec3(0.0, 9.0, 5.0))
        .cuboid(vec3(0.3, -9.0, 0.0), vec3(9.0, 9.0, 5.0))
        .scene();
    for speed in [0.5, 2.0, 7.0] {
        let mut rig = Rig::wow(scene.clone(), dvec3(-1.0, 0.0, 5.0));
        for _ in 0..300 {
            rig.tick(&go(DVec3::X * speed));
            check_is_free(&rig, "over the gap");
            if rig.feet().x > 1.0 {
                break;
            }
        }
        assert!(rig.feet().x > 1.0, "{speed}: {} {:?}", rig.feet(), rig.state.mode);
    }
    // It stands in the middle, and can jump out.
    let mut rig = Rig::wow(scene, dvec3(0.15, 0.0, 5.0));
    rig.run(2.0, 1.0 / 60.0, &go(DVec3::ZERO));
    assert!(rig.state.mode == Mode::Walk && rig.feet().z > 4.7, "{}", rig.feet());
    rig.tick(&LocomotionInput { jump: true, ..go(DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Fall);
}

#[test]
fn the_capsule_rule_has_no_sink() {
    let scene = plane(0.5);
    let mut rig = Rig::human(scene.clone(), DVec3::ZERO);
    rig.run(1.0, 1.0 / 60.0, &go(DVec3::X));
    let radius = f64::from(0.3_f32 + 0.02);
    let above = radius * 1.25_f64.sqrt() - radius;
    let feet = rig.feet();
    assert_eq!(rig.state.character.sink(), 0.0);
    assert!((feet.z - 0.5 * feet.x - above).abs() < NEAR, "{feet}");
    // Both rules move the body alike on a slope.
    let point = ControllerConfig { footing: FootingRule::Point, ..human() };
    let start = Controller::new(human()).unwrap().spawn(dvec3(0.0, 0.0, 1.0)).unwrap();
    let [mut a, mut b] = [human(), point].map(|config| Walk::start(&scene, config, DVec3::ONE));
    (a.state, b.state) = (start, start);
    for _ in 0..200 {
        a.go(dvec3(0.03, 0.02, -0.03));
        b.go(dvec3(0.03, 0.02, -0.03));
        assert_eq!(a.state.center(), b.state.center());
    }
    assert!(b.state.sink() > 0.03 && b.feet().z < a.feet().z);
}

#[cfg(feature = "serde")]
#[test]
fn states_and_configurations_without_a_footing_rule_are_read() {
    use capsweep::controller::{CharacterState, LocomotionState};
    let rig = Rig::wow(plane(0.5), DVec3::ZERO);
    let text = serde_json::to_string(&rig.state).unwrap();
    let again: LocomotionState = serde_json::from_str(&text).unwrap();
    assert_eq!(again, rig.state);
    assert!(again.character.sink() > 0.03 && text.contains("\"mode\":\"Walk\""));
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value.as_object_mut().unwrap().remove("mode");
    value.as_object_mut().unwrap().remove("boarded");
    let character = value["character"].as_object_mut().unwrap();
    character.remove("sink");
    let old: LocomotionState = serde_json::from_value(value.clone()).unwrap();
    assert_eq!((old.mode, old.boarded, old.character.sink()), (Mode::Walk, None, 0.0));
    value["character"]["sink"] = (-1.0).into();
    let bad = serde_json::from_value::<CharacterState>(value["character"].clone());
    assert!(bad.unwrap_err().to_string().contains("sink"));
    let mut value = serde_json::to_value(wow()).unwrap();
    value.as_object_mut().unwrap().remove("footing");
    let old: ControllerConfig = serde_json::from_value(value).unwrap();
    assert_eq!(old.footing, FootingRule::Capsule);
}

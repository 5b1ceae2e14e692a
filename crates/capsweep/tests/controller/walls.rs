//! Walls: stops, slides, the skin and the wall test.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::controller::ControllerConfig;
use capsweep::scene::{Body, MeshOptions, Pose, Scene};
use glam::{DVec3, dvec3, vec3};

/// A floor with a wall at x = 5.
fn wall() -> Level {
    Level::floor().cuboid(vec3(5.0, -50.0, -1.0), vec3(6.0, 50.0, 4.0))
}

#[test]
fn a_wall_stops_a_head_on_walk_with_the_skin_between() {
    for config in [physx(), human()] {
        let mut walk = Walk::start(&wall().scene(), config, DVec3::ZERO);
        walk.walk(dvec3(4.0, 0.0, 0.0), 3.0, 60);
        let room = f64::from(config.radius + config.contact_offset);
        assert_near(walk.feet(), dvec3(5.0 - room, 0.0, 0.0), 1e-5);
        assert!(walk.last.touching.sides && walk.last.is_grounded());
    }
}

#[test]
fn a_wall_slide_keeps_the_part_of_the_motion_that_runs_along_the_wall() {
    for degrees in 1..=89 {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let mut walk = Walk::start(&wall().scene(), human(), dvec3(4.0, -20.0, 0.0));
        walk.walk(dvec3(4.0, 0.0, 0.0), 1.0, 60);
        let before = walk.feet();
        // `degrees` is the angle between wall and heading.
        walk.walk(dvec3(sin, cos, 0.0) * 3.0, 2.0, 60);
        let moved = walk.feet() - before;
        assert!((moved.y - 6.0 * cos).abs() < 1e-4, "{degrees}°: {moved}");
        assert!(moved.x.abs() < 1e-4 && moved.z.abs() < 1e-4, "{degrees}°: {moved}");
    }
}

#[test]
fn the_skin_is_kept_along_the_normal_at_every_angle() {
    for degrees in [0.6_f64, 5.0, 45.0, 85.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut walk = Walk::start(&wall().scene(), physx(), dvec3(4.2, -45.0, 0.0));
        walk.walk(dvec3(sin, cos, 0.0) * 8.0, 10.0, 60);
        let gap = 5.0 - walk.state.center().x - 0.4;
        assert!((gap - 0.1).abs() < 1e-5, "{degrees}°: {gap}");
    }
}

#[test]
fn a_wall_slide_never_stops_on_the_rounding_of_its_normal() {
    // Walls at odd angles, whose normals f32 cannot represent.
    for i in 1..90 {
        let (sin, cos) = f64::from(i).to_radians().sin_cos();
        let along = dvec3(cos, sin, 0.0);
        let [a, b] = [-60.0, 60.0].map(|s| (along * s).as_vec3());
        let scene =
            Level::floor().quad(a, b, b + glam::Vec3::Z * 4.0, a + glam::Vec3::Z * 4.0).scene();
        // The front faces (sin, −cos).
        let out = dvec3(sin, -cos, 0.0);
        let mut walk = Walk::start(&scene, human(), out * 0.5 - along * 30.0);
        walk.walk((along - out) * 5.0, 10.0, 60);
        let feet = walk.feet();
        assert!((feet.dot(along) - 20.0).abs() < 0.01, "{i}°: {feet}");
        assert!((feet.dot(out) - 0.32).abs() < 1e-5, "{i}°: {feet}");
    }
}

#[test]
fn a_thin_wall_stops_a_hundred_metres_a_second() {
    let scene = Level::floor().cuboid(vec3(5.0, -5.0, -1.0), vec3(5.01, 5.0, 4.0)).scene();
    for hz in [10, 60] {
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(100.0, 0.0, 0.0), 1.0, hz);
        assert_near(walk.feet(), dvec3(4.68, 0.0, 0.0), 1e-4);
    }
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.go(dvec3(100.0, 0.0, 0.0));
    assert_near(walk.feet(), dvec3(4.68, 0.0, 0.0), 1e-4);
}

#[test]
fn both_sides_of_a_double_sided_wall_stop() {
    let sheet = Level::default().quad(
        vec3(5.0, -5.0, -1.0),
        vec3(5.0, -5.0, 4.0),
        vec3(5.0, 5.0, 4.0),
        vec3(5.0, 5.0, -1.0),
    );
    let options = MeshOptions { double_sided: true };
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Level::floor().mesh(), Pose::IDENTITY).expect("in range"));
    scene.insert(Body::mesh(sheet.mesh_with(options), Pose::IDENTITY).expect("in range"));
    for (start, heading, end) in [(0.0, 3.0, 4.68), (10.0, -3.0, 5.32)] {
        let mut walk = Walk::start(&scene, human(), dvec3(start, 0.0, 0.0));
        walk.walk(dvec3(heading, 0.0, 0.0), 4.0, 60);
        assert_near(walk.feet(), dvec3(end, 0.0, 0.0), 1e-4);
    }
}

#[test]
fn a_tree_is_walked_around_and_not_climbed() {
    let mut scene = Level::floor().scene();
    let trunk = capsweep::Capsule::from_feet(dvec3(5.0, 0.0, -1.0), DVec3::Z, 0.5, 8.0).unwrap();
    scene.insert(Body::shape(capsweep::scene::Shape::Capsule(trunk)));
    let mut walk = Walk::start(&scene, human(), dvec3(0.0, 0.05, 0.0));
    walk.walk(dvec3(4.0, 0.0, 0.0), 8.0, 60);
    let feet = walk.feet();
    assert!(feet.x > 6.0 && feet.z.abs() < 1e-5, "{feet}");
}

#[test]
fn a_walk_is_the_same_far_from_the_origin() {
    let far = dvec3(16_384.0, -16_384.0, 0.0);
    let mut near = Walk::start(&wall().scene(), human(), DVec3::ZERO);
    let mut away = Walk::start(&wall().scene_at(far), human(), far);
    for heading in [dvec3(3.0, 0.5, 0.0), dvec3(2.0, 2.0, 0.0), dvec3(-1.0, 1.0, 0.0)] {
        near.walk(heading, 2.0, 60);
        away.walk(heading, 2.0, 60);
        assert_near(away.feet() - far, near.feet(), 1e-5);
    }
}

#[test]
fn every_wall_is_reported_once_a_move() {
    let mut walk = Walk::start(&wall().scene(), human(), dvec3(4.6, 0.0, 0.0));
    walk.walk(dvec3(4.0, 1.0, 0.0), 0.5, 60);
    let mut target: Vec<_> = walk.last.contacts.iter().map(|contact| contact.target).collect();
    let all = target.len();
    target.dedup();
    assert_eq!((target.len(), all), (2, 2), "{:?}", walk.last.contacts);
}

#[test]
fn ten_rounds_are_needed_where_four_are_too_few() {
    // A shaft with many facets, so that a fast slide turns often.
    let mut level = Level::floor();
    let ring: Vec<_> = (0..=24)
        .map(|i| f64::from(i).to_radians() * 7.5)
        .map(|a| vec3((4.0 * a.cos()) as f32, (4.0 * a.sin()) as f32, 0.0))
        .collect();
    for pair in ring.windows(2) {
        let tall = glam::Vec3::Z * 4.0;
        level = level.quad(pair[0], pair[0] + tall, pair[1] + tall, pair[1]);
    }
    let scene = level.scene();
    let reach = |max_iterations| {
        let config = ControllerConfig { max_iterations, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(3.3, 1.0, 0.0));
        walk.go(dvec3(0.3, 5.0, -0.01));
        walk.feet()
    };
    assert!(reach(10).y > reach(4).y + 0.05, "{} {}", reach(10), reach(4));
}

/// One ray at the height of the raised straight part tells a wall. Without it, each move along a
/// wall tried to climb it, with up to five sweeps.
#[test]
fn no_step_is_tried_at_a_wall_that_goes_on_above_it() {
    for lean in [-0.02, 0.0, 0.02] {
        // Leaning over, upright and leaning back, 3 m high.
        let profile = [(3.0 - 0.5 * lean, -0.5), (6.0, -0.5), (6.0, 3.0), (3.0 + 3.0 * lean, 3.0)];
        let scene = Level::floor().prism(&profile, -9.0, 9.0).scene();
        for config in [human(), physx()] {
            let mut walk = Walk::start(&scene, config, dvec3(1.5, 0.0, 0.0));
            walk.walk(dvec3(3.0, 1.0, 0.0), 1.5, 60);
            let stats = walk.last.stats;
            assert!(walk.last.touching.sides && stats.step == 0, "{lean}: {stats:?}");
            assert!((walk.feet().y - 1.5).abs() < 1e-3, "{lean}: {}", walk.feet());
        }
    }
}

#[test]
fn a_wall_as_high_as_a_step_is_climbed() {
    // The wall ends below the ray.
    for config in [human(), physx()] {
        let high = config.step_offset;
        for lean in [0.0, 0.015] {
            let profile = [(3.0, 0.0), (9.0, -0.5), (9.0, high), (3.0 + high * lean, high)];
            let scene = Level::floor().prism(&profile, -9.0, 9.0).scene();
            for speed in [0.5, 3.0] {
                let mut walk = Walk::start(&scene, config, dvec3(2.0, 0.0, 0.0));
                walk.walk(dvec3(speed, 0.0, 0.0), 4.0 / speed, 60);
                assert_near(walk.feet(), dvec3(6.0, 0.0, f64::from(high)), 0.01);
            }
        }
    }
}

/// Characters of 11 cm to 29 m walk alike in scaled levels. Scaling by a power of two keeps the
/// digits of the geometry. So walks differ only where a length of the controller or a tolerance
/// does not scale.
#[test]
fn a_small_and_a_huge_character_walk_like_a_person() {
    let level = || {
        Level::floor()
            .stairs(3.0, 5, 0.18, 0.28)
            .ramp(-12.0, 4.0, 2.0)
            .cuboid(vec3(-1.0, 3.0, -1.0), vec3(4.0, 3.5, 2.5))
            .cuboid(vec3(-3.0, -6.0, -1.0), vec3(-2.8, -4.0, 0.1))
    };
    let walk = |preset: ControllerConfig, scale: f32| -> Vec<DVec3> {
        let config = ControllerConfig {
            radius: preset.radius * scale,
            total_height: preset.total_height * scale,
            contact_offset: preset.contact_offset * scale,
            step_offset: preset.step_offset * scale,
            snap_distance: preset.snap_distance * scale,
            perch_limit: preset.perch_limit.map(|limit| limit * scale),
            min_distance: preset.min_distance * f64::from(scale),
            ..preset
        };
        let size = f64::from(scale);
        let mut walk =
            Walk::start(&level().scaled(scale).scene(), config, dvec3(0.5, 0.1, 0.0) * size);
        let mut seen = Vec::new();
        let headings =
            [[3.0, 0.2], [1.0, 1.5], [-4.0, 1.0], [-3.0, -3.0], [0.5, 2.0], [2.0, -2.0]];
        for [x, y] in headings {
            for _ in 0..90 {
                walk.go(dvec3(x, y, -3.0) * (size / 60.0));
                assert!(walk.feet().is_finite());
                seen.push(walk.feet() / size);
            }
        }
        seen
    };
    for preset in [human(), physx()] {
        let person = walk(preset, 1.0);
        for scale in [1.0 / 16.0, 0.25, 4.0, 16.0] {
            for (tick, (a, b)) in person.iter().zip(walk(preset, scale)).enumerate() {
                assert!((*a - b).length() < 2e-3, "scale {scale}, tick {tick}: {a} and {b}");
            }
        }
    }
}

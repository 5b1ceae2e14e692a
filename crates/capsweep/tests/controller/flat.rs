//! Level floors: rest, walk, fall and jump.

use super::level::{Level, Walk, assert_near, human, input, physx};
use capsweep::Sphere;
use capsweep::controller::ControllerConfig;
use capsweep::scene::{Body, Mobility, Shape};
use glam::{DVec3, dvec3};

#[test]
fn a_character_rests_its_contact_offset_above_the_floor() {
    let scene = Level::floor().scene();
    let mut walk = Walk::start(&scene, physx(), dvec3(0.3, 0.4, 0.5));
    walk.walk(DVec3::ZERO, 1.0, 60);
    // Radius 0.4, half axis 0.5, contact offset 0.1.
    assert_near(walk.state.center(), dvec3(0.3, 0.4, 1.0), 2e-6);
    assert_near(walk.feet(), dvec3(0.3, 0.4, 0.0), 2e-6);
}

#[test]
fn walking_on_a_level_floor_goes_exactly_as_far_as_asked() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::ZERO);
    let height = walk.state.center().z;
    for i in 1..=600 {
        let out = walk.go(dvec3(0.05, 0.025, -0.01));
        assert!(out.is_grounded() && out.touching.below && !out.touching.sides);
        assert!((out.state.center().z - height).abs() < 2e-6, "move {i}");
    }
    assert_near(walk.feet(), dvec3(30.0, 15.0, 0.0), 2e-6);
}

#[test]
fn a_settled_walk_takes_two_sweeps_and_an_overlap_test_if_there_are_dynamic_bodies() {
    for (moving, looks) in [(false, 0), (true, 1)] {
        let mut scene = Level::floor().scene();
        if moving {
            let ball = Shape::Sphere(Sphere::new(dvec3(50.0, 50.0, 5.0), 1.0).unwrap());
            scene.insert(Body::obstacle(ball).with_mobility(Mobility::Dynamic));
        }
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(3.0, 1.0, 0.0), 0.5, 60);
        let stats = walk.last.stats;
        assert_eq!((stats.up, stats.side, stats.step, stats.sensor, stats.down), (0, 1, 0, 0, 1));
        assert_eq!(
            (stats.overlaps, stats.pushes, stats.queries()),
            (looks, 0, 2 + u32::from(looks))
        );
    }
}

#[test]
fn a_character_that_stands_still_is_grounded_and_keeps_every_bit_of_its_position() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::ZERO);
    let before = walk.state;
    for _ in 0..100 {
        let out = walk.go(DVec3::ZERO);
        assert!(out.is_grounded());
        assert_eq!(out.achieved, DVec3::ZERO);
        assert_eq!(out.state, before);
        walk.go(DVec3::Z * -0.1);
        assert_eq!(walk.state, before);
    }
}

#[test]
fn the_ground_has_its_point_target_and_normals() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), dvec3(1.0, 2.0, 0.0));
    let ground = walk.go(DVec3::ZERO).ground.expect("a floor");
    assert_near(ground.point, dvec3(1.0, 2.0, 0.0), 1e-5);
    assert_eq!((ground.normal, ground.face_normal), (glam::Vec3::Z, glam::Vec3::Z));
    assert!(ground.walkable && ground.target.triangle.is_some());
    assert_eq!((ground.distance, ground.velocity), (0.0, DVec3::ZERO));
}

#[test]
fn ground_a_millimetre_away_is_stood_on_and_further_is_not() {
    let config = ControllerConfig { snap_distance: 0.0, ..human() };
    for (gap, stands) in [(0.000_9, true), (0.001_1, false)] {
        let mut walk = Walk::start(&Level::floor().scene(), config, DVec3::Z * gap);
        assert_eq!(walk.go(DVec3::ZERO).is_grounded(), stands, "gap {gap}");
        assert_eq!(walk.state.is_grounded(), stands);
    }
}

#[test]
fn a_fall_ends_on_the_floor_and_is_reported() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::Z * 2.0);
    assert!(!walk.last.is_grounded() && walk.last.ground.is_none());
    let out = walk.go(DVec3::Z * -1.5).clone();
    assert!(!out.touching.below);
    assert_eq!(out.achieved, DVec3::Z * -1.5);
    let out = walk.go(DVec3::Z * -1.5);
    assert!(out.is_grounded() && out.contacts.len() == 1);
    assert!((out.achieved.z + 0.5).abs() < 2e-6);
}

#[test]
fn a_jump_leaves_the_ground_and_comes_back_to_it() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::ZERO);
    let out = walk.go(dvec3(0.1, 0.0, 0.2));
    assert!(out.ground.is_none() && !out.touching.below);
    assert_near(out.achieved, dvec3(0.1, 0.0, 0.2), 1e-12);
    assert!(walk.go(dvec3(0.1, 0.0, -0.3)).is_grounded());
    assert_near(walk.feet(), dvec3(0.2, 0.0, 0.0), 2e-6);
}

#[test]
fn a_move_out_of_the_range_of_positions_is_not_made() {
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::X);
    let before = walk.state;
    let out = walk.move_with(&input(DVec3::X * 1e9));
    assert_eq!((out.achieved, out.state), (DVec3::ZERO, before));
}

#[test]
fn any_direction_can_be_up() {
    for up in [DVec3::X, -DVec3::Z, DVec3::Y * 3.0, dvec3(1.0, 2.0, -2.0)] {
        let mut scene = capsweep::scene::Scene::new();
        let floor = capsweep::HalfSpace::new(DVec3::ZERO, up).unwrap();
        scene.insert(capsweep::scene::Body::shape(capsweep::scene::Shape::HalfSpace(floor)));
        let config = ControllerConfig { up, ..human() };
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        let up = up.normalize();
        let along = up.any_orthonormal_vector();
        for _ in 0..100 {
            assert!(walk.go(along * 0.1 - up * 0.05).is_grounded());
        }
        assert_near(walk.feet(), along * 10.0, 1e-5);
    }
}

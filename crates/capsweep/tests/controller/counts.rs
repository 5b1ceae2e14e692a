//! Queries of single moves, counted: each kind of obstacle costs what it must and no more.

use super::level::{Level, Walk, human, input, physx};
use capsweep::Obb;
use capsweep::controller::{Carrier, ControllerConfig, MoveStats};
use capsweep::scene::{Body, Mobility, Pose, Scene, Shape};
use glam::{DQuat, DVec3, dvec3, vec3};

/// Counts in the order up, side, step, sensor, down, overlaps, pushes.
#[track_caller]
fn assert_counts(stats: MoveStats, expected: [u16; 7]) {
    let MoveStats { up, side, step, sensor, down, overlaps, pushes } = stats;
    assert_eq!([up, side, step, sensor, down, overlaps, pushes], expected, "{stats:?}");
}

/// A floor with a step of 0.25 m at x = 2.
fn step() -> Level {
    Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(9.0, 9.0, 0.25))
}

#[test]
fn a_step_takes_three_sweeps() {
    for config in [human(), physx()] {
        let mut walk = Walk::start(&step().scene(), config, dvec3(1.2, 0.0, 0.0));
        let outcome = walk.go(dvec3(1.5, 0.0, -0.01));
        assert!(outcome.stepped);
        // The walk to the step; up, onward and down; the ground.
        assert_counts(outcome.stats, [0, 1, 3, 0, 1, 0, 0]);
    }
}

#[test]
fn a_wall_takes_no_step() {
    let scene = Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(9.0, 9.0, 5.0)).scene();
    // The middle of the contact is too high for a step of the human. The other's may be within
    // one, and a ray finds the wall.
    for (config, rays) in [(human(), 0), (physx(), 1)] {
        let mut walk = Walk::start(&scene, config, dvec3(1.2, 0.0, 0.0));
        let outcome = walk.go(dvec3(1.5, 0.0, -0.01));
        assert_counts(outcome.stats, [0, 1, 0, rays, 1, 0, 0]);
        // Along the wall: the first sweep hits it, the second runs free.
        let outcome = walk.go(dvec3(0.1, 0.1, -0.01));
        assert_counts(outcome.stats, [0, 2, 0, rays, 1, 0, 0]);
    }
}

#[test]
fn without_a_step_offset_no_step_is_tried() {
    let config = ControllerConfig { step_offset: 0.0, ..human() };
    let mut walk = Walk::start(&step().scene(), config, dvec3(1.2, 0.0, 0.0));
    let outcome = walk.go(dvec3(1.5, 0.0, -0.01));
    assert!(!outcome.stepped && outcome.touching.sides);
    assert_eq!((outcome.stats.step, outcome.stats.sensor), (0, 0), "{:?}", outcome.stats);
}

#[test]
fn a_contact_out_of_reach_is_not_tried_as_a_step() {
    // A beam at the height of the chest, that the side of the capsule meets.
    let scene = Level::floor().cuboid(vec3(2.0, -9.0, 1.0), vec3(9.0, 9.0, 1.2)).scene();
    for config in [human(), physx()] {
        let mut walk = Walk::start(&scene, config, dvec3(1.2, 0.0, 0.0));
        let outcome = walk.go(dvec3(1.5, 0.0, -0.01));
        assert!(outcome.touching.sides);
        assert_eq!((outcome.stats.step, outcome.stats.sensor), (0, 0), "{:?}", outcome.stats);
    }
}

#[test]
fn a_rise_to_a_ceiling_and_a_fall_take_one_sweep_each() {
    let scene = Level::floor().cuboid(vec3(-9.0, -9.0, 2.5), vec3(9.0, 9.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let rise = walk.go(DVec3::Z * 3.0).clone();
    assert!(rise.touching.above);
    // Under a level ceiling nothing is left of the motion.
    assert_counts(rise.stats, [1, 0, 0, 0, 0, 0, 0]);
    assert_counts(walk.go(DVec3::Z * -3.0).stats, [0, 0, 0, 0, 1, 0, 0]);
}

/// A box that moves, and the floor.
fn box_and_floor(center: DVec3) -> (Scene, capsweep::scene::BodyId) {
    let mut scene = Level::floor().scene();
    let solid = Obb::new(center, vec3(1.0, 1.0, 0.5), DQuat::IDENTITY).unwrap();
    let id = scene.insert(Body::shape(Shape::Box(solid)).with_mobility(Mobility::Dynamic));
    (scene, id)
}

#[test]
fn a_push_by_a_moving_box_takes_three_overlap_tests() {
    let (mut scene, id) = box_and_floor(dvec3(3.0, 0.0, 0.5));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let solid = Obb::new(dvec3(1.2, 0.0, 0.5), vec3(1.0, 1.0, 0.5), DQuat::IDENTITY).unwrap();
    scene.move_shape(id, Shape::Box(solid)).unwrap();
    walk.scene = scene;
    let outcome = walk.go(DVec3::ZERO);
    assert!(outcome.recovery.displacement.x < -0.1, "{:?}", outcome.recovery);
    assert_counts(outcome.stats, [0, 0, 0, 0, 1, 3, 1]);
}

#[test]
fn a_ride_up_takes_one_sweep_more() {
    let (mut scene, id) = box_and_floor(dvec3(0.0, 0.0, 0.5));
    let mut walk = Walk::start(&scene, human(), dvec3(0.0, 0.0, 1.0));
    assert!(walk.last.is_grounded());
    let at = |z: f64| Pose::from_translation(dvec3(0.0, 0.0, z)).unwrap();
    let solid = Obb::new(dvec3(0.0, 0.0, 0.7), vec3(1.0, 1.0, 0.5), DQuat::IDENTITY).unwrap();
    scene.move_shape(id, Shape::Box(solid)).unwrap();
    walk.scene = scene;
    let carried = input(DVec3::ZERO).carried_by(Carrier::new(id, at(0.5), at(0.7)));
    let outcome = walk.move_with(&carried).clone();
    assert!((walk.feet().z - 1.2).abs() < 1e-5, "{}", walk.feet());
    assert_counts(outcome.stats, [1, 0, 0, 0, 1, 1, 0]);
}

/// The bias of a plane turns a long rise under a level ceiling a little down. That ends it.
#[test]
fn a_long_rise_under_a_ceiling_and_a_long_fall_on_ice_end_at_once() {
    let scene = Level::floor().cuboid(vec3(-9.0, -9.0, 2.5), vec3(9.0, 9.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    assert_counts(walk.go(DVec3::Z * 30.0).stats, [1, 0, 0, 0, 0, 0, 0]);
    // The fall, and the probe for the ground.
    let fall = input(DVec3::Z * -30.0).slipping();
    assert_counts(walk.move_with(&fall).stats, [0, 0, 0, 0, 2, 0, 0]);
}

#[test]
fn a_step_onto_a_bevel_takes_two_looks_ahead() {
    let bevel = [(0.0, -0.5), (20.0, -0.5), (20.0, 0.35), (0.2, 0.35), (0.0, 0.0)];
    let scene = Level::floor().prism(&bevel, -30.0, 30.0).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 0.0, 0.0));
    let mut seen = 0;
    for _ in 0..200 {
        let outcome = walk.go(dvec3(0.01, 0.0, -0.003));
        let is_steep = |normal: glam::Vec3| normal.z < 0.6;
        let steep = outcome
            .ground
            .is_some_and(|ground| is_steep(ground.normal) && is_steep(ground.face_normal));
        if outcome.stepped && steep {
            assert_eq!((outcome.stats.step, outcome.stats.sensor), (3, 2), "{outcome:?}");
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}");
}

/// Too low for the skin above and below: the sweep down starts in the floor, and is made again
/// after the recovery.
#[test]
fn a_fall_in_a_low_room_takes_one_sweep_more() {
    let scene = Level::floor().cuboid(vec3(-9.0, -9.0, 1.82), vec3(9.0, 9.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    // Two pushes: out of the floor, and to the middle.
    assert_counts(walk.last.stats, [0, 0, 0, 0, 1, 2, 2]);
    assert_counts(walk.go(DVec3::Z * -0.01).stats, [0, 0, 0, 0, 2, 1, 0]);
    assert_eq!(walk.go(DVec3::Z * -0.01).stats.down, 2);
}

//! Ledges: rims, falls, snaps and the perch limit.

use super::level::{Level, Walk, assert_near, human, input, physx};
use capsweep::controller::{ControllerConfig, NonWalkable};
use capsweep::scene::{Body, Shape};
use capsweep::{Capsule, Obb};
use glam::{DQuat, DVec3, dvec3, vec3};

/// A table 2 m high that ends at x = 0.
fn table() -> Level {
    Level::floor().cuboid(vec3(-10.0, -10.0, -0.5), vec3(0.0, 10.0, 2.0))
}

#[test]
fn a_character_can_stand_with_its_axis_beyond_the_rim() {
    let mut walk = Walk::start(&table().scene(), human(), dvec3(0.2, 0.0, 2.1));
    walk.walk(DVec3::ZERO, 2.0, 60);
    let ground = walk.last.ground.unwrap();
    assert!(walk.last.is_grounded() && ground.normal.x > 0.3, "{ground:?}");
    assert!(walk.feet().z > 1.8 && (walk.feet().x - 0.2).abs() < 1e-9);
}

#[test]
fn on_ice_a_character_slips_off_a_rim_and_down_a_slope() {
    let mut walk = Walk::start(&table().scene(), human(), dvec3(0.2, 0.0, 2.1));
    for _ in 0..120 {
        walk.move_with(&input(DVec3::Z * -0.05).slipping());
    }
    assert!(walk.feet().z.abs() < 1e-4 && walk.feet().x >= 0.32, "{}", walk.feet());
    let mut walk =
        Walk::start(&Level::floor().ramp(2.0, 8.0, 2.0).scene(), human(), dvec3(6.0, 0.0, 1.1));
    for _ in 0..600 {
        walk.move_with(&input(DVec3::Z * -0.05).slipping());
    }
    assert!(walk.feet().z.abs() < 1e-4, "{}", walk.feet());
}

#[test]
fn a_box_s_rim_is_walkable_though_its_contact_leans() {
    // The same rim as a mesh and as one box.
    let mut scene = Level::floor().scene();
    let slab =
        capsweep::Obb::new(dvec3(-5.0, 0.0, 1.0), vec3(5.0, 5.0, 1.0), glam::DQuat::IDENTITY)
            .unwrap();
    scene.insert(capsweep::scene::Body::shape(capsweep::scene::Shape::Box(slab)));
    for scene in [scene, table().scene()] {
        let mut walk = Walk::start(&scene, human(), dvec3(0.29, 0.0, 2.0));
        walk.walk(DVec3::ZERO, 1.0, 60);
        let ground = walk.last.ground.unwrap();
        assert!(ground.normal.z < 0.6 && ground.walkable, "{ground:?}");
    }
}

#[test]
fn walking_off_a_ledge_is_a_fall_and_a_low_one_is_a_snap() {
    for (snap_distance, falls) in [(0.4_f32, true), (2.5, false)] {
        let config = ControllerConfig { snap_distance, ..human() };
        let mut walk = Walk::start(&table().scene(), config, dvec3(-1.0, 0.0, 2.0));
        let mut fell = false;
        for _ in 0..60 {
            fell |= !walk.go(dvec3(0.05, 0.0, -0.01)).is_grounded();
        }
        assert_eq!(fell, falls, "snap {snap_distance}");
    }
}

#[test]
fn a_jump_against_a_ledge_does_not_climb_it() {
    let mut walk = Walk::start(&table().scene(), human(), dvec3(1.0, 0.0, 0.0));
    for _ in 0..60 {
        walk.go(dvec3(-0.05, 0.0, 0.01));
    }
    let feet = walk.feet();
    assert_near(feet, dvec3(0.32, 0.0, 0.6), 1e-4);
}

#[test]
fn a_fall_past_a_ledge_catches_it_only_within_a_step_of_the_feet() {
    // As in PhysX, a falling character may step onto anything no higher than a step.
    let mut walk = Walk::start(&table().scene(), human(), dvec3(0.34, 0.0, 1.7));
    walk.walk(dvec3(-3.0, 0.0, 0.0), 0.2, 60);
    assert!((walk.feet().z - 2.0).abs() < 1e-3, "{}", walk.feet());
    let mut walk = Walk::start(&table().scene(), human(), dvec3(0.34, 0.0, 1.5));
    walk.walk(dvec3(-3.0, 0.0, 0.0), 1.0, 60);
    assert_near(walk.feet(), dvec3(0.32, 0.0, 0.0), 1e-4);
}

/// A character placed on the ledge with its axis `beyond` metres past the edge, after two seconds.
fn stand(config: ControllerConfig, beyond: f64) -> Walk {
    let reach = f64::from(config.radius + config.contact_offset);
    // Its round bottom rests on the edge.
    let drop = reach - (reach * reach - beyond * beyond).sqrt();
    let mut walk = Walk::start(&table().scene(), config, dvec3(beyond, 0.3, 2.0 - drop));
    for tick in 1..=120 {
        let fall = 9.81 * (f64::from(tick) / 60.0).min(1.0) / 60.0;
        walk.go(DVec3::Z * -fall);
    }
    walk
}

#[test]
fn a_character_stands_beyond_an_edge_as_far_as_its_perch_limit() {
    for limit in [0.05_f32, 0.1, 0.2, 0.3] {
        for non_walkable in [NonWalkable::Prevent, NonWalkable::Slide] {
            let config = ControllerConfig { perch_limit: Some(limit), non_walkable, ..human() };
            for beyond in [0.02, 0.08, 0.15, 0.25, 0.31] {
                let walk = stand(config, beyond);
                let stays = beyond <= f64::from(limit);
                let what = format!("limit {limit}, {beyond} beyond: {}", walk.feet());
                assert_eq!(walk.feet().z > 1.5, stays, "{what}");
                assert!(walk.last.is_grounded(), "{what}");
            }
        }
    }
}

#[test]
fn without_a_perch_limit_an_edge_carries_to_the_last_millimetre() {
    for config in [physx(), ControllerConfig { perch_limit: None, ..human() }] {
        let beyond = f64::from(config.radius + config.contact_offset) - 0.001;
        let walk = stand(config, beyond);
        assert!(walk.feet().z > 1.0 && walk.last.is_grounded(), "{}", walk.feet());
    }
}

/// The rim of a stair carries the character during most of a stride. The next tread is below the
/// axis.
#[test]
fn a_perch_limit_changes_nothing_on_stairs() {
    let scene = Level::floor().stairs(2.0, 8, 0.18, 0.28).scene();
    let walk_down = |perch_limit: Option<f32>| {
        let config = ControllerConfig { perch_limit, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(8.0, 0.0, 8.0 * 0.18));
        let mut seen = Vec::new();
        for _ in 0..240 {
            let out = walk.go(dvec3(-2.0 / 60.0, 0.01, -0.005));
            assert!(out.is_grounded());
            seen.push(out.state.center());
        }
        seen
    };
    assert_eq!(walk_down(Some(0.05)), walk_down(None));
}

/// A slope carries at any contact. A thin rail does not carry a character whose axis is far beyond
/// it.
#[test]
fn a_perch_limit_minds_round_rails_and_not_slopes() {
    let config = ControllerConfig { perch_limit: Some(0.05), step_offset: 0.0, ..human() };
    for degrees in [10.0_f64, 30.0, 45.0] {
        let rise = (8.0 * degrees.to_radians().tan()) as f32;
        let scene = Level::floor().ramp(-4.0, 8.0, rise).scene();
        let mut walk = Walk::start(&scene, config, dvec3(0.0, 0.0, f64::from(rise) * 0.5 + 0.3));
        walk.walk(DVec3::ZERO, 1.0, 60);
        let before = walk.feet();
        walk.walk(DVec3::ZERO, 1.0, 60);
        assert_near(walk.feet(), before, 1e-6);
        assert!(
            walk.last.is_grounded() && before.z > 0.3 * f64::from(rise),
            "{degrees}°: {before}"
        );
    }
    let mut scene = Level::floor().scene();
    let rail = Capsule::new(dvec3(0.0, -5.0, 2.0), dvec3(0.0, 5.0, 2.0), 0.02).unwrap();
    scene.insert(Body::shape(Shape::Capsule(rail)));
    for (beyond, stays) in [(0.02, true), (0.14, false)] {
        let mut walk = Walk::start(&scene, config, dvec3(beyond, 0.0, 2.03));
        walk.walk(DVec3::ZERO, 2.0, 60);
        assert_eq!(walk.feet().z > 1.5, stays, "{beyond} beyond: {}", walk.feet());
    }
}

#[test]
fn a_perch_limit_holds_on_boxes_and_ridges() {
    let limit = 0.1_f32;
    let config = ControllerConfig { perch_limit: Some(limit), ..human() };
    let block = |width: f32| {
        let half = vec3(0.5 * width, 5.0, 1.0);
        let at = dvec3(-0.5 * f64::from(width), 0.0, 1.0);
        Body::shape(Shape::Box(Obb::new(at, half, DQuat::IDENTITY).unwrap()))
    };
    for width in [0.02_f32, 0.1, 3.0] {
        for (beyond, stays) in [(0.05, true), (0.2, false), (0.28, false)] {
            let mut scene = Level::floor().scene();
            scene.insert(block(width));
            let drop = 0.32 - (0.32_f64 * 0.32 - beyond * beyond).sqrt();
            let mut walk = Walk::start(&scene, config, dvec3(beyond, 0.0, 2.0 - drop));
            walk.walk(DVec3::ZERO, 2.0, 60);
            assert_eq!(walk.feet().z > 1.5, stays, "{width}, {beyond}: {}", walk.feet());
            assert!(walk.last.is_grounded(), "{width}, {beyond}: {}", walk.feet());
        }
    }
    // A ridge of 90°, the axis over one slope.
    let ridge = Level::floor().prism(&[(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)], -5.0, 5.0).scene();
    let mut walk = Walk::start(&ridge, config, dvec3(0.15, 0.0, 1.0));
    walk.walk(DVec3::ZERO, 3.0, 60);
    assert!(walk.last.is_grounded(), "{:?}", walk.last.ground);
}

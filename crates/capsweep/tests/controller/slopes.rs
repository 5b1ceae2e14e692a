//! Slopes: the slope limit, level speed, steep slopes and slides.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::SlopeLimit;
use capsweep::controller::{Climbing, ControllerConfig, NonWalkable};
use glam::{DVec3, dvec3};

fn ramp(degrees: f64) -> Level {
    Level::floor().ramp(2.0, 8.0, (8.0 * degrees.to_radians().tan()) as f32)
}

#[test]
fn a_slope_of_the_limit_less_a_degree_is_walked_and_one_more_is_not() {
    for config in [human(), physx()] {
        let limit = f64::from(config.slope_limit.cos()).acos().to_degrees();
        for hz in [20, 60, 240] {
            let mut walk = Walk::start(&ramp(limit - 1.0).scene(), config, DVec3::ZERO);
            walk.walk(dvec3(4.0, 0.0, 0.0), 3.0, hz);
            let top = 8.0 * (limit - 1.0).to_radians().tan();
            assert_near(walk.feet(), dvec3(12.0, 0.0, top), 0.01);
            let mut walk = Walk::start(&ramp(limit + 1.0).scene(), config, DVec3::ZERO);
            walk.walk(dvec3(4.0, 0.0, 0.0), 3.0, hz);
            assert!(walk.feet().z < 1e-3, "{hz} Hz: {}", walk.feet());
        }
    }
}

/// Exactly 50°: the rounded cosine 0.642788 is above the true one and would refuse it.
#[test]
fn a_slope_of_exactly_the_limit_in_degrees_is_walked() {
    for degrees in [20.0, 30.0, 35.0, 45.0, 50.0, 60.0] {
        let slope_limit = SlopeLimit::from_degrees(degrees).unwrap();
        let config = ControllerConfig { slope_limit, ..human() };
        for (lean, walked) in [(0.0, true), (0.005, true), (0.02, false), (0.5, false)] {
            let scene = ramp(degrees + lean).scene();
            let mut walk = Walk::start(&scene, config, DVec3::ZERO);
            walk.walk(dvec3(4.0, 0.0, 0.0), 3.0, 60);
            assert_eq!(walk.feet().z > 1.0, walked, "{degrees}° + {lean}°: {}", walk.feet());
        }
    }
    assert_eq!(human().slope_limit, SlopeLimit::from_degrees(50.0).unwrap());
    assert_eq!(ControllerConfig::wow().slope_limit, human().slope_limit);
}

#[test]
fn with_no_slope_limit_all_but_upright_walls_are_walked_up() {
    let config = ControllerConfig { slope_limit: SlopeLimit::from_cos(0.0).unwrap(), ..human() };
    let mut walk = Walk::start(&ramp(75.0).scene(), config, DVec3::ZERO);
    walk.walk(dvec3(3.0, 0.0, 0.0), 3.0, 60);
    assert!(walk.feet().z > 20.0, "{}", walk.feet());
    // The cosine of an upright wall is below 0.02.
    for (cos, walked) in [(0.03_f64, true), (0.01, false)] {
        let mut walk = Walk::start(&ramp(cos.acos().to_degrees()).scene(), config, DVec3::ZERO);
        walk.walk(dvec3(3.0, 0.0, 0.0), 1.0, 60);
        assert_eq!(walk.feet().z > 5.0, walked, "{cos}: {}", walk.feet());
    }
    // It leans by the rounding of its vertices.
    let wall = Level::floor().quad(
        glam::vec3(2.0, -5.0, 0.0),
        glam::vec3(2.000_001, -5.0, 3.0),
        glam::vec3(2.000_001, 5.0, 3.0),
        glam::vec3(2.0, 5.0, 0.0),
    );
    let mut walk = Walk::start(&wall.scene(), config, DVec3::ZERO);
    walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, 60);
    assert_near(walk.feet(), dvec3(1.68, 0.0, 0.0), 1e-4);
}

#[test]
fn a_slope_leaves_the_level_speed_both_ways() {
    for degrees in [5.0_f64, 20.0, 35.0, 45.0] {
        let mut walk = Walk::start(
            &ramp(degrees).scene(),
            human(),
            dvec3(4.0, 0.0, 2.0 * degrees.to_radians().tan()),
        );
        let start = walk.feet().x;
        walk.walk(dvec3(3.0, 0.0, 0.0), 1.0, 60);
        assert!((walk.feet().x - start - 3.0).abs() < 1e-3, "{degrees}° up: {}", walk.feet());
        walk.walk(dvec3(-3.0, 0.0, 0.0), 1.0, 60);
        assert!((walk.feet().x - start).abs() < 1e-3, "{degrees}° down: {}", walk.feet());
        assert!(walk.last.is_grounded());
    }
}

#[test]
fn a_move_up_a_slope_of_thirty_degrees_is_as_long_as_in_physx() {
    let mut walk = Walk::start(&ramp(30.0).scene(), physx(), dvec3(4.0, 0.0, 1.5));
    walk.walk(DVec3::ZERO, 1.0, 60);
    let out = walk.go(dvec3(0.05, 0.0, -0.1));
    assert_near(out.achieved, dvec3(0.05, 0.0, 0.028_9), 1e-4);
    assert!(out.touching.below && !out.touching.sides && !out.touching.above);
}

#[test]
fn a_character_that_stands_on_a_slope_keeps_every_bit_of_its_position() {
    for degrees in [1.0_f64, 17.3, 44.0] {
        for config in [human(), physx()] {
            let mut walk = Walk::start(&ramp(degrees).scene(), config, dvec3(5.0, 0.3, 3.5));
            walk.walk(DVec3::ZERO, 3.0, 60);
            let mut before = walk.state;
            for i in 0..20_000 {
                let out = walk.go(dvec3(0.0, 0.0, -0.08));
                assert!(i < 2 || out.achieved == DVec3::ZERO, "{degrees}°: {}", out.achieved);
                assert!(out.is_grounded());
                if i < 2 {
                    before = walk.state;
                }
            }
            assert_eq!(walk.state, before);
        }
    }
}

/// `cargo test --release -p capsweep --test controller -- --ignored stands_on_a_slope`
#[test]
#[ignore = "a minute in release"]
fn a_character_stands_on_a_slope_for_a_million_moves() {
    for degrees in [5.0, 30.0, 44.0] {
        let mut walk = Walk::start(&ramp(degrees).scene(), human(), dvec3(5.0, 0.3, 6.0));
        walk.walk(DVec3::ZERO, 3.0, 60);
        let before = walk.state;
        for _ in 0..1_000_000 {
            assert_eq!(walk.go(dvec3(0.0, 0.0, -0.08)).achieved, DVec3::ZERO);
        }
        assert_eq!(walk.state, before);
    }
}

#[test]
fn a_steep_slope_is_a_wall_that_is_walked_along() {
    for non_walkable in [NonWalkable::Prevent, NonWalkable::Slide] {
        let config = ControllerConfig { non_walkable, ..human() };
        let mut walk = Walk::start(&ramp(60.0).scene(), config, dvec3(1.0, -8.0, 0.0));
        walk.walk(dvec3(3.0, 3.0, 0.0), 4.0, 60);
        let feet = walk.feet();
        assert!(feet.z < 1e-3 && feet.y > 3.9, "{non_walkable:?}: {feet}");
    }
}

#[test]
fn on_a_steep_slope_a_character_stays_or_slides_as_configured() {
    let scene = ramp(60.0).scene();
    let drop = dvec3(5.0, 0.0, 6.0);
    let stays = ControllerConfig { non_walkable: NonWalkable::Prevent, ..human() };
    let mut walk = Walk::start(&scene, stays, drop);
    walk.walk(DVec3::ZERO, 1.0, 60);
    let (before, ground) = (walk.feet(), walk.last.ground.unwrap());
    assert!(ground.touched && !ground.walkable && !walk.last.is_grounded());
    walk.walk(DVec3::ZERO, 1.0, 60);
    assert_near(walk.feet(), before, 1e-9);
    let mut walk = Walk::start(&scene, human(), drop);
    walk.walk(DVec3::ZERO, 6.0, 60);
    let feet = walk.feet();
    assert!(feet.z < 1e-3 && feet.x < 2.0 && walk.last.is_grounded(), "{feet}");
}

#[test]
fn the_pass_down_takes_one_sweep_and_more_only_to_slide() {
    let scene = ramp(60.0).scene();
    for (non_walkable, slides) in [(NonWalkable::Prevent, false), (NonWalkable::Slide, true)] {
        let config = ControllerConfig { non_walkable, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(5.0, 0.0, 6.0));
        walk.walk(DVec3::ZERO, 0.5, 60);
        assert_eq!(walk.last.stats.down > 1, slides, "{:?}", walk.last.stats);
        assert!(walk.last.stats.down <= 11);
    }
}

#[test]
fn a_slide_over_the_end_of_a_slope_is_a_fall() {
    // A steep sheet that ends 3 m above the floor.
    let scene = Level::floor()
        .quad(
            glam::vec3(2.0, 4.0, 3.0),
            glam::vec3(2.0, -4.0, 3.0),
            glam::vec3(5.0, -4.0, 9.0),
            glam::vec3(5.0, 4.0, 9.0),
        )
        .scene();
    let mut walk = Walk::start(&scene, human(), dvec3(3.0, 0.0, 5.6));
    let mut fell = false;
    for _ in 0..240 {
        walk.walk(DVec3::ZERO, 1.0 / 60.0, 60);
        let height = walk.feet().z;
        if height > 0.1 && height < 2.5 {
            fell = true;
            assert!(!walk.last.touching.below, "{}", walk.feet());
        }
    }
    assert!(fell && walk.last.is_grounded());
}

#[test]
fn a_slide_can_be_steered_across_the_slope() {
    let mut walk = Walk::start(&ramp(60.0).scene(), human(), dvec3(9.0, -5.0, 13.5));
    walk.walk(DVec3::ZERO, 0.5, 60);
    let before = walk.feet();
    let mut steps = 0;
    while walk.feet().z > 1.0 && steps < 600 {
        walk.walk(dvec3(0.0, 3.0, 0.0), 1.0 / 60.0, 60);
        steps += 1;
    }
    let moved = walk.feet() - before;
    let asked = 3.0 * f64::from(steps) / 60.0;
    assert!((moved.y - asked).abs() < 0.01 && moved.z < -5.0, "{moved} of {asked}");
}

#[test]
fn a_bevel_as_high_as_a_step_is_climbed_and_a_higher_one_is_not() {
    for (high, climbs) in [(0.3_f32, true), (0.39, true), (0.7, false)] {
        for (degrees, split) in [(60.0_f64, 1), (60.0, 5), (75.0, 1), (75.0, 5)] {
            let run = high / degrees.to_radians().tan() as f32;
            let mut level = Level::floor()
                .cuboid(glam::vec3(2.0 + run, -3.0, -0.5), glam::vec3(9.0, 3.0, high));
            // The number of faces in the bevel must not matter.
            for i in 0..split {
                let at =
                    |k: i32| (2.0 + run * k as f32 / split as f32, high * k as f32 / split as f32);
                let (low, top) = (at(i), at(i + 1));
                level = level.quad(
                    glam::vec3(low.0, 3.0, low.1),
                    glam::vec3(low.0, -3.0, low.1),
                    glam::vec3(top.0, -3.0, top.1),
                    glam::vec3(top.0, 3.0, top.1),
                );
            }
            for hz in [20, 60, 240] {
                let mut walk = Walk::start(&level.scene(), human(), DVec3::ZERO);
                walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, hz);
                let feet = walk.feet();
                assert_eq!(feet.x > 4.0, climbs, "{high} {degrees}° in {split}, {hz} Hz: {feet}");
            }
        }
    }
}

#[test]
fn a_dome_is_not_walked_over_where_it_is_too_steep() {
    let mut scene = Level::floor().scene();
    let dome = capsweep::Sphere::new(dvec3(5.0, 0.0, 0.0), 1.5).unwrap();
    scene.insert(capsweep::scene::Body::shape(capsweep::scene::Shape::Sphere(dome)));
    for config in [human(), physx()] {
        let mut walk = Walk::start(&scene, config, dvec3(0.0, 0.0, 0.0));
        let mut highest = 0.0_f64;
        for _ in 0..300 {
            walk.walk(dvec3(3.0, 0.0, 0.0), 1.0 / 60.0, 60);
            highest = highest.max(walk.feet().z);
        }
        assert!(highest < 0.6, "climbed to {highest}");
    }
}

#[test]
fn slope_rules_hold_on_bodies_that_move() {
    let (sin, cos) = 60.0_f64.to_radians().sin_cos();
    let turn = glam::DQuat::from_rotation_y(-(60.0_f64.to_radians()));
    let mut scene = Level::floor().scene();
    let slab =
        capsweep::Obb::new(dvec3(5.0 + sin, 0.0, -cos + 3.0), glam::vec3(8.0, 5.0, 1.0), turn)
            .unwrap();
    let body = capsweep::scene::Body::shape(capsweep::scene::Shape::Box(slab));
    scene.insert(body.with_mobility(capsweep::scene::Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), dvec3(-3.0, 0.0, 0.0));
    walk.walk(dvec3(3.0, 0.0, 0.0), 4.0, 60);
    assert!(walk.feet().z < 0.01, "{}", walk.feet());
}

#[test]
fn a_valley_of_two_slopes_is_walked_along() {
    let deep = |x: f32| glam::vec3(x, 0.0, 0.0);
    let side = |x: f32, y: f32| glam::vec3(x, y, 6.0);
    let scene = Level::default()
        .quad(deep(-20.0), deep(20.0), side(20.0, 10.0), side(-20.0, 10.0))
        .quad(deep(20.0), deep(-20.0), side(-20.0, -10.0), side(20.0, -10.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), dvec3(-10.0, 0.0, 0.3));
    walk.walk(dvec3(4.0, 0.1, 0.0), 4.0, 60);
    let feet = walk.feet();
    assert!((feet.x - 6.0).abs() < 0.01 && feet.y.abs() < 0.5, "{feet}");
}

#[test]
fn constrained_climbing_minds_the_height_of_an_edge_on_the_round_bottom() {
    // Without a step offset a kerb is a wall: its edge touches the round bottom above the feet
    // (B.8).
    let scene = Level::floor().stairs(2.0, 1, 0.1, 1.0).scene();
    for (climbing, passes) in [(Climbing::Easy, true), (Climbing::Constrained, false)] {
        let config = ControllerConfig { climbing, step_offset: 0.0, ..physx() };
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, 60);
        assert_eq!(walk.feet().x > 3.0, passes, "{climbing:?}: {}", walk.feet());
    }
}

/// A walk on a ramp meets a wall that leans. The line in which both meet is the only way on.
#[test]
fn a_wall_that_leans_over_a_ramp_is_followed_along_the_line_where_they_meet() {
    for (rise, lean) in [(0.4_f64, 0.3_f64), (0.4, -0.2), (-0.3, 0.3), (-0.3, -0.2), (0.0, 0.3)] {
        // The ramp z = rise · x, and the wall y = 2 + lean · z, which leans away or over.
        let at = |x: f32, y: f32| glam::vec3(x, y, rise as f32 * x);
        let wall = |x: f32, z: f32| glam::vec3(x, 2.0 + lean as f32 * z, z);
        let scene = Level::default()
            .quad(at(-30.0, -30.0), at(30.0, -30.0), at(30.0, 30.0), at(-30.0, 30.0))
            .quad(wall(-30.0, -30.0), wall(30.0, -30.0), wall(30.0, 30.0), wall(-30.0, 30.0))
            .scene();
        let config = ControllerConfig { step_offset: 0.0, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(0.0, 0.0, 0.1));
        walk.walk(dvec3(0.0, 2.0, 0.0), 1.5, 60);
        let before = walk.feet();
        // Both planes hold along this line: z = rise · x, y = 2 + lean · rise · x.
        let line = dvec3(1.0, lean * rise, rise).normalize();
        for _ in 0..30 {
            walk.walk(dvec3(2.0, 1.0, 0.0), 1.0 / 60.0, 60);
        }
        let moved = walk.feet() - before;
        let along = moved.normalize();
        assert!(moved.length() > 0.5, "{rise} {lean}: {moved}");
        assert!(along.distance(line) < 1e-3, "{rise} {lean}: {along} is not {line}");
    }
}

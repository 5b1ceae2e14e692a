//! Doorways, low ceilings, crawl spaces and corridors.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::SlopeLimit;
use capsweep::controller::{Ceiling, ControllerConfig};
use glam::{DVec3, dvec3, vec3};

/// A floor with a lintel from x = 3 to 3.3, `clear` metres above it.
fn doorway(clear: f32) -> Level {
    Level::floor()
        .cuboid(vec3(3.0, -2.0, clear), vec3(3.3, 2.0, clear + 1.0))
        .cuboid(vec3(3.0, 0.7, -1.0), vec3(3.3, 5.0, clear + 1.0))
        .cuboid(vec3(3.0, -5.0, -1.0), vec3(3.3, -0.7, clear + 1.0))
}

#[test]
fn a_doorway_three_centimetres_higher_than_the_skin_is_passed_at_full_speed() {
    for config in [human(), physx()] {
        let clear = config.total_height + 2.0 * config.contact_offset + 0.03;
        for hz in [20, 60, 240] {
            let mut walk = Walk::start(&doorway(clear).scene(), config, DVec3::ZERO);
            walk.walk(dvec3(4.0, 0.0, 0.0), 1.5, hz);
            assert_near(walk.feet(), dvec3(6.0, 0.0, 0.0), 1e-4);
            assert!(!walk.last.touching.above);
        }
    }
}

#[test]
fn a_doorway_lower_than_the_character_is_a_wall() {
    let mut walk = Walk::start(&doorway(1.7).scene(), human(), DVec3::ZERO);
    walk.walk(dvec3(4.0, 0.0, 0.0), 1.5, 60);
    assert!(walk.feet().x < 3.0 && walk.feet().z.abs() < 1e-4, "{}", walk.feet());
}

#[test]
fn a_low_ceiling_stops_a_jump_and_is_reported() {
    let scene = Level::floor().cuboid(vec3(-5.0, -5.0, 2.0), vec3(5.0, 5.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let out = walk.go(dvec3(0.05, 0.0, 0.5));
    assert!(out.touching.above && out.ground.is_none());
    assert!((walk.feet().z - 0.16).abs() < 1e-5, "{}", walk.feet());
    // Without room to rise it stands, and the move reports the ground.
    let scene = Level::floor().cuboid(vec3(-5.0, -5.0, 1.84), vec3(5.0, 5.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    assert!(walk.go(DVec3::Z * 0.5).is_grounded());
}

#[test]
fn a_ceiling_that_leaves_just_enough_room_is_no_wall() {
    // Binary fractions, so that the height is exact: 1.5 + 2 × 0.0625.
    let config =
        ControllerConfig { radius: 0.25, total_height: 1.5, contact_offset: 0.0625, ..human() };
    let scene = Level::floor().cuboid(vec3(-50.0, -5.0, 1.625), vec3(50.0, 5.0, 3.0)).scene();
    for hz in [20, 60, 240] {
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        walk.walk(dvec3(4.0, 0.3, 0.0), 2.0, hz);
        assert_near(walk.feet(), dvec3(8.0, 0.6, 0.0), 1e-4);
    }
}

#[test]
fn a_crawl_space_lower_than_the_skin_lets_the_character_through() {
    // 1.80 m body, 1.82 m clear, 1.84 m with the skin.
    let scene = Level::floor().cuboid(vec3(-50.0, -5.0, 1.82), vec3(50.0, 5.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.walk(dvec3(3.0, 0.2, 0.0), 2.0, 60);
    let feet = walk.feet();
    assert!(feet.x > 5.9 && feet.z.abs() < 0.02, "{feet}");
}

#[test]
fn a_corridor_as_wide_as_the_skin_is_walked_through() {
    // Exact in binary: radius 0.375 and skin 0.125 in a corridor of 1 m.
    let config = ControllerConfig { radius: 0.375, contact_offset: 0.125, ..human() };
    let scene = Level::floor()
        .cuboid(vec3(1.0, 0.5, -1.0), vec3(9.0, 2.0, 3.0))
        .cuboid(vec3(1.0, -2.0, -1.0), vec3(9.0, -0.5, 3.0))
        .scene();
    for heading in [dvec3(3.0, 0.0, 0.0), dvec3(3.0, 0.2, 0.0), dvec3(3.0, -1.0, 0.0)] {
        let mut walk = Walk::start(&scene, config, dvec3(3.0, 0.0, 0.0));
        walk.walk(heading, 1.0, 60);
        assert!(walk.feet().x > 5.9, "{heading}: {}", walk.feet());
    }
}

#[test]
fn a_squeeze_narrower_than_the_skin_is_walked_through() {
    // 0.60 m body, 0.62 m clear, 0.64 m with the skin.
    let scene = Level::floor()
        .cuboid(vec3(1.0, 0.31, -1.0), vec3(9.0, 2.0, 3.0))
        .cuboid(vec3(1.0, -2.0, -1.0), vec3(9.0, -0.31, 3.0))
        .scene();
    for heading in [dvec3(3.0, 0.0, 0.0), dvec3(3.0, 0.3, 0.0)] {
        let mut walk = Walk::start(&scene, human(), dvec3(3.0, 0.005, 0.0));
        assert!(walk.last.recovery.left > 0.0 && walk.last.stats.pushes < 8, "{:?}", walk.last);
        walk.walk(heading, 1.0, 60);
        let feet = walk.feet();
        assert!(feet.x > 5.8 && feet.y.abs() < 0.01, "{heading}: {feet}");
        assert!(walk.last.is_grounded());
    }
}

#[test]
fn under_a_dome_a_jump_slides_or_stops_as_configured() {
    let half = 40.0_f64.to_radians();
    let slope = half.tan() as f32;
    let roof = |x: f32| 2.0 + (5.0 - x) * slope;
    let scene = Level::floor()
        .quad(
            vec3(-5.0, -5.0, roof(-5.0)),
            vec3(-5.0, 5.0, roof(-5.0)),
            vec3(5.0, 5.0, roof(5.0)),
            vec3(5.0, -5.0, roof(5.0)),
        )
        .scene();
    for (ceiling, slides) in [(Ceiling::Slide, true), (Ceiling::Stop, false)] {
        let config = ControllerConfig { ceiling, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(3.5, 0.0, 0.0));
        let out = walk.go(DVec3::Z * 6.0);
        assert!(out.touching.above);
        assert_eq!(out.achieved.x < -0.5, slides, "{ceiling:?}: {}", out.achieved);
    }
}

#[test]
fn a_character_in_the_air_slides_under_a_sloping_ceiling() {
    let roof = |x: f32| 4.0 - x * 0.5;
    let scene = Level::floor()
        .quad(
            vec3(-5.0, -5.0, roof(-5.0)),
            vec3(-5.0, 5.0, roof(-5.0)),
            vec3(5.0, 5.0, roof(5.0)),
            vec3(5.0, -5.0, roof(5.0)),
        )
        .scene();
    let config = ControllerConfig { slope_limit: SlopeLimit::PHYSX, ..human() };
    let mut walk = Walk::start(&scene, config, dvec3(-3.0, 0.0, 3.0));
    for _ in 0..40 {
        walk.go(dvec3(0.05, 0.0, 0.001));
    }
    assert!(walk.feet().x > -1.1, "{}", walk.feet());
}

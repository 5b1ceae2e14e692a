//! Stairs and single steps.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::controller::{Climbing, ControllerConfig, Pass};
use glam::{DVec3, dvec3, vec3};

#[test]
fn stairs_are_climbed_at_full_speed_for_every_riser_tread_radius_angle_and_tick_rate() {
    for (rise, tread) in [(0.1_f32, 0.4_f32), (0.18, 0.28), (0.25, 0.25), (0.3, 0.2), (0.4, 0.6)] {
        let steps = 8;
        let scene = Level::floor().stairs(2.0, steps, rise, tread).scene();
        for radius in [0.2, 0.3, 0.5] {
            for degrees in [0.0_f64, 20.0] {
                for hz in [20, 60, 240] {
                    let config = ControllerConfig { radius, ..human() };
                    let (sin, cos) = degrees.to_radians().sin_cos();
                    let mut walk = Walk::start(&scene, config, dvec3(0.0, -1.0, 0.0));
                    // Long enough to get past the last step.
                    let seconds = (2.0 + f64::from(steps) * f64::from(tread) + 2.0) / 4.0 / cos;
                    let seconds = (seconds * 20.0).ceil() / 20.0;
                    walk.walk(dvec3(cos, sin, 0.0) * 4.0, seconds, hz);
                    let what = format!("{rise} × {tread}, radius {radius}, {degrees}°, {hz} Hz");
                    let feet = walk.feet();
                    let top = f64::from(rise * steps as f32);
                    assert!((feet.z - top).abs() < 1e-4, "{what}: {feet}");
                    assert!((feet.x - 4.0 * cos * seconds).abs() < 1e-3, "{what}: {feet}");
                }
            }
        }
    }
}

#[test]
fn stairs_are_walked_down_without_leaving_the_ground() {
    let scene = Level::floor().stairs(2.0, 8, 0.18, 0.28).scene();
    for hz in [20, 60, 240] {
        let mut walk = Walk::start(&scene, human(), dvec3(8.0, 0.0, 8.0 * 0.18));
        let dt = 1.0 / f64::from(hz);
        for _ in 0..hz * 2 {
            // Gravity from rest: each move falls far less than a step.
            let out = walk.go(dvec3(-4.0 * dt, 0.0, -4.9 * dt * dt));
            assert!(out.is_grounded(), "{hz} Hz at {}", walk.feet());
        }
        assert_near(walk.feet(), DVec3::ZERO, 1e-4);
    }
}

#[test]
fn without_snapping_the_first_stair_down_is_a_fall() {
    let config = ControllerConfig { snap_distance: 0.0, ..human() };
    let mut walk = Walk::start(
        &Level::floor().stairs(2.0, 4, 0.18, 0.28).scene(),
        config,
        dvec3(4.0, 0.0, 0.72),
    );
    let mut fell = false;
    for _ in 0..60 {
        fell |= !walk.go(dvec3(-4.0 / 60.0, 0.0, -0.001)).is_grounded();
    }
    assert!(fell && !walk.last.snapped);
}

#[test]
fn a_step_of_exactly_the_step_offset_is_climbed() {
    for config in [human(), ControllerConfig { climbing: Climbing::Constrained, ..physx() }] {
        let scene = Level::floor().stairs(2.0, 1, config.step_offset, 1.0).scene();
        for hz in [20, 60, 240] {
            let mut walk = Walk::start(&scene, config, DVec3::ZERO);
            walk.walk(dvec3(4.0, 0.0, 0.0), 1.5, hz);
            assert_near(walk.feet(), dvec3(6.0, 0.0, f64::from(config.step_offset)), 1e-3);
        }
    }
}

/// The slack is a third of a thousandth of the radius: 0.1 mm.
#[test]
fn a_step_may_exceed_the_step_offset_by_a_tenth_of_a_millimetre() {
    for (more, climbed) in [(5e-5, true), (2e-4, false)] {
        let scene = Level::floor().stairs(2.0, 1, human().step_offset + more, 1.0).scene();
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(4.0, 0.0, 0.0), 1.0, 60);
        assert_eq!(walk.feet().z > 0.3, climbed, "{more}: {}", walk.feet());
    }
}

#[test]
fn a_step_a_centimetre_higher_than_the_step_offset_is_a_wall() {
    let rise = human().step_offset + 0.01;
    let scene = Level::floor().stairs(2.0, 1, rise, 1.0).scene();
    for hz in [20, 60, 240] {
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(4.0, 0.0, 0.0), 1.5, hz);
        assert_near(walk.feet(), dvec3(2.0 - 0.32, 0.0, 0.0), 1e-4);
        assert!(walk.last.touching.sides && !walk.last.stepped);
    }
}

#[test]
fn easy_climbing_rolls_over_edges_that_constrained_climbing_refuses() {
    // In `physx`: step offset 0.5, radius 0.4, contact offset 0.1.
    for (rise, easy, constrained) in
        [(0.45, true, true), (0.75, true, false), (1.05, false, false)]
    {
        let scene = Level::floor().stairs(2.0, 1, rise, 1.0).scene();
        for (climbing, climbs) in [(Climbing::Easy, easy), (Climbing::Constrained, constrained)] {
            let config = ControllerConfig { climbing, ..physx() };
            let mut walk = Walk::start(&scene, config, DVec3::ZERO);
            walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, 60);
            assert_eq!(walk.feet().x > 3.0, climbs, "{rise} {climbing:?}: {}", walk.feet());
        }
    }
}

#[test]
fn no_step_is_climbed_on_the_way_up() {
    let scene = Level::floor().stairs(2.0, 1, 0.4, 1.0).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(1.6, 0.0, 0.0));
    let out = walk.go(dvec3(0.3, 0.0, 0.01));
    assert!(!out.stepped && out.touching.sides);
}

#[test]
fn a_low_ceiling_over_a_step_stops_a_character_that_does_not_fit() {
    // 1.9 m over the step for a character of 1.84 m with skin; then 1.8 m.
    for (room, passes) in [(1.9_f32, true), (1.8, false)] {
        let scene = Level::floor()
            .stairs(2.0, 1, 0.3, 1.0)
            .cuboid(glam::vec3(1.0, -3.0, 0.3 + room), glam::vec3(9.0, 3.0, 4.0))
            .scene();
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, 60);
        assert_eq!(walk.feet().x > 3.0, passes, "room {room}: {}", walk.feet());
    }
}

#[test]
fn a_thin_rail_is_stepped_over() {
    let scene =
        Level::floor().cuboid(glam::vec3(2.0, -3.0, -0.5), glam::vec3(2.05, 3.0, 0.3)).scene();
    for hz in [20, 60, 240] {
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        walk.walk(dvec3(3.0, 0.0, 0.0), 2.0, hz);
        assert_near(walk.feet(), dvec3(6.0, 0.0, 0.0), 1e-3);
    }
}

#[test]
fn the_sensor_looks_ahead_only_after_the_walk_was_blocked() {
    let free = Level::floor().scene();
    let mut walk = Walk::start(&free, human(), DVec3::ZERO);
    walk.walk(dvec3(3.0, 0.0, 0.0), 0.5, 60);
    assert_eq!(walk.last.stats.sensor, 0);
    // A bevel of 60°: the landing is steep, but leads onto level ground.
    let bevel =
        Level::floor().prism(&[(2.0, 0.0), (6.0, -0.5), (6.0, 0.3), (2.173, 0.3)], -3.0, 3.0);
    let mut walk = Walk::start(&bevel.scene(), human(), DVec3::ZERO);
    let mut sensed = 0;
    for _ in 0..90 {
        walk.walk(dvec3(3.0, 0.0, 0.0), 1.0 / 60.0, 60);
        sensed += walk.last.stats.sensor;
    }
    assert!(sensed > 0);
    assert!((walk.feet().z - 0.3).abs() < 1e-4, "{}", walk.feet());
}

/// The skin touches the ceiling, so the climb ends with its first sweep, upwards. The body alone
/// could rise by the skin.
#[test]
fn a_climb_rises_no_further_than_the_skin_to_the_ceiling() {
    for config in [human(), physx()] {
        let skin = config.contact_offset;
        for (room, rises) in [(2.0 * skin, false), (2.1 * skin, true)] {
            let ceiling = config.total_height + room;
            let scene = Level::floor()
                .cuboid(vec3(2.0, -9.0, -1.0), vec3(9.0, 9.0, 0.25))
                .cuboid(vec3(-9.0, -9.0, ceiling), vec3(9.0, 9.0, ceiling + 1.0))
                .scene();
            let mut walk = Walk::start(&scene, config, DVec3::X);
            let outcome = walk.go(dvec3(1.0, 0.0, 0.0));
            assert_eq!(outcome.stats.step > 1, rises, "{room}: {:?}", outcome.stats);
            assert!(rises || !outcome.stepped, "{room}");
        }
    }
}

#[test]
fn a_climb_keeps_the_skin_to_the_wall_behind_the_step() {
    for config in [human(), physx()] {
        let room = f64::from(config.radius + config.contact_offset);
        // A tread that is just deep enough for the body.
        let tread = (room * 2.0) as f32;
        let scene = Level::floor()
            .cuboid(vec3(2.0, -9.0, -1.0), vec3(9.0, 9.0, 0.25))
            .cuboid(vec3(2.0 + tread, -9.0, -1.0), vec3(9.0, 9.0, 5.0))
            .scene();
        let mut walk = Walk::start(&scene, config, dvec3(2.0 - room - 1e-3, 0.0, 0.0));
        let outcome = walk.go(dvec3(4.0, 0.0, 0.0));
        assert!(outcome.stepped);
        assert_eq!(outcome.recovery.displacement, DVec3::ZERO);
        let wall = f64::from(2.0 + tread) - room;
        assert_near(walk.feet(), dvec3(wall, 0.0, walk.feet().z), 1e-5);
    }
}

#[test]
fn a_climb_lands_with_the_skin_on_the_step() {
    for config in [human(), physx()] {
        let scene = Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(9.0, 9.0, 0.25)).scene();
        let mut walk = Walk::start(&scene, config, dvec3(1.2, 0.0, 0.0));
        let before = walk.feet().z;
        let outcome = walk.go(dvec3(1.5, 0.0, -0.01)).clone();
        assert!(outcome.stepped);
        assert_eq!(outcome.recovery.displacement, DVec3::ZERO);
        let landing = outcome.contacts.iter().find(|contact| contact.pass == Pass::Step).unwrap();
        // The point is on the step, and the body stays above it by the skin.
        assert!((landing.point.z - 0.25).abs() < 1e-5, "{landing:?}");
        assert_near(walk.feet(), dvec3(2.7, 0.0, before + 0.25), 1e-5);
        // A second sweep down would be needed to find the ground from inside the skin.
        assert_eq!((outcome.stats.down, outcome.stats.overlaps), (1, 0), "{:?}", outcome.stats);
    }
}

//! Swimming: the float line, jumps out of water, shores, and liquids of the scene.

use super::super::level::{Level, assert_near};
use super::{DT, Rig, beach, in_water};
use capsweep::controller::{Abilities, LocomotionConfig, LocomotionInput, Mode, Water};
use capsweep::scene::Scene;
use glam::{DVec3, dvec3, vec3};

/// Depth of the feet of a swimmer of 1.8 m at the float line.
const DEEP: f64 = 0.75 * 1.8_f32 as f64;

#[test]
fn a_swimmer_moves_with_its_velocity_and_rises_no_higher_than_the_float_line() {
    let mut rig = Rig::human(Scene::new(), DVec3::Z * -5.0);
    rig.tick(&in_water(0.0, dvec3(1.0, 0.0, -1.0)));
    assert_eq!((rig.state.mode, rig.state.velocity), (Mode::Swim, dvec3(1.0, 0.0, -1.0)));
    rig.run(3.0, DT, &in_water(0.0, dvec3(1.0, 0.5, 2.0)));
    assert_near(rig.feet(), dvec3(3.0 + DT, 1.5, -DEEP), 1e-9);
    assert_eq!((rig.state.mode, rig.state.velocity), (Mode::Swim, dvec3(1.0, 0.5, 0.0)));
    for _ in 0..200 {
        rig.tick(&in_water(0.0, dvec3(1.0, 0.0, 0.3)));
        assert!((rig.feet().z + DEEP).abs() < 1e-9 && rig.state.mode == Mode::Swim);
    }
}

#[test]
fn a_swimmer_without_a_vertical_wish_rises_with_the_float_speed() {
    let config = LocomotionConfig { float_speed: 0.5, ..LocomotionConfig::human() };
    let mut rig = Rig::new(Scene::new(), (super::super::level::human(), config), DVec3::Z * -3.0);
    rig.run(1.0, DT, &in_water(0.0, DVec3::X));
    assert_near(rig.feet(), dvec3(1.0, 0.0, -2.5), 1e-9);
    rig.run(9.0, DT, &in_water(0.0, DVec3::ZERO));
    // A motion of less than a micrometre is not made.
    assert_near(rig.feet(), dvec3(1.0, 0.0, -DEEP), 1e-6);
    // WoW's swimmers stay where they are.
    let mut rig = Rig::wow(Scene::new(), DVec3::Z * -3.0);
    rig.run(1.0, DT, &in_water(0.0, DVec3::ZERO));
    assert_eq!((rig.feet(), rig.state.mode), (DVec3::Z * -3.0, Mode::Swim));
}

#[test]
fn a_swimmer_is_at_the_float_line_within_a_fortieth_of_its_height() {
    // 4.5 cm for 1.8 m: a jump works from no deeper, and the mode ends no higher.
    let jumps = |deeper: f64| {
        let mut rig = Rig::human(Scene::new(), DVec3::Z * (-DEEP - deeper));
        rig.tick(&LocomotionInput { jump: true, ..in_water(0.0, DVec3::ZERO) });
        rig.state.mode == Mode::Fall && rig.state.velocity.z > 2.0
    };
    assert!(jumps(0.0) && jumps(0.04) && !jumps(0.05) && !jumps(0.4));
    let swims = |higher: f64| {
        let mut rig = Rig::human(Scene::new(), DVec3::Z * -3.0);
        rig.tick(&in_water(0.0, DVec3::ZERO));
        // The water level drops.
        let feet = rig.feet().z;
        rig.tick(&in_water(feet + DEEP - higher, DVec3::ZERO));
        rig.state.mode == Mode::Swim
    };
    assert!(swims(0.004) && swims(0.044) && !swims(0.046) && !swims(0.4));
    // A character that does not swim yet starts at the line.
    for (higher, mode) in [(-1e-9, Mode::Swim), (0.001, Mode::Fall)] {
        let mut rig = Rig::human(Scene::new(), DVec3::Z * (-DEEP + higher));
        rig.tick(&LocomotionInput { dt: 0.0, ..in_water(0.0, DVec3::ZERO) });
        assert_eq!(rig.state.mode, mode, "{higher}");
    }
}

#[test]
fn a_jump_out_of_water_does_not_swim_before_it_comes_down() {
    let mut rig = Rig::wow(Scene::new(), DVec3::Z * -0.75 * f64::from(2.031_f32));
    rig.tick(&in_water(0.0, DVec3::ZERO));
    rig.tick(&LocomotionInput { jump: true, ..in_water(0.0, DVec3::X * 4.0) });
    let mut airborne = 1;
    while rig.state.mode == Mode::Fall {
        rig.tick(&in_water(0.0, DVec3::ZERO));
        airborne += 1;
    }
    let time = 2.0 * 9.096_748 / 19.291_105_27;
    assert!((f64::from(airborne) * DT - time).abs() <= DT, "{airborne}");
    // There is no second jump in the air, and none out of the deep.
    assert_eq!(rig.state.mode, Mode::Swim);
    rig.run(1.0, DT, &in_water(0.0, DVec3::Z * -1.0));
    rig.tick(&LocomotionInput { jump: true, ..in_water(0.0, DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Swim);
}

#[test]
fn a_knock_back_throws_a_swimmer_out_and_the_water_takes_it_again() {
    let mut rig = Rig::human(Scene::new(), DVec3::Z * -2.0);
    rig.tick(&in_water(0.0, DVec3::ZERO));
    let push = Some(dvec3(1.0, 0.0, 6.0));
    rig.tick(&LocomotionInput { knock_back: push, ..in_water(0.0, DVec3::ZERO) });
    let mut highest = rig.feet().z;
    let mut modes = vec![rig.state.mode];
    for _ in 0..120 {
        rig.tick(&in_water(0.0, DVec3::ZERO));
        highest = highest.max(rig.feet().z);
        if modes.last() != Some(&rig.state.mode) {
            modes.push(rig.state.mode);
        }
    }
    assert_eq!(modes, [Mode::Fall, Mode::Swim]);
    let apex = -2.0 + 36.0 / (2.0 * 9.81);
    assert!((highest - apex).abs() < 0.01, "{highest} {apex}");
    // A push down or to the side does not lift it: it swims on.
    let push = Some(dvec3(9.0, 0.0, -1.0));
    rig.tick(&LocomotionInput { knock_back: push, ..in_water(0.0, DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Swim);
}

#[test]
fn a_character_walks_into_a_lake_swims_across_it_and_walks_out() {
    for slope in [0.1, 0.4, 0.8] {
        let mut rig = Rig::human(beach(4.0, slope), dvec3(-5.0, 0.0, -4.0));
        let mut modes = vec![rig.state.mode];
        for _ in 0..(60 * 60) {
            rig.tick(&in_water(0.0, DVec3::X * 2.0));
            if modes.last() != Some(&rig.state.mode) {
                modes.push(rig.state.mode);
            }
            if rig.feet().z > 1.0 {
                break;
            }
        }
        // Each mode once: nothing flickers where the lake gets shallow.
        assert_eq!(modes, [Mode::Walk, Mode::Swim, Mode::Walk], "{slope}");
        for _ in 0..(60 * 60) {
            rig.tick(&in_water(0.0, DVec3::X * -2.0));
            if modes.last() != Some(&rig.state.mode) {
                modes.push(rig.state.mode);
            }
            if rig.feet().x < 0.0 {
                break;
            }
        }
        assert_eq!(modes[3..], [Mode::Swim], "{slope}");
        assert!((rig.feet().z + DEEP).abs() < 0.05, "{}", rig.feet());
    }
}

#[test]
fn a_shore_too_steep_to_walk_on_does_not_lift_a_swimmer_out() {
    // 63° and 76°.
    for slope in [2.0, 4.0] {
        let mut rig = Rig::human(beach(4.0, slope), dvec3(8.0, 0.0, -DEEP));
        for tick in 0..300 {
            rig.tick(&in_water(0.0, dvec3(2.0, 0.5, 0.5)));
            assert_eq!(rig.state.mode, Mode::Swim, "{slope}, tick {tick}: {}", rig.feet());
            assert!(rig.feet().z < -DEEP + 1e-3, "{slope}: {}", rig.feet());
        }
        // It slides along the shore.
        assert!(rig.feet().y > 2.0, "{slope}: {}", rig.feet());
    }
}

#[test]
fn a_swimmer_collides_with_the_bed_walls_and_ice() {
    let scene = Level::floor()
        .cuboid(vec3(-50.0, -50.0, 4.0), vec3(50.0, 50.0, 4.5))
        .cuboid(vec3(6.0, -50.0, -1.0), vec3(7.0, 50.0, 9.0))
        .scene();
    let mut rig = Rig::human(scene, DVec3::Z);
    rig.run(1.0, DT, &in_water(10.0, dvec3(1.0, 0.0, -3.0)));
    assert_near(rig.feet(), dvec3(1.0, 0.0, 0.0), 1e-4);
    assert!(rig.state.mode == Mode::Swim && rig.last.is_grounded());
    rig.run(2.0, DT, &in_water(10.0, dvec3(1.0, 0.0, 3.0)));
    assert_near(rig.feet(), dvec3(3.0, 0.0, 4.0 - 1.82 - 0.02), 1e-3);
    assert!(rig.last.touching.above);
    rig.run(4.0, DT, &in_water(10.0, dvec3(1.0, 1.0, 0.0)));
    assert!((rig.feet().x - (6.0 - 0.32)).abs() < 1e-3 && (rig.feet().y - 4.0).abs() < 1e-2);
}

#[test]
fn a_flyer_dives_into_water_swims_and_takes_off_from_the_float_line() {
    let abilities = Abilities { fly: true, ..Abilities::default() };
    let wish = |velocity| LocomotionInput { abilities, ..in_water(0.0, velocity) };
    let mut rig = Rig::human(Scene::new(), DVec3::Z * 3.0);
    rig.tick(&wish(DVec3::Z * -2.0));
    assert_eq!(rig.state.mode, Mode::Fly);
    rig.run(3.0, DT, &wish(DVec3::Z * -2.0));
    assert_eq!(rig.state.mode, Mode::Swim);
    let mut modes = vec![rig.state.mode];
    for _ in 0..120 {
        rig.tick(&wish(DVec3::Z * 2.0));
        if modes.last() != Some(&rig.state.mode) {
            modes.push(rig.state.mode);
        }
    }
    assert_eq!(modes, [Mode::Swim, Mode::Fly]);
    assert!(rig.feet().z > 0.0);
}

#[test]
fn no_water_is_found_where_the_input_has_none() {
    let mut rig = Rig::human(Scene::new(), DVec3::Z * -5.0);
    rig.tick(&LocomotionInput { water: Water::None, ..in_water(0.0, DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Fall);
    rig.tick(&LocomotionInput { water: Water::Scene, ..in_water(0.0, DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Fall);
}

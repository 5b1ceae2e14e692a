//! Falls: knock-back, slow fall, root.

use super::super::level::{Level, assert_near};
use super::{DT, Rig, go};
use capsweep::controller::{Abilities, LocomotionInput, Mode};
use capsweep::scene::Scene;
use glam::{DVec3, dvec3, vec3};

#[test]
fn a_knock_back_lifts_a_character_off_the_ground_and_lets_it_land() {
    let mut rig = Rig::wow(Level::floor().scene(), DVec3::ZERO);
    assert_eq!(rig.state.mode, Mode::Walk);
    let push = LocomotionInput { knock_back: Some(dvec3(5.0, 0.0, 6.0)), ..go(DVec3::Y * 7.0) };
    rig.tick(&push);
    assert_eq!((rig.state.mode, rig.state.character.is_grounded()), (Mode::Fall, false));
    // Two gravities over 12 yd/s of flight take 0.622 s.
    let mut ticks = 1;
    while rig.state.mode == Mode::Fall {
        rig.tick(&go(DVec3::ZERO));
        ticks += 1;
    }
    let time = 12.0 / 19.291_105_27;
    assert!((f64::from(ticks) * DT - time).abs() <= DT, "{ticks}");
    assert_near(rig.feet(), dvec3(5.0 * f64::from(ticks) * DT, 0.0, 0.0), 1e-4);
    assert_eq!(rig.state.mode, Mode::Walk);
}

#[test]
fn a_level_knock_back_pushes_for_one_tick() {
    let mut rig = Rig::wow(Level::floor().scene(), DVec3::ZERO);
    rig.tick(&LocomotionInput { knock_back: Some(DVec3::X * 6.0), ..go(DVec3::ZERO) });
    assert_eq!(rig.state.mode, Mode::Walk);
    assert_near(rig.feet(), DVec3::X * 6.0 * DT, 1e-4);
    rig.tick(&go(DVec3::ZERO));
    assert_near(rig.feet(), DVec3::X * 6.0 * DT, 1e-4);
}

#[test]
fn a_knock_back_into_a_wall_loses_its_speed_into_the_wall() {
    let scene = Level::floor().cuboid(vec3(1.0, -5.0, -1.0), vec3(2.0, 5.0, 9.0)).scene();
    let mut rig = Rig::wow(scene, DVec3::ZERO);
    rig.tick(&LocomotionInput { knock_back: Some(dvec3(9.0, 3.0, 6.0)), ..go(DVec3::ZERO) });
    for _ in 0..12 {
        rig.tick(&go(DVec3::ZERO));
    }
    assert_eq!(rig.state.mode, Mode::Fall);
    assert!(rig.state.velocity.x.abs() < 1e-5 && (rig.state.velocity.y - 3.0).abs() < 1e-5);
    assert!(rig.feet().x < 1.0 - 0.3056);
}

#[test]
fn slow_fall_slows_a_fast_fall_at_once_and_ends_with_the_ability() {
    let slow = Abilities { slow_fall: true, ..Abilities::default() };
    let mut rig = Rig::wow(Scene::new(), DVec3::ZERO);
    rig.run(1.0, DT, &go(DVec3::ZERO));
    assert!(rig.state.velocity.z < -19.0);
    let before = rig.feet().z;
    rig.tick(&LocomotionInput { abilities: slow, ..go(DVec3::ZERO) });
    assert!((rig.feet().z - before + 7.0 * DT).abs() < 1e-12 && rig.state.velocity.z == -7.0);
    rig.tick(&go(DVec3::ZERO));
    assert!(rig.state.velocity.z < -7.0);
}

#[test]
fn a_rooted_character_neither_walks_nor_jumps_but_falls_and_is_knocked_back() {
    let abilities = Abilities { rooted: true, ..Abilities::default() };
    let rooted = LocomotionInput { abilities, ..go(dvec3(5.0, 1.0, 0.0)) };
    let mut rig = Rig::human(Level::floor().scene(), DVec3::Z * 3.0);
    for _ in 0..90 {
        rig.tick(&LocomotionInput { jump: true, ..rooted });
    }
    assert_near(rig.feet(), DVec3::ZERO, 1e-4);
    assert_eq!(rig.state.mode, Mode::Walk);
    rig.tick(&LocomotionInput { knock_back: Some(dvec3(2.0, 0.0, 3.0)), ..rooted });
    assert!(rig.feet().z > 0.03 && rig.state.mode == Mode::Fall);
    // Swimmers and flyers are rooted too.
    let mut rig = Rig::human(Scene::new(), DVec3::ZERO);
    let fly = Abilities { fly: true, rooted: true, ..Abilities::default() };
    rig.tick(&LocomotionInput { abilities: fly, ..go(DVec3::ONE) });
    assert_eq!((rig.feet(), rig.state.mode), (DVec3::ZERO, Mode::Fly));
}

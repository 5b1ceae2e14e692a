//! The path of a character in free space does not depend on the length of the ticks.

use super::{Rig, go, in_water, ticks};
use capsweep::controller::{
    Abilities, Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
    LocomotionState, Mode,
};
use capsweep::scene::Scene;
use glam::{DVec3, dvec3};

/// Lengths of ticks that divide 0.6 s (seconds): 4 to 50 ms.
const TICKS: [f64; 5] = [0.004, 0.01, 0.02, 0.03, 0.05];

/// Runs a character from `feet` with `velocity`, and returns its feet every 0.6 s for 6 s. The
/// input of the first tick is `first`, then `input`.
fn path(
    config: LocomotionConfig,
    (feet, velocity): (DVec3, DVec3),
    [first, input]: &[LocomotionInput; 2],
    dt: f64,
) -> Vec<(DVec3, Mode)> {
    let mut rig = Rig::new(Scene::new(), (ControllerConfig::wow(), config), feet);
    rig.state.velocity = velocity;
    let mut found = Vec::new();
    let mut wish = first;
    for _ in 0..10 {
        for _ in 0..ticks(0.6, dt) {
            rig.tick(&LocomotionInput { dt, ..*wish });
            wish = input;
        }
        found.push((rig.feet(), rig.state.mode));
    }
    found
}

/// Compares the paths of all lengths of ticks. Returns one of them.
fn same_path(
    config: LocomotionConfig,
    start: (DVec3, DVec3),
    inputs: &[LocomotionInput; 2],
) -> Vec<(DVec3, Mode)> {
    let paths = TICKS.map(|dt| path(config, start, inputs, dt));
    for (dt, other) in TICKS.iter().zip(&paths) {
        for (a, b) in other.iter().zip(&paths[0]) {
            assert!((a.0 - b.0).length() < 1e-8, "{dt}: {a:?} {b:?}");
            assert_eq!(a.1, b.1, "{dt}");
        }
    }
    let [first, ..] = paths;
    first
}

#[test]
fn a_swim_a_flight_a_fall_and_a_slow_fall_are_the_same_at_every_tick_rate() {
    let wow = LocomotionConfig::wow();
    let still = (DVec3::ZERO, DVec3::ZERO);
    let swim = in_water(30.0, dvec3(3.0, 1.0, 0.5));
    let end = same_path(wow, still, &[swim; 2])[9];
    assert!((end.0 - dvec3(18.0, 6.0, 3.0)).length() < 1e-8 && end.1 == Mode::Swim);
    let fly = Abilities { fly: true, ..Abilities::default() };
    let fly = LocomotionInput { abilities: fly, ..go(dvec3(-3.0, 1.0, 2.5)) };
    let end = same_path(wow, still, &[fly; 2])[9];
    assert!((end.0 - dvec3(-18.0, 6.0, 15.0)).length() < 1e-8 && end.1 == Mode::Fly);
    // Terminal speed after 3.118 s.
    let end = same_path(wow, still, &[go(DVec3::ZERO); 2])[9];
    let time = wow.terminal_speed / wow.gravity;
    let depth = 0.5 * wow.terminal_speed * time + wow.terminal_speed * (6.0 - time);
    assert!((end.0.z + depth).abs() < 1e-8 && end.1 == Mode::Fall);
    let slow = Abilities { slow_fall: true, ..Abilities::default() };
    let slow = LocomotionInput { abilities: slow, ..go(DVec3::ZERO) };
    let end = same_path(wow, still, &[slow; 2])[9];
    let depth = 0.5 * 7.0 * (7.0 / wow.gravity) + 7.0 * (6.0 - 7.0 / wow.gravity);
    assert!((end.0.z + depth).abs() < 1e-8 && end.1 == Mode::Fall, "{end:?}");
}

#[test]
fn a_knock_back_is_the_same_at_every_tick_rate() {
    for config in [LocomotionConfig::wow(), LocomotionConfig::human()] {
        let push = LocomotionInput { knock_back: Some(dvec3(4.0, -2.0, 9.0)), ..go(DVec3::X) };
        let found = same_path(config, (DVec3::ZERO, DVec3::ZERO), &[push, go(DVec3::X)]);
        let rise = 9.0 * 0.6 - 0.5 * config.gravity * 0.36;
        assert!((found[0].0.z - rise).abs() < 1e-9, "{found:?}");
        if config.air_acceleration == 0.0 {
            assert!((found[0].0.truncate() - dvec3(2.4, -1.2, 0.0).truncate()).length() < 1e-9);
        }
    }
}

#[test]
fn a_fall_into_water_and_the_swim_after_it_are_the_same_at_every_tick_rate() {
    let config = LocomotionConfig::wow();
    let swim_line = -0.75 * f64::from(2.031_f32);
    for (height, velocity) in [(8.0, dvec3(2.0, 0.0, 0.0)), (1.0, dvec3(2.0, 1.0, 7.9))] {
        let wish = in_water(0.0, dvec3(3.0, -1.0, 0.0));
        let start = (DVec3::Z * height, velocity);
        let found = same_path(config, start, &[wish; 2]);
        // It falls along the parabola to the float line, then swims level.
        let rise = velocity.z;
        let deep = rise * rise + 2.0 * config.gravity * (height - swim_line);
        let time = (rise + deep.sqrt()) / config.gravity;
        let end = velocity.with_z(0.0) * time + dvec3(3.0, -1.0, 0.0) * (6.0 - time);
        let end = end.with_z(swim_line);
        assert!((found[9].0 - end).length() < 1e-8, "{} {end}", found[9].0);
        assert_eq!(found[9].1, Mode::Swim);
    }
    // At the terminal speed.
    let wish = in_water(-100.0, dvec3(3.0, -1.0, 0.0));
    let found = same_path(config, (DVec3::ZERO, DVec3::ZERO), &[wish; 2]);
    assert!((found[9].0.z + 100.0 - swim_line).abs() < 1e-8, "{}", found[9].0);
}

#[test]
fn a_fall_onto_water_and_the_walk_on_it_are_the_same_at_every_tick_rate() {
    let config = LocomotionConfig::wow();
    let abilities = Abilities { water_walking: true, ..Abilities::default() };
    let wish = LocomotionInput { abilities, ..in_water(0.0, dvec3(3.0, -1.0, 0.0)) };
    let found = same_path(config, (DVec3::Z * 5.0, DVec3::Y), &[wish; 2]);
    let time = (10.0 / config.gravity).sqrt();
    let end = DVec3::Y * time + dvec3(3.0, -1.0, 0.0) * (6.0 - time);
    assert!((found[9].0 - end).length() < 1e-8, "{} {end}", found[9].0);
    assert!(found[2..].iter().all(|(feet, mode)| *mode == Mode::WaterWalk && feet.z.abs() < 1e-9));
}

#[test]
fn a_jump_out_of_water_is_as_high_as_in_wow_and_the_same_at_every_tick_rate() {
    let config = LocomotionConfig::wow();
    let line = -0.75 * f64::from(2.031_f32);
    let wish = in_water(0.0, dvec3(2.0, 0.0, 0.0));
    let jump = LocomotionInput { jump: true, ..wish };
    let start = (DVec3::Z * line, DVec3::ZERO);
    let found = same_path(config, start, &[jump, wish]);
    let apex = config.swim_jump_speed * config.swim_jump_speed / (2.0 * config.gravity);
    assert!((apex - 2.145).abs() < 1e-3);
    let at = config.swim_jump_speed * 0.6 - 0.5 * config.gravity * 0.36;
    assert!((found[0].0 - dvec3(1.2, 0.0, line + at)).length() < 1e-9 && found[0].1 == Mode::Fall);
    // It falls back to the float line and swims on.
    assert!((found[9].0 - dvec3(12.0, 0.0, line)).length() < 1e-8, "{}", found[9].0);
    assert_eq!(found[9].1, Mode::Swim);
}

#[test]
fn one_tick_of_a_second_is_sixty_ticks() {
    // Without collisions, a tick may be as long as the caller likes.
    let controller = Controller::new(ControllerConfig::wow()).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::wow()).unwrap();
    let state = LocomotionState::at_rest(controller.spawn(DVec3::Z * 4.0).unwrap());
    let wish = LocomotionInput { dt: 1.0, ..in_water(0.0, DVec3::X) };
    let mut cache = capsweep::cache::TriangleCache::new();
    let (one, outcome) = locomotion.tick(&Scene::new(), &mut cache, &state, &wish).unwrap();
    assert_eq!(one.mode, Mode::Swim);
    let mut rig = Rig::wow(Scene::new(), DVec3::Z * 4.0);
    rig.run(1.0, 1.0 / 60.0, &wish);
    let end = controller.feet(&one.character);
    assert!((end - rig.feet()).length() < 1e-9, "{end} {}", rig.feet());
    // Both parts are in the outcome.
    let made = one.character.center() - state.character.center();
    assert!((outcome.achieved - made).length() < 1e-12);
    assert!((outcome.requested - made).length() < 1e-12);
}

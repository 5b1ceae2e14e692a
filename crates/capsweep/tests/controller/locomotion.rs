//! Locomotion: jumps, falls, air control and independence of the tick rate.

use super::level::{Level, human};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
    NonWalkable,
};
use capsweep::scene::Scene;
use glam::{DVec3, dvec3, vec3};

fn locomotion(config: ControllerConfig, falls: LocomotionConfig) -> Locomotion {
    Locomotion::new(Controller::new(config).unwrap(), falls).unwrap()
}

struct Run {
    scene: Scene,
    locomotion: Locomotion,
    cache: TriangleCache,
    state: LocomotionState,
}

impl Run {
    fn new(scene: Scene, locomotion: Locomotion, feet: DVec3) -> Self {
        let state = LocomotionState::at_rest(locomotion.controller().spawn(feet).unwrap());
        let mut run = Self { scene, locomotion, cache: TriangleCache::new(), state };
        run.tick(DVec3::ZERO, false, 1.0 / 60.0);
        run
    }

    fn tick(&mut self, walk: DVec3, jump: bool, dt: f64) {
        let input = LocomotionInput { jump, ..LocomotionInput::new(walk, dt) };
        self.state =
            self.locomotion.tick(&self.scene, &mut self.cache, &self.state, &input).unwrap().0;
    }

    fn feet(&self) -> DVec3 {
        self.locomotion.controller().feet(&self.state.character)
    }
}

#[test]
fn the_jump_of_wow_is_as_high_and_as_long_as_in_wow_at_every_tick_rate() {
    for hz in [20, 60, 240] {
        let falls = locomotion(ControllerConfig::wow(), LocomotionConfig::wow());
        let mut run = Run::new(Level::floor().scene(), falls, DVec3::ZERO);
        let dt = 1.0 / f64::from(hz);
        let (mut apex, mut air) = (0.0_f64, 0);
        for i in 0..hz {
            run.tick(DVec3::X * 7.0, i == 0, dt);
            apex = apex.max(run.feet().z);
            air += u32::from(!run.state.character.is_grounded());
        }
        let highest = 7.955_547_f64 * 7.955_547 / (2.0 * 19.291_105_27);
        assert!(apex <= highest + 1e-6 && apex > highest - 19.3 * dt * dt, "{hz} Hz: {apex}");
        let time = f64::from(air) * dt;
        assert!((time - 0.825).abs() <= dt, "{hz} Hz: {time}");
        assert!((run.feet().x - 7.0).abs() < 1e-4);
    }
}

#[test]
fn a_fall_has_the_depth_of_a_constant_acceleration_and_the_speed_of_the_terminal_one() {
    for hz in [7, 20, 60, 240] {
        let mut run =
            Run::new(Scene::new(), locomotion(human(), LocomotionConfig::human()), DVec3::ZERO);
        run.state =
            LocomotionState::at_rest(run.locomotion.controller().spawn(DVec3::ZERO).unwrap());
        for _ in 0..hz * 2 {
            run.tick(DVec3::ZERO, false, 1.0 / f64::from(hz));
        }
        assert!((run.feet().z + 0.5 * 9.81 * 4.0).abs() < 1e-9, "{hz} Hz: {}", run.feet());
        for _ in 0..hz * 8 {
            run.tick(DVec3::ZERO, false, 1.0 / f64::from(hz));
        }
        assert!((run.state.velocity.z + 55.0).abs() < 1e-9);
        let falling = 55.0 / 9.81;
        let depth = 0.5 * 9.81 * falling * falling + 55.0 * (10.0 - falling);
        assert!((run.feet().z + depth).abs() < 1e-6, "{hz} Hz: {}", run.feet());
    }
}

#[test]
fn steering_in_the_air_does_not_depend_on_the_tick_rate() {
    let ends = [10, 30, 120].map(|hz| {
        let mut run =
            Run::new(Scene::new(), locomotion(human(), LocomotionConfig::human()), DVec3::ZERO);
        run.state.velocity = dvec3(3.0, 0.0, 0.0);
        for _ in 0..hz {
            run.tick(dvec3(-1.0, 2.0, 0.0), false, 1.0 / f64::from(hz));
        }
        run.feet()
    });
    assert!(
        (ends[0] - ends[1]).length() < 1e-9 && (ends[1] - ends[2]).length() < 1e-9,
        "{ends:?}"
    );
}

#[test]
fn without_air_control_the_take_off_decides() {
    let falls = locomotion(ControllerConfig::wow(), LocomotionConfig::wow());
    let mut run = Run::new(Level::floor().scene(), falls, DVec3::ZERO);
    run.tick(DVec3::X * 7.0, true, 0.02);
    for _ in 0..20 {
        run.tick(DVec3::Y * -7.0, false, 0.02);
    }
    assert!((run.feet().x - 7.0 * 0.42).abs() < 1e-6 && run.feet().y == 0.0, "{}", run.feet());
}

#[test]
fn a_jump_against_a_ceiling_falls_at_once() {
    let scene = Level::floor().cuboid(vec3(-5.0, -5.0, 2.0), vec3(5.0, 5.0, 3.0)).scene();
    let mut run = Run::new(scene, locomotion(human(), LocomotionConfig::human()), DVec3::ZERO);
    run.tick(DVec3::ZERO, true, 1.0 / 60.0);
    for _ in 0..6 {
        run.tick(DVec3::ZERO, false, 1.0 / 60.0);
    }
    assert!(run.state.velocity.z <= 0.0 && run.feet().z < 0.17);
}

/// Stairs of 12 steps up to a landing, and a ramp of 30° down on the other side.
fn course() -> Level {
    let (rise, tread, steps) = (0.18_f32, 0.28_f32, 12);
    let mut level = Level::floor().cuboid(vec3(3.0, -4.0, -0.5), vec3(3.001, -3.9, 0.1));
    let top = rise * steps as f32;
    for i in 0..steps {
        let near = 5.0 + tread * i as f32;
        level = level.cuboid(
            vec3(near, -3.0, -0.5),
            vec3(5.0 + tread * steps as f32, 3.0, rise * (i + 1) as f32),
        );
    }
    let crest = 5.0 + tread * steps as f32 + 4.0;
    let foot = crest + top / 30.0_f32.to_radians().tan();
    level.cuboid(vec3(crest - 4.0, -3.0, -0.5), vec3(crest, 3.0, top)).quad(
        vec3(crest, -3.0, top),
        vec3(foot, -3.0, 0.0),
        vec3(foot, 3.0, 0.0),
        vec3(crest, 3.0, top),
    )
}

#[test]
fn a_walk_over_stairs_and_slopes_is_the_same_at_20_60_and_240_hertz() {
    let scene = course().scene();
    let walk = |hz: u32, speed: f64, heading: f64| {
        let mut run =
            Run::new(scene.clone(), locomotion(human(), LocomotionConfig::human()), DVec3::ZERO);
        let mut path = Vec::new();
        for i in 0..hz * 10 {
            // Ten seconds; it stands still during the last.
            let moving = i < hz * 9;
            let velocity = if moving { dvec3(1.0, heading, 0.0) * speed } else { DVec3::ZERO };
            run.tick(velocity, false, 1.0 / f64::from(hz));
            if (i + 1) % hz == 0 {
                path.push(run.feet());
            }
        }
        path
    };
    // Over and down, up to the landing, and to the middle of the ramp and of the stairs.
    for (speed, heading) in [(2.2, 0.0), (1.2, 0.0), (1.2, 0.15), (1.6, -0.05)] {
        let [slow, usual, fast] = [20, 60, 240].map(|hz| walk(hz, speed, heading));
        for other in [&slow, &fast] {
            let (end, same) = (other.last().unwrap(), usual.last().unwrap());
            assert!(
                (end.x - same.x).abs() < 0.02 && (end.z - same.z).abs() < 0.02,
                "{speed}: {end} {same}"
            );
            for (a, b) in other.iter().zip(&usual) {
                assert!((a.truncate() - b.truncate()).length() < 0.02, "{speed}: {a} {b}");
                assert!((a.z - b.z).abs() < 0.02, "{speed}: {a} {b}");
            }
        }
    }
}

#[test]
fn walking_down_stairs_is_no_fall() {
    let mut run = Run::new(
        course().scene(),
        locomotion(human(), LocomotionConfig::human()),
        dvec3(9.5, 0.0, 2.16),
    );
    for _ in 0..180 {
        run.tick(DVec3::X * -3.0, false, 1.0 / 60.0);
        assert!(run.state.character.is_grounded(), "{}", run.feet());
    }
    assert!(run.feet().z.abs() < 1e-4);
}

#[test]
fn bad_numbers_are_refused() {
    let falls = locomotion(human(), LocomotionConfig::human());
    let state = LocomotionState::at_rest(falls.controller().spawn(DVec3::ZERO).unwrap());
    let scene = Scene::new();
    for input in [
        LocomotionInput::new(DVec3::NAN, 0.1),
        LocomotionInput::new(DVec3::X, -0.1),
        LocomotionInput::new(DVec3::X, f64::INFINITY),
        LocomotionInput::new(DVec3::X * 1e8, 1e8),
    ] {
        assert!(falls.tick(&scene, &mut TriangleCache::default(), &state, &input).is_err());
    }
}

#[test]
fn a_character_that_does_not_slide_gathers_no_speed_on_a_steep_slope() {
    let rise = (8.0 * 60.0_f64.to_radians().tan()) as f32;
    let scene = Level::floor().ramp(2.0, 8.0, rise).scene();
    let config = ControllerConfig { non_walkable: NonWalkable::Prevent, ..human() };
    let mut run =
        Run::new(scene, locomotion(config, LocomotionConfig::human()), dvec3(8.0, 0.0, 10.6));
    for _ in 0..60 {
        run.tick(DVec3::ZERO, false, 1.0 / 60.0);
    }
    let before = run.feet();
    for _ in 0..60 {
        run.tick(DVec3::ZERO, false, 1.0 / 60.0);
    }
    assert!(before.z > 9.0 && (run.feet() - before).length() < 1e-6, "{before} {}", run.feet());
    assert_eq!(run.state.velocity, DVec3::ZERO);
}

#[test]
fn a_slide_down_a_steep_slope_gathers_speed_and_ends_on_the_ground() {
    let rise = (8.0 * 60.0_f64.to_radians().tan()) as f32;
    let scene = Level::floor().ramp(2.0, 8.0, rise).scene();
    let mut run =
        Run::new(scene, locomotion(human(), LocomotionConfig::human()), dvec3(8.0, 0.0, 11.0));
    let mut fastest = 0.0_f64;
    for _ in 0..240 {
        run.tick(DVec3::ZERO, false, 1.0 / 60.0);
        fastest = fastest.max(run.state.velocity.length());
    }
    assert!(run.state.character.is_grounded() && run.feet().z.abs() < 1e-3, "{}", run.feet());
    assert!(fastest > 6.0 && fastest < 16.0, "{fastest}");
}

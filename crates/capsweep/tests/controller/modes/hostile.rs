//! Bad numbers, extreme numbers, and the steering rules.

use super::super::hostile::{any_config, soup};
use super::{Rig, go, in_water};
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Abilities, Boarded, Carrier, Controller, ControllerConfig, FootingRule, Locomotion,
    LocomotionConfig, LocomotionInput, Mode, MoveInput, MoveStyle, Ride, Speeds, Steering, Water,
    differences,
};
use capsweep::scene::{Pose, Scene};
use capsweep_testkit::Rng;
use glam::{DVec3, dvec3};

#[test]
fn bad_numbers_are_refused_with_the_name_of_their_field() {
    let rig = Rig::human(Scene::new(), DVec3::ZERO);
    let refused = |input: LocomotionInput, field: &str| {
        let mut cache = TriangleCache::default();
        let error = rig.locomotion.tick(&rig.scene, &mut cache, &rig.state, &input).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    };
    let hover = |hover| Abilities { hover, ..Abilities::default() };
    refused(LocomotionInput { knock_back: Some(DVec3::NAN), ..go(DVec3::X) }, "knock_back.x");
    refused(LocomotionInput { knock_back: Some(DVec3::Y * 1e10), ..go(DVec3::X) }, "knock_back.y");
    refused(LocomotionInput { abilities: hover(-1.0), ..go(DVec3::X) }, "abilities.hover");
    refused(LocomotionInput { abilities: hover(f64::NAN), ..go(DVec3::X) }, "abilities.hover");
    refused(in_water(f64::INFINITY, DVec3::X), "water.surface");
    refused(go(DVec3::NAN), "walk");
    refused(LocomotionInput { dt: -1.0, ..go(DVec3::X) }, "dt");
    let mut state = rig.state;
    let body = Scene::new().insert(capsweep::scene::Body::shape(capsweep::scene::Shape::Sphere(
        capsweep::Sphere::new(DVec3::ZERO, 1.0).unwrap(),
    )));
    state.boarded = Some(Boarded { body, velocity: DVec3::NAN });
    let mut cache = TriangleCache::default();
    let error = rig.locomotion.tick(&rig.scene, &mut cache, &state, &go(DVec3::X)).unwrap_err();
    assert!(error.to_string().contains("boarded.velocity"), "{error}");
    // Configurations.
    let controller = Controller::new(ControllerConfig::wow()).unwrap();
    let human = LocomotionConfig::human();
    for (config, field) in [
        (LocomotionConfig { swim_jump_speed: -1.0, ..human }, "swim_jump_speed"),
        (LocomotionConfig { slow_fall_speed: f64::NAN, ..human }, "slow_fall_speed"),
        (LocomotionConfig { swim_depth: 1.1, ..human }, "swim_depth"),
        (LocomotionConfig { swim_depth: -0.1, ..human }, "swim_depth"),
        (LocomotionConfig { float_speed: f64::INFINITY, ..human }, "float_speed"),
    ] {
        let error = Locomotion::new(controller, config).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn extreme_numbers_make_no_tick_panic_or_lose_its_numbers() {
    let mut rng = Rng::new(&[62]);
    let scene = super::beach(4.0, 0.4);
    let extremes: [f64; 10] = [0.0, -0.0, 1e-300, 1e-9, 1.0, -1.0, 1e5, -1e5, 9e8, -9e8];
    let any = |rng: &mut Rng| extremes[rng.below(10) as usize];
    for _ in 0..4_000 {
        let config = LocomotionConfig {
            gravity: any(&mut rng).abs().min(1e6),
            terminal_speed: any(&mut rng).abs().min(1e6),
            slow_fall_speed: any(&mut rng).abs().min(1e6),
            swim_depth: rng.unit(),
            float_speed: any(&mut rng).abs().min(1e6),
            ..LocomotionConfig::wow()
        };
        let mut rig = Rig::new(scene.clone(), (ControllerConfig::wow(), config), rng.cube(9.0));
        let mut vector = || DVec3::new(any(&mut rng), any(&mut rng), any(&mut rng));
        let (walk, push) = (vector(), vector());
        let water = match rng.below(3) {
            0 => Water::None,
            1 => Water::Scene,
            _ => Water::Plane { surface: any(&mut rng) },
        };
        let input = LocomotionInput {
            jump: rng.chance(0.5),
            dt: any(&mut rng).abs(),
            knock_back: rng.chance(0.5).then_some(push),
            abilities: Abilities {
                fly: rng.chance(0.3),
                hover: any(&mut rng).abs().min(1e6),
                water_walking: rng.chance(0.5),
                slow_fall: rng.chance(0.5),
                rooted: rng.chance(0.2),
            },
            water,
            ..go(walk)
        };
        for _ in 0..3 {
            let mut cache = TriangleCache::new();
            let made = rig.locomotion.tick(&rig.scene, &mut cache, &rig.state, &input);
            let Ok((state, outcome)) = made else { break };
            assert!(state.velocity.is_finite() && outcome.achieved.is_finite(), "{input:?}");
            rig.state = state;
        }
    }
}

#[test]
fn moves_take_any_number_for_hover_floor_and_float_line() {
    let rig = Rig::human(super::beach(4.0, 0.4), DVec3::ZERO);
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, -1.0] {
        for step in [
            MoveInput { hover: number, ..MoveInput::new(Motion::ZERO) },
            MoveInput { floor: Some(number), ..MoveInput::new(Motion::ZERO) },
            MoveInput {
                style: MoveStyle::Free { float_line: Some(number) },
                ..MoveInput::new(Motion::new(DVec3::X * 30.0).unwrap())
            },
        ] {
            let mut cache = TriangleCache::new();
            let controller = rig.locomotion.controller();
            let out = controller.move_by(&rig.scene, &mut cache, &rig.state.character, &step);
            assert!(out.state.center().is_finite() && out.achieved.is_finite(), "{step:?}");
        }
    }
}

#[test]
fn a_transport_that_leaves_the_range_of_positions_makes_no_tick_panic() {
    let far = Pose::from_translation(DVec3::X * 9.9e8).unwrap();
    let mut scene = Scene::new();
    let body = scene.insert(capsweep::scene::Body::shape(capsweep::scene::Shape::Sphere(
        capsweep::Sphere::new(DVec3::ZERO, 1.0).unwrap(),
    )));
    let ride = Ride::Boarded;
    let carrier = Some(Carrier { ride, ..Carrier::new(body, far, Pose::IDENTITY) });
    let mut rig = Rig::human(scene, DVec3::Z * 9.0);
    for _ in 0..3 {
        let input = LocomotionInput { carrier, ..go(DVec3::X) };
        let made = rig.locomotion.tick(&rig.scene, &mut rig.cache, &rig.state, &input);
        if let Ok((state, _)) = made {
            assert!(state.character.center().is_finite() && state.velocity.is_finite());
            rig.state = state;
        }
    }
}

#[test]
fn steering_follows_the_rules_of_the_client() {
    let speeds = Speeds::wow();
    let near = |steering: Steering, mode: Mode, expected: DVec3| {
        let velocity = steering.velocity(&speeds, mode, DVec3::Z).unwrap();
        assert!((velocity - expected).length() < 1e-12, "{steering:?} {mode:?}: {velocity}");
    };
    let still = Steering::default();
    let ahead = Steering { forward: 1, ..still };
    let diagonal = 7.0 * std::f64::consts::FRAC_1_SQRT_2;
    near(still, Mode::Walk, DVec3::ZERO);
    near(ahead, Mode::Walk, DVec3::X * 7.0);
    near(
        Steering { facing: 1.0, ..ahead },
        Mode::Walk,
        dvec3(1.0_f64.cos(), 1.0_f64.sin(), 0.0) * 7.0,
    );
    near(Steering { strafe: 1, ..still }, Mode::Walk, DVec3::Y * -7.0);
    near(Steering { strafe: -1, ..ahead }, Mode::Fall, dvec3(diagonal, diagonal, 0.0));
    near(Steering { forward: -1, ..still }, Mode::WaterWalk, DVec3::X * -4.5);
    near(Steering { forward: -1, walking: true, ..still }, Mode::Walk, DVec3::X * -2.5);
    near(
        Steering { forward: i8::MIN, strafe: i8::MAX, ..still },
        Mode::Walk,
        dvec3(-1.0, -1.0, 0.0) * (4.5 * std::f64::consts::FRAC_1_SQRT_2),
    );
    let dive = Steering { pitch: -0.5, ..ahead };
    let down = dvec3(0.5_f64.cos(), 0.0, -0.5_f64.sin());
    near(dive, Mode::Walk, DVec3::X * 7.0);
    near(dive, Mode::Swim, down * 4.722_222);
    near(dive, Mode::Fly, down * 7.0);
    near(Steering { forward: -1, ..dive }, Mode::Swim, down * -2.5);
    near(
        Steering { strafe: 1, ..dive },
        Mode::Swim,
        (down - DVec3::Y) * (4.722_222 * std::f64::consts::FRAC_1_SQRT_2),
    );
    // Walking has no effect in water. Back speeds above the forward ones do not count.
    near(Steering { walking: true, ..ahead }, Mode::Swim, DVec3::X * 4.722_222);
    let slowed = Speeds { run: 2.0, ..speeds };
    let back = Steering { forward: -1, ..still };
    assert_eq!(back.velocity(&slowed, Mode::Walk, DVec3::Z).unwrap(), DVec3::X * -2.0);
    // Any up direction of any length: speed and level.
    let mut rng = Rng::new(&[63]);
    for _ in 0..1000 {
        let up = rng.direction() * rng.log_range(1e-3, 1e3);
        let facing = rng.range(-9.0, 9.0);
        let steering = Steering { facing, strafe: rng.below(3) as i8 - 1, ..ahead };
        let velocity = steering.velocity(&speeds, Mode::Walk, up).unwrap();
        assert!((velocity.length() - 7.0).abs() < 1e-9);
        assert!(velocity.dot(up.normalize()).abs() < 1e-9);
    }
    let bad = [
        (Steering { facing: f64::NAN, ..ahead }, speeds, DVec3::Z, "facing"),
        (Steering { pitch: 1e9, ..ahead }, speeds, DVec3::Z, "pitch"),
        (ahead, Speeds { fly_back: -1.0, ..speeds }, DVec3::Z, "fly_back"),
        (ahead, speeds, DVec3::ZERO, "up"),
    ];
    for (steering, speeds, up, field) in bad {
        let error = steering.velocity(&speeds, Mode::Walk, up).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

/// Soups of triangles and solids: free moves, hovering ones, and the point rule.
#[test]
fn no_world_makes_a_free_move_panic_run_away_or_depend_on_its_cache() {
    for seed in 0..200 {
        let mut rng = Rng::new(&[98, seed]);
        let scene = soup(&mut rng);
        let mut config = any_config(&mut rng);
        config.step_offset = (rng.unit() * 0.9) as f32 * config.total_height.max(config.radius);
        config.footing = FootingRule::Point;
        let controller = Controller::new(config).unwrap();
        let mut state = controller.spawn(rng.cube(3.0)).unwrap();
        let mut cache = TriangleCache::new();
        for tick in 0..40 {
            let wish = rng.direction() * rng.log_range(1e-7, 30.0);
            let free = rng.chance(0.6);
            let float_line = rng.chance(0.5).then(|| rng.range(-3.0, 3.0));
            let step = MoveInput {
                style: if free { MoveStyle::Free { float_line } } else { MoveStyle::Walk },
                hover: if rng.chance(0.3) { rng.unit() } else { 0.0 },
                floor: rng.chance(0.3).then(|| rng.range(-3.0, 3.0)),
                slippery: rng.chance(0.2),
                ..MoveInput::new(Motion::new(wish).unwrap())
            };
            let out = controller.move_by(&scene, &mut cache, &state, &step);
            let what = format!("seed {seed} tick {tick}: {out:?}");
            let bare = controller.move_by(&scene, &mut TriangleCache::off(), &state, &step);
            assert_eq!(differences(&out, &bare), [], "{what}");
            assert!(out.achieved.is_finite() && out.state.sink().is_finite(), "{what}");
            if free {
                // The first move lifts a character that was placed in a slope.
                let lift = if tick == 0 { f64::from(config.radius) * 2.0 } else { 0.0 };
                let made = (out.achieved - out.recovery.displacement).length();
                let most = wish.length() + lift;
                assert!(made <= most * (1.0 + 1e-6) + 1e-6, "{made} of {most}, {what}");
            }
            state = out.state;
        }
    }
}

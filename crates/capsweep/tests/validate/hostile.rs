//! Chains of claims that exploit credits, allowances, water, events and replays.

use crate::level::{Level, judge, plain, reason, start, validator};
use capsweep::controller::{
    Abilities, Controller, ControllerConfig, Locomotion, LocomotionConfig, Mode, Water,
};
use capsweep::scene::Scene;
use capsweep::validate::{
    Accepted, Allowances, Claim, ClaimTick, ClaimWorld, Reason, SpeedLimits, Validator,
    ValidatorConfig, Verdict,
};
use glam::{DVec3, dvec3};

/// A level plane of water at height 0, without a bottom.
fn lake(scene: &Scene) -> ClaimWorld<'_> {
    ClaimWorld { water: Water::Plane { surface: 0.0 }, ..ClaimWorld::new(scene) }
}

/// Claims at `path(i)` for i = 1, 2 ... `count`, `dt` seconds apart.
fn path(count: i32, dt: f64, path: impl Fn(f64) -> DVec3) -> Vec<Claim<'static>> {
    (1..=count).map(|i| Claim::new(path(f64::from(i)), dt)).collect()
}

#[test]
fn the_air_over_water_carries_no_character() {
    let scene = Scene::new();
    let world = lake(&scene);
    for (dt, height) in [(0.01, 0.02), (0.1, 0.02), (0.1, 1.0), (0.3, 0.02), (0.5, 0.3)] {
        let begin = DVec3::Z * height;
        let walk = path((4.0 / dt) as i32, dt, |i| begin + DVec3::X * (4.0 * dt * i));
        let judgement = judge(&world, &start(&world, begin), &walk);
        assert!(matches!(reason(&judgement), Reason::Hovering { .. }), "{dt}: {judgement:?}");
        let climb = path((4.0 / dt) as i32, dt, |i| begin + DVec3::Z * (0.5 * dt * i));
        assert!(judge(&world, &start(&world, begin), &climb).verdict.is_impossible(), "{dt}");
    }
}

#[test]
fn a_steep_bank_is_not_climbed_in_pieces_smaller_than_the_allowance() {
    // 60°: for each metre to the side, 1.73 m up.
    let bank = [[0.0, -9.0, 0.0], [8.0, -9.0, 13.856], [8.0, 9.0, 13.856], [0.0, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 0.0, 0.0).quad([bank[0], bank[1], bank[2], bank[3]]);
    let scene = scene.scene();
    let world = ClaimWorld::new(&scene);
    let step = 0.0029;
    let claims = path(1200, 0.01, |i| dvec3(-0.25 + i * step / 3f64.sqrt(), 0.0, i * step));
    let judgement = judge(&world, &start(&world, dvec3(-0.25, 0.0, 0.0)), &claims);
    assert!(judgement.verdict.is_impossible(), "{judgement:?}");
}

#[test]
fn a_wall_lifts_no_character_in_pieces_smaller_than_the_allowance() {
    let wall = [[0.323, -9.0, 0.0], [0.323, -9.0, 40.0], [0.323, 9.0, 40.0], [0.323, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 9.0, 0.0).quad(wall).scene();
    let world = ClaimWorld::new(&scene);
    for dt in [0.0, 0.002, 0.01] {
        let jump = [Claim::new(DVec3::Z * 0.4, 0.2)];
        let begun = judge(&world, &start(&world, DVec3::ZERO), &jump);
        assert_eq!(begun.verdict, Verdict::Possible);
        let claims = path(400, dt, |i| DVec3::Z * (0.4 + 0.0029 * i));
        let judgement = judge(&world, &begun.next, &claims);
        assert!(judgement.verdict.is_impossible(), "{dt}: {judgement:?}");
    }
}

#[test]
fn a_wall_does_not_weaken_gravity() {
    let wall =
        [[0.323, -9.0, -40.0], [0.323, -9.0, 40.0], [0.323, 9.0, 40.0], [0.323, 9.0, -40.0]];
    let scene = Level::default().quad(wall).scene();
    let world = ClaimWorld::new(&scene);
    let claims = path(60, 0.01, |i| DVec3::Z * (-0.45 * 9.81 * (0.01 * i) * (0.01 * i)));
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &claims);
    assert!(matches!(reason(&judgement), Reason::Hovering { .. }), "{judgement:?}");
}

/// A claim with its inputs, from rest at the origin.
fn replayed(world: &ClaimWorld, accepted: &Accepted, feet: DVec3, ticks: &[ClaimTick]) -> Verdict {
    let dt = ticks.iter().map(|tick| tick.dt).sum();
    let claim = Claim { inputs: ticks, ..Claim::new(feet, dt) };
    validator().check(world, accepted, &claim).verdict
}

fn is_too_fast(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Impossible { reason: Reason::TooFast { .. }, .. })
}

#[test]
fn short_ticks_are_no_faster_than_long_ones() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let accepted = start(&world, DVec3::ZERO);
    for (speed, dt) in [(5.01, 0.05), (5.25, 0.004), (15.0, 1e-4), (50.0, 1e-9)] {
        let tick = ClaimTick { walk: DVec3::X * speed, jump: false, dt };
        let ticks = vec![tick; if dt > 0.01 { 2 } else { 1000 }];
        let feet = DVec3::X * (speed * dt * ticks.len() as f64);
        assert!(is_too_fast(replayed(&world, &accepted, feet, &ticks)), "{speed}");
    }
}

#[test]
fn a_tick_without_time_gives_no_speed() {
    let scene = Scene::new();
    let world = lake(&scene);
    let float = dvec3(0.0, 0.0, -0.75 * 1.8);
    let mut accepted = start(&world, float);
    let leap = ClaimTick { walk: DVec3::X * 1e6, jump: true, dt: 0.0 };
    let glide = ClaimTick { walk: DVec3::ZERO, jump: false, dt: 0.1 };
    assert!(is_too_fast(replayed(&world, &accepted, float + DVec3::X * 1e5, &[leap, glide])));
    accepted.set_abilities(Abilities { water_walking: true, ..Abilities::default() }).unwrap();
    assert!(is_too_fast(replayed(&world, &accepted, float + DVec3::X * 1e5, &[leap, glide])));
}

#[test]
fn a_take_off_is_no_faster_than_a_flight() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut flyer = start(&world, DVec3::ZERO);
    flyer.set_abilities(Abilities { fly: true, ..Abilities::default() }).unwrap();
    let tick = ClaimTick { walk: DVec3::Z * 1000.0, jump: false, dt: 0.1 };
    assert!(is_too_fast(replayed(&world, &flyer, DVec3::Z * 100.0, &[tick])));
}

#[test]
fn a_repeated_change_of_speed_does_not_keep_the_old_one() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let slow = SpeedLimits { ground: 2.0, ..SpeedLimits::human() };
    let mut accepted = start(&world, DVec3::ZERO);
    let mut last = Verdict::Possible;
    for i in 1..=40 {
        accepted.change_speeds(slow, 1.0).unwrap();
        let claim = Claim::new(DVec3::X * (0.5 * f64::from(i)), 0.1);
        let judgement = validator().check(&world, &accepted, &claim);
        last = judgement.verdict;
        accepted = judgement.next;
        if last.is_impossible() {
            break;
        }
    }
    assert!(is_too_fast(last), "{last:?}");
}

#[test]
fn a_rooted_character_neither_walks_nor_jumps() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut rooted = start(&world, DVec3::ZERO);
    rooted.set_abilities(Abilities { rooted: true, ..Abilities::default() }).unwrap();
    let stand = path(9, 0.1, |_| DVec3::ZERO);
    assert_eq!(judge(&world, &rooted, &stand).verdict, Verdict::Possible);
    let walk = path(9, 0.1, |i| DVec3::X * (0.5 * i));
    assert!(is_too_fast(judge(&world, &rooted, &walk).verdict));
    let jump = path(1, 0.2, |_| DVec3::Z * 0.42);
    assert!(judge(&world, &rooted, &jump).verdict.is_impossible());
    assert_eq!(judge(&world, &start(&world, DVec3::ZERO), &jump).verdict, Verdict::Possible);
}

#[test]
fn silence_and_long_replays_stay_within_the_budget() {
    // A floor of 20 000 strips: the box around a long silence holds all of them.
    let mut level = Level::default();
    for i in 0..20_000 {
        let x = f64::from(i) * 0.01;
        level = level.floor(x, x + 0.01, -50.0);
    }
    let scene = level.scene();
    let world = ClaimWorld::new(&scene);
    let config = ValidatorConfig { max_queries: 200, ..ValidatorConfig::default() };
    let judge = Validator::new(*validator().locomotion(), config).unwrap();
    let begun = judge.start(&world, dvec3(0.0, 0.0, 5.0), None, SpeedLimits::human()).unwrap();
    let silent = judge.check(&world, &begun, &Claim::new(dvec3(1.0, 0.0, -20.0), 300.0));
    assert_eq!(silent.verdict, Verdict::Undecided);
    assert!(silent.queries <= 2 * 200, "{}", silent.queries);

    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let begun = judge.start(&world, DVec3::ZERO, None, SpeedLimits::human()).unwrap();
    let ticks = vec![ClaimTick { walk: DVec3::X, jump: false, dt: 1e-6 }; 100_000];
    let claim = Claim { inputs: &ticks, ..Claim::new(DVec3::X * 0.1, 0.1) };
    let replay = judge.check(&world, &begun, &claim);
    assert_eq!(replay.verdict, Verdict::Undecided);
    assert!(replay.queries <= 2 * 200, "{}", replay.queries);
}

#[test]
fn an_error_of_positions_above_the_radius_is_refused() {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let radius = f64::from(controller.config().radius);
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let with = |position: f64| {
        let allowances = Allowances { position, ..Allowances::default() };
        Validator::new(locomotion, ValidatorConfig { allowances, ..ValidatorConfig::default() })
    };
    let error = with(1.01 * radius).unwrap_err().to_string();
    assert!(error.contains("allowances.position"), "{error}");
    // With the largest one a wall still blocks.
    let scene = Level::default().floor(-9.0, 9.0, 0.0).wall(2.0).scene();
    let world = ClaimWorld::new(&scene);
    let judge = with(radius).unwrap();
    let begun = judge.start(&world, DVec3::ZERO, None, SpeedLimits::human()).unwrap();
    let through = judge.check(&world, &begun, &Claim::new(dvec3(4.0, 0.0, 0.0), 1.0));
    assert_ne!(through.verdict, Verdict::Possible, "{through:?}");
}

#[test]
fn a_swimmer_at_the_surface_is_no_faster_than_below() {
    let scene = Scene::new();
    let world = lake(&scene);
    let float = dvec3(0.0, 0.0, -0.75 * 1.8);
    for dt in [0.02, 0.1, 0.4] {
        for (speed, is_possible) in [(2.0, true), (2.6, false), (5.0, false)] {
            let claims = path((4.0 / dt) as i32, dt, |i| float + DVec3::X * (speed * dt * i));
            let judgement = judge(&world, &start(&world, float), &claims);
            assert_eq!(judgement.verdict == Verdict::Possible, is_possible, "{speed} {dt}");
        }
    }
}

#[test]
fn claims_without_time_give_a_swimmer_no_way() {
    let scene = Scene::new();
    let world = lake(&scene);
    let float = dvec3(0.0, 0.0, -0.75 * 1.8);
    let claims = path(1000, 0.0, |i| float + DVec3::X * (0.0035 * i));
    let judgement = judge(&world, &start(&world, float), &claims);
    assert!(is_too_fast(judgement.verdict), "{judgement:?}");
}

#[test]
fn a_hovering_character_does_not_climb_the_air() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut hovering = start(&world, DVec3::Z * 50.0);
    hovering.set_abilities(Abilities { hover: 0.5, ..Abilities::default() }).unwrap();
    for dt in [0.0, 0.01] {
        let claims = path(40, dt, |i| DVec3::Z * (50.0 + 0.4 * i));
        let judgement = judge(&world, &hovering, &claims);
        assert!(judgement.verdict.is_impossible(), "{judgement:?}");
    }
}

#[test]
fn a_bad_time_keeps_no_window_open() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut slowed = start(&world, DVec3::ZERO);
    slowed.change_speeds(SpeedLimits { ground: 2.0, ..SpeedLimits::human() }, 0.5).unwrap();
    for server_dt in [-1e9, f64::NAN, f64::NEG_INFINITY] {
        let claim = Claim { server_dt, ..Claim::new(DVec3::ZERO, 0.1) };
        let judgement = judge(&world, &slowed, &[claim]);
        assert_eq!(reason(&judgement), Reason::InvalidNumber);
        judgement.next.check().unwrap();
        let run = path(20, 0.1, |i| DVec3::X * (0.5 * i));
        assert!(is_too_fast(judge(&world, &judgement.next, &run).verdict), "{server_dt}");
    }
}

#[test]
fn a_rooted_character_that_claims_to_fall_glides_no_farther_than_a_jump() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let jump_time = 2.0 * LocomotionConfig::human().jump_speed / LocomotionConfig::human().gravity;
    for dt in [0.01, 0.05, 0.2] {
        let fall = |x: f64| Claim { mode: Some(Mode::Fall), ..Claim::new(DVec3::X * x, dt) };
        let mut rooted = judge(&world, &start(&world, DVec3::ZERO), &[fall(0.0)]).next;
        rooted.set_abilities(Abilities { rooted: true, ..Abilities::default() }).unwrap();
        let (mut x, mut step) = (0.0, 5.0 * dt);
        while step > 1e-4 {
            let judgement = judge(&world, &rooted, &[fall(x + step)]);
            if judgement.verdict.is_impossible() {
                step *= 0.5;
                continue;
            }
            (x, rooted) = (x + step, judgement.next);
        }
        // The credit of the latency, 50 ms, is a quarter of a metre.
        assert!((0.3..=5.0 * jump_time + 0.3).contains(&x), "{dt}: {x}");
    }
}

#[test]
fn a_rooted_character_may_ask_for_a_walk() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut rooted = start(&world, DVec3::ZERO);
    rooted.set_abilities(Abilities { rooted: true, ..Abilities::default() }).unwrap();
    let ticks = [ClaimTick { walk: DVec3::X * 5.0, jump: true, dt: 0.05 }; 4];
    assert_eq!(replayed(&world, &rooted, DVec3::ZERO, &ticks), Verdict::Possible);
}

#[test]
fn a_knock_back_in_water_does_not_last() {
    let scene = Scene::new();
    let world = lake(&scene);
    let mut knocked = start(&world, DVec3::Z * -50.0);
    knocked.knock_back(DVec3::X * 12.0, 0.3).unwrap();
    let swim = path(40, 0.1, |i| dvec3(1.2 * i, 0.0, -50.0 + 1e-6 * i));
    assert!(is_too_fast(judge(&world, &knocked, &swim).verdict));
}

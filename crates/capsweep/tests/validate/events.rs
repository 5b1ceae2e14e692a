//! Server events, and bodies that move near a character.

use crate::level::{Level, judge, plain, reason, start, validator};
use capsweep::controller::{Abilities, Carrier, Water};
use capsweep::scene::{Body, MeshOptions, Mobility, Pose, Scene, TriMesh};
use capsweep::validate::{Claim, ClaimTick, ClaimWorld, Reason, SpeedLimits, Verdict};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

#[test]
fn a_clock_that_runs_ahead_is_noticed_once_its_credit_is_used_up() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    // The clock runs 10 % fast: 0.25 s of credit last for 2.5 s.
    let claim = Claim { server_dt: 0.1, ..Claim::new(DVec3::ZERO, 0.11) };
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &[claim; 24]);
    assert_eq!(judgement.verdict, Verdict::Possible);
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &[claim; 30]);
    assert!(matches!(reason(&judgement), Reason::ClockAhead { .. }));
}

#[test]
fn a_claim_must_name_its_world() {
    let scene = plain();
    let world = ClaimWorld { id: 7, ..ClaimWorld::new(&scene) };
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &[Claim::new(DVec3::ZERO, 0.1)]);
    assert_eq!(reason(&judgement), Reason::WrongWorld);
}

#[test]
fn earlier_speeds_count_until_the_window_closes() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut slowed = start(&world, DVec3::ZERO);
    slowed.change_speeds(SpeedLimits { ground: 2.0, ..SpeedLimits::human() }, 0.5).unwrap();
    let fast = |from: f64, count: u32| -> Vec<Claim<'static>> {
        (1..=count).map(|i| Claim::new(DVec3::X * (from + 0.5 * f64::from(i)), 0.1)).collect()
    };
    assert_eq!(judge(&world, &slowed, &fast(0.0, 5)).verdict, Verdict::Possible);
    assert!(matches!(reason(&judge(&world, &slowed, &fast(0.0, 9))), Reason::TooFast { .. }));
    let mut rooted = start(&world, DVec3::ZERO);
    rooted.change_speeds(SpeedLimits::ROOTED, 0.0).unwrap();
    assert!(matches!(reason(&judge(&world, &rooted, &fast(0.0, 3))), Reason::TooFast { .. }));
    assert!(
        rooted.change_speeds(SpeedLimits { ground: -1.0, ..SpeedLimits::human() }, 0.0).is_err()
    );
}

#[test]
fn a_knock_back_may_be_faster_and_higher_than_a_jump() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let velocity = dvec3(12.0, 0.0, 8.0);
    let flight: Vec<Claim> = (1..=16)
        .map(|i| {
            let time = 0.1 * f64::from(i);
            let fall = DVec3::Z * (4.905 * time * time);
            Claim::new((velocity * time - fall).max(dvec3(f64::MIN, f64::MIN, 0.0)), 0.1)
        })
        .collect();
    let unasked = judge(&world, &start(&world, DVec3::ZERO), &flight);
    assert!(unasked.verdict.is_impossible());
    let mut knocked = start(&world, DVec3::ZERO);
    knocked.knock_back(velocity, 0.5).unwrap();
    let judgement = judge(&world, &knocked, &flight);
    assert_eq!(judgement.verdict, Verdict::Possible);
    assert!(knocked.knock_back(DVec3::NAN, 0.5).is_err());
}

#[test]
fn a_displacement_by_the_server_is_no_move() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut pushed = start(&world, DVec3::ZERO);
    pushed.displace(DVec3::X * 30.0).unwrap();
    let claim = [Claim::new(DVec3::X * 30.2, 0.1)];
    assert_eq!(judge(&world, &pushed, &claim).verdict, Verdict::Possible);
    assert!(judge(&world, &start(&world, DVec3::ZERO), &claim).verdict.is_impossible());
}

#[test]
fn flying_needs_the_ability() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let way: Vec<Claim> =
        (1..=20).map(|i| Claim::new(DVec3::Z * (0.4 * f64::from(i)), 0.1)).collect();
    assert!(judge(&world, &start(&world, DVec3::ZERO), &way).verdict.is_impossible());
    let mut flyer = start(&world, DVec3::ZERO);
    flyer.set_abilities(Abilities { fly: true, ..Abilities::default() }).unwrap();
    assert_eq!(judge(&world, &flyer, &way).verdict, Verdict::Possible);
}

#[test]
fn in_water_a_character_holds_its_depth() {
    let scene = plain();
    let world = ClaimWorld { water: Water::Plane { surface: 10.0 }, ..ClaimWorld::new(&scene) };
    let feet = dvec3(0.0, 0.0, 4.0);
    let still = [Claim::new(feet, 0.5); 6];
    assert_eq!(judge(&world, &start(&world, feet), &still).verdict, Verdict::Possible);
    let dry = ClaimWorld::new(&scene);
    assert!(judge(&dry, &start(&dry, feet), &still).verdict.is_impossible());
}

#[test]
fn a_lift_carries_what_stands_on_it() {
    let plate =
        [vec3(-2.0, -2.0, 0.0), vec3(2.0, -2.0, 0.0), vec3(2.0, 2.0, 0.0), vec3(-2.0, 2.0, 0.0)];
    let mesh = TriMesh::new(&plate, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let mesh = Arc::new(mesh);
    let pose = |height: f64| Pose::from_translation(DVec3::Z * height).unwrap();
    let mut scene = Scene::new();
    let body = Body::mesh(mesh, pose(0.0)).unwrap().with_mobility(Mobility::Dynamic);
    let lift = scene.insert(body);
    let mut accepted = start(&ClaimWorld::new(&scene), DVec3::ZERO);
    for tick in 1..=20 {
        // 6 m/s: faster than steps and jumps allow.
        let (previous, next) = (pose(0.6 * f64::from(tick - 1)), pose(0.6 * f64::from(tick)));
        scene.move_mesh(lift, next).unwrap();
        let claim = Claim::new(DVec3::Z * (0.6 * f64::from(tick)), 0.1);
        let moved = [Carrier::new(lift, previous, next)];
        let world = ClaimWorld { moved: &moved, ..ClaimWorld::new(&scene) };
        let judgement = validator().check(&world, &accepted, &claim);
        assert_eq!(judgement.verdict, Verdict::Possible, "{tick}");
        accepted = judgement.next;
    }
}

/// A raft that moves at 2 m/s. A client that claims a fifth of the time jumps off as if the raft
/// were five times as fast.
#[test]
fn a_short_claimed_time_makes_no_transport_faster() {
    let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    let vertices = corners.map(|[x, y]| vec3(x, y, 0.0));
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let pose = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    let mut scene = Scene::new();
    let body = Body::mesh(Arc::new(mesh), pose(0.0)).unwrap().with_mobility(Mobility::Dynamic);
    let raft = scene.insert(body);
    let accepted = start(&ClaimWorld::new(&scene), DVec3::ZERO);

    let take_off = Claim { server_dt: 0.1, ..Claim::new(dvec3(0.2, 0.0, 0.06), 0.02) };
    scene.move_mesh(raft, pose(0.2)).unwrap();
    let moved = [Carrier::new(raft, pose(0.0), pose(0.2))];
    let world = ClaimWorld { moved: &moved, ..ClaimWorld::new(&scene) };
    let judgement = validator().check(&world, &accepted, &take_off);
    assert_eq!(judgement.verdict, Verdict::Possible);

    // 5 m/s on its own and 2 m/s from the raft allow 1.4 m, plus 25 cm for latency.
    let world = ClaimWorld::new(&scene);
    let flight = |way: f64| Claim::new(dvec3(0.2 + way, 0.0, 0.4), 0.2);
    let honest = validator().check(&world, &judgement.next, &flight(1.4));
    assert_eq!(honest.verdict, Verdict::Possible);
    let too_fast = validator().check(&world, &judgement.next, &flight(2.4));
    assert!(
        matches!(too_fast.verdict, Verdict::Impossible { reason: Reason::TooFast { .. }, .. }),
        "{too_fast:?}"
    );
}

/// A ceiling at 1.3 m: a crouching character passes under it, with and without inputs. A standing
/// one hits it.
#[test]
fn a_crouching_character_is_as_tall_as_it_crouches() {
    let ceiling = [[2.0, -9.0, 1.3], [2.0, 9.0, 1.3], [9.0, 9.0, 1.3], [9.0, -9.0, 1.3]];
    let rim = [[2.0, -9.0, 1.3], [2.0, -9.0, 3.0], [2.0, 9.0, 3.0], [2.0, 9.0, 1.3]];
    let scene = Level::default().floor(-9.0, 9.0, 0.0).quad(ceiling).quad(rim).scene();
    let world = ClaimWorld::new(&scene);
    let validator = validator();
    let controller = validator.locomotion().controller();
    let upright = start(&world, DVec3::X * 1.6);
    let under = Claim::new(DVec3::X * 2.5, 0.2);
    assert!(judge(&world, &upright, &[under]).verdict.is_impossible());
    let mut crouching = upright;
    crouching.resize(controller, 1.1).unwrap();
    let crawl = judge(&world, &crouching, &[under]);
    assert_eq!(crawl.verdict, Verdict::Possible);
    let tick = ClaimTick { walk: DVec3::X * 4.5, jump: false, dt: 0.1 };
    let replayed = Claim { inputs: &[tick; 2], ..under };
    let replay = judge(&world, &crouching, &[replayed]);
    assert_eq!(replay.verdict, Verdict::Possible);
    // The state after a replay has the velocity of the inputs.
    assert!(format!("{:?}", replay.next).contains("velocity: DVec3(4.5,"), "{replay:?}");

    let mut outside = crouching;
    outside.resize(controller, 1.8).unwrap();
    assert_eq!(outside.feet(), upright.feet());
    assert!(judge(&world, &outside, &[under]).verdict.is_impossible());
    let before = outside;
    for height in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(outside.resize(controller, height).is_err(), "{height}");
        assert_eq!(outside, before, "a bad height changes nothing");
    }
}

#[test]
fn an_event_with_a_bad_number_is_refused_and_changes_nothing() {
    let scene = Level::default().floor(-9.0, 9.0, 0.0).scene();
    let before = start(&ClaimWorld::new(&scene), DVec3::ZERO);
    for bad in [f64::NAN, f64::INFINITY, -0.5, 1e300] {
        let mut accepted = before;
        assert!(accepted.knock_back(DVec3::X, bad).is_err(), "{bad}");
        assert!(accepted.change_speeds(SpeedLimits::human(), bad).is_err(), "{bad}");
        let abilities = Abilities { hover: bad, ..Abilities::default() };
        assert!(accepted.set_abilities(abilities).is_err(), "{bad}");
        assert_eq!(accepted, before, "{bad}");
    }
}

/// Heights of a flight from `height` with the upward speed `rise`, every tenth of a second.
fn flight(height: f64, rise: f64, level: DVec3, count: i32) -> Vec<Claim<'static>> {
    (1..=count)
        .map(|i| {
            let time = 0.1 * f64::from(i);
            let up = height + rise * time - 0.5 * 9.81 * time * time;
            Claim::new(level * time + DVec3::Z * up, 0.1)
        })
        .collect()
}

/// The claims of a flight from `from`, which goes on.
fn after(from: DVec3, claims: Vec<Claim<'static>>) -> Vec<Claim<'static>> {
    claims.into_iter().map(|claim| Claim { feet: claim.feet + from, ..claim }).collect()
}

#[test]
fn a_knock_back_in_the_air_changes_the_flight_when_the_client_applies_it() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let begin = DVec3::Z * 10.0;
    let fall = flight(10.0, 0.0, DVec3::ZERO, 5);
    let falling = judge(&world, &start(&world, begin), &fall);
    assert_eq!(falling.verdict, Verdict::Possible);
    let last = falling.next.feet();
    for (rise, delay) in [(8.0, 0), (8.0, 2), (-6.0, 0), (-6.0, 2)] {
        let velocity = dvec3(5.0, 0.0, rise);
        let mut knocked = falling.next;
        knocked.knock_back(velocity, 0.35).unwrap();
        // The client falls on until it applies the velocity.
        let speed = -9.81 * 0.5;
        let mut claims = after(last, flight(0.0, speed, DVec3::ZERO, delay));
        let from = claims.last().map_or(last, |claim| claim.feet);
        claims.extend(after(from, flight(0.0, rise, DVec3::X * 5.0, 4)));
        let judgement = judge(&world, &knocked, &claims);
        assert_eq!(judgement.verdict, Verdict::Possible, "{rise} {delay}: {judgement:?}");
        assert!(judge(&world, &falling.next, &claims).verdict.is_impossible(), "{rise} {delay}");
    }
}

#[test]
fn a_slow_fall_that_ends_in_the_air_goes_on_as_a_fall() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut accepted = start(&world, DVec3::Z * 30.0);
    accepted.set_abilities(Abilities { slow_fall: true, ..Abilities::default() }).unwrap();
    let slow: Vec<Claim> = (1..=30)
        .map(|i| {
            let time = 0.1 * f64::from(i);
            let fallen = if time < 2.0 / 9.81 {
                4.905 * time * time
            } else {
                2.0 * time - 2.0 * 2.0 / (2.0 * 9.81)
            };
            Claim::new(DVec3::Z * (30.0 - fallen), 0.1)
        })
        .collect();
    let judgement = judge(&world, &accepted, &slow);
    assert_eq!(judgement.verdict, Verdict::Possible);
    let mut ended = judgement.next;
    ended.set_abilities(Abilities::default()).unwrap();
    let rest = after(ended.feet(), flight(0.0, -2.0, DVec3::ZERO, 8));
    let judgement = judge(&world, &ended, &rest);
    assert_eq!(judgement.verdict, Verdict::Possible, "{judgement:?}");
    let hangs = after(ended.feet(), flight(0.0, 2.0, DVec3::ZERO, 8));
    assert!(judge(&world, &ended, &hangs).verdict.is_impossible());
}

#[test]
fn a_displacement_in_the_air_moves_the_flight() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let falling =
        judge(&world, &start(&world, DVec3::Z * 20.0), &flight(20.0, 0.0, DVec3::ZERO, 5));
    for by in [0.5, -0.5, 4.0, -4.0] {
        let mut moved = falling.next;
        moved.displace(DVec3::Z * by).unwrap();
        let rest = after(moved.feet(), flight(0.0, -9.81 * 0.5, DVec3::ZERO, 5));
        let judgement = judge(&world, &moved, &rest);
        assert_eq!(judgement.verdict, Verdict::Possible, "{by}: {judgement:?}");
    }
}

#[test]
fn the_speed_of_a_take_off_outlasts_a_lower_limit() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let fast = SpeedLimits { ground: 10.0, ..SpeedLimits::human() };
    let mut runner = start(&world, DVec3::ZERO);
    runner.change_speeds(fast, 0.0).unwrap();
    let run: Vec<Claim> = (1..=4).map(|i| Claim::new(DVec3::X * f64::from(i), 0.1)).collect();
    let running = judge(&world, &runner, &run).next;
    let jump = after(running.feet(), flight(0.0, 3.13, DVec3::X * 10.0, 2));
    let mut slowed = judge(&world, &running, &jump).next;
    slowed.change_speeds(SpeedLimits::human(), 0.05).unwrap();
    let rest: Vec<Claim> = (3..=6)
        .map(|i| {
            let time = 0.1 * f64::from(i);
            let up = 3.13 * time - 4.905 * time * time;
            Claim::new(running.feet() + dvec3(10.0 * time, 0.0, up), 0.1)
        })
        .collect();
    let judgement = judge(&world, &slowed, &rest);
    assert_eq!(judgement.verdict, Verdict::Possible, "{judgement:?}");
    // On the ground the lower limit holds.
    let mut landed = running;
    landed.change_speeds(SpeedLimits::human(), 0.0).unwrap();
    let on: Vec<Claim> =
        (1..=6).map(|i| Claim::new(running.feet() + DVec3::X * f64::from(i), 0.1)).collect();
    assert!(matches!(reason(&judge(&world, &landed, &on)), Reason::TooFast { .. }));
}

#[test]
fn a_hovering_character_rises_at_once_and_passes_over_blocks() {
    let block = [[2.0, -9.0, 0.0], [2.0, -9.0, 1.3], [2.0, 9.0, 1.3], [2.0, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 2.0, 0.0).floor(2.0, 9.0, 1.3).quad(block).scene();
    let world = ClaimWorld::new(&scene);
    let mut hovering = start(&world, DVec3::X * 1.5);
    hovering.set_abilities(Abilities { hover: 1.5, ..Abilities::default() }).unwrap();
    let claims = [Claim::new(dvec3(1.5, 0.0, 1.5), 0.02), Claim::new(dvec3(2.1, 0.0, 2.8), 0.15)];
    let judgement = judge(&world, &hovering, &claims);
    assert_eq!(judgement.verdict, Verdict::Possible, "{judgement:?}");
    let grounded = start(&world, DVec3::X * 1.5);
    assert!(judge(&world, &grounded, &claims[..1]).verdict.is_impossible());
    let high = [claims[0], Claim::new(dvec3(2.1, 0.0, 3.6), 0.15)];
    assert!(judge(&world, &hovering, &high).verdict.is_impossible());
}

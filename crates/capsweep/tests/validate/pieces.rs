//! Cheats that small claims, half-spaces and the ground below made possible.

use crate::level::{Level, judge, plain, reason, start, validator};
use capsweep::controller::{Abilities, Water};
use capsweep::validate::{Accepted, Claim, ClaimTick, ClaimWorld, Judgement, Reason, Verdict};
use glam::{DVec3, dvec3};

/// Claims at `path(t)` every `dt` seconds, for a number of seconds.
fn path(seconds: f64, dt: f64, path: impl Fn(f64) -> DVec3) -> Vec<Claim<'static>> {
    let count = (seconds / dt).round() as i32;
    (1..=count).map(|i| Claim::new(path(dt * f64::from(i)), dt)).collect()
}

#[test]
fn the_slack_of_the_clock_counts_once() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    for (dt, server_dt) in [(9e-4, 0.0), (0.0109, 0.01), (0.0509, 0.05)] {
        let mut accepted = start(&world, DVec3::ZERO);
        let mut verdict = Verdict::Possible;
        for i in 1..=400 {
            let feet = DVec3::X * (5.0 * dt * f64::from(i));
            let claim = Claim { server_dt, ..Claim::new(feet, dt) };
            let judgement = validator().check(&world, &accepted, &claim);
            verdict = judgement.verdict;
            if verdict.is_impossible() {
                break;
            }
            accepted = judgement.next;
            assert!((0.0..=0.25).contains(&accepted.clock_credit()));
        }
        let is_ahead = matches!(
            verdict,
            Verdict::Impossible { reason: Reason::ClockAhead { excess }, .. } if excess < 2e-3
        );
        assert!(is_ahead, "{dt}: {verdict:?}");
    }
}

/// Claims of `dt` seconds whose inputs take `extra` seconds more, at full speed.
fn stretched(dt: f64, extra: f64) -> Option<Judgement> {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut accepted = start(&world, DVec3::ZERO);
    let ticks = [ClaimTick { walk: DVec3::X * 5.0, jump: false, dt: dt + extra }];
    for i in 1..=1_500 {
        let feet = DVec3::X * (5.0 * (dt + extra) * f64::from(i));
        let claim = Claim { inputs: &ticks, ..Claim::new(feet, dt) };
        let judgement = validator().check(&world, &accepted, &claim);
        if judgement.verdict != Verdict::Possible {
            return Some(judgement);
        }
        accepted = judgement.next;
    }
    None
}

#[test]
fn inputs_take_no_more_time_than_their_claims() {
    for dt in [0.0, 0.01, 0.02] {
        let judgement = stretched(dt, 9e-4).unwrap();
        assert!(judgement.verdict.is_impossible(), "{dt}: {judgement:?}");
    }
    // Times that are rounded to and fro add up to nothing.
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut accepted = start(&world, DVec3::ZERO);
    for i in 1..=2_000 {
        let ticks = [ClaimTick { walk: DVec3::X * 5.0, jump: false, dt: 0.0166 }];
        let dt = if i % 5 < 3 { 0.017 } else { 0.016 };
        let feet = DVec3::X * (5.0 * 0.0166 * f64::from(i));
        let judgement = validator().check(
            &world,
            &accepted,
            &Claim { inputs: &ticks, ..Claim::new(feet, dt) },
        );
        assert_eq!(judgement.verdict, Verdict::Possible, "{i}");
        accepted = judgement.next;
    }
}

#[test]
fn a_half_space_carries_nothing_above_it() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let stands = start(&world, DVec3::ZERO);
    for dt in [0.01, 0.05, 0.1] {
        let apex = 3.13 / 9.81;
        let hang = path(1.5, dt, |t| {
            let t = t.min(apex);
            DVec3::Z * (3.13 * t - 4.905 * t * t)
        });
        let judgement = judge(&world, &stands, &hang);
        assert!(matches!(reason(&judgement), Reason::Hovering { .. }), "{dt}: {judgement:?}");
        let weak = path(1.0, dt, |t| DVec3::Z * (3.13 * t - 0.6 * 4.905 * t * t).max(0.0));
        let judgement = judge(&world, &stands, &weak);
        assert!(judgement.verdict.is_impossible(), "{dt}: {judgement:?}");
    }
}

#[test]
fn a_flyer_over_a_half_space_is_no_faster_than_elsewhere() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let mut flyer = start(&world, DVec3::Z * 5.0);
    flyer.set_abilities(Abilities { fly: true, ..Abilities::default() }).unwrap();
    for dt in [0.01, 0.1, 0.5] {
        let rise = path(2.0, dt, |t| DVec3::Z * (5.0 + 5.3 * t));
        let judgement = judge(&world, &flyer, &rise);
        assert!(matches!(reason(&judgement), Reason::TooFast { .. }), "{dt}: {judgement:?}");
    }
}

#[test]
fn a_landing_is_no_faster_than_a_fall() {
    let scene = Level::default().floor(-9.0, 0.0, 0.0).floor(0.0, 30.0, -40.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = DVec3::X * -0.1;
    for dt in [0.01, 0.05, 0.1] {
        // It steps off the ledge, and is on the ground 40 m below at once.
        let drop = path(0.4, dt, |t| {
            let fallen = (t - 0.1).max(0.0);
            let low = if t > 0.25 { -40.0 } else { -4.905 * fallen * fallen };
            dvec3(from.x + 4.0 * t, 0.0, low)
        });
        let judgement = judge(&world, &start(&world, from), &drop);
        assert!(matches!(reason(&judgement), Reason::TooFast { .. }), "{dt}: {judgement:?}");
    }
}

#[test]
fn a_swimmer_at_the_bottom_of_a_lake_is_no_faster_than_above_it() {
    let scene = Level::default().floor(-30.0, 30.0, -6.0).scene();
    let world = ClaimWorld { water: Water::Plane { surface: 0.0 }, ..ClaimWorld::new(&scene) };
    let from = dvec3(-9.0, 0.0, -6.0);
    let accepted: Accepted = start(&world, from);
    for dt in [0.02, 0.1, 0.4] {
        for (speed, is_possible) in [(2.0, true), (2.4, false), (5.0, false)] {
            let swim = path(3.0, dt, |t| from + DVec3::X * (speed * t));
            let judgement = judge(&world, &accepted, &swim);
            assert_eq!(judgement.verdict == Verdict::Possible, is_possible, "{speed} {dt}");
        }
    }
}

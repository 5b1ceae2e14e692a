//! Every verdict, each in a small level.

use crate::level::{Level, judge, plain, reason, start, validator};
use capsweep::controller::Mode;
use capsweep::validate::{
    Claim, ClaimWorld, Reason, SpeedLimits, Validator, ValidatorConfig, Verdict,
};
use glam::{DVec3, dvec3};

/// A straight path at constant velocity, in claims of `dt`.
fn line(from: DVec3, velocity: DVec3, dt: f64, count: u32) -> Vec<Claim<'static>> {
    (1..=count).map(|i| Claim::new(from + velocity * dt * f64::from(i), dt)).collect()
}

#[test]
fn a_run_is_possible() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let claims = line(DVec3::ZERO, DVec3::X * 5.0, 0.1, 50);
    assert_eq!(judge(&world, &start(&world, DVec3::ZERO), &claims).verdict, Verdict::Possible);
}

#[test]
fn one_twentieth_too_fast_for_two_seconds_is_too_fast() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    for (dt, count) in [(0.01, 200), (0.1, 20), (0.5, 4)] {
        let claims = line(DVec3::ZERO, DVec3::X * 5.27, dt, count);
        let judgement = judge(&world, &start(&world, DVec3::ZERO), &claims);
        assert!(matches!(reason(&judgement), Reason::TooFast { .. }), "{dt}: {judgement:?}");
    }
}

#[test]
fn credit_refills_only_with_unused_speed() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    // A centimetre too far in each claim of 10 ms.
    let claims = line(DVec3::ZERO, DVec3::X * 6.0, 0.01, 100);
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &claims);
    assert!(matches!(reason(&judgement), Reason::TooFast { .. }));
    // A rest in between earns a new sprint of a quarter metre.
    let mut claims = line(DVec3::ZERO, DVec3::X * 6.0, 0.01, 20);
    let rested = claims[19].feet;
    claims.push(Claim::new(rested, 0.5));
    claims.extend(line(rested, DVec3::X * 6.0, 0.01, 20));
    assert_eq!(judge(&world, &start(&world, DVec3::ZERO), &claims).verdict, Verdict::Possible);
}

#[test]
fn through_a_wall_of_no_thickness() {
    let scene = Level::default().floor(-9.0, 9.0, 0.0).wall(0.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.5, 0.0, 0.0);
    let judgement = judge(&world, &start(&world, from), &[Claim::new(dvec3(0.5, 0.0, 0.0), 0.3)]);
    let Verdict::Impossible { reason: Reason::ThroughSurface { hit }, at } = judgement.verdict
    else {
        panic!("{judgement:?}")
    };
    assert!(hit.hit.normal.x.abs() > 0.99 && at.x.abs() < 1e-6, "{hit:?} {at}");
}

#[test]
fn around_a_corner_is_possible() {
    // The wall ends at y = 9: the character stands close to its end.
    let scene = Level::default().floor(-9.0, 9.0, 0.0).wall(0.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.4, 8.9, 0.0);
    let judgement = judge(&world, &start(&world, from), &[Claim::new(dvec3(0.4, 8.9, 0.0), 0.5)]);
    assert_eq!(judgement.verdict, Verdict::Possible);
}

#[test]
fn inside_a_wall_and_under_the_floor() {
    let scene = Level::default().floor(-9.0, 9.0, 0.0).wall(0.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.5, 0.0, 0.0);
    for feet in [dvec3(-0.1, 0.0, 0.0), dvec3(-0.5, 0.0, -0.2)] {
        let judgement = judge(&world, &start(&world, from), &[Claim::new(feet, 0.2)]);
        let Reason::InsideGeometry { depth } = reason(&judgement) else { panic!("{judgement:?}") };
        assert!((0.1..0.3).contains(&depth), "{depth}");
    }
}

#[test]
fn standing_in_the_air_is_hovering() {
    let scene = Level::default().floor(-9.0, 0.0, 0.0).floor(0.0, 9.0, -8.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.5, 0.0, 0.0);
    let claims = line(from, DVec3::X * 4.0, 0.1, 20);
    let judgement = judge(&world, &start(&world, from), &claims);
    let Reason::Hovering { since } = reason(&judgement) else { panic!("{judgement:?}") };
    assert!(since > 0.05 && since < 1.0, "{since}");
}

#[test]
fn a_fall_off_the_ledge_is_possible() {
    let scene = Level::default().floor(-9.0, 0.0, 0.0).floor(0.0, 9.0, -8.0).scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.5, 0.0, 0.0);
    let claims: Vec<Claim> = (1..=12)
        .map(|i| {
            let time = f64::from(i) * 0.1;
            // It leaves the edge with the rim of its round bottom.
            let fallen = (time - 0.205).max(0.0);
            Claim::new(dvec3(-0.5 + 4.0 * time, 0.0, -4.905 * fallen * fallen), 0.1)
        })
        .collect();
    let judgement = judge(&world, &start(&world, from), &claims);
    assert_eq!(judgement.verdict, Verdict::Possible);
}

/// Rise over length of a slope of 60°.
const STEEP: f64 = 1.732_050_807_568_877_2;

/// A floor at x < 0, and a slope of 60° from there.
fn steep_slope() -> Level {
    let top = 9.0 * STEEP;
    let slope = [[0.0, -9.0, 0.0], [9.0, -9.0, top], [9.0, 9.0, top], [0.0, 9.0, 0.0]];
    Level::default().floor(-9.0, 0.0, 0.0).quad(slope)
}

#[test]
fn up_a_slope_of_sixty_degrees_is_too_steep() {
    let scene = steep_slope().scene();
    let world = ClaimWorld::new(&scene);
    // The lowest point of the round bottom is a radius above the slope.
    let claims: Vec<Claim> = (1..=40)
        .map(|i| {
            let x = -1.0 + 0.1 * f64::from(i);
            Claim::new(dvec3(x, 0.0, (x * STEEP + 0.32).max(0.0)), 0.05)
        })
        .collect();
    let judgement = judge(&world, &start(&world, dvec3(-1.0, 0.0, 0.0)), &claims);
    assert!(
        matches!(reason(&judgement), Reason::TooSteep | Reason::TooHigh { .. }),
        "{judgement:?}"
    );
}

#[test]
fn on_steep_ground_higher_than_a_jump_is_too_steep() {
    let scene = steep_slope().scene();
    let world = ClaimWorld::new(&scene);
    // The lowest point of the round bottom is a radius above the slope.
    let on_slope = |x: f64| dvec3(x, 0.0, x * STEEP + 0.32);
    let mut accepted =
        validator().start(&world, on_slope(0.1), None, SpeedLimits::human()).unwrap();
    let mut found = None;
    for i in 1..60 {
        let claim = Claim::new(on_slope(0.1 + 0.02 * f64::from(i)), 0.05);
        let judgement = validator().check(&world, &accepted, &claim);
        if judgement.verdict.is_impossible() {
            found = Some(reason(&judgement));
            break;
        }
        accepted = judgement.next;
    }
    assert_eq!(found, Some(Reason::TooSteep));
}

#[test]
fn a_step_five_centimetres_too_high_is_too_high() {
    for (height, is_possible) in [(0.39, true), (0.45, false)] {
        let scene = Level::default()
            .floor(-9.0, 0.0, 0.0)
            .floor(0.0, 9.0, height)
            .quad([[0.0, -9.0, 0.0], [0.0, -9.0, height], [0.0, 9.0, height], [0.0, 9.0, 0.0]])
            .scene();
        let world = ClaimWorld::new(&scene);
        let from = dvec3(-0.33, 0.0, 0.0);
        let claim = Claim::new(dvec3(0.02, 0.0, height), 0.07);
        let judgement = judge(&world, &start(&world, from), &[claim]);
        assert_eq!(judgement.verdict == Verdict::Possible, is_possible, "{judgement:?}");
    }
}

#[test]
fn a_mode_must_fit_the_place() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let claim = |mode, feet| Claim { mode: Some(mode), ..Claim::new(feet, 0.1) };
    let up = dvec3(0.0, 0.0, 0.25);
    let modes =
        [(Mode::Swim, DVec3::ZERO), (Mode::Fly, up), (Mode::WaterWalk, up), (Mode::Walk, up)];
    for (mode, feet) in modes {
        let judgement = judge(&world, &start(&world, DVec3::ZERO), &[claim(mode, feet)]);
        assert_eq!(reason(&judgement), Reason::WrongMode, "{mode:?}");
    }
    let judgement = judge(&world, &start(&world, DVec3::ZERO), &[claim(Mode::Fall, up)]);
    assert_eq!(judgement.verdict, Verdict::Possible);
}

#[test]
fn numbers_that_are_none_are_refused() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    for claim in [
        Claim::new(dvec3(f64::NAN, 0.0, 0.0), 0.1),
        Claim::new(dvec3(1e300, 0.0, 0.0), 0.1),
        Claim::new(DVec3::ZERO, f64::INFINITY),
        Claim::new(DVec3::ZERO, -1.0),
        Claim { velocity: Some(DVec3::NAN), ..Claim::new(DVec3::ZERO, 0.1) },
    ] {
        let judgement = judge(&world, &start(&world, DVec3::ZERO), &[claim]);
        assert_eq!(reason(&judgement), Reason::InvalidNumber, "{claim:?}");
    }
}

#[test]
fn a_budget_that_is_used_up_leaves_the_claim_undecided() {
    let scene = Level::default().floor(-9.0, 9.0, 0.0).wall(0.0).scene();
    let world = ClaimWorld::new(&scene);
    let config = ValidatorConfig { max_queries: 20, ..ValidatorConfig::default() };
    let validator = Validator::new(*validator().locomotion(), config).unwrap();
    let claim = Claim::new(dvec3(0.5, 0.0, 0.0), 1.0);
    let judgement = validator.check(&world, &start(&world, dvec3(-0.5, 0.0, 0.0)), &claim);
    assert_eq!(judgement.verdict, Verdict::Undecided);
    assert!(judgement.queries < 60, "{}", judgement.queries);
}

/// A straight run of 5 m with a jump at the end, past a ledge 0.6 m high that begins at `y`, and a
/// further rise in the air, higher than a jump and a step from the floor.
fn rise_after_a_run_past_a_ledge(y: f64) -> Verdict {
    let ledge = [[-9.0, y, 0.6], [9.0, y, 0.6], [9.0, 9.0, 0.6], [-9.0, 9.0, 0.6]];
    let scene = Level::default().floor(-9.0, 9.0, 0.0).quad(ledge).scene();
    let world = ClaimWorld::new(&scene);
    let claims = [Claim::new(dvec3(4.0, 0.0, 0.45), 1.0), Claim::new(dvec3(5.2, 0.0, 0.94), 0.3)];
    judge(&world, &start(&world, DVec3::X * -1.0), &claims).verdict
}

#[test]
fn ground_beside_a_run_is_a_take_off_only_within_reach() {
    // The detour over a ledge 1 m aside fits into the budget, over one 2.4 m aside it does not.
    assert_eq!(rise_after_a_run_past_a_ledge(1.0), Verdict::Possible);
    let far = rise_after_a_run_past_a_ledge(2.4);
    assert!(matches!(far, Verdict::Impossible { reason: Reason::TooHigh { .. }, .. }), "{far:?}");
}

#[test]
fn a_jump_from_higher_up_a_slope_needs_few_queries() {
    let up = [[0.0, -9.0, 0.0], [9.0, -9.0, 7.5], [9.0, 9.0, 7.5], [0.0, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 0.0, 0.0).quad(up).scene();
    let world = ClaimWorld::new(&scene);
    // After 2 m up the slope, it is 0.4 m above it: more than a jump above the start.
    let claim = Claim::new(dvec3(1.5, 0.0, 1.25 + 0.4), 0.6);
    let judgement = judge(&world, &start(&world, DVec3::X * -0.5), &[claim]);
    assert_eq!(judgement.verdict, Verdict::Possible);
    assert!(judgement.queries < 40, "{}", judgement.queries);
}

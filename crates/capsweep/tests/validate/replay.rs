//! Claims that carry their inputs.

use crate::level::{plain, reason, start, validator};
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{LocomotionInput, LocomotionState, MoveInput};
use capsweep::validate::{Claim, ClaimTick, ClaimWorld, Reason, Verdict};
use glam::{DVec3, dvec3};

/// A run with a jump in it, in ticks of 50 ms.
fn ticks() -> Vec<ClaimTick> {
    (0..30)
        .map(|i| ClaimTick {
            walk: dvec3(4.0, f64::from(i % 7) * 0.3, 0.0),
            jump: i == 8,
            dt: 0.05,
        })
        .collect()
}

/// Feet after the ticks.
fn walked(ticks: &[ClaimTick]) -> DVec3 {
    let scene = plain();
    let validator = validator();
    let locomotion = validator.locomotion();
    let controller = locomotion.controller();
    let mut cache = TriangleCache::new();
    let spawned = controller.spawn(DVec3::ZERO).unwrap();
    let still = MoveInput::new(Motion::ZERO);
    let stands = controller.move_by(&scene, &mut cache, &spawned, &still).state;
    let mut state = LocomotionState::at_rest(stands);
    for tick in ticks {
        let input =
            LocomotionInput { jump: tick.jump, ..LocomotionInput::new(tick.walk, tick.dt) };
        state = locomotion.tick(&scene, &mut cache, &state, &input).unwrap().0;
    }
    controller.feet(&state.character)
}

#[test]
fn inputs_that_lead_to_the_claim_prove_it() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let ticks = ticks();
    let mut accepted = start(&world, DVec3::ZERO);
    for end in (5..=30).step_by(5) {
        let inputs = &ticks[end - 5..end];
        let claim = Claim { inputs, ..Claim::new(walked(&ticks[..end]), 0.25) };
        let judgement = validator().check(&world, &accepted, &claim);
        assert_eq!(judgement.verdict, Verdict::Possible, "{end}");
        // In a replay only the controller queries the scene: some queries for each of 5 ticks.
        assert!((5..=50).contains(&judgement.queries), "{end}: {}", judgement.queries);
        assert_eq!(judgement.next.feet(), claim.feet, "{end}");
        accepted = judgement.next;
    }
}

#[test]
fn inputs_that_are_too_fast_prove_nothing() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let fast = [ClaimTick { walk: DVec3::X * 20.0, jump: false, dt: 0.05 }; 5];
    let claim = Claim { inputs: &fast, ..Claim::new(DVec3::X * 5.0, 0.25) };
    let judgement = validator().check(&world, &start(&world, DVec3::ZERO), &claim);
    assert!(matches!(reason(&judgement), Reason::TooFast { .. }));
}

#[test]
fn a_claim_that_does_not_match_its_inputs_is_judged_without_them() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let inputs = &ticks()[..5];
    for (feet, is_possible) in [(dvec3(0.5, 0.5, 0.0), true), (dvec3(9.0, 0.0, 0.0), false)] {
        let claim = Claim { inputs, ..Claim::new(feet, 0.25) };
        let judgement = validator().check(&world, &start(&world, DVec3::ZERO), &claim);
        assert_eq!(judgement.verdict == Verdict::Possible, is_possible, "{judgement:?}");
    }
}

/// A swimmer leaps out of the water with its inputs. The rest of the leap is claimed without them.
#[test]
fn a_leap_goes_on_after_its_replay() {
    let scene = capsweep::scene::Scene::new();
    let water = capsweep::controller::Water::Plane { surface: 0.0 };
    let world = ClaimWorld { water, ..ClaimWorld::new(&scene) };
    let validator = validator();
    let locomotion = validator.locomotion();
    let controller = locomotion.controller();
    let float = dvec3(0.0, 0.0, -0.75 * 1.8);
    let accepted = validator
        .start(&world, float, Some(DVec3::ZERO), capsweep::validate::SpeedLimits::human())
        .unwrap();
    let leap = ClaimTick { walk: DVec3::ZERO, jump: true, dt: 0.05 };
    let fly = ClaimTick { jump: false, ..leap };
    let mut state = LocomotionState::at_rest(controller.spawn(float).unwrap());
    let mut cache = TriangleCache::new();
    let mut feet = Vec::new();
    for i in 0..8 {
        let input =
            LocomotionInput { jump: i == 0, water, ..LocomotionInput::new(DVec3::ZERO, 0.05) };
        state = locomotion.tick(&scene, &mut cache, &state, &input).unwrap().0;
        feet.push(controller.feet(&state.character));
    }
    let replayed = Claim { inputs: &[leap, fly], ..Claim::new(feet[1], 0.1) };
    let mut judgement = validator.check(&world, &accepted, &replayed);
    assert_eq!(judgement.verdict, Verdict::Possible);
    for feet in &feet[2..] {
        judgement = validator.check(&world, &judgement.next, &Claim::new(*feet, 0.05));
        assert_eq!(judgement.verdict, Verdict::Possible, "{feet}");
    }
}

/// A claim whose inputs are lost does not end the replays.
#[test]
fn replays_go_on_after_a_claim_without_inputs() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let ticks = [ClaimTick { walk: DVec3::X * 4.0, jump: false, dt: 0.05 }; 2];
    let mut accepted = start(&world, DVec3::ZERO);
    for (number, inputs) in [&[][..], &ticks, &ticks].into_iter().enumerate() {
        let feet = DVec3::X * (0.4 * (number as f64 + 1.0));
        let judgement =
            validator().check(&world, &accepted, &Claim { inputs, ..Claim::new(feet, 0.1) });
        assert_eq!(judgement.verdict, Verdict::Possible, "{number}");
        accepted = judgement.next;
    }
    assert!(format!("{accepted:?}").contains("velocity: DVec3(4.0,"), "{accepted:?}");
}

#[test]
fn inputs_with_bad_numbers_are_refused() {
    let scene = plain();
    let world = ClaimWorld::new(&scene);
    let sound = ClaimTick { walk: DVec3::X, jump: false, dt: 0.1 };
    for bad in [
        ClaimTick { walk: DVec3::NAN, ..sound },
        ClaimTick { walk: DVec3::X * 1e30, ..sound },
        ClaimTick { dt: f64::NAN, ..sound },
        ClaimTick { dt: -0.1, ..sound },
    ] {
        let claim = Claim { inputs: &[sound, bad], ..Claim::new(DVec3::X * 0.1, 0.1) };
        let judgement = validator().check(&world, &start(&world, DVec3::ZERO), &claim);
        assert_eq!(reason(&judgement), Reason::InvalidNumber, "{bad:?}");
    }
}

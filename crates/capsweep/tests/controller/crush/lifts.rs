//! Lifts that crush their rider under a ceiling, of every kind and in every setting.

use super::assert_crushed_by;
use super::lift_rig::{CarrierInput, LiftKind, LiftRig, LiftSetup};
use crate::level::{Walk, input};
use capsweep::Sides;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Carrier, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState, Obstruction,
};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3, vec3};

/// Raises the lift until 0.1 m of room are left, waits, and lowers it again.
fn rise_and_sink(setup: LiftSetup) {
    let rise = 0.5 / 60.0;
    let mut rig = LiftRig::new(setup);
    let start = rig.feet_on_lift();
    let check = |rig: &LiftRig| {
        let (center, top) = (rig.center_height(), rig.top);
        assert!(center < 3.0 && center > top, "{setup:?}: center {center}, lift at {top}");
        let room = 3.0 - top;
        match rig.walk.last.obstruction {
            Obstruction::Crushed { missing } => {
                assert!((missing - (1.8 - room)).abs() < 0.03, "{setup:?}: {missing} of {room}");
            }
            other => assert!(room > 1.79, "{setup:?}, room {room}: {other:?}"),
        }
    };
    let mut ticks = 0;
    while rig.top < 2.9 {
        rig.go(rise, DVec3::Z * -0.003);
        ticks += 1;
        check(&rig);
    }
    for _ in 0..30 {
        rig.go(0.0, DVec3::Z * -0.003);
        check(&rig);
    }
    for _ in 0..ticks {
        rig.go(-rise, DVec3::Z * -0.02);
        let (room, feet) = (3.0 - rig.top, rig.feet_on_lift());
        let stands = rig.walk.last.is_grounded() && feet.z.abs() < 2e-3;
        assert!(stands || room < 1.9, "{setup:?}, room {room}: {feet}");
    }
    let end = rig.feet_on_lift();
    assert!((end - start).length() < 5e-3, "{setup:?}: stood at {start}, stands at {end}");
}

#[test]
fn a_lift_of_any_kind_crushes_and_releases_its_rider() {
    for kind in [LiftKind::Mesh, LiftKind::DoubleSided, LiftKind::Mirrored, LiftKind::Box] {
        for sides in [Sides::Front, Sides::Both] {
            rise_and_sink(LiftSetup { kind, sides, ..LiftSetup::DEFAULT });
        }
    }
}

#[test]
fn a_lift_crushes_alike_whichever_way_is_up_and_however_far_away() {
    let far = dvec3(16_000.0, -12_345.6, 789.0);
    for turn in [DQuat::from_rotation_x(-1.5), DQuat::from_rotation_y(2.0)] {
        for kind in [LiftKind::Mesh, LiftKind::Box] {
            rise_and_sink(LiftSetup { kind, turn, ..LiftSetup::DEFAULT });
            rise_and_sink(LiftSetup { kind, turn, origin: far, ..LiftSetup::DEFAULT });
        }
    }
}

#[test]
fn a_character_crushed_on_a_lift_that_turns_and_drifts_keeps_its_place_on_it() {
    for kind in [LiftKind::Mesh, LiftKind::Box] {
        rise_and_sink(LiftSetup { kind, drift: 0.5, ..LiftSetup::DEFAULT });
        rise_and_sink(LiftSetup { kind, spin: 0.8, ..LiftSetup::DEFAULT });
        rise_and_sink(LiftSetup { kind, spin: -1.5, drift: -0.4, ..LiftSetup::DEFAULT });
    }
}

#[test]
fn a_lift_without_a_carrier_in_the_input_takes_its_rider_through_neither_surface() {
    for carrier in [CarrierInput::Caller, CarrierInput::Missing] {
        for kind in [LiftKind::Mesh, LiftKind::Box] {
            for thickness in [0.2, 1.0] {
                rise_and_sink(LiftSetup { kind, carrier, thickness, ..LiftSetup::DEFAULT });
            }
        }
    }
}

#[test]
fn a_body_of_its_own_does_not_change_how_a_character_is_crushed() {
    for kind in [LiftKind::Mesh, LiftKind::Box] {
        rise_and_sink(LiftSetup { kind, has_own_body: true, ..LiftSetup::DEFAULT });
    }
}

/// Raises the lift until 0.05 m of room are left and lowers it again at once, with stricter
/// checks.
fn rise_to_the_last_and_sink(setup: LiftSetup) {
    let (under, rise) = (3.0, 0.5 / 60.0);
    let mut rig = LiftRig::new(setup);
    let start = rig.walk.feet();
    let what = format!("{setup:?}");
    let mut ticks = 0;
    while rig.top < under - 0.05 {
        rig.go(rise, DVec3::Z * -0.003);
        ticks += 1;
        let (room, center) = (under - rig.top, rig.walk.state.center().z);
        assert!(center < under, "{what}: center at {center}, room {room}");
        assert!(center > rig.top, "{what}: center at {center}, lift at {}", rig.top);
        assert_crushed_by(&rig.walk, room, &what);
    }
    // With room again, it stands on the lift where it stood before.
    for _ in 0..ticks {
        rig.go(-rise, DVec3::Z * -0.003);
        let (room, feet) = (under - rig.top, rig.walk.feet());
        let stands = rig.walk.last.is_grounded() && (feet.z - rig.top).abs() < 1e-3;
        assert!(stands || room < 1.86, "{what}, room {room}: {feet} on {}", rig.top);
    }
    assert!((rig.walk.feet() - start).length() < 1e-3, "{what}: {}", rig.walk.feet());
}

#[test]
fn a_lift_that_crushes_its_rider_takes_it_through_neither_surface() {
    for (thickness, kind) in [
        (0.2, LiftKind::Mesh),
        (1.0, LiftKind::Mesh),
        (0.2, LiftKind::Box),
        (1.0, LiftKind::Box),
        (0.05, LiftKind::Mesh),
    ] {
        for top in [3.05_f32, 3.2, 5.0] {
            let ceiling = [vec3(-3.0, -3.0, 3.0), vec3(3.0, 3.0, top)];
            let setup = LiftSetup { kind, thickness, ceiling, ..LiftSetup::DEFAULT };
            rise_to_the_last_and_sink(setup);
        }
    }
}

#[test]
fn a_crushed_character_can_walk_out_from_under_the_ceiling() {
    // The ceiling ends at x = 1, the lift at x = 2.
    let ceiling = [vec3(-3.0, -3.0, 3.0), vec3(1.0, 3.0, 4.0)];
    let mut rig = LiftRig::new(LiftSetup { thickness: 0.3, ceiling, ..LiftSetup::DEFAULT });
    while rig.top < 1.4 {
        rig.go(0.01, DVec3::Z * -0.003);
    }
    assert!(rig.walk.is_crushed());
    for _ in 0..60 {
        rig.go(0.0, dvec3(0.02, 0.0, -0.003));
    }
    let feet = rig.walk.feet();
    assert!(feet.x > 1.3 && (feet.z - rig.top).abs() < 1e-3, "{feet}");
    assert!(!rig.walk.last.obstruction.is_overlap() && rig.walk.last.is_grounded());
}

#[test]
fn a_crushed_character_that_crouches_stands_on_the_lift() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    let start = rig.feet_on_lift();
    while rig.top < 1.7 {
        rig.go(0.01, DVec3::Z * -0.003);
    }
    assert!(rig.walk.is_crushed());
    rig.walk.state = rig.walk.controller.resize(&rig.walk.state, 1.0).unwrap();
    for _ in 0..3 {
        rig.go(0.0, DVec3::Z * -0.003);
        let feet = rig.feet_on_lift();
        assert!((feet - start).length() < 1e-3, "{feet}, {:?}", rig.walk.last.obstruction);
        assert!(rig.walk.last.is_grounded() && !rig.walk.is_crushed());
    }
    // It stands up where there is no room; the lift goes down again.
    rig.walk.state = rig.walk.controller.resize(&rig.walk.state, 1.8).unwrap();
    rig.go(0.0, DVec3::Z * -0.003);
    assert!(rig.walk.last.obstruction.is_overlap(), "{:?}", rig.walk.last.obstruction);
    for _ in 0..70 {
        rig.go(-0.01, DVec3::Z * -0.003);
    }
    let feet = rig.feet_on_lift();
    assert!((feet - start).length() < 1e-3 && rig.walk.last.is_grounded(), "{feet}");
}

#[test]
fn a_crushed_character_that_jumps_stays_between_both_surfaces_and_is_not_launched() {
    for kind in [LiftKind::Mesh, LiftKind::Box] {
        let mut rig = LiftRig::new(LiftSetup { kind, ..LiftSetup::DEFAULT });
        let controller = rig.walk.controller;
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
        let mut state = LocomotionState::at_rest(rig.walk.state);
        let dt = 1.0 / 60.0;
        for tick in 0..600 {
            let rise = if tick < 230 { dt * 0.5 } else { -dt * 0.5 };
            let rise = if (200..230).contains(&tick) { 0.0 } else { rise };
            // Moves the lift, and discards the rider's move: locomotion makes it below.
            let kept = rig.walk.clone();
            rig.go(rise, DVec3::ZERO);
            rig.walk = Walk { scene: rig.scene.clone(), ..kept };
            let poses = [rig.top - rise, rig.top].map(|top| LiftRig::pose(&rig.setup, top));
            let carrier = Some(Carrier::new(rig.lift, poses[0], poses[1]));
            let jump = tick % 2 == 0 && tick > 100 && tick < 400;
            let wish = LocomotionInput { jump, carrier, ..LocomotionInput::new(DVec3::ZERO, dt) };
            let (next, outcome) =
                locomotion.tick(&rig.scene, &mut rig.walk.cache, &state, &wish).unwrap();
            state = next;
            (rig.walk.state, rig.walk.last) = (outcome.state, outcome);
            let (center, top) = (rig.walk.state.center().z, rig.top);
            assert!(center < 3.0 && center > top, "{kind:?} {tick}: {center}, lift at {top}");
            assert!(state.velocity.length() < 4.5, "{kind:?} {tick}: {}", state.velocity);
        }
        assert!(rig.walk.last.is_grounded() && rig.feet_on_lift().z.abs() < 1e-3);
    }
}

#[test]
fn a_removed_lift_lets_its_rider_fall_and_stand_again() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    while rig.top < 2.5 {
        rig.go(0.01, DVec3::Z * -0.003);
    }
    assert!(rig.walk.is_crushed());
    rig.scene.remove(rig.lift).unwrap();
    rig.walk.scene = rig.scene.clone();
    for _ in 0..5 {
        rig.walk.go(DVec3::Z * -0.05);
        assert_eq!(rig.walk.depth(), 0.0);
        assert!(!rig.walk.last.obstruction.is_overlap(), "{:?}", rig.walk.last.obstruction);
        assert!(rig.walk.state.center().z < 3.0);
    }
    assert!(rig.walk.state.footing().is_none());
}

#[test]
fn a_two_sided_lift_lifts_its_rider_and_reports_blocked_only_under_a_ceiling() {
    for (kind, sides) in [(LiftKind::DoubleSided, Sides::Front), (LiftKind::Mesh, Sides::Both)] {
        let mut rig = LiftRig::new(LiftSetup { kind, sides, ..LiftSetup::DEFAULT });
        for _ in 0..15 {
            rig.go(0.01, DVec3::Z * -0.003);
            let out = &rig.walk.last;
            assert!(!out.carried.blocked && !out.touching.above, "{kind:?} {sides:?}: {out:?}");
            assert!(out.is_grounded() && rig.feet_on_lift().z.abs() < 1e-4);
        }
    }
}

#[test]
fn a_crushed_state_from_json_moves_to_the_same_bits() {
    let mut rig = LiftRig::new(LiftSetup { spin: 0.7, drift: 0.3, ..LiftSetup::DEFAULT });
    let mut read = rig.walk.clone();
    let mut crushed = 0;
    for tick in 0..400 {
        let rise = if tick < 210 { 0.008 } else { -0.008 };
        read.state =
            serde_json::from_str(&serde_json::to_string(&rig.walk.state).unwrap()).unwrap();
        read.cache = TriangleCache::new();
        let poses = [rig.top, rig.top + rise].map(|top| LiftRig::pose(&rig.setup, top));
        let walk = dvec3(0.002, 0.001, -0.003);
        rig.go(rise, walk);
        read.scene = rig.scene.clone();
        let carrier = Carrier::new(rig.lift, poses[0], poses[1]);
        read.move_with(&rig.with_surroundings(&input(walk)).carried_by(carrier));
        assert_eq!(read.last, rig.walk.last, "tick {tick}");
        crushed += u32::from(read.is_crushed());
    }
    assert!(crushed > 100, "{crushed}");
}

#[test]
fn whatever_a_lift_does_its_rider_stays_between_it_and_the_ceiling() {
    let mut crushed = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(&[4_812, seed]);
        let kind = [LiftKind::Mesh, LiftKind::DoubleSided, LiftKind::Mirrored, LiftKind::Box]
            [rng.below(4) as usize];
        let carrier = [CarrierInput::Full, CarrierInput::Caller, CarrierInput::Missing]
            [rng.below(3) as usize];
        let far = [DVec3::ZERO, dvec3(16_000.0, -9_000.0, 400.0)][rng.below(2) as usize];
        let setup = LiftSetup {
            kind,
            carrier,
            ceiling: LiftSetup::DEFAULT.ceiling,
            thickness: rng.range(0.1, 1.0) as f32,
            turn: [DQuat::IDENTITY, DQuat::from_rotation_x(1.2)][rng.below(2) as usize],
            origin: far,
            sides: [Sides::Front, Sides::Both][rng.below(2) as usize],
            has_own_body: rng.chance(0.3),
            spin: rng.range(-1.0, 1.0),
            drift: rng.range(-0.3, 0.3),
        };
        let mut rig = LiftRig::new(setup);
        let mut rise = 0.008;
        let mut walk = DVec3::ZERO;
        for tick in 0..400 {
            if tick % 25 == 24 {
                rise = rng.range(-0.01, 0.015);
                walk = dvec3(rng.range(-0.02, 0.02), rng.range(-0.02, 0.02), 0.0);
                walk.z = if rng.chance(0.2) { 0.03 } else { -0.005 };
            }
            let rise = if rig.top + rise > 2.95 || rig.top + rise < 0.5 { 0.0 } else { rise };
            rig.go(rise, walk);
            let (center, top) = (rig.center_height(), rig.top);
            let on = rig.feet_on_lift();
            if on.x.abs().max(on.y.abs()) > 1.9 {
                break;
            }
            let what = format!("seed {seed}, tick {tick}: center {center}, lift {top}, {setup:?}");
            assert!(center < 3.0 && center > top, "{what}");
            let sunk = rig.walk.last.is_grounded() && on.z < -0.021;
            assert!(!sunk || rig.walk.is_crushed(), "{what}: feet {on}");
            assert_eq!(
                rig.own_body.is_none() && rig.walk.depth() > 0.0,
                rig.own_body.is_none() && rig.walk.last.obstruction.is_overlap(),
                "{what}: {:?}",
                rig.walk.last.obstruction
            );
            crushed += u32::from(rig.walk.is_crushed());
        }
    }
    assert!(crushed > 5_000, "{crushed}");
}

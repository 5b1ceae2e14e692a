//! Chains of claims that were once judged wrongly. The test names describe them.

use crate::level::{Level, judge, reason, start, validator};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Abilities, Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
    LocomotionState, Water,
};
use capsweep::validate::{
    Claim, ClaimWorld, Reason, SpeedLimits, Validator, ValidatorConfig, Verdict,
};
use capsweep_testkit::Rng;
use capsweep_testkit::claims::honest::{self, HonestOptions};
use capsweep_testkit::claims::levels::HonestLevel;
use glam::{DVec3, dvec3};

/// Walks the chain with this number in a generated level. No claim may be impossible.
fn walk(level: &str, chain: u64) {
    walk_with(level, chain, None, false);
}

/// The same, with events of the server.
fn serve(level: &str, chain: u64) {
    walk_with(level, chain, None, true);
}

/// The same, with inputs that are held for `held` seconds.
fn walk_with(level: &str, chain: u64, held: Option<f64>, events: bool) {
    let levels: Vec<HonestLevel> =
        HonestLevel::generated().into_iter().filter(|each| each.name == level).collect();
    assert_eq!(levels.len(), 1, "{level}");
    let options =
        HonestOptions { chains: 1, claims: 500, held, seed: chain, events, sizes: false };
    let report = honest::run(&levels, &options);
    assert!(report.claims > 400, "{}", report.claims);
    assert_eq!(report.impossible, 0, "{:#?}", report.failures);
}

#[test]
fn a_swimmer_leaps_and_is_as_fast_in_the_air_as_on_the_ground() {
    walk("stairs", 740);
    walk("terrain", 1_423);
}

#[test]
fn a_body_rises_past_the_rim_of_a_one_sided_floor() {
    walk("stairs", 6_030);
    walk("city", 17_063);
    walk_with("terrain", 630, Some(0.5), false);
}

#[test]
fn a_jump_in_shallow_water_ends_in_deep_water() {
    walk("tiles", 8_551);
    walk("terrain", 9_881);
    walk("stairs", 8_046);
}

#[test]
fn a_body_slips_off_an_edge_before_its_feet_leave_the_ground() {
    walk("terrain", 14_501);
}

#[test]
fn a_platform_moves_away_under_a_character_that_walks() {
    walk("ferry", 16_043);
}

#[test]
fn a_body_slips_off_an_edge_and_keeps_its_fall() {
    walk("stairs", 6_864);
}

#[test]
fn a_flight_lands_on_a_stair_and_climbs_it_within_one_claim() {
    walk("stairs", 8_492);
}

#[test]
fn a_ceiling_ends_a_rise_and_the_landing_is_earlier() {
    walk("dungeon", 8_271);
}

#[test]
fn a_step_in_mid_fall_keeps_the_speed_of_the_fall() {
    walk("dungeon", 5_121);
}

#[test]
fn a_fall_past_a_rim_seems_to_stand_for_some_claims() {
    walk("ferry", 10_048);
}

#[test]
fn a_step_in_mid_fall_ends_on_the_rim_of_a_block() {
    walk("ferry", 22_709);
}

#[test]
fn a_knock_back_in_water_rises_out_of_it() {
    serve("city", 26);
    serve("ferry", 179);
    serve("ferry", 293);
    serve("terrain", 681);
}

#[test]
fn a_knock_back_in_the_air_may_be_higher_than_a_jump() {
    serve("ferry", 5);
}

#[test]
fn a_hovering_character_is_lower_under_a_ceiling() {
    serve("city", 14);
    serve("city", 56);
}

#[test]
fn a_flyer_that_loses_the_ability_goes_on_rising() {
    serve("stairs", 744);
}

#[test]
fn a_root_on_the_ground_may_begin_just_above_it() {
    serve("terrain", 21);
}

#[test]
fn a_rooted_swimmer_floats_up() {
    serve("terrain", 117);
}

#[test]
fn a_displacement_over_the_float_line_is_undone() {
    serve("stairs", 48);
}

#[test]
fn a_hover_lifts_a_character_in_the_air_and_at_rest() {
    serve("city", 38);
    serve("tiles", 52);
    serve("ferry", 683);
    serve("ferry", 953);
}

#[test]
fn a_hovering_character_on_a_roof_rises_along_no_parapet() {
    serve("city", 236);
    serve("city", 50_438);
    serve("city", 50_618);
}

#[test]
fn a_hovering_character_walks_over_water_and_jumps_from_it() {
    serve("stairs", 50_592);
    serve("terrain", 51_951);
    serve("tiles", 1_114);
    serve("dungeon", 51_829);
}

#[test]
fn a_hovering_character_jumps_from_the_higher_ground_that_it_reached() {
    serve("terrain", 50_811);
    serve("terrain", 51_765);
    serve("terrain", 101_937);
    serve("terrain", 101_991);
}

#[test]
fn a_flyer_that_hovers_over_water_is_lifted_at_once() {
    serve("tiles", 101_674);
}

#[test]
fn a_root_in_shallow_water_does_not_end_a_fall() {
    serve("ferry", 100_247);
    serve("ferry", 102_155);
    serve("terrain", 100_179);
    serve("terrain", 201_787);
    serve("tiles", 101_008);
    serve("tiles", 202_514);
}

#[test]
fn a_root_does_not_end_a_jump_or_a_fall_near_the_ground() {
    serve("terrain", 333);
    serve("terrain", 201_369);
}

#[test]
fn a_rooted_character_that_starts_in_the_air_rises_with_its_speed() {
    serve("ferry", 800_681);
    serve("terrain", 801_333);
}

#[test]
fn a_knock_back_aboard_is_relative_to_the_body() {
    serve("ferry", 700_121);
}

#[test]
fn a_hovering_character_passes_over_stairs_and_under_ceilings() {
    serve("stairs", 1_201_255);
}

#[test]
fn a_root_does_not_end_a_glide_over_rising_ground() {
    serve("terrain", 1_202_567);
}

#[test]
fn the_rim_of_a_one_sided_floor_stops_no_move_along_it() {
    serve("ferry", 1_300_722);
}

#[test]
fn a_slide_adds_to_the_speed_of_a_knock_back() {
    serve("tiles", 1_503_868);
}

#[test]
fn a_displacement_above_the_float_line_steers_as_in_the_air() {
    serve("stairs", 35_003_964);
}

#[test]
fn a_knock_back_leads_below_the_rim_of_a_one_sided_floor() {
    serve("ferry", 51_000_653);
}

#[test]
fn a_root_just_after_a_take_off_does_not_end_the_jump() {
    serve("stairs", 801_102);
    serve("tiles", 900_475);
}

#[test]
fn a_platform_moves_to_where_the_character_was() {
    walk("ferry", 200_458);
}

/// A floor at x < 0, and a solid block at x > 0 that is higher by `height`.
fn block(height: f64) -> Level {
    Level::default().floor(-9.0, 0.0, 0.0).floor(0.0, 9.0, height).floor(0.0, 9.0, -1.0).quad([
        [0.0, -9.0, -1.0],
        [0.0, -9.0, height],
        [0.0, 9.0, height],
        [0.0, 9.0, -1.0],
    ])
}

#[test]
fn a_double_sided_step_is_too_high_in_70_ms() {
    let scene = block(0.45).double_sided_scene();
    let world = ClaimWorld::new(&scene);
    let from = dvec3(-0.4, 0.0, 0.0);
    let judgement =
        judge(&world, &start(&world, from), &[Claim::new(dvec3(0.1, 0.0, 0.45), 0.07)]);
    assert!(matches!(reason(&judgement), Reason::TooHigh { .. }), "{judgement:?}");
}

#[test]
fn a_step_in_small_pieces_is_as_high_as_a_whole_one() {
    let scene = block(0.5).double_sided_scene();
    let world = ClaimWorld::new(&scene);
    let (from, to) = (dvec3(-0.4, 0.0, 0.0), dvec3(0.1, 0.0, 0.5));
    for count in 2..16 {
        let piece = |i: i32| from + (to - from) * (f64::from(i) / f64::from(count));
        let claims: Vec<Claim> =
            (1..=count).map(|i| Claim::new(piece(i), 0.08 / f64::from(count))).collect();
        let judgement = judge(&world, &start(&world, from), &claims);
        assert!(judgement.verdict.is_impossible(), "{count}: {judgement:?}");
    }
}

#[test]
fn a_flyer_is_no_faster_upwards_in_small_pieces() {
    let scene = Level::default().floor(-9.0, 9.0, -50.0).scene();
    let world = ClaimWorld::new(&scene);
    let mut flyer = start(&world, DVec3::ZERO);
    flyer.set_abilities(Abilities { fly: true, ..Abilities::default() }).unwrap();
    for dt in [0.01, 0.05, 0.2] {
        let count = (2.0 / dt) as i32;
        let claims: Vec<Claim> =
            (1..=count).map(|i| Claim::new(DVec3::Z * 5.3 * dt * f64::from(i), dt)).collect();
        let judgement = judge(&world, &flyer, &claims);
        assert!(matches!(reason(&judgement), Reason::TooFast { .. }), "{dt}: {judgement:?}");
    }
}

#[test]
fn a_swimmer_is_ahead_by_the_latency_at_its_own_speed() {
    let scene = Level::default().floor(-9.0, 9.0, -50.0).scene();
    let world = ClaimWorld { water: Water::Plane { surface: 0.0 }, ..ClaimWorld::new(&scene) };
    let from = DVec3::Z * -20.0;
    let claims: Vec<Claim> =
        (1..=40).map(|i| Claim::new(from + DVec3::X * 0.105 * f64::from(i), 0.05)).collect();
    let judgement = judge(&world, &start(&world, from), &claims);
    assert!(matches!(reason(&judgement), Reason::TooFast { .. }), "{judgement:?}");
}

/// A floor at x < 0, and a block at x > 0 whose edge is a steep bevel, seen from above.
fn bevelled_block(low: f64, bevel: [f64; 2]) -> Level {
    let [run, rise] = bevel;
    let (top, high) = (low + rise, 9.0);
    Level::default()
        .floor(-9.0, 0.0, 0.0)
        .quad([[0.0, -9.0, 0.0], [0.0, -9.0, low], [0.0, 9.0, low], [0.0, 9.0, 0.0]])
        .quad([[0.0, -9.0, low], [run, -9.0, top], [run, 9.0, top], [0.0, 9.0, low]])
        .floor(run, high, top)
}

#[test]
fn a_step_in_a_jump_onto_a_bevel_allows_a_second_jump() {
    let validator = validator();
    let locomotion = validator.locomotion();
    let controller = locomotion.controller();
    let mut second_jumps = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(&[23, seed]);
        let bevel = [rng.range(0.02, 0.15), rng.range(0.3, 0.7)];
        let scene = bevelled_block(rng.range(0.2, 0.8), bevel).scene();
        let world = ClaimWorld::new(&scene);
        let from = dvec3(rng.range(-1.5, -0.5), 0.0, 0.0);
        let walk = dvec3(rng.range(0.3, 5.0), rng.range(-2.0, 2.0), 0.0).clamp_length_max(5.0);
        let mut cache = TriangleCache::new();
        let mut state = LocomotionState::at_rest(controller.spawn(from).unwrap());
        let mut accepted = start(&world, from);
        for _ in 0..4 {
            let (mut time, mut jumps) = (0.0, 0);
            let dt = rng.range(0.5, 1.0);
            while time < dt {
                let tick = rng.range(0.004, 0.05).min(dt - time);
                let jump = state.character.is_grounded();
                jumps += u32::from(jump);
                let input = LocomotionInput { jump, ..LocomotionInput::new(walk, tick) };
                state = locomotion.tick(&scene, &mut cache, &state, &input).unwrap().0;
                time += tick;
            }
            second_jumps += u32::from(jumps > 1);
            let feet = controller.feet(&state.character);
            let judgement = validator.check(&world, &accepted, &Claim::new(feet, dt));
            assert_eq!(judgement.verdict, Verdict::Possible, "{seed}");
            accepted = judgement.next;
        }
    }
    assert!(second_jumps > 100, "{second_jumps}");
}

#[test]
fn a_fall_that_slides_off_an_edge_keeps_the_speed_of_the_slide() {
    let controller = Controller::new(ControllerConfig::wow()).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::wow()).unwrap();
    let validator = Validator::new(locomotion, ValidatorConfig::default()).unwrap();
    let scene = Level::default().floor(-9.0, 0.0, 0.0).floor(0.0, 90.0, -60.0).scene();
    let world = ClaimWorld::new(&scene);
    let mut slides = 0;
    for seed in 0..3_000 {
        let mut rng = Rng::new(&[31, seed]);
        // The axis misses the floor, and the round bottom does not.
        let height = rng.range(0.5, 20.0);
        let velocity = DVec3::X * rng.range(0.0, 7.0);
        let fall = (2.0 * height / locomotion.config().gravity).sqrt();
        let from = dvec3(rng.range(0.02, 0.3), 0.0, height) - velocity * fall;
        let mut cache = TriangleCache::new();
        let spawned = controller.spawn(from).unwrap();
        let mut state = LocomotionState { velocity, ..LocomotionState::at_rest(spawned) };
        let mut accepted =
            validator.start(&world, from, Some(velocity), SpeedLimits::wow()).unwrap();
        let (mut fastest, mut dt) = (0.0_f64, 0.0);
        for _ in 0..100 {
            let tick = rng.range(0.004, 0.05);
            let input = LocomotionInput::new(velocity, tick);
            state = locomotion.tick(&scene, &mut cache, &state, &input).unwrap().0;
            dt += tick;
            fastest = fastest.max(state.velocity.x);
            if rng.chance(0.5) {
                let claim = Claim::new(controller.feet(&state.character), dt);
                let judgement = validator.check(&world, &accepted, &claim);
                assert_eq!(judgement.verdict, Verdict::Possible, "{seed}");
                (accepted, dt) = (judgement.next, 0.0);
            }
        }
        slides += u32::from(fastest > SpeedLimits::wow().ground);
    }
    assert!(slides > 100, "{slides}");
}

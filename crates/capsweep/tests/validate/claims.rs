//! Honest and forged claims, at a hundredth of the size of the runs in `docs/validate.md`.

use capsweep::validate::ClaimJob;
use capsweep::validate::{Claim, ClaimWorld, SpeedLimits};
use capsweep_testkit::Rng;
use capsweep_testkit::claims::forged;
use capsweep_testkit::claims::honest::{self, HonestOptions};
use capsweep_testkit::claims::levels::HonestLevel;
use capsweep_testkit::level;
use glam::DVec3;

#[test]
fn whatever_locomotion_does_is_possible() {
    let mut levels = HonestLevel::generated();
    if let Ok(folder) = std::env::var("CAPSWEEP_MESHES") {
        for name in ["nav_test", "dungeon", "building", "test_map01", "stairs"] {
            match std::fs::read_to_string(format!("{folder}/{name}.obj")) {
                Ok(text) => levels.push(HonestLevel::new(name, &level::from_obj(&text), true)),
                Err(error) => eprintln!("{name}.obj: {error}"),
            }
        }
    } else {
        eprintln!("CAPSWEEP_MESHES is not set: only generated levels");
    }
    let options = HonestOptions {
        chains: 200,
        claims: 500,
        held: None,
        seed: 1,
        events: true,
        sizes: false,
    };
    let report = honest::run(&levels, &options);
    assert!(report.claims > 90_000, "{}", report.claims);
    assert_eq!(report.impossible, 0, "{:#?}", report.failures);
    assert!(report.undecided * 1000 < report.claims, "{:#?}", report.failures);
}

/// A third of the chains has events: some 50 000 claims.
#[test]
fn whatever_locomotion_does_between_server_events_is_possible() {
    let options = HonestOptions {
        chains: 320,
        claims: 500,
        held: None,
        seed: 2000,
        events: true,
        sizes: false,
    };
    let report = honest::run(&HonestLevel::generated(), &options);
    assert!(report.claims > 150_000, "{}", report.claims);
    assert_eq!(report.impossible, 0, "{:#?}", report.failures);
    assert!(report.undecided * 1000 < report.claims, "{:#?}", report.failures);
}

#[test]
fn forged_claims_are_caught() {
    let report = forged::run(1_112, 1, false);
    assert!(report.chains() > 10_000);
    assert!(report.missed() * 1000 <= report.chains(), "{:#?}", report.misses);
}

/// Characters of other sizes: a gnome of `wow` is shorter than its feet may be below its body. So
/// the bound of misses is looser.
#[test]
fn characters_of_all_sizes_are_judged() {
    let options = HonestOptions {
        chains: 120,
        claims: 500,
        held: None,
        seed: 9000,
        events: true,
        sizes: true,
    };
    let report = honest::run(&HonestLevel::generated(), &options);
    assert!(report.claims > 50_000, "{}", report.claims);
    assert_eq!(report.impossible, 0, "{:#?}", report.failures);
    let report = forged::run(400, 5, true);
    assert!(report.missed() * 50 <= report.chains(), "{:#?}", report.misses);
}

#[test]
fn a_batch_gives_the_bits_of_single_claims() {
    let scene = crate::level::plain();
    let world = ClaimWorld::new(&scene);
    let validator = crate::level::validator();
    let mut rng = Rng::new(&[31]);
    let mut jobs: Vec<ClaimJob> = (0..300)
        .map(|_| {
            let feet = rng.cube(20.0) * DVec3::new(1.0, 1.0, 0.0);
            let speeds = SpeedLimits::human();
            let accepted = validator.start(&world, feet, Some(DVec3::ZERO), speeds).unwrap();
            ClaimJob::new(accepted, Claim::new(feet + rng.cube(1.0), rng.range(0.01, 0.5)))
        })
        .collect();
    validator.check_all(&world, &mut jobs);
    for job in &jobs {
        let single = validator.check(&world, &job.accepted, &job.claim);
        assert_eq!(format!("{single:?}"), format!("{:?}", job.judgement.unwrap()));
    }
}

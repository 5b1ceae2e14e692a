//! Random worlds answer like the oracle, which follows the rules literally.

use super::{at, over};
use capsweep_testkit::Rng;
use capsweep_testkit::liquid::PlainWorld;
use glam::{DVec3, dvec3};

/// Points around `place`, compared with the oracle. Returns how many were compared, how many of
/// these were in a liquid, and how many near a surface that does not count.
fn compare(seed: u64, place: DVec3, points: usize) -> [usize; 3] {
    let mut rng = Rng::new(&[93, seed]);
    let world = PlainWorld::random(&mut rng, place);
    let scene = world.scene();
    let mut counts = [0; 3];
    for _ in 0..points {
        let reach = dvec3(10.0, 10.0, 5.0);
        let point = place + rng.cube(1.0) * reach;
        let expected = world.liquids_over(point);
        if expected.margin < 1e-6 {
            continue;
        }
        let found = over(&scene, point);
        let same = found.len() == expected.found.len()
            && found.iter().zip(&expected.found).all(|(a, b)| {
                (a.surface - b.surface).abs() < 1e-8
                    && a.depth == a.surface - point.z
                    && (a.kind, a.number) == (b.kind, b.number)
            });
        let expected = expected.found;
        assert!(same, "seed {seed} at {point}\nfound    {found:?}\nexpected {expected:?}");
        let lowest = expected.iter().rev().find(|liquid| liquid.depth >= 0.0);
        let deepest = at(&scene, point);
        assert_eq!(deepest.map(|one| one.number), lowest.map(|one| one.number), "seed {seed}");
        counts[0] += 1;
        counts[1] += usize::from(deepest.is_some());
        counts[2] += usize::from(found.len() < world.crossings(point));
    }
    counts
}

#[test]
fn random_worlds_answer_like_the_oracle() {
    let mut totals = [0; 3];
    for seed in 0..300 {
        let place = match seed % 3 {
            0 => DVec3::ZERO,
            1 => dvec3(-16_384.0, 16_000.0, 300.0),
            _ => dvec3(1e6, 2e6, -5e5),
        };
        let counts = compare(seed, place, 100);
        totals = [0, 1, 2].map(|i| totals[i] + counts[i]);
    }
    let [compared, wet, excluded] = totals;
    assert!(compared > 25_000 && wet > 2_000 && excluded > 2_000, "{totals:?}");
}

use super::world::{order, some_filter, worlds};
use capsweep::scene::{HitTarget, SceneHit};
use capsweep::{Motion, SweepHit};

#[test]
fn sweep_all_is_every_hit() {
    let mut hits = 0;
    for (name, world, mut rng) in worlds() {
        let mut out = Vec::new();
        for _ in 0..300 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let motion = Motion::new(rng.direction() * rng.log_range(1e-3, 10.0)).expect("finite");
            world.scene.sweep_all(&capsule, &motion, &filter, &mut out);
            let expected: Vec<_> = world
                .parts
                .iter()
                .filter_map(|part| Some((part, part.sweep(&capsule, &motion, filter)?)))
                .collect();
            assert_eq!(out.len(), expected.len(), "{name}");
            assert!(out.is_sorted_by(|a, b| {
                let key = |hit: &SceneHit<SweepHit>| (hit.hit.time, -hit.hit.depth);
                key(a) < key(b) || (key(a) == key(b) && order(&a.target) < order(&b.target))
            }));
            for (part, hit) in expected {
                let found = out.iter().find(|hit| hit.target == part.target).expect("complete");
                if hit.starts_overlapping() && part.is_pierced(&capsule) {
                    assert_eq!((found.hit.time, found.hit.distance), (0.0, 0.0), "{name}");
                    part.assert_way_out(&capsule, found.hit.normal, found.hit.depth, filter);
                } else {
                    assert_eq!(found.hit, hit, "{name}");
                }
            }
            hits += out.len();
            let first = world.scene.sweep(&capsule, &motion, &filter);
            assert_eq!(world.scene.sweep_any(&capsule, &motion, &filter), first.is_some());
            assert_eq!(first.map(|hit| hit.hit.time), out.first().map(|hit| hit.hit.time));
        }
    }
    assert!(hits > 5_000, "{hits}");
}

#[test]
fn sweep_where_sees_only_what_is_accepted() {
    for (name, world, mut rng) in worlds() {
        let mut all = Vec::new();
        for _ in 0..300 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let motion = Motion::new(rng.direction() * rng.range(0.0, 6.0)).expect("finite");
            let wanted = rng.bits();
            let accept = |target: &HitTarget| {
                let number = target.key ^ u64::from(target.triangle.unwrap_or(5));
                (wanted >> (number % 64)) & 1 == 1
            };
            let found = world.scene.sweep_where(&capsule, &motion, &filter, accept);
            world.scene.sweep_all(&capsule, &motion, &filter, &mut all);
            let first = all.iter().find(|hit| accept(&hit.target));
            assert_eq!(found.map(|hit| hit.hit.time), first.map(|hit| hit.hit.time), "{name}");
            assert!(found.is_none_or(|hit| accept(&hit.target)), "{name}");
            let anything = world.scene.sweep_where(&capsule, &motion, &filter, |_| true);
            assert_eq!(anything, world.scene.sweep(&capsule, &motion, &filter), "{name}");
        }
    }
}

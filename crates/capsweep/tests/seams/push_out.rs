//! Out of floors, whatever they are made of.

use crate::floors::{Floor, floors};
use capsweep::Capsule;
use capsweep::scene::{Clearance, Filter, MAX_PUSHES};
use capsweep_testkit::Rng;
use glam::DVec3;

/// Upright on the floor, sunk into it.
fn sunk(floor: &Floor, rng: &mut Rng, depth: f64, lean: f64) -> Capsule {
    let (x, y) = floor.level();
    let at = floor.middle + x * rng.range(-2.0, 2.0) + y * rng.range(-2.0, 2.0);
    let up = (floor.up + rng.cube(lean)).normalize();
    let feet = at - floor.up * depth;
    Capsule::from_feet(feet, up, 0.4, 1.8).expect("a capsule")
}

fn push_out_many(count: usize, seed: u64) {
    for cells in [64, 32, 16, 8, 4] {
        for floor in floors(cells).iter().filter(|floor| floor.name != "slabs") {
            let mut rng = Rng::new(&[seed, u64::from(cells)]);
            let mut most = 0;
            for _ in 0..count {
                let depth = rng.range(0.0, 1.7);
                let lean = if rng.chance(0.5) { 0.0 } else { 0.1 };
                let capsule = sunk(floor, &mut rng, depth, lean);
                let found = floor.scene.depenetrate(&capsule, &Filter::default());
                let case = format!("{} {cells} sunk {depth}: {found:?} {capsule:?}", floor.name);
                assert_eq!(found.state, Clearance::Free, "{case}");
                assert!(found.pushes <= MAX_PUSHES, "{case}");
                most = most.max(found.pushes);
                let out = capsule.translated(found.push).expect("in range");
                assert!(!floor.scene.overlaps(&out, &Filter::default()), "{case}");
                let up = floor.up;
                let lowest =
                    (out.p0() - floor.middle).dot(up).min((out.p1() - floor.middle).dot(up));
                let height = lowest - f64::from(out.radius());
                // On top of the floor: where it was not sunk, it was not moved.
                assert!(height > -2.0 * floor.uneven - 2e-6, "{height}: {case}");
                assert!(found.push.length() <= capsule.total_height(), "{case}");
                let aside = found.push - up * found.push.dot(up);
                assert!(aside.length() < 1e-3, "{aside}: {case}");
            }
            assert!(most <= 2, "{} {cells}: {most} pushes", floor.name);
        }
    }
}

#[test]
fn a_capsule_sunk_into_a_floor_comes_out_at_the_top() {
    push_out_many(60, 1);
}

/// `cargo test --release -p capsweep --test seams -- --ignored`
#[test]
#[ignore = "60 000 capsules"]
fn a_capsule_sunk_into_a_floor_comes_out_at_the_top_60_000_times() {
    push_out_many(2_000, 2);
}

#[test]
fn a_free_capsule_is_not_moved() {
    for floor in floors(16) {
        let capsule = Capsule::from_feet(floor.middle + floor.up * 0.01, floor.up, 0.4, 1.8);
        let found = floor.scene.depenetrate(&capsule.expect("a capsule"), &Filter::default());
        assert_eq!((found.push, found.pushes, found.is_free()), (DVec3::ZERO, 0, true));
        assert_eq!(found.left(), 0.0);
    }
}

//! Sweeps over seams: every normal is the floor's.

use super::floors::{Floor, floors};
use capsweep::scene::{Filter, SceneHit, StartOverlaps};
use capsweep::{Capsule, Motion, Sides, SweepHit};
use capsweep_testkit::Rng;
use glam::DVec3;

/// Cosine of half a degree.
const HALF_A_DEGREE: f64 = 0.999_961_923;

fn some_capsule(floor: &Floor, rng: &mut Rng) -> Capsule {
    let radius = rng.log_range(0.05, 0.8) as f32;
    let axis = match rng.below(4) {
        0 => DVec3::ZERO,
        1 => floor.up * rng.range(0.1, 1.5),
        2 => DVec3::Z * rng.range(0.1, 1.5),
        _ => (floor.up + rng.cube(0.7)).normalize() * rng.range(0.1, 1.5),
    };
    let (x, y) = floor.level();
    let at = floor.middle + x * rng.range(-3.0, 3.0) + y * rng.range(-3.0, 3.0);
    let gap = match rng.below(6) {
        0 => 0.0,
        1 => 1e-6,
        2 => -1e-6,
        3 => rng.log_range(1e-3, 1e-1),
        4 => -1e-4,
        _ => rng.range(-1e-4, 1e-4),
    };
    let lowest = axis.dot(floor.up).min(0.0);
    let start = at + floor.up * (f64::from(radius) + gap - lowest);
    Capsule::new(start, start + axis, radius).expect("a capsule")
}

/// Not so long as to sink by more than `deepest`.
fn some_motion(floor: &Floor, deepest: f64, rng: &mut Rng) -> Motion {
    let (x, y) = floor.level();
    let angle = rng.range(0.0, std::f64::consts::TAU);
    let level = x * angle.cos() + y * angle.sin();
    let slope = rng.log_range(1e-4, 0.3);
    let length = rng.log_range(1e-3, 4.0).min(deepest / slope);
    Motion::new((level - floor.up * slope) * length).expect("finite")
}

/// Sweeps along one path. Returns the number of hits.
fn walk(floor: &Floor, mut capsule: Capsule, motion: &Motion, filter: &Filter) -> usize {
    let mut hits = 0;
    for _ in 0..3 {
        let Some(found) = floor.scene.sweep(&capsule, motion, filter) else { break };
        assert_is_floor(floor, &capsule, motion, filter, &found);
        hits += 1;
        let there = motion.vector() * found.hit.time;
        // A little further: the next start sinks by some micrometres.
        let Ok(next) = capsule.translated(there * (1.0 + 1e-6)) else { break };
        if found.hit.time == 0.0 {
            break;
        }
        capsule = next;
    }
    hits
}

fn assert_is_floor(
    floor: &Floor,
    capsule: &Capsule,
    motion: &Motion,
    filter: &Filter,
    found: &SceneHit<SweepHit>,
) {
    let bend = found.hit.normal.as_dvec3().dot(floor.up);
    assert!(
        bend > HALF_A_DEGREE,
        "{}: {} degrees\n{found:?}\n{capsule:?}\n{motion:?}\n{filter:?}",
        floor.name,
        bend.acos().to_degrees()
    );
}

fn walk_many(paths: usize, seed: u64) {
    let mut hits = 0;
    let mut walked = 0;
    for cells in [64, 16, 4] {
        let floors = floors(cells);
        let each = paths.div_ceil(3 * floors.len());
        for floor in &floors {
            let mut rng = Rng::new(&[seed, u64::from(cells)]);
            for _ in 0..each {
                let capsule = some_capsule(floor, &mut rng);
                let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
                let skip = rng.chance(0.5);
                let start_overlaps =
                    if skip { StartOverlaps::Skip } else { StartOverlaps::Report };
                // A capsule on a path over a floor sinks in, and may hit it from below, or the
                // sides of a slab.
                let deepest = match floor.name {
                    _ if !skip => 1.0,
                    "slabs" => 1e-3,
                    _ => 0.5 * f64::from(capsule.radius()),
                };
                let motion = some_motion(floor, deepest, &mut rng);
                let filter = Filter { sides, start_overlaps, ..Filter::default() };
                hits += walk(floor, capsule, &motion, &filter);
                walked += 1;
            }
        }
    }
    assert!(walked >= paths && hits > paths / 2, "{walked} paths, {hits} hits");
}

#[test]
fn every_normal_on_a_floor_is_the_floors_on_100_000_paths() {
    walk_many(100_000, 1);
}

//! Height fields beside meshes of the same triangles: `cargo bench -p capsweep --bench
//! height_field`. It prints one table: time on the mesh, time on the field, and their ratio.
//!
//! The terrain has a million triangles. Capsules of radius 0.4 m and height 1.8 m stand on it, as
//! in `queries`. A machine may be busy: so the two take turns on short batches, each batch counts
//! by the median of its rounds, and only the ratio is steady.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot be set up must stop"
)]

#[allow(dead_code, reason = "other benchmarks use the levels")]
mod levels;

use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::scene::{Body, CellTriangles, Filter, HeightField, HeightFieldOptions};
use capsweep::scene::{Pose, Scene};
use capsweep::{Capsule, Limit, Motion, Ray};
use capsweep_testkit::height_field::PlainField;
use capsweep_testkit::{Rng, level};
use glam::DVec3;
use levels::{capsule, scene_of, standing};
use std::sync::Arc;
use std::time::Instant;

/// Queries of each kind, and how many are timed at once: they last about a millisecond, so few
/// batches are interrupted.
const QUERIES: usize = 20_000;
const BATCH: usize = 500;
/// Timed rounds; the median of each batch counts.
const ROUNDS: usize = 9;

/// Characters that walk, moves of each, and moves between two changes of heading.
const CHARACTERS: usize = 60;
const MOVES: usize = 240;
const HEADING_MOVES: usize = 40;
/// Metres per second squared, and seconds per move.
const GRAVITY: f64 = 9.81;
const TICK: f64 = 1.0 / 60.0;

fn main() {
    // Cargo passes `--bench` to benchmarks alone; as a test there is nothing to do.
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let Some(flag) = names.iter().position(|name| name == "--bench") else { return };
    names.remove(flag);
    println!("nanoseconds each, on the mesh and on the field; time on the field over the mesh");
    for (name, plain) in terrains() {
        if names.is_empty() || names.iter().any(|wanted| name.contains(wanted.as_str())) {
            compare(name, &plain);
        }
    }
    build();
}

/// The layouts, a million triangles each.
fn terrains() -> [(&'static str, PlainField); 3] {
    let four = level::terrain_field(501, true);
    let coarse = four.clone().with_u16(-25.0, 25.0);
    [("four f32", four), ("four u16", coarse), ("two f32", level::terrain_field(708, false))]
}

/// The same terrain as a mesh and as a field.
type Pair = [Scene; 2];

fn compare(name: &str, plain: &PlainField) {
    let (mesh, field) = (plain.mesh().0, plain.field());
    let count = f64::from(field.triangle_count());
    println!("\n{name}: {count} triangles, {:.2} bytes each", field.memory() as f64 / count);
    let mesh = Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range");
    let field = Body::height_field(Arc::new(field), Pose::IDENTITY).expect("in range");
    let scenes: Pair = [scene_of(vec![mesh]), scene_of(vec![field])];
    let bounds = plain.field().bounds().expect("a field with cells");
    let starts = standing(&scenes[1], bounds.min(), bounds.max(), QUERIES).expect("starts");

    sweeps(&scenes, &starts, "step", |rng| level_direction(rng) * 0.13);
    sweeps(&scenes, &starts, "drop", |_| DVec3::NEG_Z * 2.0);
    let overlap = |scene: &Scene, (capsule, _): &Query| {
        scene.overlaps(capsule, &Filter::default()).then_some(0.0)
    };
    let moved = |start: DVec3, rng: &mut Rng| (capsule(start + rng.cube(0.25)), Motion::ZERO);
    queries(&scenes, &starts, "overlap", moved, overlap);
    sweeps(&scenes, &starts, "dash", |rng| rng.direction() * 5.0);
    sweeps(&scenes, &starts, "long", |rng| rng.direction() * 50.0);
    let limit = Limit::new(2.0).expect("a limit");
    let closest = |scene: &Scene, (capsule, _): &Query| {
        scene.closest(capsule, limit, &Filter::default()).map(|found| found.hit.distance)
    };
    let raised = |start: DVec3, rng: &mut Rng| {
        (capsule(start + DVec3::Z * rng.range(0.0, 1.5)), Motion::ZERO)
    };
    queries(&scenes, &starts, "closest", raised, closest);
    let ray = |scene: &Scene, (capsule, motion): &Query| {
        let ray = Ray::new(capsule.center(), *motion).ok()?;
        scene.ray(&ray, &Filter::default()).map(|found| found.hit.distance)
    };
    let cast = |start: DVec3, rng: &mut Rng| (capsule(start), motion(rng.direction() * 50.0));
    queries(&scenes, &starts, "ray", cast, ray);
    moves(&scenes, &starts, "move", ControllerConfig::human(DVec3::Z));
}

/// A capsule and its motion, or the direction of a ray.
type Query = (Capsule, Motion);

fn motion(vector: DVec3) -> Motion {
    Motion::new(vector).expect("finite")
}

fn level_direction(rng: &mut Rng) -> DVec3 {
    rng.direction().with_z(0.0).normalize_or(DVec3::X)
}

fn sweeps(scenes: &Pair, starts: &[DVec3], name: &str, vector: impl Fn(&mut Rng) -> DVec3) {
    let sweep = |scene: &Scene, (capsule, motion): &Query| {
        scene.sweep(capsule, motion, &Filter::default()).map(|found| found.hit.distance)
    };
    let query = |start: DVec3, rng: &mut Rng| (capsule(start), motion(vector(rng)));
    queries(scenes, starts, name, query, sweep);
}

/// Times one kind of query from every start.
fn queries(
    scenes: &Pair,
    starts: &[DVec3],
    name: &str,
    query: impl Fn(DVec3, &mut Rng) -> Query,
    answer: impl Fn(&Scene, &Query) -> Option<f64>,
) {
    let mut rng = Rng::new(&[100]);
    let queries: Vec<Query> = starts.iter().map(|start| query(*start, &mut rng)).collect();
    let batches: Vec<&[Query]> = queries.chunks(BATCH).collect();
    print_times(name, scenes, &batches, queries.len(), |scene, batch| {
        batch.iter().filter_map(|query| answer(scene, query)).sum()
    });
}

/// Times moves of characters that walk with a cache each.
fn moves(scenes: &Pair, starts: &[DVec3], name: &str, config: ControllerConfig) {
    let controller = Controller::new(config).expect("a preset");
    let walk = |scene: &Scene, number: &usize| {
        let mut rng = Rng::new(&[104, *number as u64]);
        let state = controller.spawn(starts[*number] - DVec3::Z * 0.8).expect("in range");
        let mut cache = TriangleCache::new();
        let still = MoveInput::new(Motion::ZERO);
        let mut outcome = controller.move_by(scene, &mut cache, &state, &still);
        let (mut fall, mut heading) = (0.0, DVec3::ZERO);
        for number in 0..MOVES {
            if number % HEADING_MOVES == 0 {
                heading = level_direction(&mut rng) * (5.0 * TICK);
            }
            fall = if outcome.touching.below { 0.0 } else { fall } + GRAVITY * TICK;
            let input = MoveInput::new(motion(heading - DVec3::Z * (fall * TICK)));
            let state = outcome.state;
            controller.move_into(scene, &mut cache, &state, &input, &mut outcome);
        }
        outcome.state.center().element_sum()
    };
    let numbers: Vec<usize> = (0..CHARACTERS).collect();
    let batches: Vec<&usize> = numbers.iter().collect();
    print_times(name, scenes, &batches, CHARACTERS * MOVES, walk);
}

/// Times all batches on both scenes, which take turns, and prints the times of one of `count`
/// items. `work` returns a sum of its answers, which must agree in bits.
fn print_times<B: ?Sized>(
    name: &str,
    scenes: &Pair,
    batches: &[&B],
    count: usize,
    work: impl Fn(&Scene, &B) -> f64,
) {
    let mut times = vec![[[0.0; ROUNDS]; 2]; batches.len()];
    for round in 0..ROUNDS {
        for (batch, times) in batches.iter().zip(&mut times) {
            let [mesh, field] = [0, 1].map(|turn| {
                // Either comes first in half of the rounds.
                let which = (turn + round) % 2;
                let start = Instant::now();
                let answers = work(&scenes[which], batch);
                times[which][round] = start.elapsed().as_secs_f64() * 1e9;
                answers
            });
            assert_eq!(mesh.to_bits(), field.to_bits(), "{name}: the answers differ");
        }
    }
    let each = [0, 1].map(|which| {
        let median = |times: &mut [[f64; ROUNDS]; 2]| {
            times[which].sort_by(f64::total_cmp);
            times[which][ROUNDS / 2]
        };
        times.iter_mut().map(median).sum::<f64>() / count as f64
    });
    println!("{name:<8}{:>8.0}{:>8.0}{:>8.2}", each[0], each[1], each[1] / each[0]);
}

/// Times the building of a field of 129 × 129 corners with centres.
fn build() {
    let plain = level::terrain_field(128, true);
    let options = HeightFieldOptions::default();
    let mut times: Vec<f64> = (0..101)
        .map(|_| {
            let heights = plain.heights.clone();
            let start = Instant::now();
            let field = HeightField::new(plain.grid, heights, CellTriangles::Four, options);
            let took = start.elapsed().as_secs_f64() * 1e3;
            assert!(field.is_ok(), "{field:?}");
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("\nbuilding 129 × 129 corners with centres: {:.3} ms", times[times.len() / 2]);
}

//! The cost of a query: `cargo bench -p capsweep --bench queries`. `CAPSWEEP_MESHES` names a
//! folder of OBJ files to include.
//!
//! Capsules of radius 0.4 m and height 1.8 m stand on the surface and are queried in random order.
//! One iteration makes all queries; the throughput is queries per second.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot be set up must stop"
)]

mod levels;

use capsweep::query::batch::{self, SweepQuery};
use capsweep::scene::{Body, Filter, Mobility, Scene, Shape};
use capsweep::{Limit, Motion, Ray};
use capsweep_testkit::Rng;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use glam::{DVec3, dvec3};
use levels::{Level, capsule, level, names};

fn main() {
    divan::main();
}

/// Motions of one kind for every start.
fn sweeps(level: &Level, mut motion: impl FnMut(&mut Rng) -> DVec3) -> Vec<SweepQuery> {
    let mut rng = Rng::new(&[100]);
    let starts = level.starts.iter();
    starts
        .map(|&start| SweepQuery {
            capsule: capsule(start),
            motion: Motion::new(motion(&mut rng)).expect("finite"),
            filter: Filter::default(),
        })
        .collect()
}

fn bench_sweeps(bencher: Bencher<'_, '_>, name: &str, motion: impl FnMut(&mut Rng) -> DVec3) {
    let level = level(name);
    let queries = sweeps(level, motion);
    bencher.counter(ItemsCount::new(queries.len())).bench(|| {
        let hits = queries.iter();
        hits.filter_map(|q| level.scene.sweep(&q.capsule, &q.motion, &q.filter)).count()
    });
}

/// A tick of walking.
#[divan::bench(args = names())]
fn sweep_step(bencher: Bencher<'_, '_>, name: &str) {
    bench_sweeps(bencher, name, |rng| {
        let direction = rng.direction();
        dvec3(direction.x, direction.y, 0.0).normalize_or(DVec3::X) * 0.13
    });
}

#[divan::bench(args = names())]
fn sweep_dash(bencher: Bencher<'_, '_>, name: &str) {
    bench_sweeps(bencher, name, |rng| rng.direction() * 5.0);
}

#[divan::bench(args = names())]
fn sweep_drop(bencher: Bencher<'_, '_>, name: &str) {
    bench_sweeps(bencher, name, |_| DVec3::NEG_Z * 2.0);
}

#[divan::bench(args = names())]
fn sweep_long(bencher: Bencher<'_, '_>, name: &str) {
    bench_sweeps(bencher, name, |rng| rng.direction() * 50.0);
}

/// About half of them overlap something.
#[divan::bench(args = names())]
fn overlap(bencher: Bencher<'_, '_>, name: &str) {
    let (level, mut rng) = (level(name), Rng::new(&[101]));
    let capsules: Vec<_> =
        level.starts.iter().map(|&start| capsule(start + rng.cube(0.25))).collect();
    bencher.counter(ItemsCount::new(capsules.len())).bench(|| {
        capsules.iter().filter(|capsule| level.scene.overlaps(capsule, &Filter::default())).count()
    });
}

#[divan::bench(args = names())]
fn closest(bencher: Bencher<'_, '_>, name: &str) {
    let (level, mut rng) = (level(name), Rng::new(&[102]));
    let up = |rng: &mut Rng| DVec3::Z * rng.range(0.0, 1.5);
    let capsules: Vec<_> =
        level.starts.iter().map(|&start| capsule(start + up(&mut rng))).collect();
    let limit = Limit::new(2.0).unwrap_or(Limit::UNBOUNDED);
    bencher.counter(ItemsCount::new(capsules.len())).bench(|| {
        let near = |capsule| level.scene.closest(capsule, limit, &Filter::default());
        capsules.iter().filter_map(near).count()
    });
}

#[divan::bench(args = names())]
fn ray(bencher: Bencher<'_, '_>, name: &str) {
    let level = level(name);
    let queries = sweeps(level, |rng| rng.direction() * 50.0);
    bencher.counter(ItemsCount::new(queries.len())).bench(|| {
        let hit = |q: &SweepQuery| {
            level.scene.ray(&Ray::new(q.capsule.center(), q.motion).ok()?, &q.filter)
        };
        queries.iter().filter_map(hit).count()
    });
}

/// 100 000 dashes through the dungeon, in a pool of this many threads.
#[divan::bench(args = [1, 2, 4])]
fn batch_sweep(bencher: Bencher<'_, '_>, threads: usize) {
    let level = level("dungeon");
    let few = sweeps(level, |rng| rng.direction() * 5.0);
    let queries: Vec<_> = few.iter().copied().cycle().take(100_000).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(queries.len())).bench_local(|| {
        pool.install(|| batch::sweep(&level.scene, &queries, &mut out));
        black_box(out.len())
    });
}

/// A tick of a world of 100 000 instances in which so many characters walk.
#[divan::bench(args = [1, 10, 100, 1_000])]
fn move_dynamics(bencher: Bencher<'_, '_>, count: usize) {
    let level = level("instances");
    let mut scene: Scene = level.scene.clone();
    let mut at: Vec<DVec3> = level.starts[..count].to_vec();
    let ids: Vec<_> = at
        .iter()
        .map(|&at| {
            let body = Body::obstacle(Shape::Capsule(capsule(at)));
            scene.insert(body.with_mobility(Mobility::Dynamic))
        })
        .collect();
    let mut rng = Rng::new(&[103]);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        scene.edit(|edit| {
            for (at, &id) in at.iter_mut().zip(&ids) {
                *at += rng.cube(0.13);
                edit.move_shape(id, Shape::Capsule(capsule(*at))).expect("a shape");
            }
        });
    });
}

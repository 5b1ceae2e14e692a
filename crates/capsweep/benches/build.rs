//! The cost of building a world: `cargo bench -p capsweep --bench build`. `CAPSWEEP_MESHES` names
//! a folder of OBJ files to include.
#![allow(
    missing_docs,
    dead_code,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up must stop; the benchmarks share helpers that not all of them use"
)]

mod levels;

use capsweep::scene::Scene;
use divan::Bencher;
use divan::counter::ItemsCount;
use levels::{instances, mesh, names, scene_of, tri_mesh};
use rayon::ThreadPool;

fn main() {
    divan::main();
}

/// Levels of one mesh.
fn mesh_names() -> Vec<String> {
    names().into_iter().filter(|name| name != "instances").collect()
}

fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// A mesh from its triangles, in a pool of this many threads.
#[divan::bench(args = mesh_names(), consts = [1, 2], sample_count = 10, sample_size = 1)]
fn build<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let (mesh, pool) = (mesh(name), pool(THREADS));
    let counter = ItemsCount::new(mesh.1.len());
    bencher.counter(counter).bench_local(|| pool.install(|| tri_mesh(&mesh)));
}

/// The same triangles elsewhere.
#[divan::bench(args = mesh_names(), consts = [1, 2], sample_count = 10, sample_size = 1)]
fn refit<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let (mut mesh, pool) = (mesh(name), pool(THREADS));
    let mut tri_mesh = tri_mesh(&mesh);
    mesh.0.iter_mut().for_each(|vertex| vertex.z += vertex.x * 0.01);
    bencher.counter(ItemsCount::new(mesh.1.len())).bench_local(|| {
        pool.install(|| tri_mesh.refit(&mesh.0, &mesh.1).expect("the same triangles"));
    });
}

/// A scene of 100 000 instances, inserted in one edit: almost all of it is the tree over them.
#[divan::bench(args = [1, 2], sample_count = 10, sample_size = 1)]
fn insert_instances(bencher: Bencher<'_, '_>, threads: usize) {
    let pool = pool(threads);
    let counter = ItemsCount::new(100_000_usize);
    let insert = |bodies| pool.install(|| scene_of(bodies));
    bencher.counter(counter).with_inputs(instances).bench_values(insert);
}

/// The same instances, inserted one by one.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn insert_instances_singly(bencher: Bencher<'_, '_>) {
    let counter = ItemsCount::new(100_000_usize);
    bencher.counter(counter).with_inputs(instances).bench_values(|bodies| {
        let mut scene = Scene::new();
        for body in bodies {
            scene.insert(body);
        }
        scene
    });
}

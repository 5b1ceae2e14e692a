//! Worlds swapped under load: two threads query while a third changes the scene. Every answer is
//! that of the queried version.
use crate::files::files_below;
use arc_swap::ArcSwap;
use capsweep::scene::{
    Body, BodyId, Filter, MeshOptions, Mobility, Pose, Scene, SceneHit, Shape, TriMesh,
};
use capsweep::{Capsule, ClosestPoints, Limit, Motion, Obb, SweepHit};
use capsweep_testkit::{Rng, level};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The number of states in the cycle of the world.
const STATES: usize = 12;
const QUERIES: usize = 200;
const PLATFORMS: u64 = 40;
/// About half the extent of the dungeon (metres).
const HALL: DVec3 = dvec3(28.0, 28.0, 4.0);

fn platform(state: usize, number: u64) -> Shape {
    let mut rng = Rng::new(&[state as u64, number]);
    let turn = DQuat::from_axis_angle(rng.direction(), 0.3);
    Shape::Box(Obb::new(rng.cube(1.0) * HALL, vec3(1.5, 1.0, 0.2), turn).unwrap())
}

fn gate(state: usize) -> Pose {
    let mut rng = Rng::new(&[state as u64 / 3, 7_000]);
    Pose::from_translation(rng.cube(1.0) * HALL).unwrap()
}

/// The world in some state, built from nothing or reached from another.
#[derive(Clone)]
struct World {
    state: usize,
    scene: Scene,
    platforms: Vec<BodyId>,
    gate: BodyId,
}

impl World {
    fn new(meshes: &[Arc<TriMesh>; 2], state: usize) -> Self {
        let mut scene = Scene::new();
        scene.insert(
            Body::mesh(Arc::clone(&meshes[0]), Pose::IDENTITY).expect("in range").with_key(1),
        );
        let gate = scene.insert(
            Body::mesh(Arc::clone(&meshes[1]), gate(state)).expect("in range").with_key(2),
        );
        let body = |number| {
            let body = Body::shape(platform(state, number)).with_key(10 + number);
            body.with_mobility(Mobility::Dynamic)
        };
        let platforms = (0..PLATFORMS).map(|number| scene.insert(body(number))).collect();
        Self { state, scene, platforms, gate }
    }

    /// Moves on by one state: the platforms, and every third time a static body.
    fn advance(&mut self) {
        self.state = (self.state + 1) % STATES;
        for (&id, number) in self.platforms.iter().zip(0..) {
            self.scene.move_shape(id, platform(self.state, number)).unwrap();
        }
        if self.state.is_multiple_of(3) {
            self.scene.move_mesh(self.gate, gate(self.state)).unwrap();
        }
    }
}

struct Query {
    capsule: Capsule,
    motion: Motion,
}

fn queries() -> Vec<Query> {
    let mut rng = Rng::new(&[71]);
    (0..QUERIES)
        .map(|_| {
            let capsule = Capsule::from_center(rng.cube(1.0) * HALL, DVec3::Z * 0.5, 0.4).unwrap();
            Query { capsule, motion: Motion::new(rng.direction() * 10.0).unwrap() }
        })
        .collect()
}

type Answer = (Option<SceneHit<SweepHit>>, Option<SceneHit<ClosestPoints>>);

fn ask(scene: &Scene, query: &Query) -> Answer {
    let filter = Filter::default();
    let near = scene.closest(&query.capsule, Limit::new(3.0).unwrap(), &filter);
    (scene.sweep(&query.capsule, &query.motion, &filter), near)
}

/// Two threads query for `length`. Returns the numbers of queries and swaps.
fn swap_under_load(length: Duration) -> (u64, u64) {
    let mesh = |(vertices, indices): level::Mesh| {
        Arc::new(TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap())
    };
    let meshes = [mesh(level::dungeon()), mesh(level::stairs())];
    let queries = queries();
    // The same ids in every state: all are made in the same order, and none is removed.
    let expected: Vec<Vec<Answer>> = (0..STATES)
        .map(|state| {
            let world = World::new(&meshes, state);
            queries.iter().map(|query| ask(&world.scene, query)).collect()
        })
        .collect();

    let mut next = World::new(&meshes, 0);
    let shown = ArcSwap::from_pointee(next.clone());
    let (asked, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let read = |reader: u64| {
        let mut rng = Rng::new(&[reader, 81]);
        while !over.load(Ordering::Relaxed) {
            let world = shown.load();
            for _ in 0..20 {
                let number = rng.below(QUERIES as u32) as usize;
                let answer = ask(&world.scene, &queries[number]);
                assert_eq!(answer, expected[world.state][number], "in state {}", world.state);
            }
            asked.fetch_add(40, Ordering::Relaxed);
        }
    };
    let mut swaps = 0;
    thread::scope(|scope| {
        for reader in 0..2 {
            let read = &read;
            scope.spawn(move || read(reader));
        }
        let start = Instant::now();
        while start.elapsed() < length {
            next.advance();
            shown.store(Arc::new(next.clone()));
            swaps += 1;
            thread::yield_now();
        }
        over.store(true, Ordering::Relaxed);
    });
    (asked.into_inner(), swaps)
}

#[test]
fn worlds_are_swapped_under_load_without_a_wrong_answer() {
    let (asked, swaps) = swap_under_load(Duration::from_secs(1));
    assert!(asked > 0 && swaps > STATES as u64, "{asked} questions, {swaps} swaps");
}

/// `cargo test --release -p capsweep --test scene -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute"]
fn worlds_are_swapped_under_load_for_a_minute() {
    let (asked, swaps) = swap_under_load(Duration::from_secs(60));
    println!("{asked} questions, {swaps} swaps");
    assert!(asked > 0 && swaps > STATES as u64);
}

/// The files that load parts of a map file, each once.
const ON_FIRST_TOUCH: [&str; 3] =
    ["scene/map_layer.rs", "scene/on_demand.rs", "persist/map/file.rs"];

/// No other file has a lock, so no reader of a scene waits.
#[test]
fn only_the_first_touch_of_a_part_of_a_map_can_wait() {
    const fn shared<T: Send + Sync>() {}
    shared::<Scene>();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files_below(&source, |_| false);
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let loads_maps = ON_FIRST_TOUCH.iter().any(|file| path.ends_with(file));
        for lock in ["Mutex", "RwLock", "OnceLock", "LazyLock", "Condvar"] {
            assert!(loads_maps || !text.contains(lock), "{lock} in {}", path.display());
        }
    }
    assert!(files.len() > 20);
}

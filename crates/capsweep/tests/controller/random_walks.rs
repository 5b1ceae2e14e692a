//! Random walks through many levels, with invariants checked after every move.

use super::level::{Level, human, physx};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
    MoveInput, MoveOutcome, NonWalkable, Surroundings,
};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Limit, Motion, Ray};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints, Mesh};
use glam::{DQuat, DVec3, dvec3, vec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::Arc;

/// A scene, and the box in which walks start.
struct TestLevel {
    name: String,
    scene: Scene,
    low: DVec3,
    high: DVec3,
}

impl TestLevel {
    fn new(name: &str, mesh: &Mesh) -> Self {
        Self::with(name, mesh, MeshOptions::default())
    }

    fn with(name: &str, (vertices, indices): &Mesh, options: MeshOptions) -> Self {
        let mesh = TriMesh::new(vertices, indices, options).expect("a sound mesh");
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for vertex in vertices {
            (low, high) = (low.min(vertex.as_dvec3()), high.max(vertex.as_dvec3()));
        }
        Self { name: name.to_owned(), scene, low, high: high + DVec3::Z * 2.0 }
    }
}

/// Rotated and scaled meshes, scattered on a floor.
fn clutter() -> TestLevel {
    let models = level::instances(1).meshes;
    let mut scene = Level::floor().scene();
    let mut rng = Rng::new(&[12]);
    for (vertices, indices) in &models {
        let mesh = Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap());
        for _ in 0..4 {
            let at = dvec3(rng.range(-20.0, 20.0), rng.range(-20.0, 20.0), rng.range(-0.3, 0.1));
            let turn = DQuat::from_rotation_z(rng.range(0.0, 6.0))
                * DQuat::from_rotation_x(rng.range(-0.2, 0.2));
            let scale =
                dvec3(rng.range(0.6, 1.5) * rng.sign(), rng.range(0.6, 1.5), rng.range(0.6, 1.5));
            scene.insert(
                Body::mesh(mesh.clone(), Pose::new(at, turn, scale).unwrap()).expect("in range"),
            );
        }
    }
    let reach = dvec3(22.0, 22.0, 0.0);
    TestLevel { name: "clutter".to_owned(), scene, low: -reach, high: reach + DVec3::Z * 5.0 }
}

fn levels() -> Vec<TestLevel> {
    let mut levels = vec![
        TestLevel::new("stairs", &level::stairs()),
        TestLevel::new("dungeon", &level::dungeon()),
        TestLevel::new("city", &level::city_block()),
        TestLevel::new("terrain", &level::terrain(64)),
        TestLevel::new("tiles", &level::tiled_floor(60, 0.7, 0.2, 0.25, Joints::TJunctions)),
        clutter(),
    ];
    // Real meshes, if the folder is given. They are open, so both sides count: otherwise a
    // character could get behind a face.
    if let Ok(folder) = std::env::var("CAPSWEEP_MESHES") {
        for name in ["nav_test", "dungeon", "building", "test_map01", "stairs"] {
            match std::fs::read_to_string(format!("{folder}/{name}.obj")) {
                Ok(text) => {
                    let options = MeshOptions { double_sided: true };
                    levels.push(TestLevel::with(&format!("{name}.obj"), &obj(&text), options));
                }
                Err(error) => eprintln!("{name}.obj: {error}"),
            }
        }
    }
    levels
}

/// The triangles of an OBJ file with Y up, turned to Z up.
fn obj(text: &str) -> Mesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let [x, y, z] = [0; 3].map(|_| words.next().unwrap().parse::<f32>().unwrap());
                vertices.push(vec3(x, -z, y));
            }
            Some("f") => {
                let corner = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap();
                let face: Vec<u32> = words.map(|word| corner(word) - 1).collect();
                indices.extend((2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
            }
            _ => {}
        }
    }
    (vertices, indices)
}

/// A random walk in progress.
struct RandomWalk<'a> {
    level: &'a TestLevel,
    locomotion: Locomotion,
    cache: TriangleCache,
    start: LocomotionState,
    state: LocomotionState,
    rng: Rng,
    heading: DVec3,
    /// Description for failures.
    what: String,
}

impl<'a> RandomWalk<'a> {
    /// A walk from a random free place with ground below; `None` if there is none in 200 tries.
    fn new(level: &'a TestLevel, config: ControllerConfig, seed: u64) -> Option<Self> {
        let controller = Controller::new(config).unwrap();
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
        let mut rng = Rng::new(&[77, seed]);
        for _ in 0..200 {
            let feet =
                level.low + (level.high - level.low) * dvec3(rng.unit(), rng.unit(), rng.unit());
            let state = controller.spawn(feet).unwrap();
            let free = controller
                .find_free_position(&level.scene, &state, 0.0, &Surroundings::default())
                .unwrap();
            let below = Motion::new(DVec3::Z * -30.0).unwrap();
            if free.is_some()
                && level
                    .scene
                    .ray(&Ray::new(state.center(), below).unwrap(), &Filter::default())
                    .is_some()
            {
                let state = LocomotionState::at_rest(state);
                let what = format!("{} seed {seed}", level.name);
                return Some(Self {
                    level,
                    locomotion,
                    cache: TriangleCache::new(),
                    start: state,
                    state,
                    rng,
                    heading: DVec3::X,
                    what,
                });
            }
        }
        None
    }

    fn body(&self) -> Capsule {
        let character = &self.state.character;
        let half = f64::from(character.total_height() * 0.5 - character.radius());
        Capsule::from_center(character.center(), DVec3::Z * half, character.radius()).unwrap()
    }

    /// Walks at random for `ticks` of 1/60 s, and checks each.
    fn run(&mut self, ticks: u32) {
        let mut out = self.locomotion.controller().move_by(
            &self.level.scene,
            &mut self.cache,
            &self.state.character,
            &MoveInput::new(Motion::ZERO),
        );
        for tick in 0..ticks {
            if self.rng.chance(0.02) {
                let angle = self.rng.range(0.0, 7.0);
                self.heading = dvec3(angle.cos(), angle.sin(), 0.0) * self.rng.range(0.5, 8.0);
            }
            let jump = self.rng.chance(0.01);
            let input = LocomotionInput { jump, ..LocomotionInput::new(self.heading, 1.0 / 60.0) };
            let before = self.state.character.center();
            let scene = &self.level.scene;
            self.state = self
                .locomotion
                .tick_into(scene, &mut self.cache, &self.state, &input, &mut out)
                .unwrap();
            self.check(before, &out, tick);
            if self.state.character.center().z < self.level.low.z - 20.0 {
                // It fell off the level: back to the start.
                self.state = self.start;
            }
            if tick % 997 == 996 {
                self.check_not_stuck(tick);
            }
        }
    }

    fn check(&self, before: DVec3, out: &MoveOutcome, tick: u32) {
        let what =
            || format!("{} tick {tick} at {}: {out:#?}", self.what, self.state.character.center());
        let after = self.state.character.center();
        assert!(after.is_finite(), "{}", what());
        // The centre crosses no front face.
        let path = Motion::new(after - before).unwrap();
        let crossed = self.level.scene.ray(&Ray::new(before, path).unwrap(), &Filter::default());
        assert!(crossed.is_none(), "crossed {crossed:?}, {}", what());
        // The body, without its skin, overlaps nothing.
        let near = self.level.scene.closest(&self.body(), Limit::ZERO, &Filter::default());
        let depth = near.map_or(0.0, |hit| -hit.hit.distance);
        assert!(depth <= 2e-6 || out.recovery.left > 0.0, "depth {depth}, {}", what());
        // The level speed is at most that of the input; a slide adds at most the fall.
        let level = (out.achieved - out.recovery.displacement).truncate().length();
        let asked = out.requested.truncate().length();
        let slides = self.locomotion.controller().config().non_walkable == NonWalkable::Slide;
        let slide = if slides { out.requested.z.abs() } else { 0.0 };
        assert!(level <= asked + slide + 1e-6, "{level} of {asked}, {}", what());
    }

    /// Stuck: no heading leads anywhere, though a free place with room for the skin is near.
    fn check_not_stuck(&mut self, tick: u32) {
        let start = self.state.character.center();
        for i in 0..64 {
            let angle = f64::from(i) * core::f64::consts::TAU / 64.0;
            let input =
                LocomotionInput::new(dvec3(angle.cos(), angle.sin(), 0.0) * 3.0, 1.0 / 60.0);
            let (mut state, mut cache) = (self.state, TriangleCache::new());
            for _ in 0..30 {
                state =
                    self.locomotion.tick(&self.level.scene, &mut cache, &state, &input).unwrap().0;
            }
            if (state.character.center() - start).length() >= 0.01 {
                return;
            }
        }
        let skin = self.locomotion.controller().config().contact_offset;
        let body = self.body().inflated(skin).unwrap();
        for _ in 0..400 {
            // Only level and down: a character cannot walk up into the air.
            let offset = self.rng.direction() * self.rng.range(0.05, 0.25);
            let offset = offset.with_z(-offset.z.abs());
            let there = body.translated(offset).unwrap();
            let free = !self.level.scene.overlaps(&there, &Filter::default());
            let clear = !self.level.scene.sweep_any(
                &body,
                &Motion::new(offset).unwrap(),
                &Filter::default(),
            );
            assert!(
                !(free && clear),
                "{} tick {tick}: stuck at {start}, free at {offset}",
                self.what
            );
        }
    }
}

fn configs() -> [ControllerConfig; 3] {
    let prevent = ControllerConfig { non_walkable: NonWalkable::Prevent, ..human() };
    [human(), physx(), prevent]
}

/// Runs `count` walks of `ticks` each. Returns how many found a place to start.
fn run_walks(count: u64, ticks: u32) -> usize {
    let levels = levels();
    let found = (0..count).into_par_iter().filter(|&seed| {
        let config = configs()[(seed / levels.len() as u64 % 3) as usize];
        let level = &levels[(seed % levels.len() as u64) as usize];
        RandomWalk::new(level, config, seed).map(|mut walk| walk.run(ticks)).is_some()
    });
    found.count()
}

#[test]
fn random_walks_cross_nothing_overlap_nothing_and_gain_no_speed() {
    assert!(run_walks(36, 1_200) > 30);
}

/// `CAPSWEEP_MESHES=… cargo test --release -p capsweep --test controller -- --ignored a_thousand`
#[test]
#[ignore = "minutes in release"]
fn a_thousand_random_walks_of_ten_thousand_ticks() {
    let found = run_walks(1_000, 10_000);
    assert!(found > 900, "only {found} walked");
}

//! The dungeon, and what is asked in it.

use capsweep::controller::{CharacterState, Controller, ControllerConfig, MoveInput};
use capsweep::query::Column;
use capsweep::query::batch::SweepQuery;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion, SlopeLimit};
use capsweep_formats::{LoadOptions, Names, scene_file};
use capsweep_testkit::Rng;
use glam::{DVec3, dvec3};
use std::path::PathBuf;
use std::sync::Arc;

/// Queries of a batch.
pub(crate) const BATCH: usize = 1_000;

/// A folder of this run. It is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("capsweep-figures-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The dungeon as a scene file.
pub(crate) fn dungeon(folder: &Folder) -> (PathBuf, Scene) {
    let meshes = std::env::var_os("CAPSWEEP_MESHES").map(PathBuf::from);
    let file = meshes.map(|folder| folder.join("dungeon.obj")).filter(|file| file.exists());
    let (scene, names) = if let Some(file) = file {
        let level = capsweep_formats::open(file, &LoadOptions::default()).unwrap();
        (level.scene, level.names)
    } else {
        let (vertices, triangles) = capsweep_testkit::level::dungeon();
        let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default()).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        (scene, Names::new(Vec::new(), Vec::new()))
    };
    let path = folder.0.join("dungeon.capsweep");
    scene_file::write(&path, &scene, &names).unwrap();
    let scene = capsweep_formats::open(&path, &LoadOptions::default()).unwrap().scene;
    (path, scene)
}

/// A random point on walkable ground.
fn on_ground(scene: &Scene, rng: &mut Rng) -> DVec3 {
    let all = scene.bodies().find_map(|(_, body)| body.bounds()).unwrap();
    loop {
        let part = dvec3(rng.unit(), rng.unit(), rng.unit());
        let point = all.min() + part * all.size();
        let column = Column::new(point, DVec3::Z, 0.0, 100.0).unwrap();
        let mut found = Vec::new();
        scene.supports(&column, SlopeLimit::DEGREES_50, &Filter::default(), &mut found);
        if let Some(support) = found.iter().find(|support| support.walkable) {
            return support.point;
        }
    }
}

/// Sweeps from 2 cm above the ground: a step of 0.13 m, a dash of 5 m, a drop of 2 m, 50 m.
pub(crate) fn sweeps(scene: &Scene, seed: u64, count: usize) -> Vec<SweepQuery> {
    let mut rng = Rng::new(&[24, seed]);
    let one = |index: usize| {
        let feet = on_ground(scene, &mut rng) + DVec3::Z * 0.02;
        let level = (rng.direction() * dvec3(1.0, 1.0, 0.0)).normalize_or(DVec3::X);
        let way = match index % 4 {
            0 => level * 0.13,
            1 => rng.direction() * 5.0,
            2 => DVec3::Z * -2.0,
            _ => rng.direction() * 50.0,
        };
        SweepQuery {
            capsule: Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).unwrap(),
            motion: Motion::new(way).unwrap(),
            filter: Filter::default(),
        }
    };
    (0..count).map(one).collect()
}

pub(crate) fn controller() -> Controller {
    Controller::new(ControllerConfig::human(DVec3::Z)).unwrap()
}

/// Characters on the ground, and where each walks.
pub(crate) fn characters(scene: &Scene, seed: u64, count: usize) -> Vec<(CharacterState, DVec3)> {
    let mut rng = Rng::new(&[25, seed]);
    let one = |_| {
        let state = controller().spawn(on_ground(scene, &mut rng)).unwrap();
        let level = (rng.direction() * dvec3(1.0, 1.0, 0.0)).normalize_or(DVec3::X);
        (state, level)
    };
    (0..count).map(one).collect()
}

/// The move of a character in a tick: a walk of 8 cm with its fall. It turns now and then.
pub(crate) fn step(way: &mut DVec3, tick: usize) -> MoveInput {
    if tick % 50 == 49 {
        *way = dvec3(-way.y, way.x, 0.0);
    }
    MoveInput::new(Motion::new(*way * 0.08 - DVec3::Z * 0.02).unwrap())
}

/// The middle of some numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The number below which this many of a thousand numbers are.
pub(crate) fn quantile(mut numbers: Vec<f64>, thousandths: usize) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().saturating_sub(1);
    numbers.get(thousandths * last / 1000).copied().unwrap_or(0.0)
}

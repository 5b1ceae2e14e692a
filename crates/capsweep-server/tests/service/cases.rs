//! A world with everything in it, and random queries.

use crate::process::Folder;
use capsweep::controller::{
    Abilities, CharacterState, Controller, ControllerConfig, Locomotion, LocomotionConfig,
    LocomotionInput, LocomotionState, MoveInput, MoveStyle, Surroundings, Water,
};
use capsweep::query::Column;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::scene::{
    Bodies, Body, BodyId, Filter, Heights, LiquidGrid, LiquidKind, LiquidRole, LiquidSheet,
    Liquids, MeshOptions, Mobility, PlacedLiquid, Pose, Scene, Shape, StartOverlaps, TriMesh,
};
use capsweep::{Capsule, Limit, Motion, Obb, Point, Ray, Sides, SlopeLimit, Sphere};
use capsweep_client::proto::{MoveQuery, SupportsQuery, TickQuery};
use capsweep_formats::{LoadOptions, Names, scene_file};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3, dvec3};
use std::path::PathBuf;
use std::sync::Arc;

/// The dynamic body of the world.
pub(crate) const DOOR: u64 = 7;

/// Writes a world: a dungeon, shapes, a dynamic mesh and water. `lift` makes another one.
pub(crate) fn write_world(folder: &Folder, name: &str, lift: f32) -> PathBuf {
    let (vertices, triangles) = capsweep_testkit::level::dungeon();
    let vertices: Vec<Vec3> = vertices.iter().map(|vertex| vertex + Vec3::Z * lift).collect();
    let tags: Vec<u32> = (0..triangles.len() as u32).map(|index| index % 11).collect();
    let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default()).unwrap();
    let mesh = Arc::new(mesh.with_tags(&tags).unwrap());
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::clone(&mesh), Pose::IDENTITY).unwrap().with_key(1));
    let middle = mesh.bounds().unwrap().center();
    let sphere = Sphere::new(middle + dvec3(2.0, 0.0, 0.0), 0.7).unwrap();
    scene.insert(Body::shape(Shape::Sphere(sphere)).with_key(2).with_mask(3));
    let block =
        Obb::axis_aligned(middle + dvec3(0.0, 3.0, 0.0), Vec3::new(0.5, 0.5, 2.0)).unwrap();
    scene.insert(Body::shape(Shape::Box(block)).with_key(3));
    let slab =
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let slab = TriMesh::new(&slab, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let pose = Pose::from_translation(middle + dvec3(-3.0, 0.0, 0.5)).unwrap();
    let door = Body::mesh(Arc::new(slab), pose).unwrap();
    scene.insert(door.with_key(DOOR).with_mobility(Mobility::Dynamic));
    let size = mesh.bounds().unwrap().size();
    let spacing = [size.x as f32, size.y as f32];
    let grid = LiquidGrid { rows: 1, columns: 1, spacing, origin: [0.0, 0.0] };
    let sheet = LiquidSheet::new(grid, Heights::Flat(0.0), LiquidKind::Slime).unwrap();
    let at = Pose::from_translation(mesh.bounds().unwrap().min() + DVec3::Z * 1.5).unwrap();
    let role = LiquidRole::Terrain { ground: None };
    let placed = PlacedLiquid::new(Arc::new(sheet), at, role).unwrap();
    scene.set_liquids(Some(Arc::new(Liquids::new(vec![placed], Vec::new()).unwrap())));
    let path = folder.file(name);
    scene_file::write(&path, &scene, &Names::new(Vec::new(), Vec::new())).unwrap();
    path
}

/// The scene of a file, as the library opens it.
pub(crate) fn scene_of(path: &std::path::Path) -> Scene {
    capsweep_formats::open(path, &LoadOptions::default()).unwrap().scene
}

pub(crate) fn door_of(scene: &Scene) -> BodyId {
    scene.bodies().find(|(_, body)| body.key() == DOOR).unwrap().0
}

/// Random queries in a scene.
pub(crate) struct Cases {
    pub(crate) rng: Rng,
    low: DVec3,
    high: DVec3,
}

impl Cases {
    pub(crate) fn new(scene: &Scene, seed: u64) -> Self {
        let boxes = scene.bodies().filter_map(|(_, body)| body.bounds());
        let all = boxes.reduce(|a, b| a.union(&b)).unwrap();
        Self { rng: Rng::new(&[24, seed]), low: all.min(), high: all.max() }
    }

    pub(crate) fn point(&mut self) -> DVec3 {
        let part = DVec3::from_array(std::array::from_fn(|_| self.rng.unit()));
        self.low + part * (self.high - self.low)
    }

    fn filter(&mut self) -> Filter {
        if self.rng.chance(0.5) {
            return Filter::default();
        }
        Filter {
            mask: if self.rng.chance(0.5) { u32::MAX } else { self.rng.bits() as u32 },
            sides: if self.rng.chance(0.5) { Sides::Front } else { Sides::Both },
            bodies: [Bodies::All, Bodies::Static, Bodies::Dynamic][self.rng.index(3)],
            start_overlaps: if self.rng.chance(0.5) {
                StartOverlaps::Report
            } else {
                StartOverlaps::Skip
            },
        }
    }

    fn capsule(&mut self) -> Capsule {
        let radius = self.rng.range_f32(0.1, 0.6);
        let axis = if self.rng.chance(0.8) { DVec3::Z } else { self.rng.direction() };
        let p0 = self.point();
        let height = if self.rng.chance(0.1) { 0.0 } else { self.rng.range(0.1, 1.5) };
        Capsule::new(p0, p0 + axis * height, radius).unwrap()
    }

    fn motion(&mut self) -> Motion {
        let length = self.rng.log_range(0.01, 200.0);
        match self.rng.below(10) {
            0 => Motion::ZERO,
            1..=4 => Motion::along(self.rng.direction(), length).unwrap(),
            _ => Motion::new(self.rng.direction() * length).unwrap(),
        }
    }

    pub(crate) fn sweep(&mut self) -> SweepQuery {
        SweepQuery { capsule: self.capsule(), motion: self.motion(), filter: self.filter() }
    }

    pub(crate) fn overlap(&mut self) -> OverlapQuery {
        OverlapQuery { capsule: self.capsule(), filter: self.filter() }
    }

    pub(crate) fn closest(&mut self) -> ClosestQuery {
        let reach = self.rng.range(0.0, 3.0);
        let limit = [Limit::UNBOUNDED, Limit::ZERO, Limit::new(reach).unwrap()];
        let limit = limit[self.rng.index(3)];
        ClosestQuery { capsule: self.capsule(), limit, filter: self.filter() }
    }

    pub(crate) fn ray(&mut self) -> RayQuery {
        let ray = Ray::new(self.point(), self.motion()).unwrap();
        RayQuery { ray, filter: self.filter() }
    }

    pub(crate) fn supports(&mut self) -> SupportsQuery {
        let up = if self.rng.chance(0.7) { DVec3::Z } else { self.rng.direction() };
        let (above, below) = (self.rng.range(0.0, 50.0), self.rng.range(0.0, 50.0));
        SupportsQuery {
            column: Column::new(self.point(), up, above, below).unwrap(),
            slope_limit: SlopeLimit::from_cos(self.rng.range_f32(0.1, 0.9)).unwrap(),
            filter: self.filter(),
        }
    }

    pub(crate) fn water(&mut self) -> Point {
        Point::new(self.point()).unwrap()
    }

    /// A character that has made a few moves, so that its state has everything in it.
    pub(crate) fn state(&mut self, controller: &Controller, scene: &Scene) -> CharacterState {
        let mut state = controller.spawn(self.point()).unwrap();
        let mut cache = capsweep::cache::TriangleCache::off();
        for _ in 0..self.rng.below(4) {
            let walk = self.rng.direction() * 0.1 - DVec3::Z * self.rng.range(0.0, 3.0);
            let input = MoveInput::new(Motion::new(walk).unwrap());
            state = controller.move_by(scene, &mut cache, &state, &input).state;
        }
        state
    }

    pub(crate) fn step(&mut self, controller: &Controller, scene: &Scene) -> MoveQuery {
        let length = self.rng.log_range(0.01, 2.0);
        let displacement = Motion::new(self.rng.direction() * length).unwrap();
        let mut input = MoveInput::new(displacement);
        if self.rng.chance(0.5) {
            input.dt = self.rng.range(0.0, 0.1);
            input.slippery = self.rng.chance(0.2);
            input.hover = if self.rng.chance(0.2) { 0.5 } else { 0.0 };
            input.floor = self.rng.chance(0.2).then_some(self.low.z + 1.0);
            let float_line = self.rng.chance(0.5).then_some(self.low.z + 2.0);
            if self.rng.chance(0.3) {
                input.style = MoveStyle::Free { float_line };
            }
            input.surroundings = Surroundings { filter: self.filter(), ignore: None };
        }
        MoveQuery { state: self.state(controller, scene), input }
    }

    pub(crate) fn tick(&mut self, locomotion: &Locomotion, scene: &Scene) -> TickQuery {
        let character = self.state(locomotion.controller(), scene);
        let mut state = LocomotionState::at_rest(character);
        state.velocity = self.rng.direction() * self.rng.range(0.0, 5.0);
        let walk = self.rng.direction() * 5.0;
        let mut input = LocomotionInput::new(walk, self.rng.range(0.0, 0.1));
        input.jump = self.rng.chance(0.2);
        input.slippery = self.rng.chance(0.1);
        input.knock_back = self.rng.chance(0.1).then(|| self.rng.direction() * 4.0);
        input.abilities = Abilities {
            fly: self.rng.chance(0.2),
            hover: if self.rng.chance(0.1) { 0.3 } else { 0.0 },
            water_walking: self.rng.chance(0.2),
            slow_fall: self.rng.chance(0.2),
            rooted: self.rng.chance(0.1),
        };
        input.water = Water::Scene;
        TickQuery { state, input }
    }
}

pub(crate) fn controller() -> Controller {
    let config = ControllerConfig { perch_limit: Some(0.2), ..ControllerConfig::human(DVec3::Z) };
    Controller::new(config).unwrap()
}

pub(crate) fn locomotion() -> Locomotion {
    let controller = Controller::new(ControllerConfig::wow()).unwrap();
    Locomotion::new(controller, LocomotionConfig::wow()).unwrap()
}

/// The bits of a value: its floats print with all their digits, and −0 is not 0.
pub(crate) fn bits<T: std::fmt::Debug>(value: &T) -> String {
    format!("{value:?}")
}

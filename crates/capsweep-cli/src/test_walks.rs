//! Walks and levels that several unit tests share.

use crate::course::{self, Course};
use crate::walk::character::{Character, Tick};
use crate::walk::leg::Leg;
use capsweep::controller::{
    CharacterState, Controller, ControllerConfig, Locomotion, LocomotionConfig,
};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_formats::{Level, Names};
use capsweep_testkit::level::Mesh;
use glam::DVec3;
use std::sync::Arc;

/// Seconds per move.
pub(crate) const DT: f64 = 1.0 / 60.0;

pub(crate) fn human() -> Locomotion {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    Locomotion::new(controller, LocomotionConfig::human()).unwrap()
}

/// A level of one mesh.
pub(crate) fn level_of((vertices, triangles): &Mesh, name: &str) -> Level {
    let mesh = TriMesh::new(vertices, triangles, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    Level::new(scene, Names::new(vec![name.to_owned()], Vec::new()))
}

/// Walks legs through a level without a platform.
pub(crate) fn walk(level: &Level, start: CharacterState, legs: &[Leg]) -> Vec<Tick> {
    Character::new(human(), start, DT).walk(&mut level.scene.clone(), legs).unwrap()
}

/// Walks the built-in course.
pub(crate) fn walk_course() -> (Level, Vec<Tick>) {
    let Course { level, platform } = Course::new().unwrap();
    let start = human().controller().spawn(course::START).unwrap();
    let mut character = Character::new(human(), start, DT);
    character.platform = Some(platform);
    let ticks = character.walk(&mut level.scene.clone(), &course::legs()).unwrap();
    (level, ticks)
}

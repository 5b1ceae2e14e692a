//! A character walks through a generated dungeon with gravity, steps and walls, at 60 moves per
//! second. It turns and jumps when a wall blocks it.
//!
//! `cargo run --release -p capsweep --example walk_a_level`

use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::level;
use glam::{DVec3, dvec3};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default())?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);

    let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
    let locomotion = Locomotion::new(controller, LocomotionConfig::human())?;
    let mut state = LocomotionState::at_rest(controller.spawn(dvec3(7.0, 7.0, 3.0))?);
    // The character's own cache of the triangles around it. Without one the bits are the same.
    let mut cache = TriangleCache::default();
    let (mut heading, mut blocked) = (DVec3::X, false);
    for tick in 1..=1800 {
        let jump = std::mem::take(&mut blocked);
        let input = LocomotionInput { jump, ..LocomotionInput::new(heading * 3.0, 1.0 / 60.0) };
        let (next, outcome) = locomotion.tick(&scene, &mut cache, &state, &input)?;
        state = next;
        let got_on = outcome.achieved.truncate().length();
        if outcome.touching.sides && got_on < 0.01 {
            // A quarter turn to the left, and a jump.
            (heading, blocked) = (DVec3::Z.cross(heading), true);
        }
        if tick % 180 == 0 {
            let ground = outcome.ground.map_or("the air".to_owned(), |ground| {
                format!("triangle {:?}", ground.target.triangle)
            });
            println!(
                "{} s: feet at {:.2}, on {ground}",
                tick / 60,
                controller.feet(&state.character)
            );
        }
    }
    Ok(())
}

//! A character walks through the generated dungeon, with or without a cache. The example prints
//! the cache's statistics and the end of the walk, which is the same to the bit. To count
//! instructions:
//!
//! ```text
//! cargo build -p capsweep --example cached_walk
//! valgrind --tool=callgrind target/debug/examples/cached_walk on 2000
//! valgrind --tool=callgrind target/debug/examples/cached_walk off 2000
//! ```
//!
//! A third argument `many` adds 600 other bodies. Subtract the instructions of 0 moves.

use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::{Rng, level};
use glam::{DVec3, dvec3};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut cache = match args.next().as_deref() {
        Some("on") => TriangleCache::new(),
        _ => TriangleCache::off(),
    };
    let ticks: u32 = args.next().map_or(Ok(2_000), |ticks| ticks.parse())?;
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default())?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);
    if args.next().as_deref() == Some("many") {
        let level::Instances { meshes, placements } = level::instances(600);
        let meshes: Result<Vec<_>, _> = meshes
            .iter()
            .map(|(vertices, indices)| TriMesh::new(vertices, indices, MeshOptions::default()))
            .collect();
        let meshes: Vec<_> = meshes?.into_iter().map(Arc::new).collect();
        for (mesh, pose) in placements {
            // The instances are spread over kilometres; this brings them into the dungeon's 40 m.
            let at = pose.position() * dvec3(0.01, 0.01, 0.0) + dvec3(20.0, 20.0, 0.0);
            let pose = Pose::new(at, pose.rotation(), pose.scale())?;
            scene.insert(Body::mesh(Arc::clone(&meshes[mesh]), pose)?);
        }
    }
    let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
    let mut state = controller.spawn(dvec3(7.0, 7.0, 3.0))?;
    let mut out = controller.move_by(&scene, &mut cache, &state, &MoveInput::new(Motion::ZERO));
    let (mut rng, mut heading, mut queries) = (Rng::new(&[32]), DVec3::X, 0);
    for tick in 0..ticks {
        if tick % 40 == 0 {
            heading = rng.cube(0.1).with_z(-0.05);
        }
        let input = MoveInput::new(Motion::new(heading)?);
        controller.move_into(&scene, &mut cache, &state, &input, &mut out);
        queries += out.stats.queries();
        state = out.state;
    }
    println!("{} moves, {queries} queries, {:?}", ticks, cache.stats());
    println!("{} triangles in the cache, ends at {}", cache.triangle_count(), state.center());
    Ok(())
}

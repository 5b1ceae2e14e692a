//! One sweep: a person runs into a wall. The hit has the time, the point and the normal.
//!
//! `cargo run --release -p capsweep --example sweep`

use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion};
use glam::{DVec3, dvec3, vec3};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    // A wall in the plane x = 0, 4 m wide and 3 m high, its front towards −x.
    let vertices =
        [vec3(0.0, 2.0, 0.0), vec3(0.0, -2.0, 0.0), vec3(0.0, -2.0, 3.0), vec3(0.0, 2.0, 3.0)];
    let wall = TriMesh::new(&vertices, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default())?;
    // 16 km from the origin: the answer is as exact there.
    let place = Pose::from_translation(dvec3(16_384.0, -16_384.0, 100.0))?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(wall), place)?.with_key(7));

    let feet = place.position() + dvec3(-5.0, 0.5, 0.0);
    let person = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8)?;
    let run = Motion::new(dvec3(8.0, 0.0, 0.0))?;
    let hit = scene.sweep(&person, &run, &Filter::default()).ok_or("nothing is in the way")?;
    println!("touches body {} after {} m", hit.target.key, hit.hit.distance);
    println!("at {}, normal {}", hit.hit.point, hit.hit.normal);
    Ok(())
}

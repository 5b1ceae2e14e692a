//! A batch of a hundred thousand sweeps down onto a city block, on all cores. The answers come in
//! the order of the queries and have the bits of single queries.
//!
//! `cargo run --release -p capsweep --example batch_queries`

use capsweep::query::batch::{self, SweepQuery};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion};
use capsweep_testkit::level;
use glam::{DVec3, Vec3};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// Sweeps along each side of the block.
const GRID: u32 = 316;

fn main() -> Result<(), Box<dyn Error>> {
    let (vertices, indices) = level::city_block();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default())?;
    let (low, high) = mesh.bounds().ok_or("the block is empty")?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);
    scene.commit();

    let drop = |i: u32| -> Result<SweepQuery, Box<dyn Error>> {
        let part = Vec3::new((i % GRID) as f32, (i / GRID) as f32, 0.0) / GRID as f32;
        let feet = (low + (high - low) * part).with_z(high.z + 1.0).as_dvec3();
        let motion = Motion::new(DVec3::NEG_Z * f64::from(high.z - low.z + 2.0))?;
        let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8)?;
        Ok(SweepQuery { capsule, motion, filter: Filter::default() })
    };
    let queries: Vec<SweepQuery> = (0..GRID * GRID).map(drop).collect::<Result<_, _>>()?;

    let (mut answers, start) = (Vec::new(), Instant::now());
    batch::sweep(&scene, &queries, &mut answers);
    let took = start.elapsed();
    let landed = answers.iter().flatten().count();
    let highest = answers.iter().flatten().map(|hit| hit.hit.point.z).fold(f64::MIN, f64::max);
    println!("{landed} of {} land, the highest at {highest:.2} m; {took:?}", queries.len());
    Ok(())
}

//! A batch of a hundred thousand sweeps down onto a city block, on all cores. The answers come in
//! the order of the queries and have the bits of single queries.
//!
//! `cargo run --release -p capsweep --example batch_queries`

use capsweep::query::batch::{self, SweepQuery};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion};
use capsweep_testkit::level;
use glam::DVec3;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// Sweeps along each side of the block.
const GRID: u32 = 316;

fn main() -> Result<(), Box<dyn Error>> {
    let (vertices, indices) = level::city_block();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default())?;
    let bounds = mesh.bounds().ok_or("the block is empty")?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);

    let drop = |i: u32| -> Result<SweepQuery, Box<dyn Error>> {
        let part = DVec3::new(f64::from(i % GRID), f64::from(i / GRID), 0.0) / f64::from(GRID);
        let feet = (bounds.min() + bounds.size() * part).with_z(bounds.max().z + 1.0);
        let motion = Motion::new(DVec3::NEG_Z * (bounds.size().z + 2.0))?;
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

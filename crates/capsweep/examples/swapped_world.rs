//! A server loop: one thread changes the scene and swaps it in, others query it, and no thread
//! waits.
//!
//! `cargo run --release -p capsweep --example swapped_world`

use arc_swap::ArcSwap;
use capsweep::scene::{Body, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, Motion, Obb};
use glam::{DVec3, Vec3, dvec3, vec3};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const TICKS: u32 = 60;
const TICK: Duration = Duration::from_millis(16);

/// A floor of 20 × 20 m at height 0.
fn floor() -> Result<TriMesh, Box<dyn Error>> {
    let corner = |x: f32, y: f32| Vec3::new(x * 10.0, y * 10.0, 0.0);
    let vertices = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    Ok(TriMesh::new(&vertices, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default())?)
}

/// A lift whose top is at `height`.
fn lift(height: f64) -> Result<Shape, Box<dyn Error>> {
    Ok(Shape::Box(Obb::axis_aligned(DVec3::Z * (height - 0.1), vec3(1.0, 1.0, 0.1))?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut next = Scene::new();
    next.insert(Body::mesh(Arc::new(floor()?), Pose::IDENTITY)?);
    let id = next.insert(Body::shape(lift(0.5)?).with_mobility(Mobility::Dynamic));

    // The scene that the readers see. A clone is cheap and never changes.
    let world = ArcSwap::from_pointee(next.clone());
    let (answered, start) = (AtomicU64::new(0), Instant::now());
    let capsule = Capsule::from_feet(dvec3(0.0, 0.0, 6.0), DVec3::Z, 0.4, 1.8)?;
    let down = Motion::new(DVec3::NEG_Z * 10.0)?;

    let query = || {
        while start.elapsed() < TICK * TICKS {
            // One scene for all queries of a tick, even if it is swapped in the meantime.
            let scene = world.load();
            let fall = |_: &u64| scene.sweep(&capsule, &down, &Filter::default()).is_some();
            answered.fetch_add((0..100).filter(fall).count() as u64, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        scope.spawn(query);
        scope.spawn(query);
        for tick in 1..=TICKS {
            next.move_shape(id, lift(0.5 + 3.0 * f64::from(tick) / f64::from(TICKS))?)?;
            world.store(Arc::new(next.clone()));
            thread::sleep(TICK);
        }
        Ok(())
    })?;

    let hit = world.load().sweep(&capsule, &down, &Filter::default());
    let height = hit.map(|hit| hit.hit.point.z);
    let answered = answered.into_inner();
    println!("{answered} sweeps in {TICKS} ticks; the lift stopped at {height:?}");
    Ok(())
}

//! Measures queries and controller moves per second, on one thread and on all.
//!
//! The queries are drawn before the clock starts, around positions where a character can stand.
//! They run in a loop until the time is up.

mod characters;
mod random;
mod spawn;

use crate::area::Area;
use anyhow::{Result, bail};
use capsweep::persist::MapUnit;
use capsweep::scene::{Filter, Scene};
use capsweep::{Capsule, Limit, Motion, Ray};
use characters::Characters;
use glam::DVec3;
use random::Random;
use rayon::prelude::*;
use serde::Serialize;
use spawn::SpawnPoints;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Size of the capsule, in metres: a person.
const RADIUS: f32 = 0.4;
const HEIGHT: f32 = 1.8;

/// Queries per kind: more than fit into the CPU caches with their data, few enough to draw
/// quickly.
const QUERIES: usize = 4096;

/// Queries that a thread runs at a time.
const CHUNK: usize = 256;

/// A kind of query, in the order of the table.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A sweep of 0.13 m along the ground: one tick of running.
    Step,
    /// A sweep of 5 m along the ground.
    Dash,
    /// A sweep of 2 m down.
    Drop,
    Overlap,
    /// Within 2 m.
    Closest,
    /// 50 m in a random direction.
    Ray,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Step, Self::Dash, Self::Drop, Self::Overlap, Self::Closest, Self::Ray];

    fn name(self, unit: MapUnit) -> String {
        let unit = unit.symbol();
        match self {
            Self::Step => format!("sweep, 0.13 {unit} ahead"),
            Self::Dash => format!("sweep, 5 {unit} ahead"),
            Self::Drop => format!("sweep, 2 {unit} down"),
            Self::Overlap => "overlap".to_owned(),
            Self::Closest => format!("closest, within 2 {unit}"),
            Self::Ray => format!("ray, 50 {unit}"),
        }
    }
}

/// Name of the last row.
const MOVE: &str = "controller move";

/// Number of rows.
pub(crate) const ROWS: u64 = Kind::ALL.len() as u64 + 1;

/// Queries or moves per second.
#[derive(Debug, Serialize)]
pub(crate) struct Rate {
    pub(crate) what: String,
    pub(crate) one_thread: f64,
    pub(crate) all_threads: f64,
}

/// Measures every row for the time `each` per number. Calls `on_row` after each row.
pub(crate) fn run(
    scene: &Scene,
    area: &Area,
    each: Duration,
    on_row: impl Fn(),
) -> Result<Vec<Rate>> {
    let Some(spawn) = SpawnPoints::new(scene, area) else {
        bail!("there is no triangle to stand on")
    };
    let mut random = Random::new(1);
    let queries = draw_queries(&spawn, &mut random)?;
    let mut rates = Vec::new();
    for kind in Kind::ALL {
        let run_all = |queries: &[BenchQuery]| {
            for query in queries {
                query.run(kind, scene);
            }
        };
        let one_thread = rate(each, || {
            run_all(&queries);
            queries.len()
        });
        let all_threads = rate(each, || {
            queries.par_chunks(CHUNK).for_each(run_all);
            queries.len()
        });
        rates.push(Rate { what: kind.name(area.unit), one_thread, all_threads });
        on_row();
    }
    let mut characters = Characters::new(&spawn, &mut random)?;
    let one_thread = rate(each, || characters.move_serial(scene));
    let all_threads = rate(each, || characters.move_parallel(scene));
    rates.push(Rate { what: MOVE.to_owned(), one_thread, all_threads });
    on_row();
    Ok(rates)
}

/// Runs `work`, which returns its number of operations. Returns operations per second.
fn rate(time: Duration, mut work: impl FnMut() -> usize) -> f64 {
    // The first run only warms caches and pages.
    work();
    let (started, mut count) = (Instant::now(), 0);
    loop {
        count += work();
        let took = started.elapsed();
        if took >= time {
            return count as f64 / took.as_secs_f64();
        }
    }
}

/// The random inputs of one query of every kind.
struct BenchQuery {
    capsule: Capsule,
    /// Unit vector along the ground, for sweeps.
    heading: DVec3,
    /// Unit vector, for rays.
    ray_direction: DVec3,
}

fn draw_queries(spawn: &SpawnPoints, random: &mut Random) -> Result<Vec<BenchQuery>> {
    let draw = |_| {
        let capsule = spawn.capsule(random)?;
        let (heading, ray_direction) = (random.heading(), random.direction());
        Ok(BenchQuery { capsule, heading, ray_direction })
    };
    (0..QUERIES).map(draw).collect()
}

impl BenchQuery {
    fn run(&self, kind: Kind, scene: &Scene) {
        let (capsule, filter) = (&self.capsule, &Filter::default());
        let sweep = |motion: DVec3| {
            // Lengths of a few metres are always valid.
            if let Ok(motion) = Motion::new(motion) {
                black_box(scene.sweep(capsule, &motion, filter));
            }
        };
        match kind {
            Kind::Step => sweep(self.heading * 0.13),
            Kind::Dash => sweep(self.heading * 5.0),
            Kind::Drop => sweep(DVec3::NEG_Z * 2.0),
            Kind::Overlap => {
                black_box(scene.overlap(capsule, filter));
            }
            Kind::Closest => {
                if let Ok(limit) = Limit::new(2.0) {
                    black_box(scene.closest(capsule, limit, filter));
                }
            }
            Kind::Ray => {
                let motion = Motion::new(self.ray_direction * 50.0);
                if let Ok(ray) = motion.and_then(|motion| Ray::new(capsule.center(), motion)) {
                    black_box(scene.ray(&ray, filter));
                }
            }
        }
    }
}

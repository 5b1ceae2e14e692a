//! The Rust half of `figures.py`: the same sweeps and crowds, without Python.
//!
//! `rust_figures LEVEL` reads commands as lines and answers each with a line: seconds by the
//! clock, seconds of processors, and the exclusive or of the bits of all answers, which Python's
//! must equal.
//!
//! - `sweep THREADS FILE`: `batch::sweep`; rows of p0, p1 and motion, as f64.
//! - `move THREADS FILE PHASES TICKS`: `Controller::move_all`; feet, then a displacement of every
//!   character for each phase.
//! - `tick THREADS FILE PHASES TICKS`: `Locomotion::tick_into` in parallel; velocities likewise.
#![allow(missing_docs, reason = "a benchmark")]

use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
    MoveInput, MoveJob, MoveOutcome,
};
use capsweep::query::batch::{self, SweepQuery};
use capsweep::scene::{Filter, Scene};
use capsweep::{Capsule, Motion};
use capsweep_formats::LoadOptions;
use glam::DVec3;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

type Answer = Result<(Time, u64), Box<dyn Error>>;

/// The radius of `levels.py`.
const RADIUS: f32 = 0.4;
const DT: f64 = 1.0 / 60.0;

/// The vectors of a file of f64.
fn vectors(path: &str) -> Result<Vec<DVec3>, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    Ok(numbers.chunks_exact(3).map(DVec3::from_slice).collect())
}

fn pool(threads: &str) -> Result<ThreadPool, Box<dyn Error>> {
    Ok(ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?)
}

/// Seconds by the clock, and of all processors.
#[derive(Default)]
struct Time {
    clock: f64,
    processors: f64,
}

impl Time {
    /// Adds the time that `work` takes.
    fn add<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let (before, start) = (processor_seconds(), Instant::now());
        let result = work();
        self.clock += start.elapsed().as_secs_f64();
        self.processors += processor_seconds() - before;
        result
    }
}

/// Processor time of all threads of this process, from Linux; NaN elsewhere.
fn processor_seconds() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    threads.flatten().filter_map(|thread| read(thread.path())).sum::<f64>() * 1e-9
}

fn bits(vector: DVec3) -> u64 {
    vector.to_array().into_iter().map(f64::to_bits).fold(0, |all, bits| all ^ bits)
}

fn sweep(scene: &Scene, threads: &str, path: &str) -> Answer {
    let rows = vectors(path)?;
    let query = |row: &[DVec3]| -> Result<SweepQuery, Box<dyn Error>> {
        let capsule = Capsule::new(row[0], row[1], RADIUS)?;
        Ok(SweepQuery { capsule, motion: Motion::new(row[2])?, filter: Filter::default() })
    };
    let queries: Vec<SweepQuery> = rows.chunks_exact(3).map(query).collect::<Result<_, _>>()?;
    let (pool, mut answers) = (pool(threads)?, Vec::new());
    pool.install(|| batch::sweep(scene, &queries, &mut answers));
    let mut time = Time::default();
    time.add(|| pool.install(|| batch::sweep(scene, &queries, &mut answers)));
    let times = answers.iter().flatten().map(|hit| hit.hit.time.to_bits());
    Ok((time, times.fold(0, |all, bits| all ^ bits)))
}

/// Feet and, for each phase, a vector of every character.
type Phases = (Vec<DVec3>, Vec<Vec<DVec3>>);

fn phases(path: &str, count: &str) -> Result<Phases, Box<dyn Error>> {
    let rows = vectors(path)?;
    let size = rows.len() / (count.parse::<usize>()? + 1);
    let mut parts = rows.chunks_exact(size).map(<[DVec3]>::to_vec);
    Ok((parts.next().unwrap_or_default(), parts.collect()))
}

fn moves(scene: &Scene, threads: &str, path: &str, count: &str, ticks: &str) -> Answer {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
    let ((feet, phases), ticks) = (phases(path, count)?, ticks.parse::<usize>()?);
    let job = |feet: &DVec3| -> Result<MoveJob, Box<dyn Error>> {
        Ok(MoveJob::new(controller.spawn(*feet)?, MoveInput::new(Motion::ZERO)))
    };
    let mut jobs: Vec<MoveJob> = feet.iter().map(job).collect::<Result<_, _>>()?;
    let (pool, mut time) = (pool(threads)?, Time::default());
    for tick in 0..ticks {
        for (job, displacement) in jobs.iter_mut().zip(&phases[tick * phases.len() / ticks]) {
            job.then(MoveInput::new(Motion::new(*displacement)?).with_dt(DT));
        }
        time.add(|| pool.install(|| controller.move_all(scene, &mut jobs)));
    }
    let ends = jobs.iter().map(|job| bits(controller.feet(&job.outcome.state)));
    Ok((time, ends.fold(0, |all, bits| all ^ bits)))
}

fn ticks(scene: &Scene, threads: &str, path: &str, count: &str, ticks: &str) -> Answer {
    struct Character {
        state: LocomotionState,
        cache: TriangleCache,
        outcome: MoveOutcome,
    }
    let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
    let rules = Locomotion::new(controller, LocomotionConfig::human())?;
    let ((feet, phases), ticks) = (phases(path, count)?, ticks.parse::<usize>()?);
    let character = |feet: &DVec3| -> Result<Character, Box<dyn Error>> {
        let state = rules.controller().spawn(*feet)?;
        let outcome = MoveJob::new(state, MoveInput::new(Motion::ZERO)).outcome;
        let (state, cache) = (LocomotionState::at_rest(state), TriangleCache::new());
        Ok(Character { state, cache, outcome })
    };
    let mut crowd: Vec<Character> = feet.iter().map(character).collect::<Result<_, _>>()?;
    let (pool, mut time) = (pool(threads)?, Time::default());
    for tick in 0..ticks {
        let walks = &phases[tick * phases.len() / ticks];
        let step = |(Character { state, cache, outcome }, walk): (&mut Character, &DVec3)| {
            let input = LocomotionInput::new(*walk, DT);
            *state = rules.tick_into(scene, cache, state, &input, outcome)?;
            Ok::<(), capsweep::ShapeError>(())
        };
        let crowd = &mut crowd;
        time.add(|| {
            pool.install(|| crowd.par_iter_mut().zip(walks).with_min_len(32).try_for_each(step))
        })?;
    }
    let ends = crowd.iter().map(|one| bits(rules.controller().feet(&one.state.character)));
    Ok((time, ends.fold(0, |all, bits| all ^ bits)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: rust_figures LEVEL")?;
    let level = capsweep_formats::open(Path::new(&path), &LoadOptions::default())?;
    let scene = &level.scene;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (time, bits) = match words[..] {
            ["sweep", threads, path] => sweep(scene, threads, path)?,
            ["move", threads, path, phases, count] => moves(scene, threads, path, phases, count)?,
            ["tick", threads, path, phases, count] => ticks(scene, threads, path, phases, count)?,
            _ => return Err(format!("unknown command: {line}").into()),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} {} {bits}", time.clock, time.processors)?;
        out.flush()?;
    }
    Ok(())
}

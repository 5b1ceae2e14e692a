//! How many questions and moves a second this machine answers: one thread, then all.
//!
//! The questions are drawn before the clock runs, around places where a character could stand. They are asked over and over until the time is up.

mod random;
mod spots;
mod walkers;

use anyhow::{Result, bail};
use capsweep::scene::{Filter, Scene};
use capsweep::{Capsule, Limit, Motion, Ray};
use glam::DVec3;
use random::Random;
use rayon::prelude::*;
use serde::Serialize;
use spots::Spots;
use std::hint::black_box;
use std::time::{Duration, Instant};
use walkers::Walkers;

/// A person, in metres.
const RADIUS: f32 = 0.4;
const HEIGHT: f32 = 1.8;

/// Different questions of each kind: more than a processor's caches remember the answers of, few enough to draw at once.
const QUESTIONS: usize = 4096;

/// Questions that a thread asks at a time.
const ROUND: usize = 256;

/// What is measured, in the order of the table.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// 0.13 m along the ground: a tick of running.
    Step,
    /// 5 m along the ground.
    Dash,
    /// 2 m down.
    Drop,
    Overlap,
    /// Within 2 m.
    Closest,
    /// 50 m any way.
    Ray,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Step, Self::Dash, Self::Drop, Self::Overlap, Self::Closest, Self::Ray];

    fn name(self) -> &'static str {
        match self {
            Self::Step => "sweep, 0.13 m ahead",
            Self::Dash => "sweep, 5 m ahead",
            Self::Drop => "sweep, 2 m down",
            Self::Overlap => "overlap",
            Self::Closest => "closest, within 2 m",
            Self::Ray => "ray, 50 m",
        }
    }
}

/// The name of the last row.
const MOVE: &str = "controller move";

/// How many rates there are.
pub(crate) const ROWS: u64 = Kind::ALL.len() as u64 + 1;

/// How often a second.
#[derive(Debug, Serialize)]
pub(crate) struct Rate {
    pub(crate) what: &'static str,
    pub(crate) one_thread: f64,
    pub(crate) all_threads: f64,
}

/// Measures everything, `each` long; `done` hears of every rate.
pub(crate) fn run(scene: &Scene, each: Duration, done: impl Fn()) -> Result<Vec<Rate>> {
    let Some(spots) = Spots::of(scene) else { bail!("there is no triangle to stand on") };
    let mut random = Random::new(1);
    let questions = questions(&spots, &mut random)?;
    let mut rates = Vec::new();
    for kind in Kind::ALL {
        let ask = |questions: &[Question]| {
            for question in questions {
                question.ask(kind, scene);
            }
        };
        let one_thread = rate(each, || {
            ask(&questions);
            questions.len()
        });
        let all_threads = rate(each, || {
            questions.par_chunks(ROUND).for_each(ask);
            questions.len()
        });
        rates.push(Rate { what: kind.name(), one_thread, all_threads });
        done();
    }
    let mut walkers = Walkers::new(&spots, &mut random)?;
    let one_thread = rate(each, || walkers.step_one_by_one(scene));
    let all_threads = rate(each, || walkers.step_together(scene));
    rates.push(Rate { what: MOVE, one_thread, all_threads });
    done();
    Ok(rates)
}

/// How often a second `work` does what it says it did.
fn rate(time: Duration, mut work: impl FnMut() -> usize) -> f64 {
    // Once without the clock, so that caches and pages are warm.
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

struct Question {
    capsule: Capsule,
    heading: DVec3,
    anywhere: DVec3,
}

fn questions(spots: &Spots, random: &mut Random) -> Result<Vec<Question>> {
    let draw = |_| {
        let capsule = spots.person(random)?;
        Ok(Question { capsule, heading: random.heading(), anywhere: random.direction() })
    };
    (0..QUESTIONS).map(draw).collect()
}

impl Question {
    fn ask(&self, kind: Kind, scene: &Scene) {
        let (capsule, filter) = (&self.capsule, &Filter::default());
        let sweep = |motion: DVec3| {
            // A few metres are always a motion.
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
                let motion = Motion::new(self.anywhere * 50.0);
                if let Ok(ray) = motion.and_then(|motion| Ray::new(capsule.center(), motion)) {
                    black_box(scene.ray(&ray, filter));
                }
            }
        }
    }
}

//! A character that changes its heading now and then, and what can be said about its path.

use crate::clock::Stopwatch;
use crate::engine::controller::{Controller, Fall, TICK, Touches};
use crate::engine::reference::Reference;
use crate::queries::Query;
use crate::rng::Rng;
use anyhow::Result;
use glam::{DVec2, DVec3, Vec2, Vec3};
use serde::Serialize;
use std::time::Duration;

/// Metres a second: a run.
const SPEED: f32 = 5.0;

/// A heading lasts between a third of a second and one second, in moves.
const HEADING: [usize; 2] = [20, 60];

/// Who stays within [`STAY_REACH`] metres for this many moves, two seconds and at least two headings, may be stuck, or was sent into a corner
/// again and again.
const STAY_MOVES: usize = 120;
const STAY_REACH: f64 = 0.05;

/// Who gets no further than this from there, in half a second in any of 64 headings, is stuck.
const STUCK_REACH: f64 = 0.01;
const STUCK_MOVES: usize = 30;
const STUCK_HEADINGS: u8 = 64;

/// Who is this far below everything has left the mesh (metres).
const LEFT: f64 = 3.0;

/// Where a character starts, and what it tries.
pub(super) struct Walker {
    start: DVec3,
    /// Displacements along the ground.
    moves: Vec<Vec2>,
}

/// Where a character went.
pub(super) struct Path {
    /// Its centre, before the first move and after each.
    centers: Vec<DVec3>,
    /// How long the moves took.
    pub(super) took: Duration,
    /// It fell out of the mesh, and its walk ended.
    left: bool,
}

impl Path {
    pub(super) fn moves(&self) -> usize {
        self.centers.len() - 1
    }
}

impl Walker {
    /// The walker that `seed` names.
    pub(super) fn new(start: Vec3, seed: u64, ticks: u32) -> Self {
        let mut rng = Rng::new(1_000 + seed);
        let ticks = ticks as usize;
        let mut moves = Vec::with_capacity(ticks);
        while moves.len() < ticks {
            let heading = rng.on_circle() * (SPEED * TICK);
            let lasts = HEADING[0] + rng.below(HEADING[1] - HEADING[0]);
            moves.resize((moves.len() + lasts).min(ticks), heading);
        }
        Self { start: start.as_dvec3(), moves }
    }

    /// Walks until the moves are done, or the character is far below `floor`.
    pub(super) fn walk(&self, controller: &mut dyn Controller, floor: f64) -> Result<Path> {
        controller.teleport(self.start)?;
        let mut centers = Vec::with_capacity(self.moves.len() + 1);
        centers.push(self.start);
        let mut left = false;
        let (mut fall, mut touches) = (Fall::default(), Touches::default());
        let watch = Stopwatch::start();
        for ahead in &self.moves {
            let moved = controller.step(ahead.extend(fall.next(touches)));
            touches = moved.touches;
            let center = moved.center;
            centers.push(center);
            left = center.z < floor - LEFT;
            if left {
                break;
            }
        }
        Ok(Path { centers, took: watch.elapsed(), left })
    }
}

/// What all walks through a mesh came to.
#[derive(Serialize)]
pub(super) struct Totals {
    /// Moves made.
    pub(super) moves: usize,
    /// Walkers whose centre passed through the front of a triangle.
    pub(super) fell_through: usize,
    /// Walkers that walked off the mesh, whose walk then ended.
    pub(super) left: usize,
    /// Walkers that stayed within 5 cm for two seconds and at least two headings, and get no further than 1 cm from there in half a second
    /// of any of 64 headings.
    pub(super) stuck: usize,
    /// Where the first of them is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stuck_at: Option<[f64; 3]>,
    /// Metres: the deepest that the capsule, without its skin, was ever in the front of a triangle.
    pub(super) deepest_overlap: f64,
    /// Metres a second along the ground, of the 5 that were asked for.
    pub(super) mean_speed: f64,
}

impl Totals {
    /// Sums up; who may be stuck is put there again and tries.
    pub(super) fn of(
        paths: &[Path],
        reference: &Reference<'_>,
        controller: &mut dyn Controller,
    ) -> Self {
        let moves: usize = paths.iter().map(Path::moves).sum();
        let length: f64 = paths.iter().map(length).sum();
        let fell = |path: &&Path| path.centers.windows(2).any(|step| crosses(step, reference));
        let depth = |path: &Path| {
            let steps = path.centers.windows(2);
            steps.map(|step| reference.depth(step[1], step[1] - step[0])).fold(0.0, f64::max)
        };
        let stays = paths.iter().filter_map(stays_at);
        let stuck: Vec<DVec3> = stays.filter(|&center| is_stuck(controller, center)).collect();
        Self {
            moves,
            fell_through: paths.iter().filter(fell).count(),
            left: paths.iter().filter(|path| path.left).count(),
            stuck: stuck.len(),
            stuck_at: stuck.first().map(DVec3::to_array),
            deepest_overlap: paths.iter().map(depth).fold(0.0, f64::max),
            mean_speed: length / (moves.max(1) as f64 * f64::from(TICK)),
        }
    }
}

fn level(center: &DVec3) -> DVec2 {
    center.truncate()
}

fn length(path: &Path) -> f64 {
    path.centers.windows(2).map(|step| level(&step[0]).distance(level(&step[1]))).sum()
}

/// Whether the centre's way from one place to the next leads through the front of a triangle.
fn crosses(step: &[DVec3], reference: &Reference<'_>) -> bool {
    let query = Query { center: step[0].as_vec3(), motion: (step[1] - step[0]).as_vec3() };
    query.motion != Vec3::ZERO && reference.is_crossed(&query)
}

/// Where a character first stayed for long.
fn stays_at(path: &Path) -> Option<DVec3> {
    let mut windows = path.centers.windows(STAY_MOVES + 1);
    let stays = |window: &&[DVec3]| {
        let first = level(&window[0]);
        window.iter().all(|center| level(center).distance(first) < STAY_REACH)
    };
    windows.find(stays).map(|window| window[STAY_MOVES])
}

/// Whether no heading leads anywhere from `center`. Who cannot be put there is.
fn is_stuck(controller: &mut dyn Controller, center: DVec3) -> bool {
    (0..STUCK_HEADINGS).all(|i| {
        let angle = f32::from(i) / f32::from(STUCK_HEADINGS) * std::f32::consts::TAU;
        let ahead = Vec2::from_angle(angle) * (SPEED * TICK);
        let (mut fall, mut touches) = (Fall::default(), Touches::default());
        let mut went = |controller: &mut dyn Controller| {
            let moved = controller.step(ahead.extend(fall.next(touches)));
            touches = moved.touches;
            moved.center.distance(center)
        };
        controller.teleport(center).is_err()
            || (0..STUCK_MOVES).all(|_| went(controller) < STUCK_REACH)
    })
}

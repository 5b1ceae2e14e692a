//! The route of a character with random headings, and statistics of its path.

use crate::clock::Stopwatch;
use crate::engine::controller::{Controller, Fall, TICK, Touches};
use crate::engine::reference::Reference;
use crate::queries::Query;
use anyhow::Result;
use capsweep_testkit::Rng;
use glam::{DVec2, DVec3, Vec2, Vec3};
use serde::Serialize;
use std::time::Duration;

/// Speed in metres per second: a run.
const SPEED: f32 = 5.0;

/// Shortest and longest duration of a heading, in moves: a third of a second to one second.
const HEADING_MOVES: [usize; 2] = [20, 60];

/// A character may be stuck if it stays within [`STAY_REACH`] metres for this many moves.
///
/// That is two seconds with at least two headings. It may also have been sent into a corner
/// repeatedly.
const STAY_MOVES: usize = 120;
const STAY_REACH: f64 = 0.05;

/// A character is stuck if it then stays within this many metres for half a second in each of 64
/// headings.
const STUCK_REACH: f64 = 0.01;
const STUCK_MOVES: usize = 30;
const STUCK_HEADINGS: u8 = 64;

/// Depth below the mesh at which a character has left it, in metres.
const LEFT_DEPTH: f64 = 3.0;

/// Start and input of a character.
pub(super) struct Route {
    start: DVec3,
    /// Displacements along the ground.
    moves: Vec<Vec2>,
}

/// The path of a character.
pub(super) struct Path {
    /// Centres before the first move and after each move.
    centers: Vec<DVec3>,
    /// Processor time of the moves.
    pub(super) took: Duration,
    /// Whether it fell out of the mesh, which ends its walk.
    left: bool,
}

impl Path {
    pub(super) fn moves(&self) -> usize {
        self.centers.len() - 1
    }
}

impl Route {
    /// Generates the route for a seed.
    pub(super) fn new(start: Vec3, seed: u64, ticks: u32) -> Self {
        let mut rng = Rng::from_seed(1_000 + seed);
        let ticks = ticks as usize;
        let mut moves = Vec::with_capacity(ticks);
        while moves.len() < ticks {
            let heading = rng.circle_f32() * (SPEED * TICK);
            let lasts = HEADING_MOVES[0] + rng.index(HEADING_MOVES[1] - HEADING_MOVES[0]);
            moves.resize((moves.len() + lasts).min(ticks), heading);
        }
        Self { start: start.as_dvec3(), moves }
    }

    /// Moves a character along the route, until the end or until it is far below `floor`.
    pub(super) fn walk(&self, controller: &mut dyn Controller, floor: f64) -> Result<Path> {
        controller.teleport(self.start)?;
        let mut centers = Vec::with_capacity(self.moves.len() + 1);
        centers.push(self.start);
        let mut left = false;
        let (mut fall, mut touches) = (Fall::default(), Touches::default());
        let watch = Stopwatch::start();
        for ahead in &self.moves {
            let moved = controller.move_by(ahead.extend(fall.next(touches)));
            touches = moved.touches;
            let center = moved.center;
            centers.push(center);
            left = center.z < floor - LEFT_DEPTH;
            if left {
                break;
            }
        }
        Ok(Path { centers, took: watch.elapsed(), left })
    }
}

/// Statistics of all walks in a mesh.
#[derive(Serialize)]
pub(super) struct Totals {
    /// Moves made.
    pub(super) moves: usize,
    /// Characters whose centre passed through the front of a triangle.
    pub(super) fell_through: usize,
    /// Characters that walked off the mesh.
    pub(super) left: usize,
    /// Characters that stayed within 5 cm for two seconds and at least two headings, and then
    /// within 1 cm for half a second in each of 64 headings.
    pub(super) stuck: usize,
    /// Position of the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stuck_at: Option<[f64; 3]>,
    /// Largest depth of the capsule, without its skin, in the front of a triangle, in metres.
    pub(super) deepest_overlap: f64,
    /// Mean speed along the ground in metres per second; the input asks for 5.
    pub(super) mean_speed: f64,
}

impl Totals {
    /// Computes the statistics. Characters that may be stuck are placed there again and tested.
    pub(super) fn new(
        paths: &[Path],
        reference: &Reference<'_>,
        controller: &mut dyn Controller,
    ) -> Self {
        let moves: usize = paths.iter().map(Path::moves).sum();
        let length: f64 = paths.iter().map(length).sum();
        let fell = |path: &&Path| path.centers.windows(2).any(|pair| crosses(pair, reference));
        let depth = |path: &Path| {
            let moves = path.centers.windows(2);
            moves.map(|pair| reference.depth(pair[1], pair[1] - pair[0])).fold(0.0, f64::max)
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

/// The horizontal part of a position.
fn horizontal(center: &DVec3) -> DVec2 {
    center.truncate()
}

fn length(path: &Path) -> f64 {
    path.centers.windows(2).map(|pair| horizontal(&pair[0]).distance(horizontal(&pair[1]))).sum()
}

/// Whether the centre passes through the front of a triangle in one move.
fn crosses(pair: &[DVec3], reference: &Reference<'_>) -> bool {
    let query = Query { center: pair[0].as_vec3(), motion: (pair[1] - pair[0]).as_vec3() };
    query.motion != Vec3::ZERO && reference.is_crossed(&query)
}

/// The first position at which a character stayed long enough to be tested.
fn stays_at(path: &Path) -> Option<DVec3> {
    let mut windows = path.centers.windows(STAY_MOVES + 1);
    let stays = |window: &&[DVec3]| {
        let first = horizontal(&window[0]);
        window.iter().all(|center| horizontal(center).distance(first) < STAY_REACH)
    };
    windows.find(stays).map(|window| window[STAY_MOVES])
}

/// Whether no heading leads away from `center`. Also true if the character cannot be placed there.
fn is_stuck(controller: &mut dyn Controller, center: DVec3) -> bool {
    (0..STUCK_HEADINGS).all(|i| {
        let angle = f32::from(i) / f32::from(STUCK_HEADINGS) * std::f32::consts::TAU;
        let ahead = Vec2::from_angle(angle) * (SPEED * TICK);
        let (mut fall, mut touches) = (Fall::default(), Touches::default());
        let mut advance = |controller: &mut dyn Controller| {
            let moved = controller.move_by(ahead.extend(fall.next(touches)));
            touches = moved.touches;
            moved.center.distance(center)
        };
        controller.teleport(center).is_err()
            || (0..STUCK_MOVES).all(|_| advance(controller) < STUCK_REACH)
    })
}

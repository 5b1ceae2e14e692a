//! The path of a walk: positions of the feet, distance walked, and mode of movement.

use crate::walk::character::Tick;
use capsweep::controller::Controller;
use glam::DVec3;

/// Displacements of a platform below this length do not count as a ride (metres per move).
const MIN_CARRY: f64 = 1e-4;

#[derive(Debug, Clone, Copy)]
pub(crate) struct PathPoint {
    pub(crate) feet: DVec3,
    /// Metres walked so far, in the ground plane.
    pub(crate) along: f64,
    pub(crate) leg: usize,
    pub(crate) mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Walking,
    InTheAir,
    Carried,
}

/// Point `i + 1` is the end of move `i`; the first point is the start of the walk.
pub(crate) fn path_points(ticks: &[Tick], controller: &Controller) -> Vec<PathPoint> {
    let Some(first) = ticks.first() else { return Vec::new() };
    let feet = controller.feet(&first.record.state);
    let mut points = vec![PathPoint { feet, along: 0.0, leg: 0, mode: Mode::Walking }];
    let mut along = 0.0;
    let mut last = feet;
    for tick in ticks {
        let outcome = &tick.record.outcome;
        let feet = controller.feet(&outcome.state);
        along += (feet - last).truncate().length();
        last = feet;
        let mode = if outcome.carried.displacement.length() > MIN_CARRY {
            Mode::Carried
        } else if outcome.ground.is_some_and(|ground| ground.touched) {
            Mode::Walking
        } else {
            Mode::InTheAir
        };
        points.push(PathPoint { feet, along, leg: tick.leg, mode });
    }
    points
}

/// Splits a path into runs of one mode. Each run begins at the end of the previous one.
pub(crate) fn mode_runs(points: &[PathPoint]) -> Vec<(Mode, &[PathPoint])> {
    let mut runs = Vec::new();
    let mut from = 0;
    for i in 1..points.len() {
        let ends = points.get(i + 1).is_none_or(|next| next.mode != points[i].mode);
        if ends {
            runs.push((points[i].mode, &points[from..=i]));
            from = i;
        }
    }
    runs
}

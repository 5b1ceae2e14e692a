//! The path of a walk: where the feet were, how far along, and what carried them.

use super::canvas::Colour;
use super::style::{CARRIED, IN_THE_AIR, WALKING};
use crate::walk::walker::Tick;
use capsweep::controller::Controller;
use glam::DVec3;

#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) feet: DVec3,
    /// Metres walked until here, seen from above.
    pub(super) along: f64,
    pub(super) leg: usize,
    pub(super) mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Walking,
    InTheAir,
    Carried,
}

impl Mode {
    pub(super) fn colour(self) -> Colour {
        match self {
            Self::Walking => WALKING,
            Self::InTheAir => IN_THE_AIR,
            Self::Carried => CARRIED,
        }
    }
}

/// Place `i + 1` is where move `i` led; the first is where the walk began.
pub(super) fn places(ticks: &[Tick], controller: &Controller) -> Vec<Place> {
    let Some(first) = ticks.first() else { return Vec::new() };
    let feet = controller.feet(&first.step.state);
    let mut places = vec![Place { feet, along: 0.0, leg: 0, mode: Mode::Walking }];
    let mut along = 0.0;
    let mut last = feet;
    for tick in ticks {
        let outcome = &tick.step.outcome;
        let feet = controller.feet(&outcome.state);
        along += (feet - last).truncate().length();
        last = feet;
        let mode = if outcome.carried.displacement.length() > 1e-4 {
            Mode::Carried
        } else if outcome.ground.is_some_and(|ground| ground.touched) {
            Mode::Walking
        } else {
            Mode::InTheAir
        };
        places.push(Place { feet, along, leg: tick.leg, mode });
    }
    places
}

/// Stretches of one mode, each beginning where the one before ended.
pub(super) fn stretches(places: &[Place]) -> Vec<(Mode, &[Place])> {
    let mut stretches = Vec::new();
    let mut from = 0;
    for i in 1..places.len() {
        let ends = places.get(i + 1).is_none_or(|next| next.mode != places[i].mode);
        if ends {
            stretches.push((places[i].mode, &places[from..=i]));
            from = i;
        }
    }
    stretches
}

//! Characters that walk with the controller, for the last row of the benchmark.

use super::random::Random;
use super::spawn::SpawnPoints;
use anyhow::Result;
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, Controller, ControllerConfig, MoveInput, MoveOutcome};
use capsweep::scene::Scene;
use glam::DVec3;
use rayon::prelude::*;

/// Number of characters.
const COUNT: usize = 64;

/// Moves per character between two readings of the clock.
const MOVES: usize = 16;

/// Metres forward per move: 5 m/s at 60 moves per second.
const FORWARD: f64 = 5.0 / 60.0;

/// Metres down per move, to stay on the ground.
const DOWN: f64 = 0.05;

/// Moves per heading.
const MOVES_PER_HEADING: usize = 32;

/// Moves until a character respawns, in case it has fallen out of the level.
const RESPAWN_MOVES: usize = 512;

pub(super) struct Characters {
    controller: Controller,
    all: Vec<BenchCharacter>,
}

/// A character with its own cache and random headings.
struct BenchCharacter {
    spawn: CharacterState,
    state: CharacterState,
    cache: TriangleCache,
    motions: Vec<Motion>,
    moves: usize,
    outcome: Option<MoveOutcome>,
}

impl Characters {
    pub(super) fn new(spawn: &SpawnPoints, random: &mut Random) -> Result<Self> {
        let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
        let mut character = |_| {
            let capsule = spawn.capsule(random)?;
            let feet = capsule.p0() - DVec3::Z * f64::from(capsule.radius());
            let state = controller.spawn(feet)?;
            let motion = |_| Motion::new(random.heading() * FORWARD - DVec3::Z * DOWN);
            let motions =
                (0..RESPAWN_MOVES / MOVES_PER_HEADING).map(motion).collect::<Result<_, _>>()?;
            let cache = TriangleCache::new();
            Ok(BenchCharacter { spawn: state, state, cache, motions, moves: 0, outcome: None })
        };
        let all = (0..COUNT).map(&mut character).collect::<Result<_>>()?;
        Ok(Self { controller, all })
    }

    /// Moves all characters on this thread. Returns the number of moves.
    pub(super) fn move_serial(&mut self, scene: &Scene) -> usize {
        for character in &mut self.all {
            character.advance(&self.controller, scene);
        }
        COUNT * MOVES
    }

    /// Moves all characters on all threads. Returns the number of moves.
    pub(super) fn move_parallel(&mut self, scene: &Scene) -> usize {
        let controller = &self.controller;
        self.all.par_iter_mut().for_each(|character| character.advance(controller, scene));
        COUNT * MOVES
    }
}

impl BenchCharacter {
    /// Makes [`MOVES`] moves.
    fn advance(&mut self, controller: &Controller, scene: &Scene) {
        for _ in 0..MOVES {
            if self.moves.is_multiple_of(RESPAWN_MOVES) {
                self.state = self.spawn;
            }
            let motion = self.motions[self.moves / MOVES_PER_HEADING % self.motions.len()];
            let input = MoveInput::new(motion);
            let Self { state, cache, outcome, .. } = self;
            match outcome {
                Some(outcome) => controller.move_into(scene, cache, state, &input, outcome),
                None => *outcome = Some(controller.move_by(scene, cache, state, &input)),
            }
            if let Some(outcome) = outcome {
                *state = outcome.state;
            }
            self.moves += 1;
        }
    }
}

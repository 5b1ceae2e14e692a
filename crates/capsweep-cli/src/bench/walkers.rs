use super::random::Random;
use super::spots::Spots;
use anyhow::Result;
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, Controller, ControllerConfig, MoveInput, MoveOutcome};
use capsweep::scene::Scene;
use glam::DVec3;
use rayon::prelude::*;

/// Characters.
const COUNT: usize = 64;

/// Moves of each between two looks at the clock.
const MOVES: usize = 16;

/// Metres a move: 5 m/s at 60 moves a second, and a fall that keeps to the ground.
const AHEAD: f64 = 5.0 / 60.0;
const DOWN: f64 = 0.05;

/// Moves between two changes of heading.
const HEADING: usize = 32;

/// Moves until a character starts again where it began, so that nobody falls out of the world for good.
const LIFE: usize = 512;

pub(super) struct Walkers {
    controller: Controller,
    all: Vec<Walker>,
}

struct Walker {
    begins: CharacterState,
    state: CharacterState,
    cache: TriangleCache,
    headings: Vec<Motion>,
    moves: usize,
    outcome: Option<MoveOutcome>,
}

impl Walkers {
    pub(super) fn new(spots: &Spots, random: &mut Random) -> Result<Self> {
        let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
        let mut walker = |_| {
            let person = spots.person(random)?;
            let feet = person.p0() - DVec3::Z * f64::from(person.radius());
            let begins = controller.spawn(feet)?;
            let heading = |_| Motion::new(random.heading() * AHEAD - DVec3::Z * DOWN);
            let headings = (0..LIFE / HEADING).map(heading).collect::<Result<_, _>>()?;
            let cache = TriangleCache::new();
            Ok(Walker { begins, state: begins, cache, headings, moves: 0, outcome: None })
        };
        let all = (0..COUNT).map(&mut walker).collect::<Result<_>>()?;
        Ok(Self { controller, all })
    }

    /// Moves everybody; how many moves that were.
    pub(super) fn step_one_by_one(&mut self, scene: &Scene) -> usize {
        for walker in &mut self.all {
            walker.step(&self.controller, scene);
        }
        COUNT * MOVES
    }

    pub(super) fn step_together(&mut self, scene: &Scene) -> usize {
        self.all.par_iter_mut().for_each(|walker| walker.step(&self.controller, scene));
        COUNT * MOVES
    }
}

impl Walker {
    fn step(&mut self, controller: &Controller, scene: &Scene) {
        for _ in 0..MOVES {
            if self.moves.is_multiple_of(LIFE) {
                self.state = self.begins;
            }
            let input = MoveInput::new(self.headings[self.moves / HEADING % self.headings.len()]);
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

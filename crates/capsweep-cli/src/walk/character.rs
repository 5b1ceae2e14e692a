//! A character that walks legs through a level and records every move.

use super::leg::Leg;
use crate::course::Platform;
use anyhow::Result;
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    CharacterState, Locomotion, LocomotionInput, LocomotionState, MoveInput, MoveOutcome,
    Surroundings, TraceMove, Water,
};
use capsweep::scene::Scene;
use glam::DVec3;

/// Seconds without progress that end a leg to a place.
const STUCK_TIME: f64 = 1.0;

/// A move makes progress if it covers at least this fraction of the desired length.
const MIN_PROGRESS: f64 = 0.2;

/// One move of a walk.
#[derive(Debug, Clone)]
pub(crate) struct Tick {
    /// Index of its leg.
    pub(crate) leg: usize,
    pub(crate) record: TraceMove,
}

/// A character on its way through a level.
#[derive(Debug, Clone)]
pub(crate) struct Character {
    pub(crate) locomotion: Locomotion,
    pub(crate) state: LocomotionState,
    /// The platform that moves with each tick, if the level has one.
    pub(crate) platform: Option<Platform>,
    cache: TriangleCache,
    /// Seconds per move.
    dt: f64,
}

impl Character {
    pub(crate) fn new(locomotion: Locomotion, start: CharacterState, dt: f64) -> Self {
        let state = LocomotionState::at_rest(start);
        Self { locomotion, state, platform: None, cache: TriangleCache::default(), dt }
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.locomotion.controller().feet(&self.state.character)
    }

    /// Walks all legs. Returns every move; `scene` changes if a platform moves.
    pub(crate) fn walk(&mut self, scene: &mut Scene, legs: &[Leg]) -> Result<Vec<Tick>> {
        let mut ticks = Vec::new();
        for (number, leg) in legs.iter().enumerate() {
            self.walk_leg(scene, number, leg, &mut ticks)?;
        }
        Ok(ticks)
    }

    /// Walks one leg and appends its moves to `ticks`.
    pub(crate) fn walk_leg(
        &mut self,
        scene: &mut Scene,
        number: usize,
        leg: &Leg,
        ticks: &mut Vec<Tick>,
    ) -> Result<()> {
        let moves = (leg.seconds / self.dt).round().max(1.0) as usize;
        let mut stuck = 0.0;
        for tick in 0..moves {
            self.resize(scene, leg)?;
            let Some(velocity) = leg.desired_velocity(self.feet(), self.dt) else { break };
            let jump = leg.jump && tick == 0;
            let record = self.tick(scene, velocity, jump)?;
            stuck = if is_stuck(&record.outcome) { stuck + self.dt } else { 0.0 };
            ticks.push(Tick { leg: number, record });
            if stuck > STUCK_TIME && leg.ends_when_stuck() {
                break;
            }
        }
        Ok(())
    }

    /// Takes the height of the leg as soon as there is room.
    fn resize(&mut self, scene: &Scene, leg: &Leg) -> Result<()> {
        let character = &mut self.state.character;
        let Some(height) = leg.height.filter(|height| *height != character.total_height()) else {
            return Ok(());
        };
        let controller = self.locomotion.controller();
        if controller.can_resize(scene, character, height, &Surroundings::default())? {
            *character = controller.resize(character, height)?;
        }
        Ok(())
    }

    fn tick(&mut self, scene: &mut Scene, velocity: DVec3, jump: bool) -> Result<TraceMove> {
        let before = self.state.character;
        let carrier = match &mut self.platform {
            Some(platform) => Some(platform.advance(scene, &before, self.dt)?),
            None => None,
        };
        // On foot everywhere: a trace records moves on foot.
        let input = LocomotionInput {
            jump,
            carrier,
            water: Water::None,
            ..LocomotionInput::new(velocity, self.dt)
        };
        let (state, outcome) =
            self.locomotion.tick(scene, &mut self.cache, &self.state, &input)?;
        self.state = state;
        let input = MoveInput { carrier, ..MoveInput::new(Motion::new(outcome.requested)?) };
        let config = *self.locomotion.controller().config();
        Ok(TraceMove { config, state: before, input: input.with_dt(self.dt), outcome })
    }
}

/// The requested and the achieved length of a move, projected onto the ground plane.
pub(super) fn ground_lengths(outcome: &MoveOutcome) -> (f64, f64) {
    let length = |v: DVec3| v.truncate().length();
    (length(outcome.requested), length(outcome.achieved))
}

/// Whether a move makes less than [`MIN_PROGRESS`].
pub(crate) fn is_stuck(outcome: &MoveOutcome) -> bool {
    let (requested, achieved) = ground_lengths(outcome);
    achieved < MIN_PROGRESS * requested
}

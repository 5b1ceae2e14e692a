//! Walks legs through a level, and keeps every move.

use super::leg::Leg;
use crate::course::Ferry;
use anyhow::Result;
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    CharacterState, Locomotion, LocomotionInput, LocomotionState, MoveInput, MoveOutcome,
    Surroundings, TraceMove,
};
use capsweep::scene::Scene;
use glam::DVec3;

/// A second without getting on ends a leg that leads to a place.
const PATIENCE: f64 = 1.0;

/// Getting on is at least this part of what was asked for.
const GETTING_ON: f64 = 0.2;

/// One move of a walk.
#[derive(Debug, Clone)]
pub(crate) struct Tick {
    /// The leg it belongs to, from 0.
    pub(crate) leg: usize,
    pub(crate) step: TraceMove,
}

/// Somebody on the way.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) locomotion: Locomotion,
    pub(crate) state: LocomotionState,
    pub(crate) ferry: Option<Ferry>,
    cache: TriangleCache,
    /// Seconds a move takes.
    dt: f64,
}

impl Walker {
    pub(crate) fn new(locomotion: Locomotion, start: CharacterState, dt: f64) -> Self {
        let state = LocomotionState::at_rest(start);
        Self { locomotion, state, ferry: None, cache: TriangleCache::default(), dt }
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.locomotion.controller().feet(&self.state.character)
    }

    /// Walks a leg; `scene` changes where a platform moves.
    pub(crate) fn walk(
        &mut self,
        scene: &mut Scene,
        number: usize,
        leg: &Leg,
        ticks: &mut Vec<Tick>,
    ) -> Result<()> {
        let moves = (leg.seconds / self.dt).round().max(1.0) as usize;
        let mut stuck = 0.0;
        for tick in 0..moves {
            self.grow(scene, leg)?;
            let Some(walk) = leg.wish(self.feet(), self.dt) else { break };
            let jump = leg.jump && tick == 0;
            let step = self.tick(scene, walk, jump)?;
            stuck = if is_stuck(&step.outcome) { stuck + self.dt } else { 0.0 };
            ticks.push(Tick { leg: number, step });
            if stuck > PATIENCE && leg.gives_up() {
                break;
            }
        }
        Ok(())
    }

    /// As tall as the leg wants, once there is room.
    fn grow(&mut self, scene: &Scene, leg: &Leg) -> Result<()> {
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

    fn tick(&mut self, scene: &mut Scene, walk: DVec3, jump: bool) -> Result<TraceMove> {
        let before = self.state.character;
        let carrier = match &mut self.ferry {
            Some(ferry) => Some(ferry.sail(scene, &before, self.dt)?),
            None => None,
        };
        let input = LocomotionInput { jump, carrier, ..LocomotionInput::new(walk, self.dt) };
        let (state, outcome) = self.locomotion.tick(scene, &mut self.cache, &self.state, &input)?;
        self.state = state;
        let asked = MoveInput { carrier, ..MoveInput::new(Motion::new(outcome.requested)?) };
        let config = *self.locomotion.controller().config();
        let step = TraceMove { config, state: before, input: asked.with_dt(self.dt), outcome };
        Ok(step)
    }
}

/// How far a move was to go and went, seen from above.
pub(super) fn level_lengths(outcome: &MoveOutcome) -> (f64, f64) {
    let level = |v: DVec3| v.truncate().length();
    (level(outcome.requested), level(outcome.achieved))
}

/// Whether a move hardly got on.
pub(crate) fn is_stuck(outcome: &MoveOutcome) -> bool {
    let (asked, got) = level_lengths(outcome);
    got < GETTING_ON * asked
}

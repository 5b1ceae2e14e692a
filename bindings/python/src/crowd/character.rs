//! A character of a crowd.

use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, LocomotionState, MoveInput, MoveJob, MoveOutcome};

/// A character, its cache and the outcome of its last step.
pub(super) struct Character {
    /// The state, and the one before the last step: where a step that fails as a whole goes back
    /// to. A step writes over the older one, so none is copied.
    states: [LocomotionState; 2],
    /// Which of them is the state.
    now: usize,
    pub(super) cache: TriangleCache,
    pub(super) outcome: MoveOutcome,
}

impl Character {
    pub(super) fn new(state: LocomotionState, cached: bool) -> Self {
        let cache = if cached { TriangleCache::new() } else { TriangleCache::off() };
        Self { states: [state; 2], now: 0, cache, outcome: unmoved(&state.character) }
    }

    pub(super) fn state(&self) -> &LocomotionState {
        &self.states[self.now]
    }

    pub(super) fn state_mut(&mut self) -> &mut LocomotionState {
        &mut self.states[self.now]
    }

    /// What a step reads and writes: the state, the next one, the cache and the outcome.
    pub(super) fn parts(
        &mut self,
    ) -> (&LocomotionState, &mut LocomotionState, &mut TriangleCache, &mut MoveOutcome) {
        let [one, two] = &mut self.states;
        let (state, next) = if self.now == 0 { (one, two) } else { (two, one) };
        (state, next, &mut self.cache, &mut self.outcome)
    }

    /// Goes on to the next state, or back to the one before.
    pub(super) fn turn(&mut self) {
        self.now ^= 1;
    }
}

/// The outcome before the first move.
pub(super) fn unmoved(character: &CharacterState) -> MoveOutcome {
    MoveJob::new(*character, MoveInput::new(Motion::ZERO)).outcome
}

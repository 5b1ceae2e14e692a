//! Many characters at once: in the rayon pool of the caller (feature `rayon`), else one after the other.

use crate::cache::TriangleCache;
use crate::controller::Controller;
use crate::controller::input::MoveInput;
use crate::controller::outcome::MoveOutcome;
use crate::controller::state::CharacterState;
use crate::scene::Scene;

/// One character's move in a batch.
#[derive(Debug, Clone)]
pub struct MoveJob {
    /// The character before the move.
    pub state: CharacterState,
    /// The move.
    pub input: MoveInput,
    /// What the character has around it.
    pub cache: TriangleCache,
    /// What came of it.
    pub outcome: MoveOutcome,
}

impl MoveJob {
    /// A move that was not made yet.
    pub fn new(state: CharacterState, input: MoveInput) -> Self {
        let (cache, outcome) = (TriangleCache::default(), MoveOutcome::still(state));
        Self { state, input, cache, outcome }
    }

    /// The next move of the same character, with the memory of this one.
    pub fn then(&mut self, input: MoveInput) {
        self.state = self.outcome.state;
        self.input = input;
    }
}

impl Controller {
    /// Makes every move: each outcome has the bits that [`Controller::move_by`] gives.
    ///
    /// Characters do not see each other's moves, whatever the number of threads: put them into the scene where they were, and
    /// [separate](Controller::separate) those that meet.
    pub fn move_all(&self, scene: &Scene, jobs: &mut [MoveJob]) {
        let make = |job: &mut MoveJob| {
            self.move_into(scene, &mut job.cache, &job.state, &job.input, &mut job.outcome);
        };
        #[cfg(feature = "rayon")]
        {
            use rayon::iter::{
                IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
            };
            jobs.par_iter_mut().with_min_len(SHARE).for_each(make);
        }
        #[cfg(not(feature = "rayon"))]
        jobs.iter_mut().for_each(make);
    }
}

/// Fewest moves that are worth handing to another thread: some 10 µs of work.
#[cfg(feature = "rayon")]
const SHARE: usize = 4;

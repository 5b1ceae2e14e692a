//! Batches of moves. With the feature `rayon` they run in the caller's pool, otherwise in
//! sequence.

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
    /// The move's input.
    pub input: MoveInput,
    /// The character's own cache.
    pub cache: TriangleCache,
    /// The move's outcome. [`Controller::move_all`] overwrites it.
    pub outcome: MoveOutcome,
}

impl MoveJob {
    /// A move that was not made yet, with an empty cache.
    pub fn new(state: CharacterState, input: MoveInput) -> Self {
        let (cache, outcome) = (TriangleCache::default(), MoveOutcome::unmoved(state));
        Self { state, input, cache, outcome }
    }

    /// Prepares the same character's next move. It starts at this outcome's state and reuses the
    /// memory.
    pub fn then(&mut self, input: MoveInput) {
        self.state = self.outcome.state;
        self.input = input;
    }
}

impl Controller {
    /// Makes every move. Each outcome has the bits that [`Controller::move_by`] gives.
    ///
    /// Characters do not see each other's moves, whatever the number of threads. Put a body for
    /// each into the scene at its last place, and [separate](Controller::separate) those that
    /// overlap.
    pub fn move_all(&self, scene: &Scene, jobs: &mut [MoveJob]) {
        let make = |job: &mut MoveJob| {
            self.move_into(scene, &mut job.cache, &job.state, &job.input, &mut job.outcome);
        };
        #[cfg(feature = "rayon")]
        {
            use rayon::iter::{
                IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
            };
            jobs.par_iter_mut().with_min_len(MIN_JOBS_PER_TASK).for_each(make);
        }
        #[cfg(not(feature = "rayon"))]
        jobs.iter_mut().for_each(make);
    }
}

/// Fewest moves that are worth a task of their own: about 10 µs of work.
#[cfg(feature = "rayon")]
const MIN_JOBS_PER_TASK: usize = 4;

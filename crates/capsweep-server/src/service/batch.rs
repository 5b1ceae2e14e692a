//! Batches: split over the threads of the pool, with an early out if the caller has gone.

use super::{Physics, Place, overlay};
use crate::call::Call;
use capsweep::scene::Scene;
use capsweep_proto::{Answers, FieldError, Queries};
use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;
use tonic::Status;

/// The answer to a query of a batch: a result, none, or an error of this query.
pub(super) type Found<T> = Result<Option<T>, FieldError>;

/// Queries between two checks of the call: some 30 µs of sweeps.
pub(super) const QUERIES: usize = 32;

/// Moves between two checks of the call.
pub(super) const MOVES: usize = 8;

/// Chunks for each thread, so that all threads end at about the same time.
const CHUNKS_OF_A_THREAD: usize = 4;

/// Largest number of steps in a chunk.
const STEPS_OF_A_CHUNK: usize = 16;

/// Parts that a thread keeps for later chunks. Two threads use some four at a time.
const MOST_SPARE: usize = 8;

/// Largest number of rows of a part that is kept. Some kinds have many rows for a query.
const MOST_ROWS: usize = 1_024;

thread_local! {
    /// Empty parts. To allocate the 50 columns of a chunk of moves costs as much as to fill them.
    static SPARE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// A part without answers, with the memory of an earlier one if there is one.
fn spare<A: Answers + 'static>() -> A {
    let found = SPARE.with_borrow_mut(|all| {
        let index = all.iter().rposition(|part| part.is::<A>())?;
        all.swap_remove(index).downcast::<A>().ok()
    });
    found.map(|part| *part).unwrap_or_default()
}

/// Appends a part, and keeps its memory.
fn append<A: Answers + 'static>(message: &mut A, mut part: A) {
    let rows = part.rows();
    message.append(&mut part);
    if rows <= MOST_ROWS {
        SPARE.with_borrow_mut(|all| {
            if all.len() == MOST_SPARE {
                all.remove(0);
            }
            all.push(Box::new(part));
        });
    }
}

/// Answers a batch in chunks on all threads. It stops within `step` queries if the caller has gone
/// or the deadline has passed.
///
/// `ask` gets the query, and writes the answer into a buffer that the chunk reuses.
/// Each chunk has its own columns. An answer is appended to them while it is still in the cache,
/// because an outcome is large.
pub(super) fn answer<Q: Queries, A: Answers + Send + 'static>(
    call: &Call,
    revision: u64,
    (queries, step): (&Q, usize),
    ask: impl Fn(&Q::Query, &mut Option<A::Answer>) -> Result<(), FieldError> + Sync,
) -> Result<A, Status> {
    let mut slots = vec![(); queries.rows()];
    let ask = |query: &_, (): &mut (), place: &mut _| ask(query, place);
    answer_with(call, revision, (queries, step), &mut slots, ask)
}

/// As [`answer`]. Each row has a slot, which `ask` may change.
pub(super) fn answer_with<Q: Queries, A: Answers + Send + 'static, S: Send>(
    call: &Call,
    revision: u64,
    (queries, step): (&Q, usize),
    slots: &mut [S],
    ask: impl Fn(&Q::Query, &mut S, &mut Option<A::Answer>) -> Result<(), FieldError> + Sync,
) -> Result<A, Status> {
    let (rows, omit) = (queries.rows(), queries.omit());
    let even = rows.div_ceil(CHUNKS_OF_A_THREAD * rayon::current_num_threads());
    let chunk = even.clamp(step, STEPS_OF_A_CHUNK * step);
    let run = |(index, slots): (usize, &mut [S])| {
        let start = index * chunk;
        // The first columns take the others and are sent: they grow to their size only once.
        let mut message: A = if index == 0 { A::default() } else { spare() };
        message.reserve_without(if index == 0 { rows } else { slots.len() }, omit);
        let mut found = None;
        for (offset, slot) in slots.iter_mut().enumerate() {
            if offset.is_multiple_of(step) {
                call.check()?;
            }
            let row = start + offset;
            // By reference, because a query of a move is large as well.
            let asked = match &queries.query(row) {
                Ok(query) => ask(query, slot, &mut found),
                Err(error) => Err(error.clone()),
            };
            match (asked, &found) {
                (Ok(()), Some(answer)) => message.push_without(row as u32, answer, omit),
                (Ok(()), None) => {}
                (Err(error), _) => message.refuse(row as u32, error),
            }
        }
        Ok(message)
    };
    let parts: Result<Vec<A>, Status> = slots.par_chunks_mut(chunk).enumerate().map(run).collect();
    let mut parts = parts?.into_iter();
    let mut message = parts.next().unwrap_or_default();
    parts.for_each(|part| append(&mut message, part));
    *message.revision_mut() = revision;
    message.finish();
    Ok(message)
}

/// Stores the answer to a query in its buffer.
pub(super) fn put<T>(place: &mut Option<T>, found: Found<T>) -> Result<(), FieldError> {
    *place = found?;
    Ok(())
}

impl Physics {
    /// Runs a batch of `rows` queries of this cost on the pool, in the scene of the call.
    pub(super) async fn run_batch<T: Send + 'static>(
        &self,
        call: Arc<Call>,
        place: Place,
        (rows, cost): (usize, usize),
        job: impl FnOnce(&Call, &Scene, u64) -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        self.check_rows(rows)?;
        let world = self.world(&place.world)?;
        let most = self.limits.overlay_bodies;
        let cost = cost.saturating_add(overlay::cost(place.overlay.as_ref()));
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, place.overlay.as_ref(), most)?;
            let answer = job(&call, &scene, world.revision)?;
            call.count(rows);
            Ok(answer)
        };
        self.pool.run(cost, job).await
    }
}

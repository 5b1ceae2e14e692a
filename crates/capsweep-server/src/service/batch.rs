//! Batches: shared between the threads of the pool, and ended early if nobody waits.

use super::{Physics, Place, overlay};
use crate::call::Call;
use capsweep::scene::Scene;
use capsweep_proto::{Answers, FieldError, Queries};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use std::sync::Arc;
use tonic::Status;

/// What a query of a batch found; nothing, or an error of its own.
pub(super) type Found<T> = Result<Option<T>, FieldError>;

/// Queries that one thread answers at a time: some 30 µs of sweeps.
pub(super) const CHUNK: usize = 32;

/// Answers rows in chunks on all threads. A caller that leaves, or a deadline that passes, ends it
/// after the chunks that run.
pub(super) fn in_chunks<T: Send>(
    call: &Call,
    (rows, chunk): (usize, usize),
    answer: impl Fn(usize) -> Found<T> + Sync,
) -> Result<Vec<Vec<Found<T>>>, Status> {
    let run = |index: usize| {
        call.check()?;
        let start = index * chunk;
        Ok((start..rows.min(start + chunk)).map(&answer).collect())
    };
    (0..rows.div_ceil(chunk)).into_par_iter().map(run).collect()
}

/// The message of all answers.
pub(super) fn message<A: Answers>(
    revision: u64,
    rows: usize,
    found: &[Vec<Found<A::Answer>>],
) -> A {
    let mut message = A::default();
    *message.revision_mut() = revision;
    message.reserve(rows);
    // By reference: an outcome is large.
    for (found, query) in found.iter().flatten().zip(0..) {
        match found {
            Ok(Some(answer)) => message.push(query, answer),
            Ok(None) => {}
            Err(error) => message.refuse(query, error.clone()),
        }
    }
    message.finish();
    message
}

/// Answers a batch.
pub(super) fn answer<Q: Queries, A: Answers>(
    call: &Call,
    revision: u64,
    (queries, chunk): (&Q, usize),
    ask: impl Fn(&Q::Query) -> Found<A::Answer> + Sync,
) -> Result<A, Status>
where
    A::Answer: Send,
{
    let rows = queries.rows();
    let row = |row| queries.query(row).and_then(|query| ask(&query));
    let found = in_chunks(call, (rows, chunk), row)?;
    Ok(message(revision, rows, &found))
}

impl Physics {
    /// Runs a batch of `rows` queries on the pool, in the scene of the call.
    pub(super) async fn run_batch<T: Send + 'static>(
        &self,
        call: Arc<Call>,
        place: Place,
        (rows, cost): (usize, usize),
        job: impl FnOnce(&Call, &Scene, u64) -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        self.check_rows(rows)?;
        let world = self.world(&place.world)?;
        call.count(rows);
        let most = self.limits.overlay_bodies;
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, place.overlay.as_ref(), most)?;
            job(&call, &scene, world.revision)
        };
        self.pool.run(rows * cost, job).await
    }
}

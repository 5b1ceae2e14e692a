//! The pool for batches, validation and all other long work. I/O threads never run such work.

use crate::metrics::{Metrics, ShedReason};
use anyhow::Result;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tonic::Status;

/// A pool of threads with a bound on running and queued work.
#[derive(Debug)]
pub struct Pool {
    threads: rayon::ThreadPool,
    work: Arc<Semaphore>,
    capacity: usize,
    metrics: Arc<Metrics>,
}

impl Pool {
    /// A pool of `threads` threads that accepts work up to this cost.
    ///
    /// # Errors
    /// If the system cannot start the threads.
    pub fn new(threads: usize, capacity: usize, metrics: Arc<Metrics>) -> Result<Self> {
        let name = |index| format!("pool-{index}");
        let threads =
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build()?;
        let capacity = capacity.clamp(1, u32::MAX as usize >> 4);
        Ok(Self { threads, work: Arc::new(Semaphore::new(capacity)), capacity, metrics })
    }

    /// Whether work would be refused now.
    pub fn is_full(&self) -> bool {
        self.work.available_permits() == 0
    }

    /// A job that costs more than the pool's bound takes all of it.
    fn permits(&self, cost: usize) -> u32 {
        cost.clamp(1, self.capacity) as u32
    }

    /// Runs a job of this cost, or refuses it at once.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the pool is full, the job's own error, or `INTERNAL` if it panics.
    pub async fn run<T: Send + 'static>(
        &self,
        cost: usize,
        job: impl FnOnce() -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        let permit = Arc::clone(&self.work).try_acquire_many_owned(self.permits(cost));
        let permit = permit.map_err(|_| {
            self.metrics.shed(ShedReason::Work);
            Status::resource_exhausted("too much work waits: try again later, or another replica")
        })?;
        self.run_with(permit, job).await
    }

    /// Runs a job of this cost, and waits for room first. Only streams use it; each has one job.
    ///
    /// # Errors
    /// The job's own error, or `INTERNAL` if it panics.
    pub async fn run_in_turn<T: Send + 'static>(
        &self,
        cost: usize,
        job: impl FnOnce() -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        let permit = Arc::clone(&self.work).acquire_many_owned(self.permits(cost)).await;
        let permit = permit.map_err(|_| Status::unavailable("the server ends"))?;
        self.run_with(permit, job).await
    }

    async fn run_with<T: Send + 'static>(
        &self,
        permit: OwnedSemaphorePermit,
        job: impl FnOnce() -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        let (answer, answered) = oneshot::channel();
        // First in, first out: a job never waits for a later one.
        self.threads.spawn_fifo(move || {
            let result = contained(job);
            // Free the room before the answer is sent, so that the caller's next job fits.
            drop(permit);
            // The caller may be gone.
            let _ = answer.send(result);
        });
        answered.await.unwrap_or_else(|_| Err(Status::internal("the job was lost")))
    }
}

/// Runs a job; a panic becomes an error.
pub(crate) fn contained<T>(job: impl FnOnce() -> Result<T, Status>) -> Result<T, Status> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|_| {
        tracing::error!("a call panicked: please report its request and the backtrace");
        Err(Status::internal("the call panicked: this is a defect of the server"))
    })
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use crate::metrics::Metrics;
    use std::sync::{Arc, mpsc};
    use tonic::{Code, Status};

    fn pool(capacity: usize) -> Arc<Pool> {
        Arc::new(Pool::new(1, capacity, Arc::new(Metrics::new())).unwrap())
    }

    #[tokio::test]
    async fn a_panic_ends_its_job_alone() {
        let pool = pool(4);
        let lost = pool.run(1, || -> Result<(), Status> { panic!("on purpose") }).await;
        assert_eq!(lost.unwrap_err().code(), Code::Internal);
        assert_eq!(pool.run(4, || Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_full_pool_refuses_at_once() {
        let pool = pool(4);
        let (release, wait) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run(3, move || Ok(wait.recv().is_ok())).await }
        });
        while pool.work.available_permits() == 4 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(2, || Ok(())).await.unwrap_err().code(), Code::ResourceExhausted);
        release.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        // A job that costs more than the pool's bound takes all of it.
        assert_eq!(pool.run(1_000_000, || Ok(1)).await.unwrap(), 1);
        assert!(!pool.is_full());
    }
}

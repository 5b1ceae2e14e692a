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
    /// For calls, which are refused when it is used up.
    work: Share,
    /// For streams, which wait in turn. Without a share of their own, the first one to wait would
    /// take all room that calls give back.
    of_streams: Share,
    /// Jobs that run at the same time. See [`Pool::run_with`].
    running: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

/// A bound on running and queued work.
#[derive(Debug)]
struct Share {
    permits: Arc<Semaphore>,
    capacity: usize,
}

impl Share {
    fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, u32::MAX as usize >> 4);
        Self { permits: Arc::new(Semaphore::new(capacity)), capacity }
    }

    /// A job that costs more than the bound takes all of it.
    fn of(&self, cost: usize) -> (Arc<Semaphore>, u32) {
        (Arc::clone(&self.permits), cost.clamp(1, self.capacity) as u32)
    }
}

impl Pool {
    /// A pool of `threads` threads that accepts work up to this cost from calls, and up to half of
    /// it from streams.
    ///
    /// # Errors
    /// If the system cannot start the threads.
    pub fn new(threads: usize, capacity: usize, metrics: Arc<Metrics>) -> Result<Self> {
        let name = |index| format!("pool-{index}");
        let threads =
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build()?;
        let (work, of_streams) = (Share::new(capacity), Share::new(capacity / 2));
        // One more than there are threads, so that none waits for the next job.
        let running = Arc::new(Semaphore::new(threads.current_num_threads() + 1));
        Ok(Self { threads, work, of_streams, running, metrics })
    }

    /// Whether work would be refused now.
    pub fn is_full(&self) -> bool {
        self.work.permits.available_permits() == 0
    }

    /// Notes that work is refused. The answer for its caller.
    pub fn refuse(&self) -> Status {
        self.metrics.shed(ShedReason::Work);
        Status::resource_exhausted("too much work waits: try again later, or another replica")
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
        let (work, cost) = self.work.of(cost);
        let permit = work.try_acquire_many_owned(cost).map_err(|_| self.refuse())?;
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
        let (work, cost) = self.of_streams.of(cost);
        let permit = work.acquire_many_owned(cost).await.map_err(|_| ended())?;
        self.run_with(permit, job).await
    }

    /// Runs a job when its turn comes. Jobs start in the order of their calls.
    ///
    /// While a thread waits for the rest of its batch, rayon lets it start other jobs on the same
    /// stack. So only few jobs are handed over at a time; the others wait outside.
    async fn run_with<T: Send + 'static>(
        &self,
        permit: OwnedSemaphorePermit,
        job: impl FnOnce() -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| ended())?;
        let (answer, answered) = oneshot::channel();
        self.threads.spawn_fifo(move || {
            let result = contained(job);
            // Free the room before the answer is sent, so that the caller's next job fits.
            drop((turn, permit));
            // The caller may be gone.
            let _ = answer.send(result);
        });
        answered.await.unwrap_or_else(|_| Err(Status::internal("the job was lost")))
    }
}

/// The semaphores are never closed, so no caller sees this.
fn ended() -> Status {
    Status::unavailable("the server ends")
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
        while pool.work.permits.available_permits() == 4 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(2, || Ok(())).await.unwrap_err().code(), Code::ResourceExhausted);
        release.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        // A job that costs more than the pool's bound takes all of it.
        assert_eq!(pool.run(1_000_000, || Ok(1)).await.unwrap(), 1);
        assert!(!pool.is_full());
    }

    #[tokio::test]
    async fn waiting_streams_leave_room_for_calls() {
        let pool = pool(4);
        let (release, wait) = mpsc::channel::<()>();
        let stream = |job: Box<dyn FnOnce() -> Result<(), Status> + Send>| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run_in_turn(100, job).await })
        };
        let first = stream(Box::new(move || {
            let _ = wait.recv();
            Ok(())
        }));
        let second = stream(Box::new(|| Ok(())));
        while pool.of_streams.permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let call = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run(4, || Ok(5)).await }
        });
        // It is admitted, although streams wait.
        while !pool.is_full() {
            tokio::task::yield_now().await;
        }
        release.send(()).unwrap();
        assert_eq!(call.await.unwrap().unwrap(), 5);
        first.await.unwrap().unwrap();
        second.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn queued_batches_do_not_nest_on_the_stack_of_a_thread() {
        use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
        use std::cell::Cell;
        thread_local! {
            static DEPTH: Cell<usize> = const { Cell::new(0) };
        }
        let pool = Arc::new(Pool::new(2, 1_000, Arc::new(Metrics::new())).unwrap());
        let batch = || {
            DEPTH.set(DEPTH.get() + 1);
            let depth = DEPTH.get();
            let wait = |_| std::thread::sleep(std::time::Duration::from_micros(50));
            (0..20).into_par_iter().for_each(wait);
            DEPTH.set(DEPTH.get() - 1);
            Ok(depth)
        };
        let depths = futures_util::future::join_all((0..200).map(|_| pool.run(1, batch))).await;
        let deepest = depths.into_iter().map(Result::unwrap).max().unwrap();
        assert!(deepest <= 3, "{deepest}");
    }
}

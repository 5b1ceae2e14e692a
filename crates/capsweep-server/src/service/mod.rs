//! The calls of the service.

mod batch;
mod claims;
mod overlay;
mod physics;
mod reach;
mod single;
mod stream;

use crate::call::Call;
use crate::drain::Drain;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::pool::{Pool, contained};
use crate::world::{World, Worlds, called};
use capsweep::scene::Scene;
use capsweep_proto::{FieldError, v1};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tonic::Status;

/// The service. Clones share everything.
#[derive(Debug, Clone)]
pub struct Physics {
    /// The worlds.
    pub worlds: Arc<Worlds>,
    pool: Arc<Pool>,
    limits: Limits,
    metrics: Arc<Metrics>,
    drain: Drain,
    /// Permits for characters whose surroundings streams may cache.
    cached: Arc<Semaphore>,
}

impl Physics {
    /// A service for these worlds.
    pub fn new(
        worlds: Arc<Worlds>,
        pool: Arc<Pool>,
        limits: Limits,
        metrics: Arc<Metrics>,
        drain: Drain,
    ) -> Self {
        let cached = Arc::new(Semaphore::new(limits.cached_characters));
        Self { worlds, pool, limits, metrics, drain, cached }
    }

    fn world(&self, name: &str) -> Result<Arc<World>, Status> {
        self.worlds.get(name).ok_or_else(|| {
            let names: Vec<_> = self.worlds.names().collect();
            Status::not_found(format!("there is no {}: choose one of {names:?}", called(name)))
        })
    }

    /// Answers one query: on this I/O thread if it is short, otherwise on the pool.
    async fn answer_one<T: Send + 'static>(
        &self,
        call: Arc<Call>,
        place: Place,
        work: Work,
        query: impl FnOnce(&Scene) -> Result<T, FieldError> + Send + 'static,
    ) -> Result<(u64, T), Status> {
        let world = self.world(&place.world)?;
        let overlay = place.overlay.filter(|overlay| !overlay::is_empty(overlay));
        if let (None, true) = (&overlay, work.is_short) {
            let answer = contained(|| query(&world.scene).map_err(refused))?;
            call.count(1);
            return Ok((world.revision, answer));
        }
        let most = self.limits.overlay_bodies;
        let cost = work.cost + overlay::cost(overlay.as_ref());
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, overlay.as_ref(), most)?;
            let answer = query(&scene).map_err(refused)?;
            call.count(1);
            Ok((world.revision, answer))
        };
        self.pool.run(cost, job).await
    }

    /// Refuses batches that are too large.
    fn check_rows(&self, rows: usize) -> Result<(), Status> {
        let most = self.limits.batch_queries;
        if rows <= most {
            return Ok(());
        }
        let message = format!("a batch of {rows} queries: at most {most} are allowed");
        Err(Status::resource_exhausted(message))
    }
}

/// The world of a request.
struct Place {
    world: String,
    overlay: Option<v1::Overlay>,
}

/// The amount of work of a query.
#[derive(Debug, Clone, Copy)]
struct Work {
    cost: usize,
    /// It may run on an I/O thread.
    is_short: bool,
}

/// A bad value of a request.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn refused(error: FieldError) -> Status {
    Status::invalid_argument(error.to_string())
}

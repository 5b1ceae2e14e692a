//! Administration: reloads, health, `/ready` and `/metrics`, on a listener of its own.

use crate::auth::Tokens;
use crate::drain::Drain;
use crate::metrics::Metrics;
use crate::world::Worlds;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::get;
use capsweep_proto::v1;
use capsweep_proto::v1::admin_server::{Admin as Protocol, AdminServer};
use std::sync::{Arc, OnceLock};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tonic::metadata::MetadataValue;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tracing::{error, info};

/// The state behind administration. The worlds are set once they are loaded.
#[derive(Debug, Clone)]
pub struct Admin {
    /// The worlds.
    pub worlds: Arc<OnceLock<Arc<Worlds>>>,
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// Whether the server is ready.
    pub drain: Drain,
    /// The tokens, if callers need one.
    pub tokens: Option<Arc<Tokens>>,
    /// Whether callers may read worlds again.
    pub may_reload: bool,
    /// Held during a reload, so that only one runs at a time.
    pub reloading: Arc<Mutex<()>>,
}

impl Admin {
    /// Reads worlds again on a separate thread, and records the results. `turn` is the lock of
    /// [`Admin::reloading`].
    ///
    /// # Errors
    /// `UNAVAILABLE` before the worlds are loaded, `NOT_FOUND` if one does not exist.
    pub async fn reload(
        &self,
        names: Vec<String>,
        turn: OwnedMutexGuard<()>,
    ) -> Result<Vec<v1::Reloaded>, Status> {
        let worlds = self.worlds.get().ok_or_else(|| Status::unavailable("worlds are loading"))?;
        let worlds = Arc::clone(worlds);
        let work = tokio::task::spawn_blocking(move || {
            let reloaded = worlds.reload(&names);
            drop(turn);
            reloaded
        });
        let work = work.await.map_err(|_| Status::internal("loading panicked"))?;
        let reloaded = work.map_err(|error| Status::not_found(error.to_string()))?;
        for world in &reloaded {
            self.metrics.reloaded(world.error.is_empty());
            let (name, revision) = (&world.name, format!("{:016x}", world.revision));
            if world.error.is_empty() {
                info!(world = name, revision, "loaded again");
            } else {
                error!(world = name, revision, error = world.error, "the old world stays");
            }
        }
        Ok(reloaded)
    }

    /// The routes. HTTP/1 and HTTP/2 share them.
    pub fn routes(self, health: Routes) -> Router {
        let (ready, metrics) = (self.clone(), self.clone());
        let routes = health.add_service(AdminServer::new(self)).prepare();
        routes
            .into_axum_router()
            .route("/ready", get(move || async move { ready.ready() }))
            .route("/metrics", get(move || async move { metrics.text() }))
            // Tonic would return 200 for any path, so a misspelt health check would always pass.
            .fallback(|| async { StatusCode::NOT_FOUND })
    }

    fn ready(&self) -> (StatusCode, &'static str) {
        if self.drain.is_ready() {
            (StatusCode::OK, "ready\n")
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
        }
    }

    fn text(&self) -> axum::response::Response {
        let format = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        match self.metrics.text(self.worlds.get().map(|worlds| &**worlds)) {
            Ok(text) => ([(header::CONTENT_TYPE, format)], text).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

#[tonic::async_trait]
impl Protocol for Admin {
    async fn reload(
        &self,
        request: Request<v1::ReloadRequest>,
    ) -> Result<Response<v1::ReloadResponse>, Status> {
        if let Some(tokens) = &self.tokens {
            let header = request.metadata().get("authorization");
            if !tokens.allow(header.map(MetadataValue::as_encoded_bytes)) {
                return Err(Status::unauthenticated("send `authorization: Bearer TOKEN`"));
            }
        }
        if !self.may_reload {
            let message = "reloads need --tokens or --client-ca here; SIGHUP reloads as well";
            return Err(Status::permission_denied(message));
        }
        let turn = Arc::clone(&self.reloading).try_lock_owned();
        let turn = turn.map_err(|_| Status::resource_exhausted("another reload runs"))?;
        let worlds = Admin::reload(self, request.into_inner().worlds, turn).await?;
        Ok(Response::new(v1::ReloadResponse { worlds }))
    }
}

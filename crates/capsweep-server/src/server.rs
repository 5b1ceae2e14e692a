//! A running server: its listeners, reloads and shutdown.

use crate::admin::Admin;
use crate::auth::Tokens;
use crate::drain::Drain;
use crate::layer::{Guard, Shared};
use crate::limits::Limits;
use crate::metrics::{Metrics, ShedReason};
use crate::net::{HANDSHAKE_TIME, Listener, TlsFiles, acceptor, incoming};
use crate::pool::Pool;
use crate::service::Physics;
use crate::world::{Source, Worlds};
use anyhow::{Context as _, Result};
use capsweep_proto::FILE_DESCRIPTOR_SET;
use capsweep_proto::v1::physics_server::PhysicsServer;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio_stream::StreamExt as _;
use tonic::service::Routes;
use tonic::transport::Server as Transport;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use tracing::{info, warn};

/// Configuration of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address of the service.
    pub listen: SocketAddr,
    /// Address of administration.
    pub admin: SocketAddr,
    /// TLS of both; `None` for none.
    pub tls: Option<TlsFiles>,
    /// File of the tokens; `None` if callers need none.
    pub tokens: Option<std::path::PathBuf>,
    /// Whether callers of administration may read worlds again. Otherwise only SIGHUP does.
    pub may_reload: bool,
    /// The worlds.
    pub worlds: Vec<Source>,
    /// Threads of the pool.
    pub threads: usize,
    /// The limits.
    pub limits: Limits,
    /// How long a draining server still takes calls, until balancers notice.
    pub leave_time: Duration,
    /// Time limit for the rest of the shutdown.
    pub end_time: Duration,
}

/// A server whose listeners are bound.
pub struct Server {
    config: Config,
    service: Listener,
    administration: Listener,
    admin: Admin,
    shared: Arc<Shared>,
}

/// Limit of administration connections: balancers, scrapers, operators.
const ADMIN_CONNECTIONS: usize = 64;

/// Interval of the search for connections that do not read.
const UNREAD_INTERVAL: Duration = Duration::from_secs(1);

impl Server {
    /// Binds the listeners and reads certificates and tokens. [`Server::run`] loads the worlds.
    ///
    /// # Errors
    /// If an address cannot be bound, or a file cannot be read.
    pub async fn bind(config: Config) -> Result<Self> {
        let metrics = Arc::new(Metrics::new());
        let tls = config.tls.as_ref().map(acceptor).transpose()?;
        let tokens = config.tokens.clone().map(Tokens::load).transpose()?.map(Arc::new);
        let limits = config.limits;
        let service =
            Listener::bind(config.listen, tls.clone(), limits.connections, Arc::clone(&metrics));
        let service = service.await?;
        let administration =
            Listener::bind(config.admin, tls, ADMIN_CONNECTIONS, Arc::clone(&metrics)).await?;
        let pool = Arc::new(Pool::new(config.threads, limits.work, Arc::clone(&metrics))?);
        let admin = Admin {
            worlds: Arc::new(OnceLock::new()),
            metrics: Arc::clone(&metrics),
            drain: Drain::default(),
            tokens: tokens.clone(),
            may_reload: config.may_reload,
            reloading: Arc::default(),
        };
        let drain = admin.drain.clone();
        let shared = Arc::new(Shared::new(tokens, metrics, pool, drain, &limits));
        Ok(Self { config, service, administration, admin, shared })
    }

    /// Address of the service.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn address(&self) -> Result<SocketAddr> {
        self.service.address()
    }

    /// Address of administration.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn admin_address(&self) -> Result<SocketAddr> {
        self.administration.address()
    }

    /// A handle that reads worlds and tokens again.
    pub fn reloader(&self) -> Reloader {
        Reloader { admin: self.admin.clone() }
    }

    /// The readiness of the server, and a handle to shut it down.
    pub fn drain(&self) -> Drain {
        self.admin.drain.clone()
    }

    /// Loads the worlds and serves them until `leave` completes. It then drains: it returns when
    /// all calls have ended or the time limit has passed.
    ///
    /// # Errors
    /// If a world cannot be loaded, or a listener fails.
    pub async fn run(self, leave: impl Future<Output = ()>) -> Result<()> {
        let Self { config, service, administration, admin, shared } = self;
        let mut leave = pin!(leave);
        let (health, health_service) = health_reporter();
        let names: Vec<_> = config.worlds.iter().map(|source| source.name.clone()).collect();
        set_health(&health, &names, ServingStatus::NotServing).await;
        let routes = Routes::new(health_service.clone());
        let admin_task = tokio::spawn(administer(administration, admin.clone().routes(routes)));
        let sources = config.worlds.clone();
        let worlds = tokio::select! {
            worlds = tokio::task::spawn_blocking(move || Worlds::load(sources)) => worlds,
            () = &mut leave => {
                info!("ended while worlds were loading");
                return Ok(());
            }
        };
        let worlds = Arc::new(worlds.context("loading panicked")??);
        for (world, revision) in worlds.revisions() {
            info!(world, revision = format!("{revision:016x}"), "loaded");
        }
        // This is the only place that sets it.
        let _ = admin.worlds.set(Arc::clone(&worlds));
        let drain = admin.drain.clone();
        let physics = Physics::new(
            Arc::clone(&worlds),
            Arc::clone(&shared.pool),
            config.limits,
            Arc::clone(&shared.metrics),
            drain.clone(),
        );
        let router = transport(&config.limits, Arc::clone(&shared))
            .add_service(
                PhysicsServer::new(physics)
                    .max_decoding_message_size(config.limits.message_bytes)
                    .max_encoding_message_size(config.limits.message_bytes),
            )
            .add_service(health_service)
            .add_service(reflection()?);
        let unread = tokio::spawn(close_unread(Arc::clone(&shared), config.limits.call_time));
        let end = drain.clone();
        let serve = router
            .serve_with_incoming_shutdown(incoming(service), async move { end.ended().await });
        let serve = tokio::spawn(serve);
        set_health(&health, &names, ServingStatus::Serving).await;
        drain.serve();
        info!("ready");
        leave.await;
        drain.leave();
        set_health(&health, &names, ServingStatus::NotServing).await;
        info!("leaving: not ready, calls are still answered");
        tokio::time::sleep(config.leave_time).await;
        drain.end();
        if let Ok(served) = tokio::time::timeout(config.end_time, serve).await {
            served.context("serving panicked")?.context("serving failed")?;
        } else {
            warn!("some calls did not end in time");
        }
        unread.abort();
        admin_task.abort();
        info!("ended");
        Ok(())
    }
}

/// Name of a world in the health service.
pub fn health_name(world: &str) -> String {
    format!("world/{world}")
}

async fn set_health(health: &HealthReporter, worlds: &[String], status: ServingStatus) {
    health.set_service_status("", status).await;
    health.set_service_status("capsweep.v1.Physics", status).await;
    for world in worlds {
        health.set_service_status(health_name(world), status).await;
    }
}

fn transport(
    limits: &Limits,
    shared: Arc<Shared>,
) -> Transport<tower::layer::util::Stack<Guard, tower::layer::util::Identity>> {
    Transport::builder()
        .max_concurrent_streams(limits.calls_per_connection)
        // A batch of 1 000 fits into the window, so it does not wait for window updates.
        .initial_stream_window_size(512 << 10)
        .initial_connection_window_size(2 << 20)
        // Fewer frames for a large message.
        .max_frame_size(256 << 10)
        .http2_keepalive_interval(Some(Duration::from_secs(20)))
        .http2_keepalive_timeout(Some(Duration::from_secs(10)))
        .http2_max_header_list_size(16 << 10)
        .layer(Guard(shared))
}

fn reflection() -> Result<
    tonic_reflection::server::v1::ServerReflectionServer<
        impl tonic_reflection::server::v1::ServerReflection,
    >,
> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()?)
}

/// Closes connections whose clients do not read their answers.
async fn close_unread(shared: Arc<Shared>, longest: Duration) {
    loop {
        tokio::time::sleep(UNREAD_INTERVAL).await;
        for _ in 0..shared.unread.close_after(longest) {
            shared.metrics.shed(ShedReason::Unread);
        }
    }
}

/// Serves administration, over HTTP/1 and HTTP/2.
async fn administer(listener: Listener, routes: axum::Router) {
    let mut connections = incoming(listener);
    while let Some(connection) = connections.next().await {
        let Ok(connection) = connection else { continue };
        let service = hyper_util::service::TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let mut builder = auto::Builder::new(TokioExecutor::new());
            // Closes a connection that sends only part of its headers.
            builder.http1().timer(TokioTimer::new()).header_read_timeout(HANDSHAKE_TIME);
            builder
                .http2()
                .timer(TokioTimer::new())
                .max_concurrent_streams(16)
                .keep_alive_interval(Some(Duration::from_secs(20)))
                .keep_alive_timeout(Duration::from_secs(10));
            // The client closed the connection, or violated the protocol.
            let _ = builder.serve_connection(TokioIo::new(connection), service).await;
        });
    }
}

/// Reads worlds and tokens again.
#[derive(Debug, Clone)]
pub struct Reloader {
    admin: Admin,
}

impl Reloader {
    /// Reads all worlds and the tokens again. On an error it logs the error and keeps the old
    /// ones.
    pub async fn reload(&self) {
        if let Some(tokens) = &self.admin.tokens
            && let Err(error) = tokens.reload()
        {
            warn!("the old tokens stay: {error:#}");
        }
        let turn = Arc::clone(&self.admin.reloading).lock_owned().await;
        if let Err(status) = self.admin.reload(Vec::new(), turn).await {
            warn!(%status, "the worlds stay");
        }
    }
}

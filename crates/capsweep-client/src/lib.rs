//! A client of `capsweep-server` in the types of [`capsweep`]. Answers have the library's bits.
//!
//! ```no_run
//! use capsweep::query::batch::SweepQuery;
//! use capsweep::scene::Filter;
//! use capsweep::{Capsule, Motion};
//! use capsweep_client::{Client, Options};
//! use glam::DVec3;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::connect("http://127.0.0.1:50051", Options::default())?;
//! let capsule = Capsule::from_feet(DVec3::new(0.0, 0.0, 2.0), DVec3::Z, 0.3, 1.8)?;
//! let motion = Motion::new(DVec3::new(0.0, 0.0, -5.0))?;
//! let query = SweepQuery { capsule, motion, filter: Filter::default() };
//! let answer = client.world("").sweep(&query).await?;
//! println!("{:?} in revision {:016x}", answer.value, answer.revision);
//! # Ok(())
//! # }
//! ```
//!
//! The client retries every call except streams after a broken transport: [`RetryPolicy`]. Each
//! message of a stream carries all state; reopen a stream that breaks.

mod error;
mod retry;
mod stream;
mod world;

pub use capsweep_proto as proto;
pub use error::Error;
pub use retry::RetryPolicy;
pub use stream::{MoveStream, TickStream};
pub use world::{Answer, Batch, InWorld};

use capsweep_proto::v1;
use capsweep_proto::v1::physics_client::PhysicsClient;
use http::Uri;
use retry::Budget;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Response, Status, TimeoutExpired};

/// How a client connects and calls.
#[derive(Debug, Clone)]
pub struct Options {
    /// Time limit of a call, with all its attempts. The server receives the remaining time.
    pub timeout: Duration,
    /// How calls are retried.
    pub retry: RetryPolicy,
    /// A bearer token, if the server requires one.
    pub token: Option<String>,
    /// Certificates of the server's authority, in PEM, for addresses that start with `https`.
    pub ca: Option<Vec<u8>>,
    /// Name in the server's certificate, if it differs from the address.
    pub domain: Option<String>,
    /// The client's certificates and its key, in PEM, if the server requires them.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
    /// Largest answer in bytes.
    pub max_message: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            retry: RetryPolicy::default(),
            token: None,
            ca: None,
            domain: None,
            identity: None,
            max_message: 16 << 20,
        }
    }
}

/// A client. Clones share the connection and the retry budget.
#[derive(Debug, Clone)]
pub struct Client {
    physics: PhysicsClient<Channel>,
    timeout: Duration,
    budget: Arc<Budget>,
    token: Option<MetadataValue<Ascii>>,
}

impl Client {
    /// A client of the server or balancer at `address`: `http://HOST:PORT`, or `https` with TLS.
    /// It connects on the first call, and reconnects when the connection breaks.
    ///
    /// # Errors
    /// If the address, a certificate or the token is bad.
    pub fn connect(address: &str, options: Options) -> Result<Self, Error> {
        let bad = |error: &dyn core::fmt::Display| Error::Setup(format!("{address}: {error}"));
        let uri: Uri = address.parse().map_err(|error: http::uri::InvalidUri| bad(&error))?;
        let is_secure = uri.scheme_str() == Some("https");
        let mut endpoint = Endpoint::from(uri)
            .connect_timeout(Duration::from_secs(2))
            .tcp_nodelay(true)
            // A batch of 1 000 fits into the window, so it does not wait for window updates.
            .initial_stream_window_size(1 << 20)
            .initial_connection_window_size(4 << 20)
            // Fewer frames for a large answer: the server sends pieces up to this size.
            .max_frame_size(64 << 10)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        if is_secure {
            endpoint = endpoint.tls_config(tls(&options)).map_err(|error| bad(&error))?;
        }
        let token = options.token.map(|token| format!("Bearer {token}").parse()).transpose();
        let token = token.map_err(|_| {
            Error::Setup("the token has characters that a header cannot carry".to_owned())
        })?;
        let physics = PhysicsClient::new(endpoint.connect_lazy());
        Ok(Self {
            physics: physics
                .max_decoding_message_size(options.max_message)
                .max_encoding_message_size(options.max_message),
            timeout: options.timeout,
            budget: Arc::new(Budget::new(options.retry)),
            token,
        })
    }

    /// The calls in a world; in the server's first world if the name is empty.
    pub fn world(&self, name: impl Into<String>) -> InWorld {
        InWorld::new(self.clone(), name.into())
    }

    /// The worlds of the server.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn worlds(&self) -> Result<Vec<v1::World>, Error> {
        let call = |mut physics: PhysicsClient<Channel>, request| async move {
            physics.worlds(request).await
        };
        Ok(self.call(v1::WorldsRequest {}, call).await?.worlds)
    }

    fn request<T>(&self, message: T, timeout: Option<Duration>) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }

    /// Makes a call, and retries it if the transport breaks.
    ///
    /// # Errors
    /// The error of the last attempt.
    pub async fn call<Q, A, F>(
        &self,
        message: Q,
        call: impl Fn(PhysicsClient<Channel>, Request<Q>) -> F,
    ) -> Result<A, Error>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let deadline = Instant::now() + self.timeout.min(LONGEST);
        let mut attempt = 0;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let request = self.request(message.clone(), Some(left));
            let work = tokio::time::timeout(left, call(self.physics.clone(), request));
            let late = || Status::deadline_exceeded("no answer came in time");
            let status = match work.await {
                Ok(Ok(answer)) => {
                    self.budget.refill();
                    return Ok(answer.into_inner());
                }
                // The transport's own timer says CANCELLED, and the server may reset the call.
                Ok(Err(status)) if is_expired(&status) || Instant::now() >= deadline => {
                    return Err(late().into());
                }
                Ok(Err(status)) => status,
                Err(_) => return Err(late().into()),
            };
            match self.budget.next_pause(&status, attempt, deadline) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(status.into()),
            }
            attempt += 1;
        }
    }
}

/// Longest time limit of a call: what `grpc-timeout` can say, and no overflow.
const LONGEST: Duration = Duration::from_secs(86_400 * 365);

/// Whether the timer of the transport ended a call. It may be a moment early.
fn is_expired(status: &Status) -> bool {
    status.code() == Code::Cancelled && status.message() == TimeoutExpired(()).to_string()
}

fn tls(options: &Options) -> ClientTlsConfig {
    let mut tls = ClientTlsConfig::new();
    if let Some(ca) = &options.ca {
        tls = tls.ca_certificate(Certificate::from_pem(ca));
    }
    if let Some(domain) = &options.domain {
        tls = tls.domain_name(domain);
    }
    if let Some((certificates, key)) = &options.identity {
        tls = tls.identity(Identity::from_pem(certificates, key));
    }
    tls
}

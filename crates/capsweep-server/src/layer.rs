//! The layer around the service that every call and answer passes: tokens, limits, deadlines,
//! request ids, metrics, panics.

use crate::auth::Tokens;
use crate::call::{AbandonOnDrop, Call, parse_timeout};
use crate::drain::Drain;
use crate::limits::Limits;
use crate::metrics::{Metrics, OfCall, ShedReason};
use crate::net::{Answer, ConnectionInfo, Held, Unread, Until};
use crate::pool::Pool;
use futures_util::FutureExt as _;
use http::{HeaderMap, HeaderValue, Request, Response, header};
use std::convert::Infallible;
use std::future::Future;
use std::hash::{BuildHasher as _, RandomState};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::{debug, warn};

/// State that all calls share.
#[derive(Debug)]
pub struct Shared {
    /// The tokens, if callers need one.
    pub tokens: Option<Arc<Tokens>>,
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// The pool that batches run on.
    pub pool: Arc<Pool>,
    /// Answers in flight.
    pub unread: Arc<Unread>,
    drain: Drain,
    calls: Share,
    health: Share,
    call_time: Duration,
    ids: Ids,
}

impl Shared {
    /// The shared state of a server with these limits.
    pub fn new(
        tokens: Option<Arc<Tokens>>,
        metrics: Arc<Metrics>,
        pool: Arc<Pool>,
        drain: Drain,
        limits: &Limits,
    ) -> Self {
        Self {
            tokens,
            metrics,
            pool,
            unread: Arc::default(),
            drain,
            calls: Share::new(limits.calls),
            health: Share::new(HEALTH_CALLS),
            call_time: limits.call_time,
            ids: Ids::default(),
        }
    }
}

/// Makes request ids from a number of the process and a number of the call.
#[derive(Debug)]
struct Ids {
    process: u64,
    next: AtomicU64,
}

impl Default for Ids {
    fn default() -> Self {
        // The standard library's only source of randomness.
        let process = RandomState::new().hash_one(std::process::id());
        Self { process, next: AtomicU64::new(0) }
    }
}

/// Metadata with the id of a call.
pub const REQUEST_ID: &str = "x-request-id";

impl Ids {
    /// The caller's id if it is valid, or a new one.
    fn of(&self, headers: &HeaderMap) -> String {
        let is_fit = |id: &&str| {
            (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(is_fit);
        given.map_or_else(
            || {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                format!("{:08x}-{number:x}", self.process as u32)
            },
            str::to_owned,
        )
    }
}

/// Puts [`Guarded`] in front of a service.
#[derive(Debug, Clone)]
pub struct Guard(pub Arc<Shared>);

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { inner, shared: Arc::clone(&self.0) }
    }
}

/// A service behind the guard.
#[derive(Debug, Clone)]
pub struct Guarded<S> {
    inner: S,
    shared: Arc<Shared>,
}

/// Permits of a call.
type Permits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

/// A bound on calls. Those without a time limit take at most half of it, so that they leave room
/// for others.
#[derive(Debug)]
struct Share {
    all: Arc<Semaphore>,
    unlimited: Arc<Semaphore>,
}

impl Share {
    fn new(calls: usize) -> Self {
        let calls = calls.min(Semaphore::MAX_PERMITS);
        let of = |calls| Arc::new(Semaphore::new(calls));
        Self { all: of(calls), unlimited: of(calls.div_ceil(2)) }
    }

    fn admit(&self, is_unlimited: bool) -> Option<Permits> {
        let permit = |of: &Arc<Semaphore>| Arc::clone(of).try_acquire_owned().ok();
        let unlimited = if is_unlimited { Some(permit(&self.unlimited)?) } else { None };
        Some((permit(&self.all)?, unlimited))
    }
}

/// Calls of the health service in flight. They need no token, so they take no room from others.
const HEALTH_CALLS: usize = 64;

/// Whether a call may last as long as its caller wants.
fn is_unlimited(path: &str) -> bool {
    let is_stream = path.starts_with("/capsweep.") && path.ends_with("Stream");
    is_stream || path == "/grpc.health.v1.Health/Watch"
}

/// A call in flight: it counts until its answer is sent.
struct InFlight {
    shared: Arc<Shared>,
    call: Arc<Call>,
    /// `None` for calls of other services, such as health.
    of_call: Option<Arc<OfCall>>,
    is_stream: bool,
    started: Instant,
    is_noted: bool,
    _abandon: AbandonOnDrop,
    _permits: Permits,
}

impl InFlight {
    /// Notes the result: the code in a head without a body, or in trailers.
    fn note(&mut self, code: Code, message: &str) {
        let is_noted = std::mem::replace(&mut self.is_noted, true);
        let Some(of_call) = self.of_call.as_ref().filter(|_| !is_noted) else { return };
        let (took, id) = (self.started.elapsed(), self.call.id.as_str());
        let call = of_call.name();
        if code == Code::Ok {
            of_call.ended();
            let queries = self.call.queries();
            // Streams note each of their answers.
            if !self.is_stream {
                of_call.answered(took, queries);
            }
            debug!(id, ?took, queries, call, "answered");
            return;
        }
        self.shared.metrics.failed(of_call, code);
        if matches!(code, Code::Internal | Code::Unknown) {
            warn!(id, ?took, ?code, message, call, "failed");
        } else {
            debug!(id, ?took, ?code, message, call, "failed");
        }
    }

    /// Corrects and notes the status, if there is one.
    fn note_status(&mut self, headers: &mut HeaderMap) {
        correct(headers);
        if let Some(code) = code_of(headers) {
            let message = headers.get("grpc-message").and_then(|message| message.to_str().ok());
            self.note(code, message.unwrap_or_default());
        }
    }
}

impl Held for InFlight {
    fn ends(&mut self, trailers: &mut HeaderMap) {
        self.note_status(trailers);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.note(Code::Cancelled, "the caller is gone");
        self.shared.metrics.add_in_flight(-1);
    }
}

type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl<S> Service<Request<Body>> for Guarded<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: std::fmt::Debug,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The routes are always ready. An error would be a defect, and the call would report it.
        self.inner.poll_ready(context).map(|_| Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering {
        let shared = &self.shared;
        let id = shared.ids.of(request.headers());
        let permits = match admit(shared, &request) {
            Ok(permits) => permits,
            Err(status) => {
                let of_call = shared.metrics.of_call(request.uri().path());
                if let Some(of_call) = of_call {
                    shared.metrics.failed(of_call, status.code());
                }
                debug!(id, path = request.uri().path(), %status, "refused");
                let answer = with_id(status.into_http(), &id);
                return Box::pin(std::future::ready(Ok(answer)));
            }
        };
        let in_flight = begin(shared, &request, id, permits);
        let inner = self.inner.clone();
        let mut ready = std::mem::replace(&mut self.inner, inner);
        Box::pin(async move { Ok(answer(&mut ready, request, in_flight).await) })
    }
}

/// Whether a call may start.
fn admit(shared: &Shared, request: &Request<Body>) -> Result<Permits, Status> {
    let path = request.uri().path();
    let is_health = path.starts_with("/grpc.health.");
    if let Some(tokens) = shared.tokens.as_ref().filter(|_| !is_health) {
        let header = request.headers().get(header::AUTHORIZATION);
        if !tokens.allow(header.map(HeaderValue::as_bytes)) {
            return Err(Status::unauthenticated("send `authorization: Bearer TOKEN`"));
        }
    }
    // Before the message is read, so that a refusal costs next to nothing.
    if path.ends_with("Batch") && shared.pool.is_full() {
        return Err(shared.pool.refuse());
    }
    let share = if is_health { &shared.health } else { &shared.calls };
    share.admit(is_unlimited(path)).ok_or_else(|| {
        shared.metrics.shed(ShedReason::Calls);
        let message = "too many calls in flight: try again later, or another replica";
        Status::resource_exhausted(message)
    })
}

/// Starts the time of an admitted call.
fn begin(shared: &Arc<Shared>, request: &Request<Body>, id: String, permits: Permits) -> InFlight {
    let started = Instant::now();
    let path = request.uri().path();
    let timeout = request.headers().get("grpc-timeout").and_then(|value| value.to_str().ok());
    let timeout = timeout.and_then(parse_timeout);
    let longest = if is_unlimited(path) { FOREVER } else { shared.call_time };
    let deadline = started + timeout.map_or(longest, |timeout| timeout.min(longest));
    let call = Call::new(id, deadline);
    shared.metrics.add_in_flight(1);
    InFlight {
        shared: Arc::clone(shared),
        of_call: shared.metrics.of_call(path).cloned(),
        is_stream: is_unlimited(path),
        started,
        is_noted: false,
        _abandon: AbandonOnDrop(Arc::clone(&call)),
        call,
        _permits: permits,
    }
}

/// The time of calls without a limit.
const FOREVER: Duration = Duration::from_secs(86_400 * 365);

async fn answer<S>(
    service: &mut S,
    mut request: Request<Body>,
    mut in_flight: InFlight,
) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: std::fmt::Debug,
{
    let call = Arc::clone(&in_flight.call);
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(Arc::clone(&call));
    let connection = request.extensions().get::<ConnectionInfo>().cloned();
    let work = AssertUnwindSafe(service.call(request)).catch_unwind();
    let mut response = match tokio::time::timeout_at(call.deadline.into(), work).await {
        Ok(Ok(Ok(response))) => response,
        Ok(Ok(Err(error))) => {
            Status::internal(format!("the service is not ready: {error:?}")).into_http()
        }
        Ok(Err(_panic)) => {
            tracing::error!(id = call.id, path, "a call panicked: please report its request");
            Status::internal("the call panicked: this is a defect of the server").into_http()
        }
        Err(_late) => Status::deadline_exceeded("the deadline passed").into_http(),
    };
    in_flight.note_status(response.headers_mut());
    let response = with_id(response, &call.id);
    // The service's own streams look at their time and at the drain themselves.
    let until = path.starts_with("/grpc.").then(|| until(&in_flight));
    response.map(|body| {
        // A stream continues. When the answer is dropped, its caller is gone.
        let unread = Arc::clone(&in_flight.shared.unread);
        Body::new(Answer::new((body, until), connection.as_ref(), &unread, in_flight))
    })
}

/// The end of an answer of health or reflection: its deadline, or that of the server. Otherwise an
/// open one would hold up the shutdown.
fn until(in_flight: &InFlight) -> Until {
    let (drain, deadline) = (in_flight.shared.drain.clone(), in_flight.call.deadline);
    Box::pin(async move {
        tokio::select! {
            () = drain.ended() => Status::unavailable("the server ends"),
            () = tokio::time::sleep_until(deadline.into()) => {
                Status::deadline_exceeded("the deadline passed")
            }
        }
    })
}

/// The status code in trailers, or in the head of an answer without a body.
fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|code| Code::from_bytes(code.as_bytes()))
}

/// Tonic returns `OUT_OF_RANGE` for a message or an answer that is too large, and `INTERNAL` for a
/// damaged frame. Both are errors of the caller.
fn correct(headers: &mut HeaderMap) {
    let code = match code_of(headers) {
        Some(Code::OutOfRange) => "8",
        Some(Code::Internal) if is_no_message(headers) => "3",
        _ => return,
    };
    headers.insert("grpc-status", HeaderValue::from_static(code));
}

fn is_no_message(headers: &HeaderMap) -> bool {
    let message = headers.get("grpc-message").and_then(|message| message.to_str().ok());
    message.is_some_and(|message| {
        ["protocol%20error", "Unexpected%20EOF", "Missing%20request"]
            .iter()
            .any(|start| message.starts_with(start))
    })
}

fn with_id(mut response: Response<Body>, id: &str) -> Response<Body> {
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

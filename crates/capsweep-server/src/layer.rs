//! The layer around the service that every call and answer passes: tokens, limits, deadlines,
//! request ids, metrics, panics.

use crate::auth::Tokens;
use crate::call::{AbandonOnDrop, Call, parse_timeout};
use crate::metrics::{Metrics, OfCall, ShedReason};
use crate::net::{Answer, ConnectionInfo, Unread};
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
    calls: Arc<Semaphore>,
    call_time: Duration,
    ids: Ids,
}

impl Shared {
    /// A guard for this many calls in flight, with this time limit for each.
    pub fn new(
        tokens: Option<Arc<Tokens>>,
        metrics: Arc<Metrics>,
        pool: Arc<Pool>,
        (calls, call_time): (usize, Duration),
    ) -> Self {
        let (calls, unread) = (Arc::new(Semaphore::new(calls)), Arc::default());
        Self { tokens, metrics, pool, unread, calls, call_time, ids: Ids::default() }
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

/// A call in flight: it counts until its answer is sent.
struct InFlight {
    metrics: Arc<Metrics>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.metrics.add_in_flight(-1);
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
        let shared = Arc::clone(&self.shared);
        let id = shared.ids.of(request.headers());
        let in_flight = match admit(&shared, &request) {
            Ok(in_flight) => in_flight,
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
        let inner = self.inner.clone();
        let mut ready = std::mem::replace(&mut self.inner, inner);
        Box::pin(async move {
            let answer = answer(&mut ready, &shared, request, id, in_flight).await;
            Ok(answer)
        })
    }
}

/// Whether a call may start.
fn admit(shared: &Shared, request: &Request<Body>) -> Result<InFlight, Status> {
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
        shared.metrics.shed(ShedReason::Work);
        let message = "too much work waits: try again later, or another replica";
        return Err(Status::resource_exhausted(message));
    }
    let Ok(permit) = Arc::clone(&shared.calls).try_acquire_owned() else {
        shared.metrics.shed(ShedReason::Calls);
        let message = "too many calls in flight: try again later, or another replica";
        return Err(Status::resource_exhausted(message));
    };
    shared.metrics.add_in_flight(1);
    Ok(InFlight { metrics: Arc::clone(&shared.metrics), _permit: permit })
}

async fn answer<S>(
    service: &mut S,
    shared: &Arc<Shared>,
    mut request: Request<Body>,
    id: String,
    in_flight: InFlight,
) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: std::fmt::Debug,
{
    let started = Instant::now();
    let path = request.uri().path().to_owned();
    let is_stream = path.ends_with("Stream") || path.starts_with("/grpc.");
    let timeout = request.headers().get("grpc-timeout").and_then(|value| value.to_str().ok());
    let timeout = timeout.and_then(parse_timeout);
    // A stream has no time limit: its caller ends it.
    let longest = if is_stream { Duration::from_secs(86_400 * 365) } else { shared.call_time };
    let deadline = started + timeout.map_or(longest, |timeout| timeout.min(longest));
    let call = Call::new(id, deadline);
    request.extensions_mut().insert(Arc::clone(&call));
    let connection = request.extensions().get::<ConnectionInfo>().cloned();
    let abandon = AbandonOnDrop(Arc::clone(&call));
    let work = AssertUnwindSafe(service.call(request)).catch_unwind();
    let response = match tokio::time::timeout_at(deadline.into(), work).await {
        Ok(Ok(Ok(response))) => corrected(response),
        Ok(Ok(Err(error))) => {
            Status::internal(format!("the service is not ready: {error:?}")).into_http()
        }
        Ok(Err(_panic)) => {
            tracing::error!(id = call.id, path, "a call panicked: please report its request");
            Status::internal("the call panicked: this is a defect of the server").into_http()
        }
        Err(_late) => Status::deadline_exceeded("the deadline passed").into_http(),
    };
    if let Some(of_call) = shared.metrics.of_call(&path) {
        note(shared, of_call, &call, started, &response);
    }
    let response = with_id(response, &call.id);
    response.map(|body| {
        // A stream continues. When the answer is dropped, its caller is gone.
        let held = (in_flight, abandon);
        Body::new(Answer::new(body, connection.as_ref(), &shared.unread, held))
    })
}

/// The status code of an answer that has only headers; `None` if a body follows.
fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|code| Code::from_bytes(code.as_bytes()))
}

fn note(
    shared: &Shared,
    of_call: &OfCall,
    call: &Call,
    started: Instant,
    response: &Response<Body>,
) {
    let (took, id) = (started.elapsed(), call.id.as_str());
    match code_of(response.headers()) {
        None | Some(Code::Ok) => {
            of_call.answered(took, call.queries());
            debug!(id, ?took, queries = call.queries(), call = of_call.name(), "answered");
        }
        Some(code) => {
            shared.metrics.failed(of_call, code);
            let message = response.headers().get("grpc-message");
            let message = message.and_then(|message| message.to_str().ok()).unwrap_or_default();
            if matches!(code, Code::Internal | Code::Unknown) {
                warn!(id, ?took, ?code, message, call = of_call.name(), "failed");
            } else {
                debug!(id, ?took, ?code, message, call = of_call.name(), "failed");
            }
        }
    }
}

/// Tonic returns `OUT_OF_RANGE` for a message that is too large, and `INTERNAL` for one that does
/// not decode. Both are errors of the caller.
fn corrected(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let code = match code_of(headers) {
        Some(Code::OutOfRange) => "8",
        Some(Code::Internal) if is_no_message(headers) => "3",
        _ => return response,
    };
    headers.insert("grpc-status", HeaderValue::from_static(code));
    response
}

fn is_no_message(headers: &HeaderMap) -> bool {
    let message = headers.get("grpc-message").and_then(|message| message.to_str().ok());
    message.is_some_and(|message| {
        ["failed%20to%20decode", "protocol%20error", "Unexpected%20EOF", "Missing%20request"]
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

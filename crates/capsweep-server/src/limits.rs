//! Limits of the service. Beyond a limit of calls, work or size it answers `RESOURCE_EXHAUSTED` at
//! once.

use std::time::Duration;

/// The limits of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a message, both ways.
    pub message_bytes: usize,
    /// Queries of a batch.
    pub batch_queries: usize,
    /// Bodies that a request moves or adds.
    pub overlay_bodies: usize,
    /// Scene queries for one claim.
    pub claim_queries: u32,
    /// Calls in flight, including streams of moves and ticks, which take at most half of them. A
    /// call ends when its answer is sent.
    pub calls: usize,
    /// Running and queued work of calls on the pool, in sweeps: see [`cost`]. Streams have half
    /// as much of their own.
    pub work: usize,
    /// Calls of one connection.
    pub calls_per_connection: u32,
    /// Open connections.
    pub connections: usize,
    /// Characters whose surroundings all open streams together may cache. Further characters are
    /// moved without a cache.
    pub cached_characters: usize,
    /// Time limit of a call, and of an answer that a client does not read.
    pub call_time: Duration,
    /// Time limit between two messages of a stream. After it the stream ends with `ABORTED`.
    pub stream_idle: Duration,
}

/// Cost of a query on the pool, in sweeps: about 1 µs each.
pub mod cost {
    /// A sweep, an overlap, closest points, a ray, a liquid.
    pub const QUERY: usize = 1;
    /// A query for supports.
    pub const SUPPORTS: usize = 2;
    /// A move or a tick.
    pub const MOVE: usize = 8;
    /// The judgement of a claim, or the start of a chain.
    pub const CLAIM: usize = 64;
    /// Limit of queries that [`CLAIM`] covers: the default. A claim that may ask more costs more.
    pub const CLAIM_QUERIES: usize = 20_000;
    /// A body of an overlay, or one that moved between claims.
    pub const BODY: usize = 2;
}

impl Limits {
    /// The limits of a server with this many threads in its pool. A batch of 1 000 sweeps waits
    /// for at most eight others on each thread: some 10 ms.
    pub fn new(threads: usize) -> Self {
        Self {
            message_bytes: 4 << 20,
            batch_queries: 10_000,
            overlay_bodies: 1_000,
            claim_queries: 100_000,
            calls: 256,
            work: threads.saturating_mul(8_192),
            calls_per_connection: 64,
            connections: 512,
            cached_characters: 10_000,
            call_time: Duration::from_secs(30),
            stream_idle: Duration::from_secs(300),
        }
    }
}

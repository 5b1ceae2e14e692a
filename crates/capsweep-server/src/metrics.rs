//! Metrics in the format of Prometheus.

use crate::world::Worlds;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Names of the calls, in the order of the protocol.
pub const CALLS: [&str; 22] = [
    "Worlds",
    "Sweep",
    "SweepBatch",
    "Overlap",
    "OverlapBatch",
    "Closest",
    "ClosestBatch",
    "Ray",
    "RayBatch",
    "Supports",
    "SupportsBatch",
    "Liquid",
    "LiquidBatch",
    "Move",
    "MoveBatch",
    "MoveStream",
    "Tick",
    "TickBatch",
    "TickStream",
    "Start",
    "Validate",
    "ValidateBatch",
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabel {
    call: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CodeLabels {
    call: &'static str,
    code: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ShedLabel {
    reason: ShedReason,
}

/// Why a call or a connection was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub enum ShedReason {
    /// Too many calls in flight.
    Calls,
    /// Too much work on the pool.
    Work,
    /// Too many connections.
    Connections,
    /// A client did not read its answers.
    Unread,
}

impl ShedReason {
    const ALL: [Self; 4] = [Self::Calls, Self::Work, Self::Connections, Self::Unread];
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorldLabels {
    world: String,
    revision: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: &'static str,
}

/// The metrics of one call, looked up once.
#[derive(Debug)]
pub struct OfCall {
    name: &'static str,
    ok: Counter,
    queries: Counter,
    seconds: Histogram,
}

/// The metrics of a server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    calls: Family<CodeLabels, Counter>,
    of_calls: HashMap<&'static str, Arc<OfCall>>,
    shed: Family<ShedLabel, Counter>,
    in_flight: Gauge,
    connections: Gauge,
    cached_characters: Gauge,
    worlds: Family<WorldLabels, Gauge>,
    reloads: Family<ResultLabel, Counter>,
    memory: Gauge<u64, AtomicU64>,
    cpu: Gauge<f64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// Upper bounds of the latency histogram (seconds): 50 µs to 10 s.
const BUCKETS: [f64; 16] =
    [5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0];

impl Metrics {
    /// Metrics that are all 0.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("capsweep");
        let calls = Family::<CodeLabels, Counter>::default();
        let queries = Family::<CallLabel, Counter>::default();
        let seconds =
            Family::<CallLabel, Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
        let shed = Family::<ShedLabel, Counter>::default();
        let in_flight = Gauge::default();
        let connections = Gauge::default();
        let cached_characters = Gauge::default();
        let worlds = Family::<WorldLabels, Gauge>::default();
        let reloads = Family::<ResultLabel, Counter>::default();
        let memory = Gauge::<u64, AtomicU64>::default();
        let cpu = Gauge::<f64, AtomicU64>::default();
        registry.register("calls", "Calls by their result", calls.clone());
        registry.register("queries", "Queries, moves and claims", queries.clone());
        let help = "Time from a request to its answer, also in streams";
        registry.register_with_unit("call", help, Unit::Seconds, seconds.clone());
        // All series exist from the start, so that the first event shows as a change.
        for reason in ShedReason::ALL {
            let _ = shed.get_or_create(&ShedLabel { reason });
        }
        for result in ["ok", "error"] {
            let _ = reloads.get_or_create(&ResultLabel { result });
        }
        registry.register("shed", "Calls and connections refused at a limit", shed.clone());
        registry.register("calls_in_flight", "Calls in flight", in_flight.clone());
        registry.register("connections", "Open connections", connections.clone());
        let help = "Characters whose surroundings streams cache";
        registry.register("cached_characters", help, cached_characters.clone());
        registry.register("world", "Worlds and their revisions", worlds.clone());
        registry.register("reloads", "Worlds read again", reloads.clone());
        let help = "Resident memory";
        registry.register_with_unit("resident_memory", help, Unit::Bytes, memory.clone());
        registry.register_with_unit("cpu", "Time on all cores", Unit::Seconds, cpu.clone());
        let of_call = |name: &'static str| {
            let labels = CallLabel { call: name };
            let code = CodeLabels { call: name, code: "ok".to_owned() };
            let of = OfCall {
                name,
                ok: calls.get_or_create_owned(&code),
                queries: queries.get_or_create_owned(&labels),
                seconds: seconds.get_or_create_owned(&labels),
            };
            (name, Arc::new(of))
        };
        let of_calls = CALLS.into_iter().map(of_call).collect();
        Self {
            registry,
            calls,
            of_calls,
            shed,
            in_flight,
            connections,
            cached_characters,
            worlds,
            reloads,
            memory,
            cpu,
        }
    }

    /// The metrics of a call by its path; `None` if the service has no such call.
    pub fn of_call(&self, path: &str) -> Option<&Arc<OfCall>> {
        self.named(path.strip_prefix("/capsweep.v1.Physics/")?)
    }

    /// The metrics of a call by its name.
    pub fn named(&self, name: &str) -> Option<&Arc<OfCall>> {
        self.of_calls.get(name)
    }

    /// Notes a call that ended with an error.
    pub fn failed(&self, of: &OfCall, code: tonic::Code) {
        let code = format!("{code:?}").to_lowercase();
        self.calls.get_or_create(&CodeLabels { call: of.name, code }).inc();
    }

    /// Notes a refusal.
    pub fn shed(&self, reason: ShedReason) {
        self.shed.get_or_create(&ShedLabel { reason }).inc();
    }

    /// Notes a call that starts (1) or ends (-1).
    pub fn add_in_flight(&self, calls: i64) {
        self.in_flight.inc_by(calls);
    }

    /// Notes a connection that opens (1) or closes (-1).
    pub fn add_connections(&self, connections: i64) {
        self.connections.inc_by(connections);
    }

    /// Notes characters that streams start or stop caching.
    pub fn add_cached_characters(&self, characters: i64) {
        self.cached_characters.inc_by(characters);
    }

    /// Notes a world that was read again, or could not be.
    pub fn reloaded(&self, is_new: bool) {
        let result = if is_new { "ok" } else { "error" };
        self.reloads.get_or_create(&ResultLabel { result }).inc();
    }

    /// All metrics as text.
    ///
    /// # Errors
    /// None in practice: writing to a string does not fail.
    pub fn text(&self, worlds: Option<&Worlds>) -> Result<String, std::fmt::Error> {
        self.worlds.clear();
        for (world, revision) in worlds.map(Worlds::revisions).unwrap_or_default() {
            let revision = format!("{revision:016x}");
            self.worlds.get_or_create(&WorldLabels { world, revision }).set(1);
        }
        self.memory.set(resident_bytes().unwrap_or(0));
        self.cpu.set(cpu_seconds().unwrap_or(0.0));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl OfCall {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Notes a call that ended without an error.
    pub fn ended(&self) {
        self.ok.inc();
    }

    /// Notes an answer: that of a call, or one of a stream.
    pub fn answered(&self, took: Duration, queries: u64) {
        self.seconds.observe(took.as_secs_f64());
        self.queries.inc_by(queries);
    }
}

/// Resident memory of the process; `None` where there is no `/proc`.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Seconds that the process has spent on all cores; `None` where there is no `/proc`.
fn cpu_seconds() -> Option<f64> {
    let mut ticks = 0_u64;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold spaces. User and system time are fields 14 and 15.
    let after_name = stat.rsplit_once(')')?.1;
    for field in after_name.split_whitespace().skip(11).take(2) {
        ticks += field.parse::<u64>().ok()?;
    }
    // Linux reports hundredths of a second on every platform that Rust supports.
    Some(ticks as f64 / 100.0)
}

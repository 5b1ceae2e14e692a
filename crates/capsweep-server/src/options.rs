//! The command line.

use crate::limits::Limits;
use crate::net::TlsFiles;
use crate::server::Config;
use crate::world::Source;
use anyhow::{Result, bail};
use clap::{Args, Parser, ValueEnum, value_parser};
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Serves capsweep's queries, moves and judgements over gRPC.
#[derive(Debug, Parser)]
#[command(name = "capsweep-server", version)]
#[command(after_help = "\
SIGHUP reads all worlds and tokens again. SIGTERM and SIGINT shut the server down: it reports not \
ready, and exits when its calls have ended, after 10 s at most.

Exit codes: 0 requested shutdown; 1 failure at run time; 2 bad arguments or a world that cannot \
be loaded.")]
pub struct Options {
    /// A world: a level, scene or map file. Repeat it for more worlds. Requests without a name use
    /// the first [default: the built-in course]
    #[arg(long, value_name = "[NAME=]FILE")]
    pub world: Vec<Source>,
    /// Address of the service
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub listen: SocketAddr,
    /// Address of administration: reloads, /ready, /metrics
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50052")]
    pub admin: SocketAddr,
    /// Certificates of the server, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Key of the server, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Authorities of clients, in PEM: clients must present a certificate from one of them
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub client_ca: Option<PathBuf>,
    /// Allow addresses other than loopback without TLS
    #[arg(long)]
    pub insecure: bool,
    /// File of tokens, one per line: callers must send one
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Threads for batches and validation [default: one per core]
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What to log, such as `debug` or `capsweep_server=debug,info`
    #[arg(long, value_name = "FILTER", default_value = "info")]
    pub log: String,
    /// Format of the log
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Human-readable lines
    Text,
    /// One JSON object per line
    Json,
}

/// The limits. Beyond them a call fails at once with `RESOURCE_EXHAUSTED`; after
/// `--max-call-time` with `DEADLINE_EXCEEDED`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
#[allow(clippy::struct_field_names, reason = "names of options")]
pub struct LimitOptions {
    /// Bytes of a message [default: 4194304]
    #[arg(long, value_name = "BYTES")]
    max_message: Option<NonZeroUsize>,
    /// Queries in a batch [default: 10000]
    #[arg(long, value_name = "COUNT")]
    max_batch: Option<NonZeroUsize>,
    /// Calls in flight; streams take at most half of them [default: 256]
    #[arg(long, value_name = "COUNT")]
    max_calls: Option<NonZeroUsize>,
    /// Running and queued work of calls, in sweeps; a move counts as 8, a claim as 64. Streams
    /// have half as much of their own [default: 8192 per thread]
    #[arg(long, value_name = "SWEEPS")]
    max_work: Option<NonZeroUsize>,
    /// Calls in flight per connection [default: 64]
    #[arg(long, value_name = "COUNT")]
    max_streams: Option<NonZeroU32>,
    /// Open connections [default: 512]
    #[arg(long, value_name = "COUNT")]
    max_connections: Option<NonZeroUsize>,
    /// Time limit of a call, and of an unread answer (seconds) [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_call_time: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => bail!("not a time between 0 and 86400 seconds"),
    }
}

impl Options {
    /// The checked configuration.
    ///
    /// # Errors
    /// If an address is open to others without TLS, and `--insecure` does not allow it.
    pub fn config(self) -> Result<Config> {
        let tls = match (self.tls_cert, self.tls_key) {
            (Some(cert), Some(key)) => Some(TlsFiles { cert, key, client_ca: self.client_ca }),
            _ => None,
        };
        for (option, address) in [("--listen", self.listen), ("--admin", self.admin)] {
            if tls.is_none() && !self.insecure && !address.ip().is_loopback() {
                bail!(
                    "{option} {address} is open to other machines: set --tls-cert and --tls-key, \
                     or --insecure if the network is trusted"
                );
            }
        }
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.map_or(cores.get(), usize::from);
        let mut limits = Limits::new(threads);
        let given = &self.limits;
        let set = |limit: &mut usize, value: Option<NonZeroUsize>| {
            *limit = value.map_or(*limit, NonZeroUsize::get);
        };
        set(&mut limits.message_bytes, given.max_message);
        set(&mut limits.batch_queries, given.max_batch);
        set(&mut limits.calls, given.max_calls);
        set(&mut limits.work, given.max_work);
        set(&mut limits.connections, given.max_connections);
        if let Some(streams) = given.max_streams {
            limits.calls_per_connection = streams.get();
        }
        limits.call_time = given.max_call_time.unwrap_or(limits.call_time);
        let is_checked = tls.as_ref().is_some_and(|tls| tls.client_ca.is_some());
        let may_reload = self.admin.ip().is_loopback() || self.tokens.is_some() || is_checked;
        let worlds = if self.world.is_empty() { vec![Source::course()] } else { self.world };
        Ok(Config {
            listen: self.listen,
            admin: self.admin,
            tls,
            tokens: self.tokens,
            may_reload,
            worlds,
            threads,
            limits,
            leave_time: Duration::from_secs(2),
            end_time: Duration::from_secs(8),
        })
    }
}

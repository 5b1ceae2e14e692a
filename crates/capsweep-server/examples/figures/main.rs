//! Prints the figures of the service: ratios in one run, on loopback.
//!
//! ```console
//! $ cargo build --release -p capsweep-server
//! $ cargo run --release -p capsweep-server --example figures
//! $ cargo run --release -p capsweep-server --example figures -- soak 30
//! ```
//!
//! The level is `dungeon.obj` in the folder `CAPSWEEP_MESHES`, or a generated dungeon.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a measurement")]

mod latency;
mod overload;
mod process;
mod raw;
mod soak;
mod throughput;
mod work;

use std::env;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let runtime = |threads| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(threads).enable_all().build().unwrap()
    };
    match arguments[..] {
        [] => {
            runtime(2).block_on(throughput::print(None));
            runtime(2).block_on(latency::print());
            overload::print();
        }
        ["throughput"] => runtime(2).block_on(throughput::print(None)),
        ["throughput", only] => runtime(2).block_on(throughput::print(Some(only))),
        ["latency"] => runtime(2).block_on(latency::print()),
        ["overload"] => overload::print(),
        ["soak", minutes] => {
            let minutes: f64 = minutes.parse().expect("soak MINUTES");
            runtime(2).block_on(soak::print(Duration::from_secs_f64(60.0 * minutes)));
        }
        // What this program starts itself.
        ["empty-server"] => runtime(2).block_on(latency::serve_empty()),
        ["load", address, file] => runtime(1).block_on(overload::load(address, file)),
        _ => panic!(
            "usage: figures [throughput [sweeps | moves] | latency | overload | soak MINUTES]"
        ),
    }
}

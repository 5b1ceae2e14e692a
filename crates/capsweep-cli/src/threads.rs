//! Sets the number of threads.

use crate::output;
use anyhow::{Context, Result};
use std::num::NonZero;
use std::thread::available_parallelism;

/// Most threads per core: more would only wait for each other.
const MAX_PER_CORE: u64 = 4;

/// Threads allowed on any machine, so that tests can compare few threads with many.
const ALWAYS_ALLOWED: u64 = 16;

/// Sets up rayon's global pool, which runs all parallel work: mesh builds, batches, benchmarks.
///
/// Caps the number of threads at what the machine can use and prints a note if it does.
pub(crate) fn set_up(flag: Option<u64>) -> Result<()> {
    let cores = available_parallelism().map_or(1, NonZero::get) as u64;
    let most = (MAX_PER_CORE * cores).max(ALWAYS_ALLOWED);
    let asked = match flag {
        Some(asked) => Some(("--threads", asked)),
        // Rayon reads this variable itself, but without a cap.
        None => from_environment().filter(|(_, asked)| *asked > most),
    };
    let Some((source, asked)) = asked else { return Ok(()) };
    let threads = asked.min(most);
    if asked > most {
        let note = format!(
            "{source} {asked} is more than this machine of {cores} cores can use: \
             {threads} threads are started"
        );
        output::print_note(&note);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
    pool.build_global().with_context(|| format!("{source} {asked}"))
}

fn from_environment() -> Option<(&'static str, u64)> {
    let name = "RAYON_NUM_THREADS";
    Some((name, std::env::var(name).ok()?.parse().ok()?))
}

//! How many threads there are.

use crate::output;
use anyhow::{Context, Result};
use std::num::NonZero;
use std::thread::available_parallelism;

/// Threads that are used at most, for each core: more only wait for each other.
const MOST_A_CORE: u64 = 4;

/// Threads that may be used on any machine, to compare answers by few and by many.
const ALWAYS_ALLOWED: u64 = 16;

/// Sets up rayon's global pool, in which everything parallel runs: building meshes, batches,
/// benches.
///
/// More threads than the machine can use are not started. A note on stderr says so.
pub(crate) fn set_up(flag: Option<u64>) -> Result<()> {
    let cores = available_parallelism().map_or(1, NonZero::get) as u64;
    let most = (MOST_A_CORE * cores).max(ALWAYS_ALLOWED);
    let asked = match flag {
        Some(asked) => Some(("--threads", asked)),
        // Rayon follows this variable by itself, without a limit.
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

//! The pools of threads that work runs in.
//!
//! Rayon's global pool is never used: its threads do not exist in a forked child, which would wait
//! for them for ever. A child makes pools of its own.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;

/// Most threads of a pool: more would only wait for each other.
const MAX_THREADS: usize = 1024;

/// Most pools that wait for the next call.
const MAX_POOLS: usize = 4;

struct Pools {
    process: u32,
    /// Number of threads that `set_threads` asked for; 0 for one per core.
    wanted: usize,
    /// The pools that were used last, the latest at the end.
    recent: Vec<(usize, Arc<ThreadPool>)>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, wanted: 0, recent: Vec::new() });

/// The number of threads that nobody chose: that of the environment when the package was imported,
/// or one per core.
pub(crate) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| {
        let from_environment = ["CAPSWEEP_THREADS", "RAYON_NUM_THREADS"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok()?.parse().ok())
            .filter(|&threads: &usize| threads > 0);
        from_environment
            .unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get))
            .min(MAX_THREADS)
    })
}

fn with_pools<R>(work: impl FnOnce(&mut Pools) -> R) -> R {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.process != process {
        // The threads of these pools are in the parent process. Dropping a pool would wait for
        // them.
        std::mem::forget(std::mem::take(&mut pools.recent));
        pools.process = process;
    }
    work(&mut pools)
}

/// The pool for a call that asks for `threads`; `None` for the number that is set.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    with_pools(|pools| {
        let wanted = threads.unwrap_or(pools.wanted);
        let size = if wanted == 0 { cores() } else { wanted }.min(MAX_THREADS);
        if let Some(at) = pools.recent.iter().position(|(threads, _)| *threads == size) {
            let found = pools.recent.remove(at);
            let pool = Arc::clone(&found.1);
            pools.recent.push(found);
            return Ok(pool);
        }
        let name = |index| format!("capsweep-{index}");
        let built = ThreadPoolBuilder::new().num_threads(size).thread_name(name).build();
        let built = built.map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start {size} threads: {error}"))
        })?;
        let pool = Arc::new(built);
        if pools.recent.len() == MAX_POOLS {
            // Its threads end when the last call that uses it does.
            pools.recent.remove(0);
        }
        pools.recent.push((size, Arc::clone(&pool)));
        Ok(pool)
    })
}

/// Runs `work` in the pool of the number of threads that is set, without the interpreter's lock.
///
/// All that may build or change trees runs here: outside, the library would use the global pool.
pub(crate) fn work<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool(None)?;
    Ok(py.detach(|| pool.install(work)))
}

/// Sets the number of threads of later calls; 0 for one per core.
#[pyfunction]
pub(crate) fn set_threads(threads: usize) {
    with_pools(|pools| pools.wanted = threads);
}

/// The number of threads of calls that name none.
#[pyfunction]
pub(crate) fn get_threads() -> usize {
    with_pools(|pools| if pools.wanted == 0 { cores() } else { pools.wanted })
}

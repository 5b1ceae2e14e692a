//! Parallel work in the caller's rayon pool (feature `rayon`), sequential without it. Results are
//! the same in both.

/// Runs both closures, in parallel if a thread is free.
#[cfg(feature = "rayon")]
pub(crate) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(one, other)
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// Maps the numbers from 0 to below `count`, in order.
#[cfg(feature = "rayon")]
pub(crate) fn collect<T: Send>(count: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
    (0..count).into_par_iter().with_min_len(MIN_CHUNK).map(make).collect()
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn collect<T>(count: usize, make: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(make).collect()
}

/// Smallest number of items for one task: about 10 µs of copying.
#[cfg(feature = "rayon")]
const MIN_CHUNK: usize = 1024;

//! Work shared with the caller's rayon pool (feature `rayon`); without it one after the other. Results never depend on which.

/// Does both, at the same time where a thread is free.
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

/// The numbers from 0 to below `count`, each turned into something, in order; in pieces that are worth handing over.
#[cfg(feature = "rayon")]
pub(crate) fn collect<T: Send>(count: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
    (0..count).into_par_iter().with_min_len(PIECE).map(make).collect()
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn collect<T>(count: usize, make: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(make).collect()
}

/// Some 10 µs of copying.
#[cfg(feature = "rayon")]
const PIECE: usize = 1024;

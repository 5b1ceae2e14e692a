//! Many queries at once: in the rayon pool of the caller (feature `rayon`), else one after the other.
//!
//! `out` is cleared, and then `out[i]` answers `queries[i]`, with the bits that the single query gives.

use crate::scene::filter::Filter;
use crate::scene::hit::SceneHit;
use crate::scene::store::Scene;
use crate::{Capsule, ClosestPoints, Limit, Motion, Overlap, Ray, RayHit, SweepHit};

/// Asks for [`Scene::sweep`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepQuery {
    /// What moves.
    pub capsule: Capsule,
    /// How it moves.
    pub motion: Motion,
    /// What it sees.
    pub filter: Filter,
}

/// Asks for [`Scene::overlap`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OverlapQuery {
    /// What may overlap.
    pub capsule: Capsule,
    /// What it sees.
    pub filter: Filter,
}

/// Asks for [`Scene::closest`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestQuery {
    /// What to measure from.
    pub capsule: Capsule,
    /// How far to look.
    pub limit: Limit,
    /// What it sees.
    pub filter: Filter,
}

/// Asks for [`Scene::ray`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayQuery {
    /// What is cast.
    pub ray: Ray,
    /// What it sees.
    pub filter: Filter,
}

/// First touches: see [`Scene::sweep`].
pub fn sweep(scene: &Scene, queries: &[SweepQuery], out: &mut Vec<Option<SceneHit<SweepHit>>>) {
    answer(queries, out, |query| scene.sweep(&query.capsule, &query.motion, &query.filter));
}

/// Deepest overlaps: see [`Scene::overlap`].
pub fn overlap(scene: &Scene, queries: &[OverlapQuery], out: &mut Vec<Option<SceneHit<Overlap>>>) {
    answer(queries, out, |query| scene.overlap(&query.capsule, &query.filter));
}

/// Nearest bodies: see [`Scene::closest`].
pub fn closest(
    scene: &Scene,
    queries: &[ClosestQuery],
    out: &mut Vec<Option<SceneHit<ClosestPoints>>>,
) {
    answer(queries, out, |query| scene.closest(&query.capsule, query.limit, &query.filter));
}

/// First surfaces: see [`Scene::ray`].
pub fn ray(scene: &Scene, queries: &[RayQuery], out: &mut Vec<Option<SceneHit<RayHit>>>) {
    answer(queries, out, |query| scene.ray(&query.ray, &query.filter));
}

/// Fewest queries that are worth handing to another thread: some 10 µs of work.
#[cfg(feature = "rayon")]
const SHARE: usize = 16;

#[cfg(feature = "rayon")]
fn answer<Q: Sync, A: Send>(queries: &[Q], out: &mut Vec<A>, ask: impl Fn(&Q) -> A + Send + Sync) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
    queries.par_iter().with_min_len(SHARE).map(ask).collect_into_vec(out);
}

#[cfg(not(feature = "rayon"))]
fn answer<Q, A>(queries: &[Q], out: &mut Vec<A>, ask: impl Fn(&Q) -> A) {
    out.clear();
    out.extend(queries.iter().map(ask));
}

//! Many queries in one call. With the feature `rayon` they run in parallel, in the current rayon
//! pool; otherwise one after the other.
//!
//! Each function clears `out` and then sets `out[i]` to the answer to `queries[i]`. An answer has
//! the same bits as that of the single query.
//!
//! ```
//! use capsweep::query::batch::{self, RayQuery};
//! use capsweep::scene::{Body, Filter, Scene, Shape};
//! use capsweep::{Motion, Ray, Sphere};
//! use glam::{DVec3, dvec3};
//!
//! let mut scene = Scene::new();
//! let sphere = Sphere::new(dvec3(0.0, 0.0, 5.0), 1.0)?;
//! scene.insert(Body::shape(Shape::Sphere(sphere)));
//!
//! let motion = Motion::new(dvec3(0.0, 0.0, 10.0))?;
//! let rays = [Ray::new(DVec3::ZERO, motion)?, Ray::new(dvec3(3.0, 0.0, 0.0), motion)?];
//! let queries = rays.map(|ray| RayQuery { ray, filter: Filter::default() });
//! let mut out = Vec::new();
//! batch::ray(&scene, &queries, &mut out);
//! assert!(out[0].is_some() && out[1].is_none());
//! # Ok::<(), capsweep::ShapeError>(())
//! ```

use crate::scene::filter::Filter;
use crate::scene::hit::SceneHit;
use crate::scene::store::Scene;
use crate::{Capsule, ClosestPoints, Limit, Motion, Overlap, Ray, RayHit, SweepHit};

/// The arguments of one [`Scene::sweep`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepQuery {
    /// The capsule at its start.
    pub capsule: Capsule,
    /// Its displacement.
    pub motion: Motion,
    /// The bodies and triangles that count.
    pub filter: Filter,
}

/// The arguments of one [`Scene::overlap`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OverlapQuery {
    /// The capsule at rest.
    pub capsule: Capsule,
    /// The bodies and triangles that count.
    pub filter: Filter,
}

/// The arguments of one [`Scene::closest`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestQuery {
    /// The capsule at rest.
    pub capsule: Capsule,
    /// Largest distance between the surfaces.
    pub limit: Limit,
    /// The bodies and triangles that count.
    pub filter: Filter,
}

/// The arguments of one [`Scene::ray`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayQuery {
    /// The ray.
    pub ray: Ray,
    /// The bodies and triangles that count.
    pub filter: Filter,
}

/// The first touch of each query: see [`Scene::sweep`].
pub fn sweep(scene: &Scene, queries: &[SweepQuery], out: &mut Vec<Option<SceneHit<SweepHit>>>) {
    run_all(queries, out, |query| scene.sweep(&query.capsule, &query.motion, &query.filter));
}

/// The deepest overlap of each query: see [`Scene::overlap`].
pub fn overlap(scene: &Scene, queries: &[OverlapQuery], out: &mut Vec<Option<SceneHit<Overlap>>>) {
    run_all(queries, out, |query| scene.overlap(&query.capsule, &query.filter));
}

/// The closest points of each query: see [`Scene::closest`].
pub fn closest(
    scene: &Scene,
    queries: &[ClosestQuery],
    out: &mut Vec<Option<SceneHit<ClosestPoints>>>,
) {
    run_all(queries, out, |query| scene.closest(&query.capsule, query.limit, &query.filter));
}

/// The first surface on each ray: see [`Scene::ray`].
pub fn ray(scene: &Scene, queries: &[RayQuery], out: &mut Vec<Option<SceneHit<RayHit>>>) {
    run_all(queries, out, |query| scene.ray(&query.ray, &query.filter));
}

/// Fewest queries that rayon gives to another thread: some 10 µs of work, well above the cost of a
/// split.
#[cfg(feature = "rayon")]
const MIN_QUERIES_PER_TASK: usize = 16;

#[cfg(feature = "rayon")]
fn run_all<Q: Sync, A: Send>(
    queries: &[Q],
    out: &mut Vec<A>,
    query: impl Fn(&Q) -> A + Send + Sync,
) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
    queries.par_iter().with_min_len(MIN_QUERIES_PER_TASK).map(query).collect_into_vec(out);
}

#[cfg(not(feature = "rayon"))]
fn run_all<Q, A>(queries: &[Q], out: &mut Vec<A>, query: impl Fn(&Q) -> A) {
    out.clear();
    out.extend(queries.iter().map(query));
}

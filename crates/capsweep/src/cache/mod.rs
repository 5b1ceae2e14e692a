//! A cache of the static geometry around one character.
//!
//! A [`TriangleCache`] holds the static bodies and triangles that overlap a box around the
//! character, packed for culling. A query within the box culls these instead of traversing the
//! trees. A query that leaves the box refills the cache, for a larger box that leans along the
//! motion. The rest is as without a cache: the same exact tests, masks, sides and predicates, and
//! dynamic bodies are looked up in the scene as they are now. So **with or without a cache, the
//! answer has the same bits.**
//!
//! A cache holds indices, coordinates and the scene's [`Revision`]. It does not keep the scene
//! alive, and it never answers from another revision than the one it was filled from.

mod hint;
mod options;
mod prefetch;
mod queries;
mod refill;
#[cfg(test)]
mod tests;

pub use hint::HintSlot;
pub use options::CacheOptions;
pub use prefetch::{CacheError, CacheQuery, CacheUpdate};

use crate::scene::{Body, BodyId, HitTarget, Revision, Scene};
use crate::traverse::cull_volume::SweptVolume;
use crate::traverse::neighborhood::{Neighborhood, TriangleRef};
use crate::traverse::neighborhood_view::{NeighborhoodCandidates, NeighborhoodView};
use crate::traverse::static_source::StaticSource;
use crate::{Aabb, Capsule, Motion, Ray, ShapeError, Sides, Triangle};

/// The static geometry around one character.
#[derive(Debug, Clone)]
pub struct TriangleCache {
    is_on: bool,
    options: CacheOptions,
    /// The revision of the scene that it was filled from.
    revision: Option<Revision>,
    neighborhood: Neighborhood,
    /// The candidates of the last query.
    candidates: NeighborhoodCandidates,
    /// The triangles hit last, by [`HintSlot`].
    hints: [Option<TriangleRef>; HintSlot::COUNT],
    /// The last box that had more triangles than the cache may hold, and the scene's revision.
    crowded: Option<(Revision, Aabb)>,
    stats: CacheStats,
}

/// Counts of the queries that a cache answered. All triangles are static: dynamic bodies are in no
/// cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CacheStats {
    /// Queries answered from the cache as it was.
    pub hits: u64,
    /// Queries that refilled the cache.
    pub refills: u64,
    /// Queries that traversed the trees: too long to refill the cache for, in a box of too many
    /// triangles, rays that leave the box, or the cache is off.
    pub bypassed: u64,
    /// Boxes with more triangles than [`CacheOptions::max_triangles`]. Each left the cache empty.
    pub over_limit: u64,
    /// Static triangles in the cache, summed over the hits and refills: the number of triangles
    /// culled.
    pub triangles: u64,
}

/// A static triangle in a cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CachedTriangle {
    /// The body, and the triangle's index in its mesh.
    pub target: HitTarget,
    /// The triangle in world space.
    pub triangle: Triangle,
}

impl Default for TriangleCache {
    /// As [`TriangleCache::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl TriangleCache {
    /// An empty cache with default options.
    pub fn new() -> Self {
        Self {
            is_on: true,
            options: CacheOptions::DEFAULT,
            revision: None,
            neighborhood: Neighborhood::default(),
            candidates: NeighborhoodCandidates::NONE,
            hints: [None; HintSlot::COUNT],
            crowded: None,
            stats: CacheStats::default(),
        }
    }

    /// An empty cache with these options.
    ///
    /// # Errors
    /// If an option is not finite or out of its range.
    pub fn with_options(options: CacheOptions) -> Result<Self, ShapeError> {
        options.check()?;
        Ok(Self { options, ..Self::new() })
    }

    /// A cache that never fills: every query traverses the trees.
    pub fn off() -> Self {
        Self { is_on: false, ..Self::new() }
    }

    /// Whether queries fill it.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Empties the cache and its hints; the statistics stay. Answers never need this: a changed
    /// scene has a new revision, and refills the cache.
    pub fn clear(&mut self) {
        self.revision = None;
        self.neighborhood.clear();
        self.crowded = None;
        self.hints = [None; HintSlot::COUNT];
    }

    /// The counts since it was made.
    pub fn stats(&self) -> CacheStats {
        self.stats
    }

    /// The box that it was filled for; `None` while it is empty.
    pub fn bounds(&self) -> Option<Aabb> {
        self.neighborhood.bounds()
    }

    /// The revision of the scene that it was filled from; `None` while it is empty.
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// How many static bodies it holds: all with a triangle in it, and all bounded shapes whose
    /// own box overlaps the cache's.
    pub fn body_count(&self) -> usize {
        self.neighborhood.body_count()
    }

    /// How many static triangles it holds: all with a point in its box, and some that are close.
    pub fn triangle_count(&self) -> usize {
        self.neighborhood.triangle_count()
    }

    /// The triangles in it, of all masks and sides. Empty if `scene` has another revision than the
    /// one that it was filled from.
    pub fn triangles<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = CachedTriangle> + 'a {
        let is_current = self.revision == Some(scene.revision());
        let triangles = is_current.then(|| self.neighborhood.triangles(scene));
        triangles
            .into_iter()
            .flatten()
            .map(|(target, triangle)| CachedTriangle { target, triangle })
    }

    /// The static bodies in it, of all masks: meshes with their triangles, then shapes and
    /// obstacles. Half-spaces are in no cache, because every query tests them. Empty if `scene`
    /// has another revision than the one that it was filled from.
    ///
    /// ```
    /// use capsweep::Aabb;
    /// use capsweep::cache::TriangleCache;
    /// use capsweep::scene::{Body, Scene, Shape};
    /// use glam::{DVec3, dvec3};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut scene = Scene::new();
    /// for (key, x) in [(7, 0.0), (8, 20.0)] {
    ///     let ball = capsweep::Sphere::new(dvec3(x, 0.0, 0.0), 1.0)?;
    ///     scene.insert(Body::shape(Shape::Sphere(ball)).with_key(key));
    /// }
    /// let mut cache = TriangleCache::new();
    /// let _ = cache.update(&scene, &Aabb::new(DVec3::splat(-3.0), DVec3::splat(3.0))?)?;
    /// let keys: Vec<u64> = cache.bodies(&scene).map(|(_, body)| body.key()).collect();
    /// assert_eq!((keys, cache.body_count()), (vec![7], 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn bodies<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = (BodyId, &'a Body)> {
        let is_current = self.revision == Some(scene.revision());
        let bodies = is_current.then(|| self.neighborhood.bodies());
        let content = scene.content();
        bodies.into_iter().flatten().filter_map(|body| content.body_by_index(body))
    }

    /// Runs a query on the source of static bodies that the cache chooses: its packets, refilled
    /// if need be, or the trees. `options`: the sides of triangles that count, and the hint.
    #[inline]
    fn query<T>(
        &mut self,
        scene: &Scene,
        swept: (&Capsule, &Motion),
        options: (Sides, Option<HintSlot>),
        run: impl FnOnce(StaticSource) -> T,
    ) -> T {
        if self.covers(scene, swept, options) {
            self.stats.hits += 1;
        } else if !self.refill(scene, swept, options) {
            return run(StaticSource::Tree);
        }
        self.run_on_packets(run)
    }

    /// Runs a query of everything within `limit` metres of a capsule, as [`TriangleCache::query`].
    fn query_near<T>(
        &mut self,
        scene: &Scene,
        (capsule, limit): (&Capsule, f64),
        run: impl FnOnce(StaticSource) -> T,
    ) -> T {
        let volume = SweptVolume::around(capsule, limit);
        if self.covers_volume(scene, &volume, Sides::Both) {
            self.stats.hits += 1;
        } else if !self.refill_near(scene, (capsule, limit), &volume) {
            return run(StaticSource::Tree);
        }
        self.run_on_packets(run)
    }

    /// Runs a query along a ray, as [`TriangleCache::query`]. A ray never refills the cache: it
    /// does not tell how large the character is.
    fn query_along<T>(
        &mut self,
        scene: &Scene,
        ray: &Ray,
        sides: Sides,
        run: impl FnOnce(StaticSource) -> T,
    ) -> T {
        let (point, motion) = (SweptVolume::point_of(ray), ray.motion());
        let is_covered = point.is_some_and(|point| {
            self.covers_volume(scene, &SweptVolume::of_ray(&point, &motion), sides)
        });
        if !is_covered {
            self.stats.bypassed += 1;
            return run(StaticSource::Tree);
        }
        self.stats.hits += 1;
        self.run_on_packets(run)
    }

    /// Runs a query on the candidates that the cache has found for it.
    #[inline]
    fn run_on_packets<T>(&mut self, run: impl FnOnce(StaticSource) -> T) -> T {
        self.stats.triangles += self.neighborhood.triangle_count() as u64;
        let Self { neighborhood, candidates, .. } = self;
        run(StaticSource::Packets(&NeighborhoodView { neighborhood, candidates }))
    }
}

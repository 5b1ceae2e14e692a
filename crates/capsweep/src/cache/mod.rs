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
mod queries;
mod refill;

pub use hint::HintSlot;

use crate::scene::{HitTarget, Revision, Scene};
use crate::traverse::neighborhood::{Neighborhood, TriangleRef};
use crate::traverse::neighborhood_view::{NeighborhoodCandidates, NeighborhoodView};
use crate::traverse::static_source::StaticSource;
use crate::{Aabb, Capsule, Motion, Sides, Triangle};

/// The static geometry around one character.
#[derive(Debug, Clone)]
pub struct TriangleCache {
    is_on: bool,
    /// The revision of the scene that it was filled from.
    revision: Option<Revision>,
    neighborhood: Neighborhood,
    /// The candidates of the last query.
    candidates: NeighborhoodCandidates,
    /// The triangles hit last, by [`HintSlot`].
    hints: [Option<TriangleRef>; HintSlot::COUNT],
    stats: CacheStats,
}

/// Counts of the queries that a cache answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CacheStats {
    /// Queries answered from the cache as it was.
    pub hits: u64,
    /// Queries that refilled the cache.
    pub refills: u64,
    /// Queries that traversed the trees: too long to refill the cache for, or the cache is off.
    pub bypassed: u64,
    /// Triangles in the cache, summed over the hits and refills: the number of triangles culled.
    pub triangles: u64,
}

/// A triangle in a cache.
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
    /// An empty cache.
    pub fn new() -> Self {
        Self {
            is_on: true,
            revision: None,
            neighborhood: Neighborhood::default(),
            candidates: NeighborhoodCandidates::NONE,
            hints: [None; HintSlot::COUNT],
            stats: CacheStats::default(),
        }
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

    /// How many static bodies overlap its box.
    pub fn body_count(&self) -> usize {
        self.neighborhood.body_count()
    }

    /// How many static triangles overlap its box.
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
        self.stats.triangles += self.neighborhood.triangle_count() as u64;
        let Self { neighborhood, candidates, .. } = self;
        run(StaticSource::Packets(&NeighborhoodView { neighborhood, candidates }))
    }
}

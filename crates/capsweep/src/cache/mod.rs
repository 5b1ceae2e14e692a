//! What a character has around it, kept from one query to the next (rule 11).
//!
//! A [`TriangleCache`] remembers, for a box of the world, which static bodies and which of their triangles lie in it, these side by side. A query that stays in the
//! box takes a glance at them instead of going down the trees; one that does not fills the cache again, for a larger box that leans along the motion. All else
//! is as it is without: the same solve, masks, sides and predicates at query time, and dynamic bodies
//! looked up in the scene as they are now. So **with or without a cache the answer has the same bits.**
//!
//! A cache holds numbers and the scene's [`Revision`]; it keeps no scene alive, and one of another revision is not mistaken for it.

mod hint;
mod queries;
mod region;

pub use hint::HintSlot;

use crate::scene::{HitTarget, Revision, Scene};
use crate::traverse::cull_volume::Look;
use crate::traverse::neighborhood::{Neighborhood, NeighborhoodView, TriangleRef};
use crate::traverse::neighborhood_view::NeighborhoodCandidates;
use crate::{Aabb, Capsule, Motion, Sides, Triangle};

/// The static surroundings of one character.
#[derive(Debug, Clone)]
pub struct TriangleCache {
    is_on: bool,
    /// The scene that it was filled from.
    revision: Option<Revision>,
    gathered: Neighborhood,
    /// What the last query saw of it.
    sight: NeighborhoodCandidates,
    /// The triangles that were hit last, by pass.
    hints: [Option<TriangleRef>; HintSlot::COUNT],
    stats: CacheStats,
}

/// The work that a cache did and saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CacheStats {
    /// Queries that were answered from the cache as it was.
    pub hits: u64,
    /// Queries that the cache was filled for.
    pub refills: u64,
    /// Queries that went down the trees: too long to be worth filling a cache for, or the cache is off.
    pub passed: u64,
    /// Triangles that the other queries were tested against.
    pub triangles: u64,
}

/// A triangle in a cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CachedTriangle {
    /// Its number in its mesh, and its body.
    pub target: HitTarget,
    /// Where it is in the world.
    pub triangle: Triangle,
}

impl Default for TriangleCache {
    /// Whichever is faster: on (`docs/decisions.md`).
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
            gathered: Neighborhood::default(),
            sight: NeighborhoodCandidates::NONE,
            hints: [None; HintSlot::COUNT],
            stats: CacheStats::default(),
        }
    }

    /// No cache at all: queries go down the trees.
    pub fn off() -> Self {
        Self { is_on: false, ..Self::new() }
    }

    /// Whether it remembers anything.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Forgets everything but its statistics. Never needed for right answers.
    pub fn clear(&mut self) {
        self.revision = None;
        self.gathered.clear();
        self.hints = [None; HintSlot::COUNT];
    }

    /// What it did so far.
    pub fn stats(&self) -> CacheStats {
        self.stats
    }

    /// The box that it holds; `None` while it is empty.
    pub fn region(&self) -> Option<Aabb> {
        self.gathered.region()
    }

    /// The state of the scene that it was filled from; `None` while it is empty.
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// How many static bodies it holds.
    pub fn body_count(&self) -> usize {
        self.gathered.body_count()
    }

    /// How many static triangles it holds: those that reach into its box.
    pub fn triangle_count(&self) -> usize {
        self.gathered.triangle_count()
    }

    /// The triangles that it holds, of all masks and sides; none if `scene` is of another revision than the one that it was filled from.
    pub fn triangles<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = CachedTriangle> + 'a {
        let known = self.revision == Some(scene.revision());
        let triangles = known.then(|| self.gathered.triangles(scene));
        triangles
            .into_iter()
            .flatten()
            .map(|(target, triangle)| CachedTriangle { target, triangle })
    }

    /// Whether the cache holds all that a query may meet, which then has it in sight.
    #[inline]
    fn holds(
        &mut self,
        scene: &Scene,
        look: &Look,
        (sides, hint): (Sides, Option<HintSlot>),
    ) -> bool {
        let first = hint.and_then(|hint| self.hints[hint as usize]);
        self.revision == Some(scene.revision())
            && self.gathered.look_over(look, sides, first, &mut self.sight)
    }

    /// Fills the cache for a query, if that is worth it. Whether it then holds all that may be met.
    #[cold]
    fn refill(
        &mut self,
        scene: &Scene,
        (capsule, motion): (&Capsule, &Motion),
        what: (Sides, Option<HintSlot>),
    ) -> bool {
        if !self.is_on || region::is_long(capsule, motion) {
            self.stats.passed += 1;
            return false;
        }
        if self.revision != Some(scene.revision()) {
            self.hints = [None; HintSlot::COUNT];
        }
        self.gathered.fill(scene, &region::around(capsule, motion));
        self.revision = Some(scene.revision());
        self.stats.refills += 1;
        self.holds(scene, &Look::along(capsule, motion), what)
    }

    /// Lets a query `ask` by the way that the cache is, once that holds all that can be met; by none if that is not worth it. `what`: the sides of
    /// triangles that count, and the pass that it belongs to.
    #[inline]
    fn by_shortcut<T>(
        &mut self,
        scene: &Scene,
        query: (&Capsule, &Motion),
        what: (Sides, Option<HintSlot>),
        ask: impl FnOnce(Option<&NeighborhoodView>) -> T,
    ) -> T {
        if self.holds(scene, &Look::along(query.0, query.1), what) {
            self.stats.hits += 1;
        } else if !self.refill(scene, query, what) {
            return ask(None);
        }
        self.stats.triangles += self.gathered.triangle_count() as u64;
        ask(Some(&NeighborhoodView { gathered: &self.gathered, sight: &self.sight }))
    }
}

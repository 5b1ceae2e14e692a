//! When a cache is refilled, and for which box.
//!
//! A query is answered from the cache if the scene's revision is the one that the cache was filled
//! from, and the query's volume lies within the box. Otherwise the cache is refilled, unless the
//! motion is too long.

use crate::cache::{HintSlot, TriangleCache};
use crate::scene::Scene;
use crate::tolerance::CACHE_MARGIN;
use crate::traverse::cull_volume::SweptVolume;
use crate::traverse::neighborhood_view::cull_neighborhood;
use crate::{Aabb, Capsule, Motion, Sides};
use glam::DVec3;

/// Growth of the query's box on each side, as a fraction of its longest edge (no unit).
///
/// 0.6 m for a person. A walk through the generated dungeon then fills the cache once in 40
/// queries, with about 30 triangles. A larger box is filled less often, but every query culls more
/// triangles.
const GROWTH: f64 = 0.3;

/// Shift of the box along the motion, as a fraction of the growth (no unit). Less than 1, so that
/// the box also grows behind the capsule.
const LEAN: f64 = 0.8;

/// A motion longer than this many times the capsule's own box does not fill the cache: the next
/// query is unlikely to need what lies along it.
const LONG: f64 = 4.0;

impl TriangleCache {
    /// Whether the cache holds everything that a query can hit. If so, `candidates` are its own.
    #[inline]
    pub(super) fn covers(
        &mut self,
        scene: &Scene,
        (capsule, motion): (&Capsule, &Motion),
        (sides, slot): (Sides, Option<HintSlot>),
    ) -> bool {
        let swept = SweptVolume::of_sweep(capsule, motion);
        let first = slot.and_then(|slot| self.hints[slot as usize]);
        self.revision == Some(scene.revision())
            && cull_neighborhood(&self.neighborhood, &swept, sides, first, &mut self.candidates)
    }

    /// Refills the cache for a query, unless the query is too long. Returns whether the cache then
    /// covers it.
    #[cold]
    pub(super) fn refill(
        &mut self,
        scene: &Scene,
        (capsule, motion): (&Capsule, &Motion),
        options: (Sides, Option<HintSlot>),
    ) -> bool {
        if !self.is_on || is_long(capsule, motion) {
            self.stats.bypassed += 1;
            return false;
        }
        if self.revision != Some(scene.revision()) {
            self.hints = [None; HintSlot::COUNT];
        }
        self.neighborhood.fill(scene, &fill_box(capsule, motion));
        self.revision = Some(scene.revision());
        self.stats.refills += 1;
        self.covers(scene, (capsule, motion), options)
    }
}

/// Whether a sweep is too long to fill a cache for.
fn is_long(capsule: &Capsule, motion: &Motion) -> bool {
    let size = capsule.axis().abs().max_element() + 2.0 * f64::from(capsule.radius());
    motion.length() > LONG * size
}

/// The box for a sweep: its swept bounds, grown on all sides and shifted along the motion.
fn fill_box(capsule: &Capsule, motion: &Motion) -> Aabb {
    let bounds = capsule.swept_bounds(motion);
    let furthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    let needed = bounds.grown(CACHE_MARGIN * furthest);
    let growth = GROWTH * needed.size().max_element();
    let lean = motion.vector().try_normalize().unwrap_or(DVec3::ZERO) * (LEAN * growth);
    let grown = needed.grown(growth);
    Aabb::from_corners(grown.min() + lean, grown.max() + lean).union(&needed)
}

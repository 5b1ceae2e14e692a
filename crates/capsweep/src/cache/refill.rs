//! When a cache is refilled, and for which box.
//!
//! A query is answered from the cache if the scene's revision is the one that the cache was filled
//! from, and the query's volume lies within the box. Otherwise the cache is refilled, unless the
//! motion is too long or the box holds too many triangles.

use crate::cache::{CacheOptions, HintSlot, TriangleCache};
use crate::scene::Scene;
use crate::tolerance::{CACHE_MARGIN, CONTACT_TOLERANCE, MIN_SWEPT_MARGIN, SWEPT_MARGIN};
use crate::traverse::cull_volume::SweptVolume;
use crate::traverse::neighborhood_view::cull_neighborhood;
use crate::{Aabb, Capsule, Motion, Sides};
use glam::DVec3;

impl TriangleCache {
    /// Whether the cache holds everything that a sweep can hit. If so, `candidates` are its own.
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

    /// As [`TriangleCache::covers`], for any volume.
    pub(super) fn covers_volume(
        &mut self,
        scene: &Scene,
        volume: &SweptVolume,
        sides: Sides,
    ) -> bool {
        self.revision == Some(scene.revision())
            && cull_neighborhood(&self.neighborhood, volume, sides, None, &mut self.candidates)
    }

    /// Refills the cache for a sweep, unless it is too long. Returns whether the cache then covers
    /// it.
    #[cold]
    pub(super) fn refill(
        &mut self,
        scene: &Scene,
        (capsule, motion): (&Capsule, &Motion),
        options: (Sides, Option<HintSlot>),
    ) -> bool {
        self.can_fill_for(capsule, motion.length())
            && self.refill_around(scene, &capsule.swept_bounds(motion), motion)
            && self.covers(scene, (capsule, motion), options)
    }

    /// Refills the cache for everything within `limit` metres of a capsule, unless that is too
    /// far. Returns whether the cache then covers `volume`, which is that neighborhood.
    #[cold]
    pub(super) fn refill_near(
        &mut self,
        scene: &Scene,
        (capsule, limit): (&Capsule, f64),
        volume: &SweptVolume,
    ) -> bool {
        if !self.can_fill_for(capsule, limit) {
            return false;
        }
        // The spare of swept bounds, for the limit too.
        let spare = (SWEPT_MARGIN * limit).max(MIN_SWEPT_MARGIN);
        let needed = capsule.swept_bounds(&Motion::ZERO).grown(limit + spare);
        self.refill_around(scene, &needed, &Motion::ZERO)
            && self.covers_volume(scene, volume, Sides::Both)
    }

    /// Whether the cache is filled for a query that reaches `length` metres from a capsule: not if
    /// it is off, nor for a query that is too long.
    fn can_fill_for(&mut self, capsule: &Capsule, length: f64) -> bool {
        let size = capsule.axis().abs().max_element() + 2.0 * f64::from(capsule.radius());
        let can_fill = self.is_on && length <= self.options.longest_motion * size;
        self.stats.bypassed += u64::from(!can_fill);
        can_fill
    }

    /// Fills the cache for a box that holds `needed`. Returns whether that succeeded: not if there
    /// are more triangles than it may hold. Where a box had too many, queries within it do not try
    /// again.
    fn refill_around(&mut self, scene: &Scene, needed: &Aabb, motion: &Motion) -> bool {
        let revision = scene.revision();
        let crowded =
            self.crowded.filter(|(known, bounds)| *known == revision && bounds.contains(needed));
        let is_filled =
            crowded.is_none() && self.fill(scene, &fill_box(&self.options, needed, motion));
        *if is_filled { &mut self.stats.refills } else { &mut self.stats.bypassed } += 1;
        is_filled
    }

    /// Fills the cache for a box. Returns whether it holds all of it: if there are too many
    /// triangles, the cache is empty.
    pub(super) fn fill(&mut self, scene: &Scene, bounds: &Aabb) -> bool {
        let revision = scene.revision();
        if self.revision != Some(revision) {
            self.hints = [None; HintSlot::COUNT];
        }
        let is_complete = self.neighborhood.fill(scene, bounds, self.options.max_triangles);
        if is_complete {
            (self.revision, self.crowded) = (Some(revision), None);
        } else {
            self.clear();
            self.crowded = Some((revision, *bounds));
            self.stats.over_limit += 1;
        }
        is_complete
    }
}

/// The box for a query: its own box, grown on all sides and shifted along the motion.
fn fill_box(options: &CacheOptions, bounds: &Aabb, motion: &Motion) -> Aabb {
    let furthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    let needed = bounds.grown(CACHE_MARGIN * furthest);
    let growth = options.growth * needed.size().max_element();
    let direction = motion.vector().try_normalize().unwrap_or(DVec3::ZERO);
    let lean = direction * (options.lean * growth);
    let grown = needed.grown(growth);
    let leaning = Aabb::from_corners(grown.min() + lean, grown.max() + lean);
    leaning.union(&needed.grown(rounding_margin(&needed)))
}

/// Margin, metres, for the tolerances and the f32 rounding of the test whether a query lies within
/// a box: the box must hold the query's volume after all roundings.
///
/// The volume reaches two contact tolerances further than the capsule. Heights in f32 are off by
/// 2⁻²⁰ of the box's half extents, summed, and coordinates by less. Each is doubled here.
pub(super) fn rounding_margin(bounds: &Aabb) -> f64 {
    4.0 * CONTACT_TOLERANCE + 4.0 * CACHE_MARGIN * bounds.size().element_sum()
}

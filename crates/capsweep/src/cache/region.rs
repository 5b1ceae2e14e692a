//! The box that a cache is filled for.

use crate::tolerance::CACHE_MARGIN;
use crate::{Aabb, Capsule, Motion};
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

/// Whether a sweep is too long to fill a cache for.
pub(crate) fn is_long(capsule: &Capsule, motion: &Motion) -> bool {
    let size = capsule.axis().abs().max_element() + 2.0 * f64::from(capsule.radius());
    motion.length() > LONG * size
}

/// The box for a sweep: its swept bounds, grown on all sides and shifted along the motion.
pub(crate) fn fill_region(capsule: &Capsule, motion: &Motion) -> Aabb {
    let bounds = capsule.swept_bounds(motion);
    let furthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    let needed = bounds.grown(CACHE_MARGIN * furthest);
    let growth = GROWTH * needed.size().max_element();
    let lean = motion.vector().try_normalize().unwrap_or(DVec3::ZERO) * (LEAN * growth);
    let grown = needed.grown(growth);
    Aabb::from_corners(grown.min() + lean, grown.max() + lean).union(&needed)
}

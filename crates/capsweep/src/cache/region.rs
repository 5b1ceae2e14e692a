//! The box of a cache: what is gathered for a query (rule 11.3).

use crate::tolerance::CACHE_MARGIN;
use crate::{Aabb, Capsule, Motion};
use glam::DVec3;

/// By how much of its longest edge the asked box grows on each side (no unit).
///
/// For a person that is 0.6 m: a walk through the generated dungeon fills the cache once in 40 queries, with some 30 triangles. More would be filled less
/// often, and cost every glance more.
const GROWTH: f64 = 0.3;

/// By how much of the growth the box leans along the motion (no unit): below 1, so that it grows on the far side too.
const BIAS: f64 = 0.8;

/// A motion longer than so many times the capsule's own box is asked of the trees: what lies along it is not worth remembering.
const LONG: f64 = 4.0;

/// Whether a sweep is too long to be worth filling a cache for.
pub(crate) fn is_long(capsule: &Capsule, motion: &Motion) -> bool {
    let size = capsule.axis().abs().max_element() + 2.0 * f64::from(capsule.radius());
    motion.length() > LONG * size
}

/// The box to gather for a sweep (rule 11.3): larger than what it passes through, and leaning along the motion.
pub(crate) fn around(capsule: &Capsule, motion: &Motion) -> Aabb {
    let bounds = capsule.swept_bounds(motion);
    let furthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    let asked = bounds.grown(CACHE_MARGIN * furthest);
    let growth = GROWTH * asked.size().max_element();
    let lean = motion.vector().try_normalize().unwrap_or(DVec3::ZERO) * (BIAS * growth);
    let grown = asked.grown(growth);
    Aabb::from_corners(grown.min() + lean, grown.max() + lean).union(&asked)
}

//! Closest points of a segment and up to four others: the edges of a polygon.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::RelativeSegment;
use crate::kernel::polygon::PolygonLanes;
use crate::math::{F64x4, Vec3Soa};

/// Parameters `(s, t)` of the closest points of a segment and each edge of a polygon, one per
/// lane.
///
/// Let `d1`, `d2` be the vectors, and `r` lead from the start of the edge to the start of
/// `first`. The squared gap `|r + s·d1 − t·d2|²` is convex in `(s, t)`. Eliminating `t`
/// leaves the parts perpendicular to `d2`: `s = −(r⊥ · d1⊥) / |d1⊥|²`.
///
/// The textbook denominator `|d1|²|d2|² − (d1·d2)²` is the same number, but takes the
/// perpendicular parts *after* squaring. That loses twice the digits: at an angle of 10⁻⁷ it
/// is 1 % wrong. Taken before, the error in `s` is `ε·|r| / |d1⊥|`, which moves the gap by
/// `ε·|r|` at any angle.
///
/// Then clamp `s`, solve `t`, and where `t` was clamped solve `s` again. Two steps settle a convex
/// problem on a rectangle.
#[inline(always)]
pub(crate) fn closest_segment_segments<F: F64x4>(
    first: &RelativeSegment,
    edges: &PolygonLanes<F>,
) -> (F, F) {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    let clamp = |t: F| one.min(zero.max(t));
    let (d1, d2) = (Vec3Soa::<F>::all(first.vector), edges.edge);
    let r = Vec3Soa::<F>::all(first.start).sub(edges.start);
    let length_squared = d2.dot(d2);
    // An edge of no length is its start.
    let along = |dot: F| zero.if_less(length_squared, dot / length_squared, zero);
    let (d1_along, r_along) = (along(d1.dot(d2)), along(r.dot(d2)));
    let d1_perp = d1.sub(d2.scale(d1_along));
    let r_perp = r.sub(d2.scale(r_along));
    let perp_squared = d1_perp.dot(d1_perp);
    // If exactly parallel, any `s` is as good; the clamps below still find the shared part.
    let across = clamp((zero - r_perp.dot(d1_perp)) / perp_squared);
    let s = zero.if_less(perp_squared, across, zero);
    let t = r_along + s * d1_along;
    let t_clamped = clamp(t);
    let first_squared = F::splat(first.vector.length_squared());
    let again = clamp(d2.scale(t_clamped).sub(r).dot(d1) / first_squared);
    let again = zero.if_less(first_squared, again, zero);
    let inside = s;
    let s = t.if_less(zero, again, one.if_less(t, again, inside));
    (s, t_clamped)
}

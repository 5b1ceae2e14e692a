//! Where a query looks, from somewhere near and in f32: most of what was gathered around a character is not in the way of its next sweep, or
//! looks away from it.

#![allow(
    clippy::inline_always,
    reason = "every cached query takes a glance, and the compiler would not"
)]

use super::slabs::{SLACK, round_up};
use crate::bvh::Bounds;
use crate::tolerance::{BOUND, END_SLACK};
use crate::{Capsule, Motion, Sides};
use glam::{DVec3, Vec3};

/// What f32 loses of a distance (no unit), relative to the numbers that it is made of: three roundings of products and sums and
/// those of the numbers themselves are 8 · 2⁻²⁴.
pub(super) const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// What a query is interested in: all within `reach` of a capsule's moving axis.
pub(crate) struct Look<'a> {
    capsule: &'a Capsule,
    motion: DVec3,
    /// The end of the motion; 0 if there is none.
    end: f64,
    reach: f64,
}

impl<'a> Look<'a> {
    /// At all that a sweep may touch.
    #[inline]
    pub(crate) fn along(capsule: &'a Capsule, motion: &Motion) -> Self {
        let reach = f64::from(capsule.radius()) + 2.0 * BOUND + END_SLACK;
        // A motion too short for its length to be told counts as none, as for the exact sweep.
        let end = if motion.is_zero() { 0.0 } else { 1.0 };
        Self { capsule, motion: motion.vector(), end, reach }
    }

    /// At all within `limit` of a capsule.
    pub(super) fn around(capsule: &'a Capsule, limit: f64) -> Self {
        let reach = f64::from(capsule.radius()) + limit.max(0.0) + 2.0 * BOUND;
        Self { capsule, motion: DVec3::ZERO, end: 0.0, reach }
    }
}

/// A [`Look`] from somewhere near, in f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glance {
    /// All that is of interest, with a millimetre to spare at least: so the faces around a contact are in it.
    pub(super) bounds: Bounds,
    /// Minus its upper end, as outlines have their lower ones.
    pub(super) below: Vec3,
    pub(super) center: Vec3,
    pub(super) half_axis: Vec3,
    /// Up to the limit.
    pub(super) motion: Vec3,
    /// At least the reach.
    pub(super) reach: f32,
    /// What heights over planes are uncertain by, for the numbers here.
    pub(super) slack: f32,
    /// In f64.
    pub(super) exact_motion: DVec3,
    /// Latest time of interest; 0 where nothing moves.
    pub(super) limit: f64,
}

impl Glance {
    #[inline(always)]
    pub(super) fn new(look: &Look, origin: DVec3) -> Self {
        let Look { capsule, motion: exact_motion, end, reach } = *look;
        let center = (capsule.center() - origin).as_vec3();
        let half_axis = (capsule.axis() * 0.5).as_vec3();
        let motion = exact_motion.as_vec3();
        let reach = round_up(reach) * SLACK;
        let size = (center.abs() + half_axis.abs() + motion.abs()).element_sum();
        let slack = size * ROUNDING;
        let half = half_axis.abs() + Vec3::splat(reach + (0.01 * reach).max(0.001) + slack);
        let (min, max) = (motion.min(Vec3::ZERO) - half, motion.max(Vec3::ZERO) + half);
        let bounds = Bounds { min: center + min, max: center + max };
        Self {
            bounds,
            below: -bounds.max,
            center,
            half_axis,
            motion,
            reach,
            slack,
            exact_motion,
            limit: end,
        }
    }

    /// Whether all that is of interest lies in a box.
    pub(super) fn is_within(&self, bounds: &Bounds) -> bool {
        bounds.contains(&self.bounds)
    }

    /// Nothing after `time` is of interest any more.
    #[inline]
    pub(super) fn lower_limit(&mut self, time: f64) {
        if time < self.limit {
            self.limit = time;
            self.motion = self.exact_motion.as_vec3() * round_up(time);
        }
    }

    /// Whether of `sides` the fronts alone count: where nothing moves, none is skipped.
    pub(super) fn sees_fronts_only(&self, sides: Sides) -> bool {
        sides == Sides::Front && self.limit > 0.0
    }

    /// Whether a box may hold anything of interest.
    pub(super) fn sees(&self, bounds: &Bounds) -> bool {
        bounds.overlaps(&self.bounds)
    }
}

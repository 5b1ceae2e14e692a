//! Where a query looks, from somewhere near and in f32: most of what was gathered around a character is not in the way of its next sweep, or
//! looks away from it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Bounds, F32x4, F32x8};
use crate::cull::slabs::SLACK;
use crate::math::F64x4;
use crate::tolerance::{CONTACT_TOLERANCE, END_SLACK};
use crate::{Capsule, Motion, Sides};
use glam::{DVec3, Vec3};

/// What f32 loses of a distance (no unit), relative to the numbers that it is made of: three roundings of products and sums and
/// those of the numbers themselves are 8 · 2⁻²⁴.
pub(crate) const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// What a query is interested in: all within `reach` of a capsule's moving axis.
pub(crate) struct Look<'a> {
    capsule: &'a Capsule,
    motion: &'a Motion,
    reach: f64,
}

impl<'a> Look<'a> {
    /// At all that a sweep may touch.
    #[inline]
    pub(crate) fn along(capsule: &'a Capsule, motion: &'a Motion) -> Self {
        Self {
            capsule,
            motion,
            reach: f64::from(capsule.radius()) + 2.0 * CONTACT_TOLERANCE + END_SLACK,
        }
    }

    /// At all within `limit` of a capsule.
    pub(crate) fn around(capsule: &'a Capsule, limit: f64) -> Self {
        let reach = f64::from(capsule.radius()) + limit.max(0.0) + 2.0 * CONTACT_TOLERANCE;
        Self { capsule, motion: &Motion::ZERO, reach }
    }
}

/// From where a glance is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewpoint {
    pub(crate) origin: DVec3,
    /// What heights over planes are uncertain by, for what is of interest.
    slack: f32,
}

impl Viewpoint {
    /// All that is of interest is this near along each axis.
    pub(crate) fn new(origin: DVec3, within: Vec3) -> Self {
        Self { origin, slack: within.element_sum() * ROUNDING }
    }
}

/// A [`Look`] from somewhere near, in f32. The last number of a vector is there twice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullVolume {
    /// The lower end of a box around the moving axis.
    pub(crate) low: [f32; 4],
    /// Minus its upper end, as outlines have their lower ones.
    pub(crate) below: [f32; 4],
    /// Of the axis, at the start.
    start: [f32; 4],
    /// Half way to the limit.
    pub(crate) middle: [f32; 4],
    /// From there to the limit.
    pub(crate) half_motion: [f32; 4],
    pub(crate) half_axis: [f32; 4],
    /// At least the reach.
    pub(crate) reach: f32,
    /// Of the [`Viewpoint`].
    pub(crate) slack: f32,
    /// Of the reach and the slack.
    pub(crate) square: f32,
    /// In f64, all of it.
    pub(crate) exact_motion: [f64; 4],
    /// Latest time of interest; 0 where nothing moves.
    pub(crate) limit: f64,
}

impl CullVolume {
    pub(crate) const NONE: Self = Self {
        low: [0.0; 4],
        below: [0.0; 4],
        start: [0.0; 4],
        middle: [0.0; 4],
        half_motion: [0.0; 4],
        half_axis: [0.0; 4],
        reach: 0.0,
        slack: 0.0,
        square: 0.0,
        exact_motion: [0.0; 4],
        limit: 0.0,
    };

    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        &Look { capsule, motion, reach }: &Look,
        Viewpoint { origin, slack }: Viewpoint,
    ) -> Self {
        let half = L::F64x4::splat(0.5);
        let origin = four::<L>(origin);
        let (low, high) = (four::<L>(capsule.p0()) - origin, four::<L>(capsule.p1()) - origin);
        let exact_motion = four::<L>(motion.vector());
        let start = L::narrowed((low + high) * half);
        let middle = L::narrowed((low + high + exact_motion) * half);
        let half_axis = L::narrowed((high - low) * half);
        let half_motion = L::narrowed(exact_motion * half);
        // The nearest f32 is off by much less than the factor.
        let reach = reach as f32 * SLACK;
        let extent = half_axis.abs() + half_motion.abs();
        Self {
            low: (middle - extent).store(),
            below: (L::F32x4::splat(0.0) - middle - extent).store(),
            start: start.store(),
            middle: middle.store(),
            half_motion: half_motion.store(),
            half_axis: half_axis.store(),
            reach,
            slack,
            square: (reach + slack) * (reach + slack),
            exact_motion: exact_motion.store(),
            // A motion too short for its length to be told counts as none, as for the exact sweep.
            limit: if motion.is_zero() { 0.0 } else { 1.0 },
        }
    }

    /// Nothing after `time` is of interest any more.
    ///
    /// The middle is then off by a few roundings more, which [`ROUNDING`] has room for.
    #[inline(always)]
    pub(crate) fn lower_limit<L: F32x8>(&mut self, time: f64) {
        if time < self.limit {
            self.limit = time;
            let half_time = L::F32x4::splat(0.5 * time as f32 * SLACK);
            let half_motion = L::narrowed(L::F64x4::load(self.exact_motion)) * half_time;
            let middle = L::F32x4::load(self.start) + half_motion;
            let extent = L::F32x4::load(self.half_axis).abs() + half_motion.abs();
            self.low = (middle - extent).store();
            self.below = (L::F32x4::splat(0.0) - middle - extent).store();
            self.middle = middle.store();
            self.half_motion = half_motion.store();
        }
    }

    /// Whether all that is of interest lies in a box, given by its lower end and minus its upper one, with a millimetre to spare at least: so
    /// the faces around a contact do, too.
    #[inline(always)]
    pub(crate) fn is_within<L: F32x8>(&self, [low, below]: [[f32; 4]; 2]) -> bool {
        let margin = L::F32x4::splat(self.margin());
        (L::F32x4::load(low) + margin).all_le(L::F32x4::load(self.low))
            && (L::F32x4::load(below) + margin).all_le(L::F32x4::load(self.below))
    }

    /// What is of interest around the moving axis.
    #[inline(always)]
    fn margin(&self) -> f32 {
        self.reach + (0.01 * self.reach).max(0.001) + self.slack
    }

    /// Whether of `sides` the fronts alone count: where nothing moves, none is skipped.
    pub(crate) fn sees_fronts_only(&self, sides: Sides) -> bool {
        sides == Sides::Front && self.limit > 0.0
    }

    /// Whether a box may hold anything of interest.
    pub(crate) fn sees(&self, bounds: &Bounds) -> bool {
        let ([x, y, z, _], [below_x, below_y, below_z, _]) = (self.low, self.below);
        let (min, max) = (Vec3::new(x, y, z), -Vec3::new(below_x, below_y, below_z));
        bounds.overlaps(&Bounds { min: min - self.margin(), max: max + self.margin() })
    }
}

/// A vector in lanes.
#[inline(always)]
fn four<L: F32x8>(vector: DVec3) -> L::F64x4 {
    L::F64x4::load([vector.x, vector.y, vector.z, vector.z])
}

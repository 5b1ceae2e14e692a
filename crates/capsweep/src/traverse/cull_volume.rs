//! The volume of a query in f32, relative to an origin close by: culls most triangles of a
//! neighborhood before any exact test.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Bounds, F32x4, F32x8};
use crate::cull::slabs::ROUND_UP_FACTOR;
use crate::math::F64x4;
use crate::tolerance::{
    CONTACT_TOLERANCE, END_SLACK, MIN_SWEPT_MARGIN, ROUNDING_ERROR, SWEPT_MARGIN,
};
use crate::{Capsule, Motion, Ray, Sides};
use glam::{DVec3, Vec3};

/// The volume of a query, exact: all points within `reach` of a capsule's moving axis.
pub(crate) struct SweptVolume<'a> {
    capsule: &'a Capsule,
    motion: &'a Motion,
    reach: f64,
}

impl<'a> SweptVolume<'a> {
    /// Everything that a sweep may touch.
    #[inline]
    pub(crate) fn of_sweep(capsule: &'a Capsule, motion: &'a Motion) -> Self {
        Self {
            capsule,
            motion,
            reach: f64::from(capsule.radius()) + 2.0 * CONTACT_TOLERANCE + END_SLACK,
        }
    }

    /// Everything within `limit` of a capsule, metres from its surface.
    pub(crate) fn around(capsule: &'a Capsule, limit: f64) -> Self {
        Self { capsule, motion: &Motion::ZERO, reach: reach_around(capsule, limit) }
    }

    /// Everything that a ray may cross. `point` is [`SweptVolume::point_of`] the ray. The reach is
    /// far above the slack at the ends of a ray, [`END_SLACK`], and the rounding of its crossings.
    pub(crate) fn of_ray(point: &'a Capsule, motion: &'a Motion) -> Self {
        Self { capsule: point, motion, reach: 2.0 * CONTACT_TOLERANCE }
    }

    /// The origin of a ray as a capsule, because volumes are made for capsules. Its radius plays
    /// no part.
    pub(crate) fn point_of(ray: &Ray) -> Option<Capsule> {
        Capsule::new(ray.origin(), ray.origin(), CONTACT_TOLERANCE as f32).ok()
    }
}

/// Most metres from a capsule's axis to a point within `limit` metres of its surface, with a
/// margin for ties.
pub(crate) fn reach_around(capsule: &Capsule, limit: f64) -> f64 {
    f64::from(capsule.radius()) + limit.max(0.0) + 2.0 * CONTACT_TOLERANCE
}

/// The origin of the f32 coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalOrigin {
    pub(crate) origin: DVec3,
    /// Error bound of heights over planes, metres, for points within the volume.
    slack: f32,
}

impl LocalOrigin {
    /// `within`: the largest distance from the origin along each axis, metres.
    pub(crate) fn new(origin: DVec3, within: Vec3) -> Self {
        Self { origin, slack: within.element_sum() * ROUNDING_ERROR }
    }
}

/// A [`SweptVolume`] in f32, relative to a [`LocalOrigin`]. Vectors repeat z in their fourth lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullVolume {
    /// Lower corner of the box around the moving axis.
    pub(crate) low: [f32; 4],
    /// Its negated upper corner; packets negate their lower corners in the same way.
    pub(crate) neg_high: [f32; 4],
    /// Centre of the axis at the start.
    start: [f32; 4],
    /// Centre of the axis half way to the limit.
    pub(crate) middle: [f32; 4],
    /// Half the motion up to the limit.
    pub(crate) half_motion: [f32; 4],
    pub(crate) half_axis: [f32; 4],
    /// The reach, rounded up.
    pub(crate) reach: f32,
    /// Error bound of the [`LocalOrigin`].
    pub(crate) slack: f32,
    /// `(reach + slack)²`.
    pub(crate) reach_squared: f32,
    /// The whole motion in f64.
    pub(crate) exact_motion: [f64; 4],
    /// Latest time of interest, a fraction of the motion; 0 where the capsule does not move.
    pub(crate) limit: f64,
}

impl CullVolume {
    pub(crate) const NONE: Self = Self {
        low: [0.0; 4],
        neg_high: [0.0; 4],
        start: [0.0; 4],
        middle: [0.0; 4],
        half_motion: [0.0; 4],
        half_axis: [0.0; 4],
        reach: 0.0,
        slack: 0.0,
        reach_squared: 0.0,
        exact_motion: [0.0; 4],
        limit: 0.0,
    };

    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        &SweptVolume { capsule, motion, reach }: &SweptVolume,
        LocalOrigin { origin, slack }: LocalOrigin,
    ) -> Self {
        let half = L::F64x4::splat(0.5);
        let origin = four::<L>(origin);
        let (low, high) = (four::<L>(capsule.p0()) - origin, four::<L>(capsule.p1()) - origin);
        let exact_motion = four::<L>(motion.vector());
        let start = L::narrowed((low + high) * half);
        let middle = L::narrowed((low + high + exact_motion) * half);
        let half_axis = L::narrowed((high - low) * half);
        let half_motion = L::narrowed(exact_motion * half);
        // The conversion rounds by far less than the factor adds.
        let reach = reach as f32 * ROUND_UP_FACTOR;
        let extent = half_axis.abs() + half_motion.abs();
        Self {
            low: (middle - extent).store(),
            neg_high: (L::F32x4::splat(0.0) - middle - extent).store(),
            start: start.store(),
            middle: middle.store(),
            half_motion: half_motion.store(),
            half_axis: half_axis.store(),
            reach,
            slack,
            reach_squared: (reach + slack) * (reach + slack),
            exact_motion: exact_motion.store(),
            // A motion whose length underflows counts as none, as in the exact sweep.
            limit: if motion.is_zero() { 0.0 } else { 1.0 },
        }
    }

    /// Lowers the latest time of interest. The middle then has a few more roundings, which
    /// [`ROUNDING_ERROR`] covers.
    #[inline(always)]
    pub(crate) fn lower_limit<L: F32x8>(&mut self, time: f64) {
        if time < self.limit {
            self.limit = time;
            let half_time = L::F32x4::splat(0.5 * time as f32 * ROUND_UP_FACTOR);
            let half_motion = L::narrowed(L::F64x4::load(self.exact_motion)) * half_time;
            let middle = L::F32x4::load(self.start) + half_motion;
            let extent = L::F32x4::load(self.half_axis).abs() + half_motion.abs();
            self.low = (middle - extent).store();
            self.neg_high = (L::F32x4::splat(0.0) - middle - extent).store();
            self.middle = middle.store();
            self.half_motion = half_motion.store();
        }
    }

    /// Lowers the reach, of a query by distance.
    #[inline(always)]
    pub(crate) fn lower_reach(&mut self, reach: f64) {
        let reach = reach as f32 * ROUND_UP_FACTOR;
        if reach < self.reach {
            self.reach = reach;
            self.reach_squared = (reach + self.slack) * (reach + self.slack);
        }
    }

    /// Whether the volume lies within a box, given by its lower and its negated upper corner. At
    /// least a millimetre is to spare, so the box holds the faces around every contact too.
    #[inline(always)]
    pub(crate) fn is_within<L: F32x8>(&self, [low, neg_high]: [[f32; 4]; 2]) -> bool {
        let margin = L::F32x4::splat(self.margin());
        (L::F32x4::load(low) + margin).all_le(L::F32x4::load(self.low))
            && (L::F32x4::load(neg_high) + margin).all_le(L::F32x4::load(self.neg_high))
    }

    /// Distance from the moving axis that a box must have: the reach, and 1 % or 1 mm more.
    #[inline(always)]
    fn margin(&self) -> f32 {
        self.reach + (SWEPT_MARGIN as f32 * self.reach).max(MIN_SWEPT_MARGIN as f32) + self.slack
    }

    /// Whether back faces are culled. A capsule that does not move overlaps both sides.
    pub(crate) fn culls_backs(&self, sides: Sides) -> bool {
        sides == Sides::Front && self.limit > 0.0
    }

    /// Whether a box overlaps the volume, with its margin.
    pub(crate) fn overlaps(&self, bounds: &Bounds) -> bool {
        let ([x, y, z, _], [below_x, below_y, below_z, _]) = (self.low, self.neg_high);
        let (min, max) = (Vec3::new(x, y, z), -Vec3::new(below_x, below_y, below_z));
        bounds.overlaps(&Bounds { min: min - self.margin(), max: max + self.margin() })
    }
}

/// A vector in four lanes, z twice.
#[inline(always)]
fn four<L: F32x8>(vector: DVec3) -> L::F64x4 {
    L::F64x4::load([vector.x, vector.y, vector.z, vector.z])
}

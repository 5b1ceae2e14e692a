//! The contact of a capsule and a target: found in the capsule's frame, reported in the world.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::{ClosestPair, RelativeSegment};
use crate::math::F32x8;
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::{CLOSEST_POINT_ROUNDING, MIN_DIRECTION_LENGTH};
use crate::{ClosestPoints, Feature, Overlap, Region, SweepHit};
use glam::{DVec3, Vec3};

/// A contact in the capsule's frame, before it becomes the hit of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairContact {
    pub(crate) normal: DVec3,
    pub(crate) source: NormalSource,
    pub(crate) nearest: ClosestPair,
}

/// Where a contact's normal comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NormalSource {
    /// The direction between the closest points, which are `distance` metres apart.
    ClosestPoints { distance: f64 },
    /// The plane of the touched face.
    Face,
    /// The shortest push-out.
    PushOut,
}

/// How much of a contact the caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The normal. In a line contact the points may be any of the line's.
    Normal,
    /// Also the points: in a line contact, those of its middle.
    Points,
}

impl PairContact {
    /// The contact with a target that the axis does not pierce.
    ///
    /// Only a capsule thinner than f64 resolves there can be too close for a direction. Its normal
    /// is `fallback`.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        target: &impl Target,
        axis: &RelativeSegment,
        nearest: ClosestPair,
        detail: Detail,
        fallback: impl FnOnce() -> DVec3,
    ) -> Self {
        let apart = nearest.on_axis - nearest.on_target;
        let distance = apart.length();
        let normal = if distance > MIN_DIRECTION_LENGTH { apart / distance } else { fallback() };
        let nearest = match detail {
            Detail::Normal => nearest,
            Detail::Points => target.line_contact::<L>(axis, nearest),
        };
        Self { normal, source: NormalSource::ClosestPoints { distance }, nearest }
    }

    /// Moves the points to the middle of the line contact that they may belong to.
    #[inline(always)]
    pub(crate) fn at_line_middle<L: F32x8>(
        self,
        target: &impl Target,
        axis: &RelativeSegment,
    ) -> Self {
        match self.source {
            NormalSource::ClosestPoints { .. } => {
                Self { nearest: target.line_contact::<L>(axis, self.nearest), ..self }
            }
            NormalSource::Face | NormalSource::PushOut => self,
        }
    }

    /// The contact where `motion` brought one end of the axis, and nothing else, to the inside of
    /// a face.
    #[inline(always)]
    pub(crate) fn end_on_face<L: F32x8>(
        target: &impl Target,
        axis: &RelativeSegment,
        motion: DVec3,
    ) -> Option<Self> {
        let (normal, nearest) = target.end_on_face::<L>(axis, motion)?;
        Some(Self { normal, source: NormalSource::Face, nearest })
    }

    /// Bound on the rounding error of the normal (no unit).
    ///
    /// The closest points round by a few `ε` of their coordinates. Over their distance that turns
    /// the direction between them.
    pub(crate) fn normal_error(&self) -> f64 {
        let NormalSource::ClosestPoints { distance } = self.source else { return 0.0 };
        let size = self.nearest.on_axis.length() + self.nearest.on_target.length();
        CLOSEST_POINT_ROUNDING * size / distance
    }

    /// The contact in the world. `with_barycentrics`: whether to compute the weights of a
    /// triangle's vertices.
    #[inline(always)]
    pub(crate) fn in_world<L: F32x8>(
        &self,
        frame: &CapsuleFrame,
        target: &impl Target,
        with_barycentrics: bool,
    ) -> WorldContact {
        let Self { normal, source, nearest } = *self;
        let (convex_radius, core) = (target.convex_radius(), nearest.on_target);
        let is_round = convex_radius > 0.0;
        WorldContact {
            normal,
            point: frame.to_world(if is_round { core + normal * convex_radius } else { core }),
            face_normal: target.face_normal(normal, source).map(DVec3::as_vec3),
            feature: if is_round { Feature::Face } else { nearest.feature },
            barycentrics: if with_barycentrics {
                target.barycentrics::<L>(&nearest)
            } else {
                None
            },
            region: frame.region(nearest.axis_t),
        }
    }
}

/// A contact in the world: the fields that all three queries report.
pub(crate) struct WorldContact {
    /// In f64; hits round it to f32.
    normal: DVec3,
    point: DVec3,
    /// `None` if it equals the normal.
    face_normal: Option<Vec3>,
    feature: Feature,
    barycentrics: Option<[f64; 3]>,
    region: Region,
}

impl WorldContact {
    /// The face's normal, for a hit that reports the contact normal as `normal`.
    fn face_normal(&self, normal: Vec3) -> Vec3 {
        match self.face_normal {
            Some(face) if face != self.normal.as_vec3() => face,
            _ => normal,
        }
    }

    /// `depth` measured along the f32 normal, whose length differs from 1 by up to 6·10⁻⁸.
    /// `normal · depth` then clears even a box a kilometre wide to the tolerance.
    fn depth_along_rounded_normal(&self, depth: f64) -> f64 {
        if depth == 0.0 {
            return 0.0;
        }
        depth / self.normal.dot(self.normal.as_vec3().as_dvec3())
    }

    /// `normal` is the contact normal in f32.
    #[inline(always)]
    pub(crate) fn into_sweep_hit(
        self,
        normal: Vec3,
        time: f64,
        distance: f64,
        depth: f64,
    ) -> SweepHit {
        SweepHit {
            time,
            distance,
            point: self.point,
            normal,
            face_normal: self.face_normal(normal),
            depth: self.depth_along_rounded_normal(depth),
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }

    pub(crate) fn into_overlap(self, depth: f64) -> Overlap {
        let normal = self.normal.as_vec3();
        Overlap {
            depth: self.depth_along_rounded_normal(depth),
            point: self.point,
            normal,
            face_normal: self.face_normal(normal),
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }

    pub(crate) fn into_closest_points(self, distance: f64) -> ClosestPoints {
        let normal = self.normal.as_vec3();
        ClosestPoints {
            distance,
            on_capsule: self.point + self.normal * distance,
            on_geometry: self.point,
            normal,
            face_normal: self.face_normal(normal),
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NormalSource, PairContact};
    use crate::Feature;
    use crate::kernel::ClosestPair;
    use glam::DVec3;

    #[test]
    fn a_normal_is_as_uncertain_as_its_closest_points() {
        let (on_axis, on_target) = (DVec3::new(3.0, 4.0, 0.0), DVec3::new(0.0, 0.0, 2.0));
        let nearest = ClosestPair { axis_t: 0.5, on_axis, on_target, feature: Feature::Face };
        let contact = |source| PairContact { normal: DVec3::Z, source, nearest };
        // 5 m and 2 m from the centre, 0.5 m apart: 8 ε · 7 / 0.5.
        let between = contact(NormalSource::ClosestPoints { distance: 0.5 });
        let expected = 112.0 * f64::EPSILON;
        assert!((between.normal_error() / expected - 1.0).abs() < 1e-12);
        assert_eq!(contact(NormalSource::Face).normal_error(), 0.0);
        assert_eq!(contact(NormalSource::PushOut).normal_error(), 0.0);
    }
}

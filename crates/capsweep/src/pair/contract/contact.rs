//! Where capsule and target meet, and how it is told in the world.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::{Nearest, Segment};
use crate::math::F32x8;
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::MIN_DIRECTION_LENGTH;
use crate::{ClosestPoints, Feature, Overlap, Region, SweepHit};
use glam::{DVec3, Vec3};

/// Where capsule and target meet, before it is turned into somebody's hit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contact {
    pub(crate) normal: DVec3,
    pub(crate) source: Source,
    pub(crate) nearest: Nearest,
}

/// What a contact's normal was made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Source {
    /// The nearest points, so far apart.
    Points { apart: f64 },
    /// The face that is touched: it is the normal of that.
    Face,
    /// The shortest way out.
    PushOut,
}

/// What is to be known of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The normal: of a line contact, the points may be any of the line's.
    Normal,
    All,
}

impl Contact {
    /// The contact of a target that the axis does not pierce. Only a capsule thinner than f64
    /// resolves there can be too close for a direction; its normal is then `otherwise`.
    #[inline(always)]
    pub(crate) fn of<L: F32x8>(
        target: &impl Target,
        axis: &Segment,
        nearest: Nearest,
        part: Part,
        otherwise: impl FnOnce() -> DVec3,
    ) -> Self {
        let apart = nearest.on_axis - nearest.on_target;
        let distance = apart.length();
        let normal = if distance > MIN_DIRECTION_LENGTH { apart / distance } else { otherwise() };
        let nearest = match part {
            Part::Normal => nearest,
            Part::All => target.line_contact::<L>(axis, nearest),
        };
        Self { normal, source: Source::Points { apart: distance }, nearest }
    }

    /// With the middle of the line that its points may be part of.
    #[inline(always)]
    pub(crate) fn in_middle<L: F32x8>(self, target: &impl Target, axis: &Segment) -> Self {
        match self.source {
            Source::Points { .. } => {
                Self { nearest: target.line_contact::<L>(axis, self.nearest), ..self }
            }
            Source::Face | Source::PushOut => self,
        }
    }

    /// The contact of an axis of which `motion` brought an end, and nothing else, to the inside of a face.
    #[inline(always)]
    pub(crate) fn under_end<L: F32x8>(
        target: &impl Target,
        axis: &Segment,
        motion: DVec3,
    ) -> Option<Self> {
        let (normal, nearest) = target.under_end::<L>(axis, motion)?;
        Some(Self { normal, source: Source::Face, nearest })
    }

    /// How far rounding may have turned the normal (no unit).
    pub(crate) fn unsure(&self) -> f64 {
        let Source::Points { apart } = self.source else { return 0.0 };
        let size = self.nearest.on_axis.length() + self.nearest.on_target.length();
        8.0 * f64::EPSILON * size / apart
    }
}

/// A contact in the world, as all three queries report it.
pub(crate) struct Report {
    /// In f64; hits round it to f32.
    normal: DVec3,
    point: DVec3,
    /// `None` if it is the normal.
    face_normal: Option<Vec3>,
    feature: Feature,
    barycentrics: Option<[f64; 3]>,
    region: Region,
}

impl Contact {
    /// `weights`: whether to say where on a triangle it is.
    #[inline(always)]
    pub(crate) fn report<L: F32x8>(
        &self,
        view: &CapsuleFrame,
        target: &impl Target,
        weights: bool,
    ) -> Report {
        let Self { normal, source, nearest } = *self;
        let (rounding, core) = (target.rounding(), nearest.on_target);
        let is_round = rounding > 0.0;
        Report {
            normal,
            point: view.world(if is_round { core + normal * rounding } else { core }),
            face_normal: target.face_normal(normal, source).map(DVec3::as_vec3),
            feature: if is_round { Feature::Face } else { nearest.feature },
            barycentrics: if weights { target.barycentrics::<L>(&nearest) } else { None },
            region: view.region(nearest.axis_t),
        }
    }
}

impl Report {
    /// The face's normal, where that of the contact is told as `normal`.
    fn face_normal(&self, normal: Vec3) -> Vec3 {
        match self.face_normal {
            Some(face) if face != self.normal.as_vec3() => face,
            _ => normal,
        }
    }

    /// `depth`, measured along the f32 normal, which is up to 6e-8 longer or shorter than 1:
    /// `normal · depth` then clears even a box a kilometre wide to the bound.
    fn depth_along_rounded_normal(&self, depth: f64) -> f64 {
        if depth == 0.0 {
            return 0.0;
        }
        depth / self.normal.dot(self.normal.as_vec3().as_dvec3())
    }

    /// `normal`: the contact's in f32.
    #[inline(always)]
    pub(crate) fn sweep(self, normal: Vec3, time: f64, distance: f64, depth: f64) -> SweepHit {
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

    pub(crate) fn overlap(self, depth: f64) -> Overlap {
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

    pub(crate) fn closest(self, distance: f64) -> ClosestPoints {
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

//! Ray casts against one shape: the public functions and their shared code. [`Ray`] states the
//! contract.

mod ray_box;
mod ray_capsule;
mod ray_half_space;
mod ray_sphere;
mod ray_triangle;

pub use ray_box::ray_box;
pub use ray_capsule::ray_capsule;
pub use ray_half_space::ray_half_space;
pub use ray_sphere::ray_sphere;
pub use ray_triangle::ray_triangle;

pub(crate) use ray_box::span_of_box;
pub(crate) use ray_capsule::span_of_capsule;
pub(crate) use ray_half_space::span_of_half_space;
pub(crate) use ray_sphere::span_of_sphere;

use crate::error::length_and_direction;
use crate::tolerance::END_SLACK;
use crate::{Feature, Ray, RayHit, Sides};
use glam::DVec3;

/// A ray with the values that every target needs, computed once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreparedRay {
    pub(crate) origin: DVec3,
    pub(crate) motion: DVec3,
    length: f64,
    /// [`END_SLACK`] as a fraction of the motion.
    pub(crate) slack: f64,
    /// The axes in cyclic order, the one with the largest motion last.
    axes: [usize; 3],
    /// The motion along the last axis.
    speed: f64,
    /// The motion along the first two axes, per unit along the last.
    shear: [f64; 2],
}

/// A time clamped to the motion. Adding 0 turns −0 into +0.
#[inline]
pub(crate) fn clamp_time(time: f64) -> f64 {
    time.clamp(0.0, 1.0) + 0.0
}

impl PreparedRay {
    /// `None` if the motion is zero.
    #[inline]
    pub(crate) fn new(ray: &Ray) -> Option<Self> {
        let (origin, motion) = (ray.origin(), ray.motion());
        let vector = motion.vector();
        if vector.abs().max_element() < f64::MIN_POSITIVE {
            return None;
        }
        let axes = axes_up_to_largest(vector);
        let by_axis = vector.to_array();
        let [across, up, speed] = axes.map(|axis| by_axis[axis]);
        let shear = [across / speed, up / speed];
        let length = motion.length();
        // The quotient overflows for motions near the smallest f64; f64::MAX is late enough.
        let slack = (END_SLACK / length).min(f64::MAX);
        Some(Self { origin, motion: vector, length, slack, axes, speed, shear })
    }

    /// The unit direction of the motion.
    pub(crate) fn direction(&self) -> DVec3 {
        length_and_direction(self.motion).1.unwrap_or(DVec3::ZERO)
    }

    /// The end of the motion (time), with the slack that makes it inclusive.
    pub(crate) fn end(&self) -> f64 {
        (1.0 + self.slack).min(f64::MAX)
    }

    /// Whether `time` lies within the motion, both ends included.
    pub(crate) fn reaches(&self, time: f64) -> bool {
        time >= -self.slack && time <= self.end()
    }

    /// The hit on a surface, its normal turned against the ray.
    #[inline]
    pub(crate) fn hit(&self, surface: &SurfaceCrossing) -> RayHit {
        let time = clamp_time(surface.time);
        let normal =
            if surface.normal.dot(self.motion) > 0.0 { -surface.normal } else { surface.normal };
        RayHit {
            time,
            distance: time * self.length,
            point: self.origin + self.motion * time,
            normal: normal.as_vec3(),
            feature: surface.feature,
            barycentrics: surface.barycentrics,
        }
    }
}

/// The three axes in cyclic order, so that the one with the largest motion comes last.
#[inline]
pub(crate) fn axes_up_to_largest(motion: DVec3) -> [usize; 3] {
    let size = motion.abs();
    if size.x >= size.y && size.x >= size.z {
        [1, 2, 0]
    } else if size.y >= size.z {
        [2, 0, 1]
    } else {
        [0, 1, 2]
    }
}

/// A crossing of the ray's line and a surface, at any time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceCrossing {
    pub(crate) time: f64,
    /// Unit: out of the solid, or the normal of the triangle's front.
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    pub(crate) barycentrics: Option<[f64; 3]>,
}

impl SurfaceCrossing {
    /// A crossing of a smooth surface or of the inside of a face.
    fn face(time: f64, normal: DVec3) -> Self {
        Self { time, normal, feature: Feature::Face, barycentrics: None }
    }
}

/// The part of the ray's line inside a solid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) enter: SurfaceCrossing,
    pub(crate) exit: SurfaceCrossing,
    /// Whether the origin lies inside the solid, not on its surface.
    pub(crate) holds_origin: bool,
    /// Whether the solid has no thickness where it is crossed.
    pub(crate) flat: bool,
}

impl Span {
    /// The hit, by the contract of [`Ray`].
    pub(crate) fn hit(&self, ray: &PreparedRay, sides: Sides) -> Option<RayHit> {
        self.first_surface(ray, sides).map(|surface| ray.hit(&surface))
    }

    /// The surface that is hit, by the contract of [`Ray`].
    pub(crate) fn first_surface(
        &self,
        ray: &PreparedRay,
        sides: Sides,
    ) -> Option<SurfaceCrossing> {
        if self.enter.time >= -ray.slack {
            let goes_in = self.exit.time > ray.slack || self.flat;
            return (goes_in && ray.reaches(self.enter.time)).then_some(self.enter);
        }
        let starts_inside = self.holds_origin && self.exit.time > ray.slack;
        (starts_inside && sides == Sides::Both)
            .then(|| SurfaceCrossing::face(0.0, -ray.direction()))
    }
}

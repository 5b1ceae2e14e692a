//! Where a sweep heads: the frame in which most terms of most products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::tolerance::NOTHING;
use glam::{DVec3, Vec3};

/// An axis within this angle (no unit) of the motion counts as along it: over a kilometre that is a nanometre.
const ALONG: f64 = 1e-12;

/// An axis beyond this angle (no unit) of the motion has a part across that is known to 10⁻¹⁰ of itself, far better than f32.
const NEARLY_ALONG: f64 = 1e-6;

/// A product of axis and motion (square metres) below this loses digits when it is squared. The axis is then within 10⁻⁵⁰ m of a motion that
/// has a direction.
const NO_LENGTH: f64 = 1e-150;

/// A frame turned so that x runs along a motion and a capsule's axis lies in the plane of x and z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heading {
    /// Unit: along the motion, across motion and axis, and across both of these.
    x: DVec3,
    y: DVec3,
    z: DVec3,
    /// Half the axis along x and z.
    pub(super) axis_x: f64,
    pub(super) axis_z: f64,
    /// Length of the motion, and one over that; one where there is none.
    pub(super) speed: f64,
    pub(super) pace: f64,
}

impl Heading {
    /// `speed`: the length of the motion, which is known wherever it is turned.
    #[inline(always)]
    pub(super) fn new(half_axis: DVec3, motion: DVec3, speed: f64) -> Self {
        let (motion, length) = if speed > NOTHING { (motion, speed) } else { (DVec3::X, 1.0) };
        let pace = 1.0 / length;
        let x = motion * pace;
        // Of the motion itself, not of x: then the root does not wait for the quotient.
        let (along, across) = (half_axis.dot(motion), half_axis.cross(motion));
        let across_length = across.length();
        if across_length <= (ALONG * along.abs()).max(NO_LENGTH) {
            let y = x.any_orthonormal_vector();
            return Self { x, y, z: x.cross(y), axis_x: along * pace, axis_z: 0.0, speed, pace };
        }
        let y = across * (1.0 / across_length);
        // What is left of x where the two are nearly parallel; elsewhere that is too little for f32.
        let is_nearly_along = across_length < NEARLY_ALONG * along.abs();
        let y = if is_nearly_along { y - x * x.dot(y) } else { y };
        let (axis_x, axis_z) = (along * pace, across_length * pace);
        Self { x, y, z: x.cross(y), axis_x, axis_z, speed, pace }
    }

    /// The three axes, in f32.
    #[inline(always)]
    pub(super) fn frame(&self) -> [Vec3; 3] {
        [self.x.as_vec3(), self.y.as_vec3(), self.z.as_vec3()]
    }
}

//! Where a sweep heads: the frame in which most terms of most products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x4, F32x8};
use crate::math::F64x4;
use crate::tolerance::MIN_DIRECTION_LENGTH;
use glam::DVec3;

/// An axis within this angle (no unit) of the motion counts as along it: over a kilometre that is a nanometre.
const ALONG: f64 = 1e-12;

/// An axis beyond this angle (no unit) of the motion has a part across that is known to 10⁻¹⁰ of itself, far better than f32.
const NEARLY_ALONG: f64 = 1e-6;

/// A product of axis and motion (square metres) below this loses digits when it is squared. The axis is then within 10⁻⁵⁰ m of a motion that
/// has a direction.
const NO_LENGTH: f64 = 1e-150;

/// Longest time that a metre takes, by motions that have a direction in f32.
const SLOWEST: f64 = 1e20;

/// A frame turned so that x runs along a motion and a capsule's axis lies in the plane of x and z. In f32: good for culling only.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct SweepFrame {
    /// Unit, and something else: along the motion, across motion and axis, and across both of these.
    pub(crate) frame: [[f32; 4]; 3],
    /// Half the axis along x and z.
    pub(crate) axis_x: f32,
    pub(crate) axis_z: f32,
    /// Length of the motion, and one over that, at most 10²⁰.
    pub(crate) speed: f32,
    pub(crate) pace: f32,
}

impl SweepFrame {
    /// Not known yet.
    pub(crate) const NONE: Self =
        Self { frame: [[0.0; 4]; 3], axis_x: 0.0, axis_z: 0.0, speed: 0.0, pace: 0.0 };

    /// `speed`: the length of the motion, which is known wherever it is turned.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(half_axis: L::F64x4, motion: L::F64x4, speed: f64) -> Self {
        let (motion, length) = if speed > MIN_DIRECTION_LENGTH {
            (motion, speed)
        } else {
            (L::F64x4::of_vector(DVec3::X * MIN_DIRECTION_LENGTH), MIN_DIRECTION_LENGTH)
        };
        let pace = 1.0 / length;
        let x = motion * L::F64x4::splat(pace);
        // Of the motion itself, not of x: then the root does not wait for the quotient.
        let (along, across) = (half_axis.dot(motion), half_axis.cross(motion));
        let across_length = across.dot(across).sqrt();
        let axis_x = along * pace;
        let (y, z, axis_z) = if across_length <= (ALONG * along.abs()).max(NO_LENGTH) {
            let [to_x, to_y, to_z, _] = x.store();
            let y = DVec3::new(to_x, to_y, to_z).any_orthonormal_vector();
            let y = L::F64x4::of_vector(y);
            (y, x.cross(y), 0.0)
        } else {
            let over = 1.0 / across_length;
            let y = across * L::F64x4::splat(over);
            let axis_z = across_length * pace;
            if across_length < NEARLY_ALONG * along.abs() {
                // Without what is left of x in it; elsewhere that is too little for f32.
                let y = y - x * L::F64x4::splat(x.dot(y));
                (y, x.cross(y), axis_z)
            } else {
                // The part of the axis across the motion.
                let z = half_axis - x * L::F64x4::splat(axis_x);
                (y, z * L::F64x4::splat(over * length), axis_z)
            }
        };
        Self {
            frame: [L::narrowed(x).store(), L::narrowed(y).store(), L::narrowed(z).store()],
            axis_x: axis_x as f32,
            axis_z: axis_z as f32,
            speed: speed as f32,
            pace: pace.min(SLOWEST) as f32,
        }
    }
}

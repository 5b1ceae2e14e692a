//! [`SweepFrame`]: axes along and across a motion, in which most terms of most products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x4, F32x8};
use crate::math::F64x4;
use crate::tolerance::{
    MAX_INV_SPEED, MIN_CROSS_LENGTH, MIN_DIRECTION_LENGTH, NEARLY_PARALLEL_ANGLE, PARALLEL_ANGLE,
};
use glam::DVec3;

/// A frame with x along a motion and a capsule's axis in the plane of x and z, in f32.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct SweepFrame {
    /// Unit vectors: along the motion, across motion and capsule axis, and across both of these.
    /// Fourth lanes have no meaning.
    pub(crate) axes: [[f32; 4]; 3],
    /// Half the capsule's axis on x and z.
    pub(crate) axis_x: f32,
    pub(crate) axis_z: f32,
    /// Length of the motion (metres).
    pub(crate) speed: f32,
    /// One over that length, at most [`MAX_INV_SPEED`].
    pub(crate) inv_speed: f32,
}

impl SweepFrame {
    /// A placeholder until the frame is computed.
    pub(crate) const NONE: Self =
        Self { axes: [[0.0; 4]; 3], axis_x: 0.0, axis_z: 0.0, speed: 0.0, inv_speed: 0.0 };

    /// The frame of a motion of length `speed`, which rotations do not change.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(half_axis: L::F64x4, motion: L::F64x4, speed: f64) -> Self {
        let (motion, length) = if speed > MIN_DIRECTION_LENGTH {
            (motion, speed)
        } else {
            (L::F64x4::of_vector(DVec3::X * MIN_DIRECTION_LENGTH), MIN_DIRECTION_LENGTH)
        };
        let inv_speed = 1.0 / length;
        let x = motion * L::F64x4::splat(inv_speed);
        // Of the motion, not of x: so the square root need not wait for the quotient.
        let (along, across) = (half_axis.dot(motion), half_axis.cross(motion));
        let across_length = across.dot(across).sqrt();
        let axis_x = along * inv_speed;
        let (y, z, axis_z) =
            if across_length <= (PARALLEL_ANGLE * along.abs()).max(MIN_CROSS_LENGTH) {
                let [to_x, to_y, to_z, _] = x.store();
                let y = DVec3::new(to_x, to_y, to_z).any_orthonormal_vector();
                let y = L::F64x4::of_vector(y);
                (y, x.cross(y), 0.0)
            } else {
                let over = 1.0 / across_length;
                let y = across * L::F64x4::splat(over);
                let axis_z = across_length * inv_speed;
                if across_length < NEARLY_PARALLEL_ANGLE * along.abs() {
                    // Removes the part of y along x; at larger angles it is too small for f32.
                    let y = y - x * L::F64x4::splat(x.dot(y));
                    (y, x.cross(y), axis_z)
                } else {
                    // The part of the axis across the motion.
                    let z = half_axis - x * L::F64x4::splat(axis_x);
                    (y, z * L::F64x4::splat(over * length), axis_z)
                }
            };
        Self {
            axes: [L::narrowed(x).store(), L::narrowed(y).store(), L::narrowed(z).store()],
            axis_x: axis_x as f32,
            axis_z: axis_z as f32,
            speed: speed as f32,
            inv_speed: inv_speed.min(MAX_INV_SPEED) as f32,
        }
    }
}

//! Poses from Euler angles.

use crate::error::{ShapeError, check_number};
use crate::math::trig::{MAX_ANGLE, sin_cos};
use crate::shape::pose::Pose;
use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, FRAC_PI_2};
use glam::{DQuat, DVec3, EulerRot};

impl Pose {
    /// The pose that scales along the local axes, turns by three angles, then moves to
    /// `position`.
    ///
    /// `angles` are in radians and in the sequence that `order` names. `EulerRot::XYZ` and the
    /// other names of three letters are intrinsic: each turn is about an axis of the body as the
    /// turns before left it. `EulerRot::XYZEx` and the other names with `Ex` are extrinsic: each
    /// turn is about an axis of the world. A positive angle about z takes x towards y; about x it
    /// takes y towards z, and about y it takes z towards x.
    ///
    /// The bits are the same on every platform. Multiples of the f64 nearest to π/2 count as exact
    /// quarter turns: half turns have exact axes, those of quarter turns are off by a rounding.
    /// [`Pose::rotation`] gives the quaternion, for shapes that take one.
    ///
    /// ```
    /// use capsweep::glam::{DVec3, EulerRot, dvec3};
    /// use capsweep::scene::Pose;
    ///
    /// // Yaw, pitch and roll of a vehicle: about z, then about its own y, then its own x.
    /// let angles = [90.0_f64, 30.0, 0.0].map(f64::to_radians);
    /// let pose = Pose::from_euler(DVec3::ZERO, EulerRot::ZYX, angles, DVec3::ONE)?;
    /// let nose = pose.vector_to_world(DVec3::X);
    /// assert!(nose.abs_diff_eq(dvec3(0.0, 0.75_f64.sqrt(), -0.5), 1e-15));
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// If an angle is not finite or exceeds 10⁶ in magnitude, and the errors of [`Pose::new`].
    pub fn from_euler(
        position: DVec3,
        order: EulerRot,
        angles: [f64; 3],
        scale: DVec3,
    ) -> Result<Self, ShapeError> {
        for (field, angle) in ["angles[0]", "angles[1]", "angles[2]"].into_iter().zip(angles) {
            check_number(field, angle, MAX_ANGLE)?;
        }
        let (axes, frame) = axes_and_frame(order);
        let [first, second, third] = [0, 1, 2].map(|turn| rotation(axes[turn], angles[turn]));
        let rotation = match frame {
            Frame::Intrinsic => first * second * third,
            Frame::Extrinsic => third * second * first,
        };
        Self::new(position, rotation, scale)
    }
}

/// The axes that turns are about.
#[derive(Clone, Copy)]
enum Frame {
    /// Those of the body, which turn with it.
    Intrinsic,
    /// Those of the world.
    Extrinsic,
}

/// The axes of the three turns, 0 for x to 2 for z, and whose they are.
fn axes_and_frame(order: EulerRot) -> ([usize; 3], Frame) {
    const X: usize = 0;
    const Y: usize = 1;
    const Z: usize = 2;
    match order {
        EulerRot::XYZ => ([X, Y, Z], Frame::Intrinsic),
        EulerRot::XZY => ([X, Z, Y], Frame::Intrinsic),
        EulerRot::YXZ => ([Y, X, Z], Frame::Intrinsic),
        EulerRot::YZX => ([Y, Z, X], Frame::Intrinsic),
        EulerRot::ZXY => ([Z, X, Y], Frame::Intrinsic),
        EulerRot::ZYX => ([Z, Y, X], Frame::Intrinsic),
        EulerRot::XYX => ([X, Y, X], Frame::Intrinsic),
        EulerRot::XZX => ([X, Z, X], Frame::Intrinsic),
        EulerRot::YXY => ([Y, X, Y], Frame::Intrinsic),
        EulerRot::YZY => ([Y, Z, Y], Frame::Intrinsic),
        EulerRot::ZXZ => ([Z, X, Z], Frame::Intrinsic),
        EulerRot::ZYZ => ([Z, Y, Z], Frame::Intrinsic),
        EulerRot::XYZEx => ([X, Y, Z], Frame::Extrinsic),
        EulerRot::XZYEx => ([X, Z, Y], Frame::Extrinsic),
        EulerRot::YXZEx => ([Y, X, Z], Frame::Extrinsic),
        EulerRot::YZXEx => ([Y, Z, X], Frame::Extrinsic),
        EulerRot::ZXYEx => ([Z, X, Y], Frame::Extrinsic),
        EulerRot::ZYXEx => ([Z, Y, X], Frame::Extrinsic),
        EulerRot::XYXEx => ([X, Y, X], Frame::Extrinsic),
        EulerRot::XZXEx => ([X, Z, X], Frame::Extrinsic),
        EulerRot::YXYEx => ([Y, X, Y], Frame::Extrinsic),
        EulerRot::YZYEx => ([Y, Z, Y], Frame::Extrinsic),
        EulerRot::ZXZEx => ([Z, X, Z], Frame::Extrinsic),
        EulerRot::ZYZEx => ([Z, Y, Z], Frame::Extrinsic),
    }
}

/// The rotation about one axis.
fn rotation(axis: usize, angle: f64) -> DQuat {
    let (sin, cos) = sin_cos_of_half(angle);
    let mut parts = [0.0, 0.0, 0.0, cos];
    parts[axis] = sin;
    DQuat::from_array(parts)
}

/// Sine and cosine of half an angle. Multiples of the f64 nearest to π/2 count as those of π/2.
fn sin_cos_of_half(angle: f64) -> (f64, f64) {
    let quarters = (angle * FRAC_2_PI).round();
    if angle != quarters * FRAC_PI_2 {
        return sin_cos(0.5 * angle);
    }
    let s = FRAC_1_SQRT_2;
    // Half of a quarter turn is an eighth of a full one. The number of quarters is below 2²⁰.
    match quarters as i32 & 7 {
        0 => (0.0, 1.0),
        1 => (s, s),
        2 => (1.0, 0.0),
        3 => (s, -s),
        4 => (0.0, -1.0),
        5 => (-s, -s),
        6 => (-1.0, 0.0),
        _ => (-s, s),
    }
}

//! Transports: bodies that carry the characters aboard, also in the air.

use crate::controller::input::{Carrier, Ride};
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::state::{Boarded, LocomotionState};
use crate::controller::locomotion::steering::{check_angle, level_axes};
use crate::error::{ShapeError, check_position, xyz};
use crate::math::trig::{MAX_ANGLE, atan2};
use crate::scene::Pose;
use core::f64::consts::TAU;
use glam::DVec3;

impl Tick<'_> {
    /// The carrier that the character is aboard in this tick.
    pub(super) fn boarding(&self) -> Option<&Carrier> {
        self.input.carrier.as_ref().filter(|carrier| carrier.ride == Ride::Boarded)
    }

    /// The state with its velocity in the frame of this tick, and the transport that it is aboard
    /// after the tick.
    ///
    /// Off the ground, a character that boards loses the transport's velocity, and one that leaves
    /// gains it. In between, the transport's rotation turns the velocity.
    pub(super) fn board(&self, state: &LocomotionState) -> (LocomotionState, Option<Boarded>) {
        let feet = self.feet(&state.character);
        let carrier = self.boarding();
        let boarded = carrier.map(|carrier| {
            let body = carrier.body;
            let made = carrier.forward(feet) - feet;
            let dt = self.input.dt;
            let before = state.boarded.filter(|before| before.body.names_same(body));
            let kept = before.map_or(DVec3::ZERO, |before| before.velocity);
            Boarded { body, velocity: if dt > 0.0 { made / dt } else { kept } }
        });
        if state.character.is_grounded() {
            return (*state, boarded);
        }
        let velocity_of = |boarded: Option<Boarded>| boarded.map_or(DVec3::ZERO, |on| on.velocity);
        let velocity = match (state.boarded, boarded, carrier) {
            (Some(before), Some(now), Some(carrier)) if before.body.names_same(now.body) => {
                carrier.rotation() * state.velocity
            }
            _ => state.velocity + velocity_of(state.boarded) - velocity_of(boarded),
        };
        (LocomotionState { velocity, ..*state }, boarded)
    }
}

/// A position and a facing in the frame of a transport.
///
/// ```
/// use capsweep::controller::RelativePosition;
/// use capsweep::scene::Pose;
/// use glam::{DQuat, DVec3, dvec3};
///
/// # fn main() -> Result<(), capsweep::ShapeError> {
/// let turn = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
/// let ship = Pose::new(dvec3(100.0, 50.0, 2.0), turn, DVec3::ONE)?;
/// // Two metres ahead of the ship's origin; the ship faces +y, and so does the character.
/// let world = (dvec3(100.0, 52.0, 2.0), core::f64::consts::FRAC_PI_2);
/// let aboard = RelativePosition::from_world(&ship, world.0, world.1, DVec3::Z)?;
/// assert!((aboard.feet - dvec3(2.0, 0.0, 0.0)).length() < 1e-12 && aboard.facing.abs() < 1e-12);
/// let (feet, facing) = aboard.to_world(&ship, DVec3::Z)?;
/// assert!((feet - world.0).length() < 1e-12 && (facing - world.1).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RelativePosition {
    /// Position of the feet in the transport's frame (metres).
    pub feet: DVec3,
    /// Facing relative to the transport's (radians, counter-clockwise about up).
    pub facing: f64,
}

impl RelativePosition {
    /// The position and facing of a character in the frame of a transport at this pose. The facing
    /// is 0 to 2π.
    ///
    /// # Errors
    /// If `feet` or `facing` is not finite or out of range, or `up` has no direction.
    pub fn from_world(
        transport: &Pose,
        feet: DVec3,
        facing: f64,
        up: DVec3,
    ) -> Result<Self, ShapeError> {
        check_position(xyz!("feet"), feet)?;
        check_angle("facing", facing)?;
        let turned = facing - heading(transport, up)?;
        Ok(Self { feet: transport.point_to_local(feet), facing: whole_turn(turned) })
    }

    /// The position of the feet and the facing in the world, for a transport at this pose. The
    /// facing is 0 to 2π.
    ///
    /// # Errors
    /// If `feet` or `facing` is not finite or out of range, or `up` has no direction.
    pub fn to_world(&self, transport: &Pose, up: DVec3) -> Result<(DVec3, f64), ShapeError> {
        check_position(xyz!("feet"), self.feet)?;
        check_angle("facing", self.facing)?;
        let turned = self.facing + heading(transport, up)?;
        Ok((transport.point_to_world(self.feet), whole_turn(turned)))
    }
}

/// Facing (radians) of a transport: the direction of its own facing of 0. It is 0 if that
/// direction is vertical.
fn heading(transport: &Pose, up: DVec3) -> Result<f64, ShapeError> {
    let (forward, left) = level_axes(up)?;
    let ahead = transport.rotation() * forward;
    Ok(atan2(ahead.dot(left), ahead.dot(forward)))
}

/// The same angle (radians), wrapped to 0 to 2π. Angles are at most [`MAX_ANGLE`] plus one turn.
fn whole_turn(angle: f64) -> f64 {
    debug_assert!(angle.abs() <= MAX_ANGLE + TAU);
    let rest = angle % TAU;
    if rest < 0.0 { rest + TAU } else { rest }
}

//! Steering: the desired velocity from keys, facing, pitch and speeds.

use crate::controller::locomotion::config::check_amount;
use crate::controller::locomotion::state::Mode;
use crate::error::{MAX_SIZE, ShapeError, check_direction, check_number, xyz};
use crate::math::trig::{MAX_ANGLE, sin_cos};
use core::f64::consts::FRAC_1_SQRT_2;
use glam::DVec3;

/// A player's input: keys, facing and pitch.
///
/// ```
/// use capsweep::controller::{Mode, Speeds, Steering};
/// use glam::{DVec3, dvec3};
///
/// # fn main() -> Result<(), capsweep::ShapeError> {
/// let ahead = Steering { forward: 1, ..Steering::default() };
/// let velocity = ahead.velocity(&Speeds::wow(), Mode::Walk, DVec3::Z)?;
/// assert_eq!(velocity, dvec3(7.0, 0.0, 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Steering {
    /// Positive is forward, negative backward.
    pub forward: i8,
    /// Positive is right, negative left.
    pub strafe: i8,
    /// Walk instead of run.
    pub walking: bool,
    /// Direction of the character (radians): 0 is +x, counter-clockwise about up. If up is not
    /// perpendicular to +x, 0 is the horizontal part of +x, or of +y if up is along x.
    pub facing: f64,
    /// Angle (radians) by which the forward direction of a swimmer or flyer points up.
    pub pitch: f64,
}

/// Speeds of a character (m/s), 0 to 10⁶ each. Its backward speed is the smaller of the forward
/// and the backward value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Speeds {
    /// With [`Steering::walking`], in every direction.
    pub walk: f64,
    /// Forward and to the sides.
    pub run: f64,
    /// Backward.
    pub run_back: f64,
    /// In water, forward and to the sides.
    pub swim: f64,
    /// In water, backward.
    pub swim_back: f64,
    /// In flight, forward and to the sides.
    pub fly: f64,
    /// In flight, backward.
    pub fly_back: f64,
}

impl Speeds {
    /// A character of World of Warcraft, in yards: 2.5, 7, 4.5, 4.72, 2.5, 7 and 4.5.
    pub fn wow() -> Self {
        Self {
            walk: 2.5,
            run: 7.0,
            run_back: 4.5,
            swim: 4.722_222,
            swim_back: 2.5,
            fly: 7.0,
            fly_back: 4.5,
        }
    }

    fn check(&self) -> Result<(), ShapeError> {
        for (field, speed) in [
            ("walk", self.walk),
            ("run", self.run),
            ("run_back", self.run_back),
            ("swim", self.swim),
            ("swim_back", self.swim_back),
            ("fly", self.fly),
            ("fly_back", self.fly_back),
        ] {
            check_amount(field, speed, MAX_SIZE)?;
        }
        Ok(())
    }

    /// The speed in a mode.
    fn of(&self, mode: Mode, walking: bool, backward: bool) -> f64 {
        let (ahead, back) = match mode {
            Mode::Swim => (self.swim, self.swim_back),
            Mode::Fly => (self.fly, self.fly_back),
            Mode::Walk | Mode::Fall | Mode::WaterWalk if walking => (self.walk, self.walk),
            Mode::Walk | Mode::Fall | Mode::WaterWalk => (self.run, self.run_back),
        };
        if backward { back.min(ahead) } else { ahead }
    }
}

impl Steering {
    /// The desired velocity (m/s) in a mode, for [`LocomotionInput::walk`].
    ///
    /// All directions have the same speed, diagonals included; only backward is slower. In water
    /// and in flight the pitch tilts the forward part of the direction.
    ///
    /// # Errors
    /// If a speed is not finite, negative or above 10⁶, an angle is not finite or above 10⁶
    /// radians, or `up` has no direction.
    ///
    /// [`LocomotionInput::walk`]: crate::controller::LocomotionInput::walk
    pub fn velocity(&self, speeds: &Speeds, mode: Mode, up: DVec3) -> Result<DVec3, ShapeError> {
        speeds.check()?;
        check_angle("facing", self.facing)?;
        check_angle("pitch", self.pitch)?;
        let up = check_direction("up", xyz!("up"), up)?;
        let (east, north) = level_axes(up)?;
        let (sin, cos) = sin_cos(self.facing);
        let (ahead, right) = (east * cos + north * sin, east * sin - north * cos);
        let ahead = match mode {
            Mode::Swim | Mode::Fly => {
                let (sin, cos) = sin_cos(self.pitch);
                ahead * cos + up * sin
            }
            Mode::Walk | Mode::Fall | Mode::WaterWalk => ahead,
        };
        let (forward, strafe) =
            (f64::from(self.forward.signum()), f64::from(self.strafe.signum()));
        let diagonal = forward != 0.0 && strafe != 0.0;
        let scale = if diagonal { FRAC_1_SQRT_2 } else { 1.0 };
        let speed = speeds.of(mode, self.walking, forward < 0.0);
        Ok((ahead * forward + right * strafe) * (speed * scale))
    }
}

/// Checks an angle in radians.
pub(super) fn check_angle(field: &'static str, angle: f64) -> Result<(), ShapeError> {
    check_number(field, angle, MAX_ANGLE)
}

/// The level directions of a facing of 0 and of a quarter turn, counter-clockwise about up.
pub(super) fn level_axes(up: DVec3) -> Result<(DVec3, DVec3), ShapeError> {
    let up = check_direction("up", xyz!("up"), up)?;
    // A component of 0.9 leaves 0.43 of +x.
    let along = if up.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    let forward = (along - up * along.dot(up)).normalize();
    Ok((forward, up.cross(forward)))
}

//! Which contacts a character can walk on: slope and height.

use crate::controller::Controller;
use crate::controller::config::{Climbing, ControllerConfig};
use crate::controller::state::CharacterState;
use crate::tolerance::{STEP_SLACK, UPRIGHT};
use crate::{Feature, SweepHit};
use glam::{DVec3, Vec3};

/// Whether a character walks on over a contact: the surface is no wall, and no step.
///
/// The contact's normal must be within the slope limit. With [`Climbing::Constrained`] the
/// contact must also be no higher than a step above `bottom`, unless its face is within the slope
/// limit by itself. So the limit on heights is for edges, and for edges of steep faces: they touch
/// the round bottom with a normal that leans less than the face. A ramp touches the round bottom
/// above its lowest point, and is walkable at any height.
///
/// `contact_height` and `bottom` are heights along the up direction, in metres over the same
/// level, such as `point.dot(up)`. `bottom` is the height of the ground that carries the
/// character, or of the character's lowest point if that is higher or nothing carries it. On a
/// stair the round bottom hangs below the rim that carries it, so the rim counts.
///
/// [`Controller::move_by`] decides by this function. It answers `false` if a number that it needs
/// is NaN.
///
/// ```
/// use capsweep::controller::{ContactNormals, Controller, ControllerConfig, is_walkable};
/// use glam::{DVec3, vec3};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Steps of 0.4 m and slopes of 50°.
/// let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
/// let limits = controller.walk_limits(&controller.spawn(DVec3::ZERO)?);
///
/// // A ramp of 37°, at any height.
/// let ramp = ContactNormals::of_face(vec3(-0.6, 0.0, 0.8));
/// assert!(is_walkable(ramp, 0.9, 0.0, &limits));
/// // The edge of a box: its top is level, but here the edge of its side touches.
/// let edge = ContactNormals { contact: vec3(-0.6, 0.0, 0.8), face: vec3(-1.0, 0.0, 0.0) };
/// assert!(is_walkable(edge, 0.4, 0.0, &limits) && !is_walkable(edge, 0.5, 0.0, &limits));
/// // A wall.
/// assert!(!is_walkable(ContactNormals::of_face(vec3(-1.0, 0.0, 0.0)), 0.1, 0.0, &limits));
/// # Ok(())
/// # }
/// ```
#[inline]
pub fn is_walkable(
    normals: ContactNormals,
    contact_height: f64,
    bottom: f64,
    limits: &WalkLimits,
) -> bool {
    limits.allow_slope(normals.contact)
        && (limits.allow_slope(normals.face)
            || limits.climbing == Climbing::Easy
            || contact_height - bottom <= limits.highest_step)
}

/// The normals of a contact, unit length, from the surface to the capsule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactNormals {
    /// The contact normal. It leans over an edge.
    pub contact: Vec3,
    /// The touched face's own normal.
    pub face: Vec3,
}

impl ContactNormals {
    /// A contact on the inside of a face, or on a smooth shape.
    pub fn of_face(normal: Vec3) -> Self {
        Self { contact: normal, face: normal }
    }
}

impl From<&SweepHit> for ContactNormals {
    /// The normals of a hit. On a face both are the contact normal: the two can differ there by
    /// rounding, which must not make an edge of it.
    fn from(hit: &SweepHit) -> Self {
        let is_face = hit.feature == Feature::Face;
        Self { contact: hit.normal, face: if is_face { hit.normal } else { hit.face_normal } }
    }
}

/// The slopes and heights that a character can walk over: the part of its configuration that
/// [`is_walkable`] needs. [`Controller::walk_limits`] makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkLimits {
    /// Unit length.
    up: DVec3,
    /// Cosine of the steepest walkable slope.
    slope_limit: f64,
    /// Metres.
    highest_step: f64,
    climbing: Climbing,
}

impl WalkLimits {
    /// The limits of a checked configuration, for a character of this radius.
    #[inline(always)]
    pub(crate) fn new(config: &ControllerConfig, up: DVec3, radius: f32) -> Self {
        Self {
            up,
            slope_limit: f64::from(config.slope_limit.cos()).max(UPRIGHT),
            highest_step: f64::from(config.step_offset) + STEP_SLACK * f64::from(radius),
            climbing: config.climbing,
        }
    }

    /// The up direction, of unit length.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// Cosine of the steepest walkable slope: the slope limit, but at least 0.02. A surface
    /// steeper than 88.9° is a wall at any limit.
    pub fn slope_limit(&self) -> f64 {
        self.slope_limit
    }

    /// Height of the highest step in metres: the step offset and 1/3000 of the radius.
    pub fn highest_step(&self) -> f64 {
        self.highest_step
    }

    /// Whether a surface with this normal is no steeper than the slope limit.
    #[inline]
    pub fn allow_slope(&self, normal: Vec3) -> bool {
        normal.as_dvec3().dot(self.up) >= self.slope_limit
    }
}

impl Controller {
    /// The slopes and heights that a character can walk over, for [`is_walkable`].
    pub fn walk_limits(&self, state: &CharacterState) -> WalkLimits {
        WalkLimits::new(&self.config, self.up, state.radius)
    }
}

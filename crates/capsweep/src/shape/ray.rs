use crate::error::{ShapeError, check_position, xyz};
use crate::{MAX_POSITION, Motion};
use glam::DVec3;

/// A point and the way that it moves: finite and in range by construction.
///
/// The motion may be zero; such a ray meets nothing. For every query and pair:
///
/// - Triangles are watertight: neighbours that share an edge bit by bit judge it by the same number, so no ray passes
///   between them. A ray that runs along a triangle's plane does not meet it.
/// - Solids are met where the ray goes in. One that holds the origin is skipped in [`Sides::Front`](crate::Sides::Front), as
///   the ray can only leave it; in [`Sides::Both`](crate::Sides::Both) it is a hit at time 0 whose normals oppose the ray.
/// - A start on the surface is a hit at time 0 if the ray goes in; on a triangle in `Both` it always does. The end is
///   inclusive. Both ends allow for a nanometre of rounding.
///
/// ```
/// use capsweep::{Motion, Ray};
/// use glam::{DVec3, dvec3};
///
/// let down = Motion::new(dvec3(0.0, 0.0, -5.0))?;
/// assert_eq!(Ray::new(DVec3::Z, down)?.end(), dvec3(0.0, 0.0, -4.0));
/// // A bad origin is an error, not a clear line of sight.
/// assert!(Ray::new(dvec3(f64::NAN, 0.0, 0.0), down).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RayParts", into = "RayParts"))]
pub struct Ray {
    origin: DVec3,
    motion: Motion,
}

#[cfg(feature = "serde")]
crate::serial::parts!(RayParts of Ray { origin: DVec3, motion: Motion } by Ray::new);

impl Ray {
    /// The ray from `origin` along `motion`.
    ///
    /// # Errors
    /// If a coordinate of `origin` is not finite or its magnitude exceeds [`MAX_POSITION`].
    #[inline]
    pub fn new(origin: DVec3, motion: Motion) -> Result<Self, ShapeError> {
        check_position(xyz!("origin"), origin)?;
        Ok(Self { origin, motion })
    }

    /// The ray from an origin that is known to be in range.
    #[inline]
    pub(crate) fn from_checked(origin: DVec3, motion: Motion) -> Self {
        debug_assert!(origin.abs().max_element() <= MAX_POSITION, "{origin}");
        Self { origin, motion }
    }

    /// Where it starts.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// How far it goes, and which way.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// Where it ends.
    pub fn end(&self) -> DVec3 {
        self.origin + self.motion.vector()
    }
}

use crate::error::{ShapeError, check_position, xyz};
use crate::{MAX_POSITION, Motion};
use glam::DVec3;

/// A ray: a point and its motion, finite and in range.
///
/// The motion may be zero; such a ray hits nothing. For every query and pair:
///
/// - Triangles are watertight: neighbours that share an edge bit by bit compute the same sign for
///   it, so no ray passes between them. A ray that runs along a triangle's plane does not hit it.
/// - A solid is hit where the ray enters it. A solid that contains the origin is skipped in
///   [`Sides::Front`](crate::Sides::Front), because the ray can only leave it. In
///   [`Sides::Both`](crate::Sides::Both) it is a hit at time 0, with a normal opposite to the ray.
/// - A start on the surface is a hit at time 0 if the ray enters; on a triangle in `Both`,
///   always. The end is inclusive. Both ends allow for a nanometre of rounding.
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
crate::serde_parts::parts!(RayParts of Ray { origin: DVec3, motion: Motion } by Ray::new);

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

    /// The start point.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The displacement from start to end.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// The end point.
    pub fn end(&self) -> DVec3 {
        self.origin + self.motion.vector()
    }
}

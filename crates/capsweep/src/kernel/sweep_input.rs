//! [`SweepInput`]: the motion of a capsule as the sweep solver takes it.

use crate::Motion;
use crate::tolerance::LEAVING_SLOPE;
use glam::DVec3;

/// The input of the sweep solver: the capsule's centre starts at the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweepInput {
    /// From the capsule's centre to `p1`.
    pub(crate) half_axis: DVec3,
    /// The capsule's radius plus the target's (metres).
    pub(crate) radius: f64,
    pub(crate) motion: DVec3,
    /// Latest time that counts: the end of the motion and a little slack.
    pub(crate) limit: f64,
    pub(crate) motion_squared: f64,
    /// A plane that the motion leaves faster than this (metres in unit time) faces away from it,
    /// beyond any rounding.
    pub(crate) leaving_speed: f64,
}

impl SweepInput {
    pub(crate) fn new(half_axis: DVec3, radius: f64, motion: &Motion, limit: f64) -> Self {
        Self {
            half_axis,
            radius,
            motion: motion.vector(),
            limit,
            motion_squared: motion.vector().length_squared(),
            leaving_speed: LEAVING_SLOPE * motion.length(),
        }
    }
}

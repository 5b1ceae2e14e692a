//! First touch of a moving capsule (rules 2.1, 4): the public pairs, and the rounded prism below them.

mod capsule_box;
mod capsule_capsule;
mod capsule_half_space;
mod capsule_sphere;
mod capsule_triangle;
mod prism;
mod round;

pub use capsule_box::sweep_capsule_box;
pub use capsule_capsule::sweep_capsule_capsule;
pub use capsule_half_space::sweep_capsule_half_space;
pub use capsule_sphere::sweep_capsule_sphere;
pub use capsule_triangle::sweep_capsule_triangle;

pub(crate) use prism::{ContactSite, Entry, FlatPieceTest, Outcome};

use crate::Motion;
use crate::tolerance::BACKWARD;
use glam::DVec3;

/// A sweep as the solver sees it: the capsule's centre starts at the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweepInput {
    /// From the capsule's centre to `p1`.
    pub(crate) half_axis: DVec3,
    /// The capsule's radius and the target's, added.
    pub(crate) radius: f64,
    pub(crate) motion: DVec3,
    /// Latest time that counts: the end of the motion, and a little slack.
    pub(crate) limit: f64,
    pub(crate) motion_squared: f64,
    /// A plane that the motion leaves faster than this (metres in unit time) looks away from it, beyond any rounding.
    pub(crate) backward: f64,
}

impl SweepInput {
    pub(crate) fn new(half_axis: DVec3, radius: f64, motion: &Motion, limit: f64) -> Self {
        Self {
            half_axis,
            radius,
            motion: motion.vector(),
            limit,
            motion_squared: motion.vector().length_squared(),
            backward: BACKWARD * motion.length(),
        }
    }
}

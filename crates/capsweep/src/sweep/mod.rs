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

pub(crate) use prism::{course_to_prism, enter_prism};

use glam::DVec3;

/// A sweep as the solver sees it: the capsule's centre starts at the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Approach {
    /// From the capsule's centre to `p1`.
    pub(crate) half_axis: DVec3,
    /// The capsule's radius and the target's, added.
    pub(crate) radius: f64,
    pub(crate) motion: DVec3,
    /// Latest time that counts: the end of the motion, and a little slack.
    pub(crate) limit: f64,
    /// How much wider than they are the round pieces count: more than rounding, so that no motion slips between them.
    pub(crate) seam: f64,
}

/// What a target can say of a sweep cheaply.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Course {
    /// Clear of the start by more than the bound, and never touched.
    Clear,
    /// Clear of the start by more than the bound, and entered at this time.
    Enters(f64),
    /// Perhaps touched or overlapped at the start: the distance must tell.
    Close,
}

//! The distance of an axis alone, without a capsule around it, and a target's core.

use crate::kernel::ClosestPair;
use crate::math::with_lanes;
use crate::pair::contract::{CapsuleFrame, Target};
use glam::DVec3;

/// The closest points of an axis and a core.
pub(crate) struct AxisDistance {
    /// Metres between the points.
    pub(crate) distance: f64,
    /// In the frame of the axis.
    pub(crate) nearest: ClosestPair,
    /// In the world. An end of the axis may be off by the rounding of its coordinates.
    pub(crate) on_axis: DVec3,
    /// In the world. A vertex may be off by the rounding of its coordinates.
    pub(crate) on_core: DVec3,
    /// Weights of a triangle's vertices at `on_core`; `None` for other cores.
    pub(crate) barycentrics: Option<[f64; 3]>,
}

/// The closest points of the frame's axis and the core of `target`. Both radii count as 0.
pub(crate) fn axis_distance<T: Target>(frame: &CapsuleFrame, target: &T) -> AxisDistance {
    let (nearest, barycentrics) = with_lanes!(|L| {
        let nearest = target.closest_pair::<L>(&frame.axis());
        (nearest, target.barycentrics::<L>(&nearest))
    });
    AxisDistance {
        distance: nearest.distance_squared().sqrt(),
        nearest,
        on_axis: frame.to_world(nearest.on_axis),
        on_core: frame.to_world(nearest.on_target),
        barycentrics,
    }
}

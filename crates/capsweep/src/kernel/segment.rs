//! [`RelativeSegment`], and [`ClosestPair`]: the result of every closest-point kernel.

use crate::Feature;
use glam::DVec3;

/// A segment, relative to the query's origin: the capsule's axis or an edge of a polygon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelativeSegment {
    pub(crate) start: DVec3,
    pub(crate) vector: DVec3,
}

impl RelativeSegment {
    /// The point at parameter `t`; exactly the ends at 0 and 1.
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        self.start + self.vector * t
    }

    /// Parameter of the point on the segment's line that is closest to `point`.
    pub(crate) fn parameter(&self, point: DVec3) -> f64 {
        (point - self.start).dot(self.vector) / self.vector.length_squared()
    }

    /// The segment moved by `offset`.
    pub(crate) fn moved(&self, offset: DVec3) -> Self {
        Self { start: self.start + offset, vector: self.vector }
    }
}

/// The closest points of the capsule's axis and a target's core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosestPair {
    /// Parameter of `on_axis`; exactly 0 or 1 where it was clamped to an end.
    pub(crate) axis_t: f64,
    pub(crate) on_axis: DVec3,
    pub(crate) on_target: DVec3,
    pub(crate) feature: Feature,
}

impl ClosestPair {
    pub(crate) fn distance_squared(&self) -> f64 {
        self.on_axis.distance_squared(self.on_target)
    }

    /// The closer of two pairs; `self` if equal.
    pub(crate) fn closer(self, other: Self) -> Self {
        if other.distance_squared() < self.distance_squared() { other } else { self }
    }
}

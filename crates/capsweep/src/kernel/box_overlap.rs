//! Whether a shape and an axis-aligned box share a point.
//!
//! Convex shapes without a common point have a separating axis. For a triangle or a box it is a
//! face normal of one of the two, or a cross product of their edges (Gottschalk, Lin and Manocha,
//! *`OBBTree`*; Akenine-Möller, *Fast 3D Triangle-Box Overlap Testing*). No axis is normalised,
//! and a zero axis separates nothing. So degenerate triangles and flat boxes need no special case.

use crate::kernel::{RelativeSegment, closest_segment_box};
use crate::{Aabb, Capsule, HalfSpace, Obb, Sphere};
use glam::DVec3;

/// A box, by its centre and its half extents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CenteredBox {
    center: DVec3,
    half: DVec3,
}

impl CenteredBox {
    /// The box, grown by `margin` metres on all sides.
    pub(crate) fn new(bounds: &Aabb, margin: f64) -> Self {
        Self { center: bounds.center(), half: bounds.size() * 0.5 + margin }
    }

    /// Largest dot product of a point of the box, relative to its centre, with `axis`.
    fn extent(&self, axis: DVec3) -> f64 {
        axis.abs().dot(self.half)
    }

    pub(crate) fn overlaps_triangle(&self, corners: [DVec3; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| corner - self.center);
        let edges = [b - a, c - b, a - c];
        let is_apart = |axis: DVec3| {
            let (a, b, c) = (axis.dot(a), axis.dot(b), axis.dot(c));
            let extent = self.extent(axis);
            a.min(b).min(c) > extent || a.max(b).max(c) < -extent
        };
        !(DVec3::AXES.into_iter().any(is_apart)
            || is_apart(edges[0].cross(edges[1]))
            || edges.into_iter().any(|edge| crosses(edge).into_iter().any(is_apart)))
    }

    pub(crate) fn overlaps_box(&self, obb: &Obb) -> bool {
        let (center, axes) = (obb.center() - self.center, obb.axes());
        let half = obb.half_extents().as_dvec3();
        let is_apart = |axis: DVec3| {
            let extent = (axes.transpose() * axis).abs().dot(half);
            axis.dot(center).abs() > extent + self.extent(axis)
        };
        let edges = [axes.x_axis, axes.y_axis, axes.z_axis];
        !(DVec3::AXES.into_iter().any(is_apart)
            || edges.into_iter().any(is_apart)
            || edges.into_iter().any(|edge| crosses(edge).into_iter().any(is_apart)))
    }

    pub(crate) fn overlaps_sphere(&self, sphere: &Sphere) -> bool {
        let center = sphere.center() - self.center;
        let radius = f64::from(sphere.radius());
        (center - center.clamp(-self.half, self.half)).length_squared() <= radius * radius
    }

    pub(crate) fn overlaps_capsule(&self, capsule: &Capsule) -> bool {
        let start = capsule.p0() - self.center;
        let axis = RelativeSegment { start, vector: capsule.p1() - capsule.p0() };
        let radius = f64::from(capsule.radius());
        closest_segment_box(&axis, self.half).distance_squared() <= radius * radius
    }

    pub(crate) fn overlaps_half_space(&self, half_space: &HalfSpace) -> bool {
        half_space.signed_distance(self.center) <= self.extent(half_space.normal())
    }
}

/// The cross products of the coordinate axes with an edge.
fn crosses(edge: DVec3) -> [DVec3; 3] {
    DVec3::AXES.map(|axis| axis.cross(edge))
}

use crate::Capsule;
use glam::DVec3;

/// Depth of an overlap from the closest points of axis and geometry; 0 if they do not overlap.
///
/// Right while the axis is outside. Where the axis pierces a triangle, the points coincide and
/// this gives the radius, which does not push it out. Use
/// [`overlap_capsule_triangle`](crate::overlap_capsule_triangle) there.
pub fn depth_from_closest(capsule: &Capsule, on_axis: DVec3, on_geometry: DVec3) -> f64 {
    (f64::from(capsule.radius()) - on_axis.distance(on_geometry)).max(0.0)
}

/// A depth measured in the local space of an instance with *uniform* scale, in world metres.
///
/// A non-uniform scale stretches each direction differently, and a capsule is no capsule in that
/// space. Measure on world triangles instead, as everything in this crate does.
pub fn scale_depth(local_depth: f64, uniform_scale: f64) -> f64 {
    local_depth * uniform_scale.abs()
}

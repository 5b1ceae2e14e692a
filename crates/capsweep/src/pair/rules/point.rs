use crate::tolerance::LEVEL_AXIS;
use crate::{Capsule, Motion};
use glam::{DVec3, Vec3};

/// The point of the capsule, at `time` of its motion, that lies furthest against `normal`.
///
/// Exact against planes only. There the lower end of the axis along the normal touches, or the
/// whole axis, of which this takes the middle. Against edges and vertices the normal alone does
/// not determine the position along the axis. Hits report the point on the geometry instead.
pub fn contact_point_from_normal(
    capsule: &Capsule,
    motion: &Motion,
    time: f64,
    normal: Vec3,
) -> DVec3 {
    let normal = normal.as_dvec3();
    let slant = capsule.direction().map_or(0.0, |direction| direction.dot(normal));
    let on_axis = if slant.abs() < LEVEL_AXIS {
        capsule.center()
    } else if slant > 0.0 {
        capsule.p0()
    } else {
        capsule.p1()
    };
    on_axis + motion.vector() * time - normal * f64::from(capsule.radius())
}

use crate::{Capsule, Motion};
use glam::{DVec3, Vec3};

/// |normal · axis| below which an axis counts as lying along the plane (no unit): 0.0006°, at which
/// the two ends of a 2 m axis differ by 20 µm in height.
const LEVEL: f64 = 1e-5;

/// The point of the capsule, at `time` of its motion, that lies furthest against `normal` (rule 8.1).
///
/// Exact against planes only: there an end of the axis touches, the lower one along the normal, or
/// the whole axis, whose middle is taken. Against edges and vertices the normal alone does not say
/// where along the axis the contact is; hits report the point on the geometry from the closest pair.
pub fn contact_point_from_normal(
    capsule: &Capsule,
    motion: &Motion,
    time: f64,
    normal: Vec3,
) -> DVec3 {
    let normal = normal.as_dvec3();
    let slant = capsule.direction().map_or(0.0, |direction| direction.dot(normal));
    let on_axis = if slant.abs() < LEVEL {
        capsule.center()
    } else if slant > 0.0 {
        capsule.p0()
    } else {
        capsule.p1()
    };
    on_axis + motion.vector() * time - normal * f64::from(capsule.radius())
}

use glam::{DVec3, Vec3};

/// The normal, negated if it points along the motion.
///
/// Use it for walls and ceilings: negating their normals to point *up* breaks sliding. Normals of
/// sweep hits never need it.
pub fn oppose_motion(normal: Vec3, motion: DVec3) -> Vec3 {
    if normal.as_dvec3().dot(motion) > 0.0 { -normal } else { normal }
}

/// The normal, negated if it points away from the capsule's centre, seen from the closest point on
/// the geometry.
///
/// Where the two points coincide, the normal stays.
pub fn face_capsule(normal: Vec3, capsule_center: DVec3, closest_on_geometry: DVec3) -> Vec3 {
    let to_center = capsule_center - closest_on_geometry;
    if normal.as_dvec3().dot(to_center) < 0.0 { -normal } else { normal }
}

/// The normal, negated if it points against `up`: for ground only.
///
/// A wall's normal is horizontal and a ceiling's points down. Turned up, they would lift a sliding
/// character, or let it pass the ceiling. Use [`oppose_motion`] there.
pub fn face_up(normal: Vec3, up: DVec3) -> Vec3 {
    if normal.as_dvec3().dot(up) < 0.0 { -normal } else { normal }
}

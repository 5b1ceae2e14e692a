use glam::{DVec3, Vec3};

/// The normal, turned so that it does not point along the motion (rule 7.1).
///
/// For walls and ceilings this is the one rule: turning their normals *upward* (rule 7.4) breaks
/// sliding. Normals of sweep hits never need it.
pub fn oppose_motion(normal: Vec3, motion: DVec3) -> Vec3 {
    if normal.as_dvec3().dot(motion) > 0.0 { -normal } else { normal }
}

/// The normal, turned from the closest point on the geometry towards the capsule's centre (rule 7.2).
///
/// Where the two coincide there is no side to turn to, and the normal stays.
pub fn face_capsule(normal: Vec3, capsule_center: DVec3, closest_on_geometry: DVec3) -> Vec3 {
    let to_center = capsule_center - closest_on_geometry;
    if normal.as_dvec3().dot(to_center) < 0.0 { -normal } else { normal }
}

/// The normal, turned to the side of `up` (rule 7.3): for ground only.
///
/// A wall's normal has no up and a ceiling's points down; turned up, they would lift a sliding
/// character or swallow the ceiling (rule 7.4). Use [`oppose_motion`] there.
pub fn face_up(normal: Vec3, up: DVec3) -> Vec3 {
    if normal.as_dvec3().dot(up) < 0.0 { -normal } else { normal }
}

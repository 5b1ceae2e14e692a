use crate::{Capsule, Region};
use glam::DVec3;

/// Classifies a contact point by bands of one radius around each end of the axis.
///
/// If the cylinder is shorter than two radii, the bands meet: the nearer end wins, and no point is
/// [`Region::Side`]. On a person (radius 0.4, height 1.8) the side is only the middle fifth of the
/// axis. Hits report the region of the closest points instead, which has no bands.
pub fn region_by_bands(capsule: &Capsule, point: DVec3) -> Region {
    let Some(direction) = capsule.direction() else { return Region::Sphere };
    let along = (point - capsule.p0()).dot(direction);
    let length = capsule.cylinder_height();
    let radius = f64::from(capsule.radius());
    let (from_bottom, from_top) = (along, length - along);
    if from_bottom >= radius && from_top >= radius {
        Region::Side
    } else if from_bottom <= from_top {
        Region::Bottom
    } else {
        Region::Top
    }
}

/// Classifies an unclamped axis parameter: up to 0.1 bottom, from 0.9 top, else side.
pub fn region_by_parameter(axis_t: f64) -> Region {
    if axis_t <= 0.1 {
        Region::Bottom
    } else if axis_t >= 0.9 {
        Region::Top
    } else {
        Region::Side
    }
}

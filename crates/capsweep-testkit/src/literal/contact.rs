//! Sections 6.2 and 8.1: region and point of a contact.

use super::primitive::EPSILON;
use capsweep::{Capsule, Region};
use glam::DVec3;

/// 6.2: bands of one radius around each end. If they overlap, the bottom is tested first.
pub fn region_by_bands(capsule: &Capsule, point: DVec3) -> Region {
    let length = capsule.cylinder_height();
    if length < EPSILON {
        return Region::Sphere;
    }
    let parameter = (point - capsule.p0()).dot(capsule.axis() / length) / length;
    let band = f64::from(capsule.radius()) / length;
    if parameter < -band {
        Region::Bottom
    } else if parameter > 1.0 + band {
        Region::Top
    } else if parameter < band {
        Region::Bottom
    } else if parameter > 1.0 - band {
        Region::Top
    } else {
        Region::Side
    }
}

/// 8.1: the axis point is at the axis length times the normal's component along the axis.
pub fn sweep_contact_point(capsule: &Capsule, velocity: DVec3, time: f64, normal: DVec3) -> DVec3 {
    let p0 = capsule.p0() + velocity * time;
    let length = capsule.cylinder_height();
    let on_axis = if length > EPSILON {
        let along = capsule.axis() / length;
        p0 + along * ((-normal).dot(along) * length).clamp(0.0, length)
    } else {
        p0
    };
    on_axis - normal * f64::from(capsule.radius())
}

use crate::pair::ray::{PreparedRay, Span, SurfaceCrossing};
use crate::{Ray, RayHit, Sides, Sphere};
use glam::DVec3;

/// The hit of a ray that enters a solid sphere; see [`Ray`](crate::Ray) for a start inside.
pub fn ray_sphere(ray: &Ray, sphere: &Sphere, sides: Sides) -> Option<RayHit> {
    let ray = PreparedRay::new(ray)?;
    span_of_sphere(&ray, sphere)?.hit(&ray, sides)
}

pub(crate) fn span_of_sphere(ray: &PreparedRay, sphere: &Sphere) -> Option<Span> {
    let radius = f64::from(sphere.radius());
    let offset = ray.origin - sphere.center();
    let (enter, exit) = ball(offset, ray.motion, radius)?;
    let surface = |time: f64| {
        SurfaceCrossing::face(time, (offset + ray.motion * time).normalize_or(-ray.direction()))
    };
    Some(Span {
        enter: surface(enter),
        exit: surface(exit),
        holds_origin: offset.length() < radius,
        flat: false,
    })
}

/// Entry and exit times of a point that starts at `offset` from the centre of a ball; `None` if it
/// passes by or grazes.
///
/// Solved from the closest approach, so the error is a few roundings of the distance to it.
pub(crate) fn ball(offset: DVec3, motion: DVec3, radius: f64) -> Option<(f64, f64)> {
    let speed_squared = motion.length_squared();
    let closest = -offset.dot(motion) / speed_squared;
    let missed_by = (offset + motion * closest).length();
    // A motion whose square underflows gives NaN here, and enters nothing.
    if missed_by >= radius || missed_by.is_nan() {
        return None;
    }
    let half = ((radius - missed_by) * (radius + missed_by) / speed_squared).sqrt();
    Some((closest - half, closest + half))
}

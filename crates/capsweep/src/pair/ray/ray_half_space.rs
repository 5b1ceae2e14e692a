use crate::pair::ray::{PreparedRay, Span, SurfaceCrossing};
use crate::tolerance::END_SLACK;
use crate::{HalfSpace, Ray, RayHit, Sides};

/// The hit of a ray that enters a half-space; see [`Ray`](crate::Ray) for a start inside.
pub fn ray_half_space(ray: &Ray, half_space: &HalfSpace, sides: Sides) -> Option<RayHit> {
    let ray = PreparedRay::new(ray)?;
    span_of_half_space(&ray, half_space)?.hit(&ray, sides)
}

/// A ray that never enters or never exits does so at an infinite time.
pub(crate) fn span_of_half_space(ray: &PreparedRay, half_space: &HalfSpace) -> Option<Span> {
    let normal = half_space.normal();
    let height = half_space.signed_distance(ray.origin);
    let speed = normal.dot(ray.motion);
    // A start within the slack is on the surface, at any angle of the ray.
    let crossing = if height.abs() <= END_SLACK { 0.0 } else { -height / speed };
    let (enter, exit) = if speed < 0.0 {
        (crossing, f64::INFINITY)
    } else if speed > 0.0 {
        (f64::NEG_INFINITY, crossing)
    } else if height < -END_SLACK {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        return None;
    };
    Some(Span {
        enter: SurfaceCrossing::face(enter, normal),
        exit: SurfaceCrossing::face(exit, normal),
        holds_origin: height < -END_SLACK,
        flat: false,
    })
}

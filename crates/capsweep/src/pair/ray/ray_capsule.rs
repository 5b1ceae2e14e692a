use crate::kernel::closest_point_segment::closest_point_segment;
use crate::pair::ray::ray_sphere::ball;
use crate::pair::ray::{PreparedRay, Span, SurfaceCrossing};
use crate::{Capsule, Ray, RayHit, Sides};
use glam::DVec3;

/// The hit of a ray that enters a capsule; see [`Ray`](crate::Ray) for a start inside.
pub fn ray_capsule(ray: &Ray, capsule: &Capsule, sides: Sides) -> Option<RayHit> {
    let ray = PreparedRay::new(ray)?;
    span_of_capsule(&ray, capsule)?.hit(&ray, sides)
}

/// A capsule is a cylinder and two balls, and convex. The ray enters it where it enters the first
/// of them, and exits where it leaves the last.
pub(crate) fn span_of_capsule(ray: &PreparedRay, capsule: &Capsule) -> Option<Span> {
    let radius = f64::from(capsule.radius());
    let offset = ray.origin - capsule.center();
    let half_axis = capsule.axis() * 0.5;
    let parts = [
        ball(offset - half_axis, ray.motion, radius),
        ball(offset + half_axis, ray.motion, radius),
        cylinder(offset, ray.motion, half_axis, radius),
    ];
    let (enter, exit) =
        parts.into_iter().flatten().reduce(|all, part| (all.0.min(part.0), all.1.max(part.1)))?;
    let out = |point: DVec3| point - closest_point_segment(point, -half_axis, half_axis);
    let surface = |time: f64| {
        SurfaceCrossing::face(time, out(offset + ray.motion * time).normalize_or(-ray.direction()))
    };
    Some(Span {
        enter: surface(enter),
        exit: surface(exit),
        holds_origin: out(offset).length() < radius,
        flat: false,
    })
}

/// Entry and exit times of a point that starts at `offset` from the centre of a cylinder with flat
/// ends.
fn cylinder(offset: DVec3, motion: DVec3, half_axis: DVec3, radius: f64) -> Option<(f64, f64)> {
    let size_squared = half_axis.length_squared();
    if size_squared == 0.0 {
        return None;
    }
    // Position and speed along the axis, in units of half the axis.
    let (start, speed) =
        (offset.dot(half_axis) / size_squared, motion.dot(half_axis) / size_squared);
    let (start_across, across) = (offset - half_axis * start, motion - half_axis * speed);
    // Along the axis there is no wall to cross: the balls at both ends answer.
    let wall = ball(start_across, across, radius)?;
    let ends = if speed != 0.0 {
        let (one, other) = ((-1.0 - start) / speed, (1.0 - start) / speed);
        (one.min(other), one.max(other))
    } else if start.abs() <= 1.0 {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        return None;
    };
    let (enter, exit) = (wall.0.max(ends.0), wall.1.min(ends.1));
    (enter <= exit).then_some((enter, exit))
}

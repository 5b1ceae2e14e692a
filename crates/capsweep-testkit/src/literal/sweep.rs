//! Section 4: the plane against `p0`, then edges and vertices against axis points chosen at the
//! start.

use super::primitive::{
    EPSILON, closest_point_segment, closest_segments, edges, point_in_triangle, signed_distance,
    triangle_normal,
};
use capsweep::{Capsule, Triangle};
use glam::DVec3;

/// Result of the literal sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Fraction of the velocity.
    pub time: f64,
    /// Normal at the touch.
    pub normal: DVec3,
    /// Touched point.
    pub point: DVec3,
}

/// 2.1: `direction` is assumed to be a unit vector. Returns the touch and `time · distance`.
pub fn sweep_along(
    capsule: &Capsule,
    direction: DVec3,
    distance: f64,
    triangle: &Triangle,
) -> Option<(Touch, f64)> {
    let touch = sweep_capsule_triangle(capsule, direction * distance, triangle)?;
    Some((touch, touch.time * distance))
}

/// 4.2: the whole algorithm. Step 4.2.2 prepares values that no later step uses.
pub fn sweep_capsule_triangle(
    capsule: &Capsule,
    velocity: DVec3,
    triangle: &Triangle,
) -> Option<Touch> {
    // 4.2.1
    let normal = triangle_normal(triangle);
    if velocity.dot(normal) >= 0.0 {
        return None;
    }
    let time = plane_time(capsule, velocity, triangle)?;
    let mut best = Touch { time: f64::INFINITY, normal: DVec3::ZERO, point: DVec3::ZERO };
    // 4.2.4
    if (0.0..=1.0).contains(&time) {
        let point = capsule.center() + velocity * time - normal * f64::from(capsule.radius());
        if point_in_triangle(point, triangle) {
            best = Touch { time, normal, point };
        }
    }
    // 4.2.5 and 4.2.6
    let on_edges = edges(triangle).map(|edge| sweep_capsule_edge(capsule, velocity, edge));
    let on_vertices =
        triangle.vertices().map(|vertex| sweep_capsule_vertex(capsule, velocity, vertex));
    for touch in on_edges.into_iter().chain(on_vertices).flatten() {
        if touch.time >= 0.0 && touch.time < best.time {
            best = touch;
        }
    }
    // 4.2.7
    (best.time <= 1.0).then_some(best)
}

/// 4.2.3: the time at which the sphere around `p0` alone meets the plane. `None` ends the sweep.
fn plane_time(capsule: &Capsule, velocity: DVec3, triangle: &Triangle) -> Option<f64> {
    let radius = f64::from(capsule.radius());
    let height = signed_distance(capsule.p0(), triangle);
    let speed = velocity.dot(triangle_normal(triangle));
    if speed.abs() < EPSILON {
        (height.abs() <= radius).then_some(0.0)
    } else if height > 0.0 {
        Some((height - radius) / -speed)
    } else {
        Some((height + radius) / -speed)
    }
}

/// 4.3: the axis point that is closest to the edge *at the start*, swept against the unbounded
/// cylinder around the edge.
pub fn sweep_capsule_edge(
    capsule: &Capsule,
    velocity: DVec3,
    edge: (DVec3, DVec3),
) -> Option<Touch> {
    // 4.3.1
    let length = edge.0.distance(edge.1);
    if length < EPSILON {
        return None;
    }
    let along = (edge.1 - edge.0) / length;
    // 4.3.2. No later step uses the separation of 4.3.3.
    let (on_axis, _) = closest_segments((capsule.p0(), capsule.p1()), edge);
    // 4.3.4
    let across = |vector: DVec3| vector - along * vector.dot(along);
    let radius = f64::from(capsule.radius());
    let time = first_root(across(on_axis - edge.0), across(velocity), radius)?;
    // 4.3.6
    let center = on_axis + velocity * time;
    let parameter = (center - edge.0).dot(along) / length;
    if is_refused(parameter) {
        return None;
    }
    // 4.3.7
    let point = edge.0 + along * (parameter * length);
    Some(Touch { time, normal: (center - point) / (center - point).length(), point })
}

/// 4.4: the axis point that is closest to the vertex *at the start*, swept against a sphere.
pub fn sweep_capsule_vertex(capsule: &Capsule, velocity: DVec3, vertex: DVec3) -> Option<Touch> {
    let on_axis = closest_point_segment(capsule.p0(), capsule.p1(), vertex);
    if velocity.length_squared().abs() < EPSILON {
        return None;
    }
    let time = first_root(on_axis - vertex, velocity, f64::from(capsule.radius()))?;
    let from_vertex = on_axis + velocity * time - vertex;
    Some(Touch { time, normal: from_vertex / from_vertex.length(), point: vertex })
}

/// 4.3.5 and 4.4.4: the entry root of `|offset + t·velocity| = radius`, or the exit root if the
/// entry is negative.
///
/// Divides by `2a` without a check: a velocity of zero gives a NaN, which passes every test.
fn first_root(offset: DVec3, velocity: DVec3, radius: f64) -> Option<f64> {
    let a = velocity.dot(velocity);
    let b = 2.0 * offset.dot(velocity);
    let c = offset.dot(offset) - radius * radius;
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return None;
    }
    let mut time = (-b - discriminant.sqrt()) / (2.0 * a);
    if time < 0.0 {
        time = (-b + discriminant.sqrt()) / (2.0 * a);
    }
    if is_refused(time) { None } else { Some(time) }
}

/// The rules' test whether a parameter is outside 0 to 1.
#[expect(clippy::manual_range_contains, reason = "a NaN passes this test, but is in no range")]
fn is_refused(parameter: f64) -> bool {
    parameter < 0.0 || parameter > 1.0
}

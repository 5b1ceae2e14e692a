//! The shortest way out for an axis that pierces its target.
//!
//! The axis is clear of the target when its centre is outside the prism `target ⊕ [−half, half]`.
//! From inside a convex polytope the nearest way out is straight through its nearest face, so it
//! is enough to try the normals of the faces, both ways: any direction clears by its *support*,
//! and only a face's normal can be the shortest. A direction that is no face merely loses.

use crate::error::length_and_direction;
use crate::polygon::{Polygon, span_of};
use glam::{DMat3, DVec3};

/// A direction and how far the axis must move along it to be just clear.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PushOut {
    pub(crate) normal: DVec3,
    pub(crate) depth: f64,
}

/// The shortest of the ways out along `normals`, tried both ways; the first of equals.
fn shortest(
    normals: impl IntoIterator<Item = Option<DVec3>>,
    depth_along: impl Fn(DVec3) -> f64,
) -> Option<PushOut> {
    let mut best: Option<PushOut> = None;
    for normal in normals.into_iter().flatten().flat_map(|n| [n, -n]) {
        let depth = depth_along(normal);
        if best.is_none_or(|best| depth < best.depth) {
            best = Some(PushOut { normal, depth });
        }
    }
    best
}

/// Out of a polygon for an axis centred on the origin. The front of a triangle wins a tie.
///
/// A point or a segment in line with the axis has no face: any direction across is as short.
pub(crate) fn push_out_of_polygon<const N: usize>(
    polygon: &Polygon<N>,
    half_axis: DVec3,
) -> PushOut {
    let depth_along = |u: DVec3| {
        let support = polygon.vertices.iter().map(|v| u.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
        support + u.dot(half_axis).abs()
    };
    let edges = (0..Polygon::<N>::EDGES).map(|i| polygon.edge(i).vector);
    let sides = edges.clone().map(|edge| span_of(edge, half_axis));
    let faces = std::iter::once(polygon.normal).chain(sides);
    shortest(faces, depth_along).unwrap_or_else(|| {
        let longest = edges.fold(half_axis, longer);
        let along = length_and_direction(longest).1;
        let normal = along.map_or(DVec3::Z, |along| along.any_orthonormal_vector());
        PushOut { normal, depth: depth_along(normal) }
    })
}

/// Out of a box with the given centre, axes (columns) and half extents.
pub(crate) fn push_out_of_box(
    center: DVec3,
    axes: DMat3,
    half_extents: DVec3,
    half_axis: DVec3,
) -> PushOut {
    let depth_along = |u: DVec3| {
        let reach = (axes.transpose() * u).abs().dot(half_extents);
        u.dot(center) + reach + u.dot(half_axis).abs()
    };
    let own = [axes.x_axis, axes.y_axis, axes.z_axis];
    let crossed = own.map(|axis| span_of(axis, half_axis));
    shortest(own.map(Some).into_iter().chain(crossed), depth_along)
        .unwrap_or(PushOut { normal: own[0], depth: depth_along(own[0]) })
}

fn longer(a: DVec3, b: DVec3) -> DVec3 {
    if b.length_squared() > a.length_squared() { b } else { a }
}

//! The shortest push-out of an axis that pierces its target (depenetration).
//!
//! The axis is clear of the target when its centre is outside the prism `target ⊕ [−half,
//! half]`. The shortest translation out of a convex polytope leads straight through its nearest
//! face. So it is enough to try the normals of the faces, with both signs. The depth along a
//! candidate is the prism's *support* in that direction, which always clears the axis. So a
//! candidate that is no face normal gives a longer push-out, never one that is too short.
//!
//! A triangle of a mesh is part of a surface. There, some faces of the prism lead only under the
//! next triangle; [`Exits`] says which are open.

use crate::error::length_and_direction;
use crate::kernel::polygon::Polygon;
use crate::math::normals::plane_normal;
use crate::tolerance::COPLANAR_DISTANCE;
use glam::{DMat3, DVec3};

/// A unit direction, and the distance (metres) along it after which the axis is just clear.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PushOut {
    pub(crate) normal: DVec3,
    pub(crate) depth: f64,
}

/// The exits of an axis that pierces a triangle: the faces of the prism that it may be pushed
/// through. The front is always open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exits {
    pub(crate) back: bool,
    /// Bits 0, 1, 2: the edges `ab`, `bc`, `ca` that are closed. Other bits mean nothing.
    pub(crate) closed: u8,
    /// Whether the triangle runs `a c b`: its first edge is then the third of these.
    pub(crate) mirrored: bool,
}

impl Exits {
    /// The exits of a triangle that belongs to no mesh.
    pub(crate) const ALL: Self = Self { back: true, closed: 0, mirrored: false };

    fn are_all_open(self) -> bool {
        self.back && (0..3).all(|edge| self.is_open_past(edge))
    }

    fn bit(self, edge: usize) -> u8 {
        1 << if self.mirrored { 2 - edge } else { edge }
    }

    /// Whether the axis may leave past an edge.
    pub(crate) fn is_open_past(self, edge: usize) -> bool {
        self.closed & self.bit(edge) == 0
    }

    pub(crate) fn close(&mut self, edge: usize) {
        self.closed |= self.bit(edge);
    }
}

/// The shortest push-out along `normals`, with both signs; the first of equals.
fn shortest(
    normals: impl IntoIterator<Item = Option<DVec3>>,
    depth_along: impl Fn(DVec3) -> f64,
) -> Option<PushOut> {
    shortest_along(normals.into_iter().flatten().flat_map(|n| [n, -n]), depth_along)
}

/// The shortest push-out along `directions`; the first of equals.
fn shortest_along(
    directions: impl IntoIterator<Item = DVec3>,
    depth_along: impl Fn(DVec3) -> f64,
) -> Option<PushOut> {
    let mut best: Option<PushOut> = None;
    for normal in directions {
        let depth = depth_along(normal);
        if best.is_none_or(|best| depth < best.depth) {
            best = Some(PushOut { normal, depth });
        }
    }
    best
}

/// The push-out from a polygon of an axis centred on the origin. The front of a triangle wins a
/// tie.
///
/// A point, or a segment in line with the axis, has no face: any perpendicular direction is as
/// short.
pub(crate) fn push_out_of_polygon<const N: usize>(
    polygon: &Polygon<N>,
    half_axis: DVec3,
) -> PushOut {
    let depth_along = |u: DVec3| clearance(polygon, half_axis, u);
    let edges = (0..Polygon::<N>::EDGES).map(|i| polygon.edge(i).vector);
    let side_normals = edges.clone().map(|edge| plane_normal(edge, half_axis));
    let faces = std::iter::once(polygon.normal).chain(side_normals);
    shortest(faces, depth_along).unwrap_or_else(|| {
        let longest = edges.fold(half_axis, longer);
        let along = length_and_direction(longest).1;
        let normal = along.map_or(DVec3::Z, |along| along.any_orthonormal_vector());
        PushOut { normal, depth: depth_along(normal) }
    })
}

/// The push-out from a triangle of a mesh, through one of `exits`, of an axis centred on the
/// origin.
///
/// A degenerate triangle has no sides, so all exits are open.
pub(crate) fn push_out_of_triangle(
    triangle: &Polygon<3>,
    half_axis: DVec3,
    exits: Exits,
) -> PushOut {
    let Some(front) = triangle.normal.filter(|_| !exits.are_all_open()) else {
        return push_out_of_polygon(triangle, half_axis);
    };
    let past = |i: usize| {
        let edge = triangle.edge(i);
        let across = plane_normal(edge.vector, half_axis)?;
        let outward = across.dot(edge.start - triangle.vertex(i + 2));
        // With the axis in the triangle's plane, all sides lie in that plane. The caps cover them.
        (outward.abs() > COPLANAR_DISTANCE).then(|| across * outward.signum())
    };
    let caps = [Some(front), exits.back.then_some(-front)];
    let side_normals = (0..3).filter(|&i| exits.is_open_past(i)).map(past);
    let depth_along = |u: DVec3| clearance(triangle, half_axis, u);
    shortest_along(caps.into_iter().chain(side_normals).flatten(), depth_along)
        .unwrap_or(PushOut { normal: front, depth: depth_along(front) })
}

/// Distance along `u` after which an axis centred on the origin is clear of the polygon.
pub(crate) fn clearance<const N: usize>(polygon: &Polygon<N>, half_axis: DVec3, u: DVec3) -> f64 {
    let support = polygon.vertices().map(|v| u.dot(v)).fold(f64::NEG_INFINITY, f64::max);
    support + u.dot(half_axis).abs()
}

/// The push-out from a box with the given centre, axes (columns) and half extents.
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
    let crossed = own.map(|axis| plane_normal(axis, half_axis));
    shortest(own.map(Some).into_iter().chain(crossed), depth_along)
        .unwrap_or(PushOut { normal: own[0], depth: depth_along(own[0]) })
}

fn longer(a: DVec3, b: DVec3) -> DVec3 {
    if b.length_squared() > a.length_squared() { b } else { a }
}

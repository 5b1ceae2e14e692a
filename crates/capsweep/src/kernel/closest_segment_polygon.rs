//! Closest points of a segment and a flat convex polygon. A triangle is a polygon of three
//! vertices.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Feature;
use crate::kernel::closest_segment_segment::closest_segment_segments;
use crate::kernel::polygon::{Polygon, PolygonLanes};
use crate::kernel::{ClosestPair, RelativeSegment};
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::LINE_CONTACT_GAP;
use glam::DVec3;

/// The closest points of a segment and a flat convex polygon. Their distance is zero where the
/// segment pierces the polygon.
///
/// The closest pair is one of these: an end of the segment over the face; the segment against an
/// edge, vertices included; a piercing point. Each candidate is a real pair of points, so
/// rounding never makes one too near, and the true pair is always among them. The inside of the
/// segment over the inside of the face adds no case. There the gap is linear along the segment,
/// so an end, an edge or the piercing point is as near.
#[inline(always)]
pub(crate) fn closest_segment_polygon<F: F64x4, const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
) -> ClosestPair {
    let corners = PolygonLanes::<F>::from_polygon(polygon);
    let Some(normal) = polygon.normal else {
        return closest_on_edges(axis, polygon, &corners);
    };
    let on_plane = corners.start.first();
    let height = |point: DVec3| normal.dot(point - on_plane);
    let (low, high) = (height(axis.start), height(axis.at(1.0)));
    let ends = [(0.0, low), (1.0, high)];
    let nearer = usize::from(low.abs() > high.abs());
    // The piercing point, or else the nearer end, is the point of the axis nearest to the plane.
    let pierces = (low < 0.0) != (high < 0.0);
    let (axis_t, height) = if pierces { (low / (low - high), 0.0) } else { ends[nearer] };
    if corners.contains_projection(normal, axis.at(axis_t)) {
        return over_face(axis, normal, axis_t, height);
    }
    let mut best = closest_on_edges(axis, polygon, &corners);
    for (axis_t, height) in [ends[nearer], ends[1 - nearer]] {
        if height * height < best.distance_squared()
            && corners.contains_projection(normal, axis.at(axis_t))
        {
            best = best.closer(over_face(axis, normal, axis_t, height));
        }
    }
    best
}

/// The end of the axis that a motion brings to a plane with the normal `front`: the normal on that
/// side, and the closest points.
#[inline(always)]
pub(crate) fn end_over_face(
    axis: &RelativeSegment,
    front: DVec3,
    on_plane: DVec3,
    motion: DVec3,
) -> (DVec3, ClosestPair) {
    let normal = front * if front.dot(motion) > 0.0 { -1.0 } else { 1.0 };
    let axis_t = if normal.dot(axis.vector) < 0.0 { 1.0 } else { 0.0 };
    let height = normal.dot(axis.at(axis_t) - on_plane);
    (normal, over_face(axis, normal, axis_t, height))
}

#[inline(always)]
fn over_face(axis: &RelativeSegment, normal: DVec3, axis_t: f64, height: f64) -> ClosestPair {
    let on_axis = axis.at(axis_t);
    ClosestPair { axis_t, on_axis, on_target: on_axis - normal * height, feature: Feature::Face }
}

#[inline(always)]
fn closest_on_edges<F: F64x4, const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
    corners: &PolygonLanes<F>,
) -> ClosestPair {
    let (axis_t, edge_t) = closest_segment_segments(axis, corners);
    let apart = Vec3Soa::all(axis.start)
        .add(Vec3Soa::all(axis.vector).scale(axis_t))
        .sub(corners.start.add(corners.edge.scale(edge_t)));
    let distances = apart.dot(apart).store();
    let mut i = 0;
    for lane in 1..Polygon::<N>::EDGES {
        if distances[lane] < distances[i] {
            i = lane;
        }
    }
    let (axis_t, edge_t) = (axis_t.store()[i], edge_t.store()[i]);
    let (feature, on_target) = if edge_t == 0.0 {
        (Feature::Vertex(i as u8), polygon.vertex(i))
    } else if edge_t == 1.0 {
        let end = (i + 1) % N;
        (Feature::Vertex(end as u8), polygon.vertex(end))
    } else {
        (Feature::Edge(i as u8), polygon.edge(i).at(edge_t))
    };
    ClosestPair { axis_t, on_axis: axis.at(axis_t), on_target, feature }
}

/// The middle of the line contact that `nearest` belongs to; `nearest` if there is none.
///
/// An axis along the face or along an edge touches it in many points at once. Rounding alone
/// decides which of them is nearest. The gap changes by less than [`LINE_CONTACT_GAP`] along such
/// a line.
#[inline(always)]
pub(crate) fn line_contact<F: F64x4, const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
    nearest: ClosestPair,
) -> ClosestPair {
    let is_level =
        polygon.normal.is_some_and(|normal| normal.dot(axis.vector).abs() <= LINE_CONTACT_GAP);
    let edge = PolygonLanes::<F>::from_polygon(polygon).edge;
    // Most axes are parallel to no edge. Comparing with the squared length avoids a division.
    let cross = Vec3Soa::<F>::all(axis.vector).cross(edge);
    let along_edges = cross
        .dot(cross)
        .le_mask(edge.dot(edge) * F::splat(4.0 * LINE_CONTACT_GAP * LINE_CONTACT_GAP));
    if is_level || along_edges != 0 { middle_of_line(axis, polygon, nearest) } else { nearest }
}

fn middle_of_line<const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
    nearest: ClosestPair,
) -> ClosestPair {
    // If the axis is not parallel to the face, only an end touches it.
    if let Some(normal) = polygon.normal
        && nearest.feature == Feature::Face
        && normal.dot(axis.vector).abs() > 2.0 * LINE_CONTACT_GAP
    {
        return nearest;
    }
    let along_face = polygon.normal.and_then(|n| line_over_face(axis, polygon, n, &nearest));
    along_face
        .or_else(|| {
            (0..Polygon::<N>::EDGES).find_map(|i| line_along_edge(axis, polygon, i, &nearest))
        })
        .unwrap_or(nearest)
}

fn line_over_face<const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
    normal: DVec3,
    nearest: &ClosestPair,
) -> Option<ClosestPair> {
    if normal.dot(axis.vector).abs() > LINE_CONTACT_GAP {
        return None;
    }
    let height = normal.dot(axis.start - polygon.vertex(0));
    let touches_face =
        (height.abs() - nearest.distance_squared().sqrt()).abs() <= LINE_CONTACT_GAP;
    if !touches_face {
        return None;
    }
    // Clip the axis by the planes through the edges.
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for i in 0..N {
        let edge = polygon.edge(i);
        let inward = normal.cross(edge.vector);
        let depth = inward.dot(axis.start - edge.start);
        let slope = inward.dot(axis.vector);
        if slope > 0.0 {
            from = from.max(-depth / slope);
        } else if slope < 0.0 {
            to = to.min(-depth / slope);
        } else if depth < 0.0 {
            return None;
        }
    }
    (from < to).then(|| {
        let axis_t = 0.5 * (from + to);
        let on_axis = axis.at(axis_t);
        let on_target = on_axis - normal * normal.dot(on_axis - polygon.vertex(0));
        ClosestPair { axis_t, on_axis, on_target, feature: Feature::Face }
    })
}

fn line_along_edge<const N: usize>(
    axis: &RelativeSegment,
    polygon: &Polygon<N>,
    i: usize,
    nearest: &ClosestPair,
) -> Option<ClosestPair> {
    let edge = polygon.edge(i);
    let axis_squared = axis.vector.length_squared();
    let edge_squared = edge.vector.length_squared();
    if axis_squared == 0.0 || edge_squared == 0.0 {
        return None;
    }
    let cross_squared = axis.vector.cross(edge.vector).length_squared();
    if cross_squared > 4.0 * LINE_CONTACT_GAP * LINE_CONTACT_GAP * edge_squared {
        return None;
    }
    let across = axis.vector - edge.vector * (axis.vector.dot(edge.vector) / edge_squared);
    if across.length_squared() > LINE_CONTACT_GAP * LINE_CONTACT_GAP {
        return None;
    }
    let (a, b) = (axis.parameter(edge.start), axis.parameter(edge.at(1.0)));
    let (from, to) = (a.min(b).max(0.0), a.max(b).min(1.0));
    if from >= to {
        return None;
    }
    let axis_t = 0.5 * (from + to);
    let on_axis = axis.at(axis_t);
    let edge_t = edge.parameter(on_axis).clamp(0.0, 1.0);
    let line = ClosestPair {
        axis_t,
        on_axis,
        on_target: edge.at(edge_t),
        feature: Feature::Edge(i as u8),
    };
    let gap = |pair: &ClosestPair| pair.distance_squared().sqrt();
    (gap(&line) <= gap(nearest) + LINE_CONTACT_GAP).then_some(line)
}

//! The heart of every sweep: a moving point against a rounded prism.
//!
//! A capsule touches a polygon when its centre is within `radius` of the *prism* that the polygon
//! sweeps out along the capsule's axis (`polygon ⊕ [−half_axis, half_axis]`). The rounded prism is
//! convex; its surface is made of pieces: flat caps (an end of the capsule on the face), flat sides
//! (the middle of the capsule on an edge), tubes (an end on an edge, the middle on a vertex) and
//! balls (an end on a vertex). Every piece, taken whole, lies inside the rounded prism, so none is
//! entered too early; together they cover its surface, so the earliest entry is the answer. Where
//! pieces join, the tubes and balls reach under the flats: rounding can open no gap between them.

use super::Approach;
use super::round::{enter_ball, enter_tube};
use crate::closest::lies_over;
use crate::polygon::{Polygon, span_of};
use crate::tolerance::FLUSH;
use glam::DVec3;

/// What a flat piece says about the approach.
enum Flat {
    /// Its plane keeps the capsule out for the whole motion.
    Separates,
    /// The capsule enters here, and as the body is convex, nowhere else.
    Entered(f64),
    /// The capsule crosses the piece, which lies below the surface: something else comes first.
    Crossed(f64),
    /// The capsule passes it by.
    Passed,
}

/// Time at which the capsule first touches `polygon`; `None` if not within the limit.
///
/// The capsule must not touch it at the start.
pub(crate) fn enter_prism<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let sides = if N > 1 { Polygon::<N>::EDGES } else { 0 };
    let mut earliest = None;
    for i in 0..=sides {
        match if i == 0 { cap(polygon, way) } else { side(polygon, i - 1, way) } {
            Flat::Separates => return None,
            Flat::Entered(time) => return Some(time),
            Flat::Crossed(time) => earliest = sooner(earliest, Some(time)),
            Flat::Passed => {}
        }
    }
    earliest = sooner(earliest, enter_edges(polygon, way));
    sooner(earliest, enter_corners(polygon, way))
}

fn sooner(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).min_by(f64::total_cmp)
}

/// The cap that faces the motion: the lower end of the axis against the polygon itself.
fn cap<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Flat {
    let Some(front) = polygon.normal else { return Flat::Passed };
    let normal = against(front, way.motion);
    let rise = normal.dot(way.half_axis);
    let gap = -normal.dot(polygon.vertices[0]) - rise.abs() - way.radius;
    let plane = Plane { gap, body_gap: gap, speed: -normal.dot(way.motion) };
    plane.meets(way.limit, |time| {
        let lower_end = if rise > 0.0 { -way.half_axis } else { way.half_axis };
        lies_over(&polygon.vertices, front, way.motion * time + lower_end)
    })
}

/// The side over edge `i`: the middle of the axis against the edge.
fn side<const N: usize>(polygon: &Polygon<N>, i: usize, way: &Approach) -> Flat {
    let edge = polygon.edge(i);
    let (e, h) = (edge.vector, way.half_axis);
    let Some(normal) = span_of(e, h) else { return Flat::Passed };
    let normal = against(normal, way.motion);
    let gap = -normal.dot(edge.start) - way.radius;
    let body_gap =
        (2..N).map(|k| -normal.dot(polygon.vertices[(i + k) % N]) - way.radius).fold(gap, f64::min);
    let plane = Plane { gap, body_gap, speed: -normal.dot(way.motion) };
    plane.meets(way.limit, |time| {
        let foot = way.motion * time - normal * way.radius - edge.start;
        // Coordinates of the foot in the skewed frame of edge and axis.
        let (across_axis, across_edge) = (normal.cross(h), normal.cross(e));
        let along_edge = foot.dot(across_axis) / e.dot(across_axis);
        let along_axis = foot.dot(across_edge) / h.dot(across_edge);
        (0.0..=1.0).contains(&along_edge) && (-1.0..=1.0).contains(&along_axis)
    })
}

/// The plane of a flat piece, raised by the radius.
struct Plane {
    /// From the plane up to the capsule's centre.
    gap: f64,
    /// The same to the parallel plane through the highest part of the whole prism.
    body_gap: f64,
    /// How fast the gap closes; never negative.
    speed: f64,
}

impl Plane {
    fn meets(&self, limit: f64, covers: impl Fn(f64) -> bool) -> Flat {
        let Self { gap, body_gap, speed } = *self;
        if body_gap > 0.0 && body_gap > speed * limit {
            return Flat::Separates;
        }
        let time = gap / speed;
        if !(gap > 0.0 && time <= limit && covers(time)) {
            Flat::Passed
        } else if gap <= body_gap + FLUSH {
            Flat::Entered(time)
        } else {
            Flat::Crossed(time)
        }
    }
}

/// Earliest entry into the tubes: around each edge at both ends of the axis, and along the axis
/// at each vertex.
fn enter_edges<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let Approach { half_axis, radius, motion, .. } = *way;
    let mut limit = way.limit;
    let mut earliest = None;
    let mut try_tube = |start: DVec3, edge: DVec3| {
        if let Some(time) = enter_tube(-start, edge, motion, radius, limit) {
            limit = time;
            earliest = Some(time);
        }
    };
    for vertex in polygon.vertices {
        try_tube(vertex - half_axis, half_axis * 2.0);
    }
    if N > 1 {
        for i in 0..Polygon::<N>::EDGES {
            let edge = polygon.edge(i);
            try_tube(edge.start - half_axis, edge.vector);
            try_tube(edge.start + half_axis, edge.vector);
        }
    }
    earliest
}

/// Earliest entry into the balls at the vertices, at both ends of the axis.
fn enter_corners<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let ball = |center: DVec3| enter_ball(-center, way.motion, way.radius, way.limit);
    let ends = polygon.vertices.iter().flat_map(|v| [v - way.half_axis, v + way.half_axis]);
    ends.filter_map(ball).min_by(f64::total_cmp)
}

/// `normal`, turned against `motion`.
fn against(normal: DVec3, motion: DVec3) -> DVec3 {
    if normal.dot(motion) > 0.0 { -normal } else { normal }
}

//! The heart of every sweep: a moving point against a rounded prism.
//!
//! A capsule touches a polygon when its centre is within `radius` of the *prism* that the polygon
//! sweeps out along the capsule's axis (`polygon ⊕ [−half_axis, half_axis]`). The rounded prism is
//! convex; its surface is made of pieces: flat caps (an end of the capsule on the face), flat sides
//! (the middle of the capsule on an edge), tubes (an end on an edge, the middle on a vertex) and
//! balls (an end on a vertex). Every piece, taken whole, lies inside the rounded prism, so none is
//! entered too early; together they cover its surface, so the earliest entry is the answer.
//!
//! Where pieces join they are made to overlap by more than rounding (`BORDER`): a flat counts only well inside its
//! border, a tube or a ball also a hair outside its surface. So a motion that grazes two pieces cannot miss both.

use super::round::{Tubes, enter_ball};
use super::{Approach, Course};
use crate::closest::lies_well_over;
use crate::polygon::{Polygon, span_of};
use crate::tolerance::{BORDER, BOUND, FLUSH};
use glam::DVec3;

/// What is known of a sweep without looking at the distance at its start.
pub(crate) fn course_to_prism<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Course {
    let flats = Flats::of(polygon, way);
    match flats.outcome {
        Outcome::Clear => Course::Clear,
        _ if !flats.start_is_clear => Course::Close,
        Outcome::Entered(time) => Course::Enters(time),
        Outcome::Open => flats.or_round(polygon, way).map_or(Course::Clear, Course::Enters),
    }
}

/// Time at which the capsule first touches `polygon`; `None` if not within the limit.
///
/// The capsule must not touch it at the start.
pub(crate) fn enter_prism<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let flats = Flats::of(polygon, way);
    match flats.outcome {
        Outcome::Clear => None,
        Outcome::Entered(time) => Some(time),
        Outcome::Open => flats.or_round(polygon, way),
    }
}

enum Outcome {
    /// A plane keeps the capsule out for the whole motion.
    Clear,
    /// The capsule enters through a flat, and as the body is convex, nowhere else.
    Entered(f64),
    /// Neither: a tube or a ball may be in the way.
    Open,
}

/// What the flat pieces say about the approach.
struct Flats {
    outcome: Outcome,
    /// Whether one of their planes keeps the start more than the bound away.
    start_is_clear: bool,
    /// Earliest crossing of a flat that lies below the surface: something else comes first.
    crossed: Option<f64>,
}

impl Flats {
    fn of<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Self {
        let mut flats = Self { outcome: Outcome::Open, start_is_clear: false, crossed: None };
        let mut decided = false;
        if let Some(front) = polygon.normal {
            decided = flats.cap(polygon, front, way);
        }
        if N > 1 {
            for i in 0..Polygon::<N>::EDGES {
                decided = decided || flats.side(polygon, i, way);
            }
        }
        flats
    }

    /// The cap that faces the motion: the lower end of the axis against the polygon itself.
    fn cap<const N: usize>(&mut self, polygon: &Polygon<N>, front: DVec3, way: &Approach) -> bool {
        let normal = against(front, way.motion);
        let rise = normal.dot(way.half_axis);
        let height = normal.dot(polygon.vertices[0]);
        let reach = rise.abs() + way.radius;
        let plane = Plane {
            gap: -height - reach,
            body_top: height + reach,
            body_bottom: height - reach,
            speed: -normal.dot(way.motion),
        };
        self.meet(&plane, way.limit, |time| {
            let lower_end = if rise > 0.0 { -way.half_axis } else { way.half_axis };
            lies_well_over(&polygon.vertices, front, way.motion * time + lower_end)
        })
    }

    /// The side over edge `i`: the middle of the axis against the edge.
    fn side<const N: usize>(&mut self, polygon: &Polygon<N>, i: usize, way: &Approach) -> bool {
        let edge = polygon.edge(i);
        let (e, h) = (edge.vector, way.half_axis);
        let Some(normal) = span_of(e, h) else { return false };
        let normal = against(normal, way.motion);
        let height = normal.dot(edge.start);
        let others = (2..N).map(|k| normal.dot(polygon.vertices[(i + k) % N]));
        let (low, high) = others.fold((height, height), |(low, high), other| {
            (if other < low { other } else { low }, if other > high { other } else { high })
        });
        let plane = Plane {
            gap: -height - way.radius,
            body_top: high + way.radius,
            body_bottom: low - way.radius,
            speed: -normal.dot(way.motion),
        };
        self.meet(&plane, way.limit, |time| {
            let foot = way.motion * time - normal * way.radius - edge.start;
            // Coordinates of the foot in the skewed frame of edge and axis.
            let (across_axis, across_edge) = (normal.cross(h), normal.cross(e));
            let reach = edge.start.abs().max(e.abs()).max(h.abs()).max(foot.abs()).max_element();
            let margin = reach * BORDER;
            let (width, height) = (e.dot(across_axis).abs(), h.dot(across_edge).abs());
            let from_start = foot.dot(across_axis) * e.dot(across_axis).signum();
            let from_middle = foot.dot(across_edge).abs();
            let (from_ends, from_sides) = (margin * h.length(), margin * e.length());
            from_start > from_ends
                && from_start < width - from_ends
                && from_middle < height - from_sides
        })
    }

    /// Takes in what one plane says; whether that settles the outcome.
    fn meet(&mut self, plane: &Plane, limit: f64, covers: impl Fn(f64) -> bool) -> bool {
        let body_gap = -plane.body_top;
        if body_gap > BOUND {
            self.start_is_clear = true;
            if body_gap > plane.speed * limit {
                self.outcome = Outcome::Clear;
                return true;
            }
        } else if plane.body_bottom > BOUND {
            // The motion leads away from the body: it stays as clear as it starts.
            self.outcome = Outcome::Clear;
            return true;
        }
        let time = plane.gap / plane.speed;
        if plane.gap > 0.0 && time <= limit && covers(time) {
            if plane.gap <= body_gap + FLUSH {
                self.outcome = Outcome::Entered(time);
                return true;
            }
            self.crossed = sooner(self.crossed, Some(time));
        }
        false
    }

    /// Earliest of the crossed flats and the round pieces.
    fn or_round<const N: usize>(&self, polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
        let reach =
            polygon.vertices.iter().fold(way.half_axis.abs(), |r, v| r.max(v.abs())).max_element();
        let way = &Approach { seam: reach * BORDER, ..*way };
        let entered = sooner(self.crossed, enter_edges(polygon, way));
        sooner(entered, enter_corners(polygon, way))
    }
}

/// The plane of a flat piece, raised by the radius, and the slab of the whole rounded prism between
/// planes parallel to it. Heights count from the capsule's centre, against the motion.
struct Plane {
    /// From the plane up to the capsule's centre.
    gap: f64,
    body_top: f64,
    body_bottom: f64,
    /// How fast the gap closes; never negative.
    speed: f64,
}

fn sooner(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b < a { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Earliest entry into the tubes: around each edge at both ends of the axis, and along the axis
/// at each vertex.
fn enter_edges<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let mut earliest = None;
    let mut enter = |tubes: &Tubes, start: DVec3| {
        let limit = earliest.unwrap_or(way.limit);
        earliest = tubes.enter(start, limit).or(earliest);
    };
    if let Some(tubes) = Tubes::new(way.half_axis * 2.0, way) {
        for vertex in polygon.vertices {
            enter(&tubes, vertex - way.half_axis);
        }
    }
    if N > 1 {
        for i in 0..Polygon::<N>::EDGES {
            let edge = polygon.edge(i);
            let Some(tubes) = Tubes::new(edge.vector, way) else { continue };
            enter(&tubes, edge.start - way.half_axis);
            enter(&tubes, edge.start + way.half_axis);
        }
    }
    earliest
}

/// Earliest entry into the balls at the vertices, at both ends of the axis.
fn enter_corners<const N: usize>(polygon: &Polygon<N>, way: &Approach) -> Option<f64> {
    let mut earliest = None;
    for vertex in polygon.vertices {
        for center in [vertex - way.half_axis, vertex + way.half_axis] {
            let limit = earliest.unwrap_or(way.limit);
            earliest = enter_ball(-center, way, way.motion, limit).or(earliest);
        }
    }
    earliest
}

/// `normal`, turned against `motion`.
fn against(normal: DVec3, motion: DVec3) -> DVec3 {
    if normal.dot(motion) > 0.0 { -normal } else { normal }
}

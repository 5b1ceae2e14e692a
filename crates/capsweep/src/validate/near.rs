//! Surfaces near a way: what may have carried a character, or stopped its rise.

use crate::math::Vec3Soa;
use crate::scene::Shape;
use crate::tolerance::{SUPPORT_SLACK, UPRIGHT};
use crate::traverse::box_query::{BoxVisitor, visit_box};
use crate::validate::probe::Probe;
use crate::{Aabb, Sides};
use glam::DVec3;

/// The straight way between two positions of the feet, and how far the true one may be off it.
pub(crate) struct WayBox {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    pub(crate) below: f64,
    pub(crate) above: f64,
    pub(crate) beside: f64,
}

/// A surface that may carry a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    Walkable,
    Steep,
    /// A walkable edge of steep faces.
    Edge,
}

/// What may stop a rise.
#[derive(Clone, Copy, Default)]
pub(crate) struct Overhead {
    /// A surface that faces down.
    pub(crate) ceiling: bool,
    /// Anything, walls too.
    pub(crate) obstacle: bool,
}

/// A triangle near a way.
pub(crate) struct NearFace {
    corners: [DVec3; 3],
    normal: DVec3,
    two_sided: bool,
}

/// An edge of a steep face: its ends, the number of the face, and that of its first corner.
pub(crate) type NearEdge = ([[i64; 3]; 2], u32, u8);

impl Probe<'_> {
    /// Calls `floor` with the lowest and the highest point of each surface near a way that could
    /// carry the character. Returns what could stop a rise.
    pub(crate) fn near_surfaces(
        &mut self,
        way: &WayBox,
        mut floor: impl FnMut([f64; 2], Surface),
    ) -> Overhead {
        let up = self.up;
        let slack = SUPPORT_SLACK + 2.0 * self.position_error;
        let reach = DVec3::splat(self.skinned + slack + way.beside);
        let top = up * (self.top() - self.skinned + way.above);
        let bottom = up * (self.skinned - way.below);
        let ends = [way.from + top, way.from + bottom, way.to + top, way.to + bottom];
        let low = ends.into_iter().fold(ends[0], DVec3::min) - reach;
        let high = ends.into_iter().fold(ends[0], DVec3::max) + reach;
        let mut overhead = Overhead::default();
        let Ok(bounds) = Aabb::new(low, high) else {
            return Overhead { ceiling: true, obstacle: true };
        };
        self.queries += 1;
        let head = way.from.dot(up).min(way.to.dot(up)) - way.below + 0.5 * self.height();
        let mut faces = core::mem::take(&mut self.faces);
        let (center, half) = (0.5 * (low + high), 0.5 * (high - low));
        for shape in self.collect(&bounds, &mut faces) {
            let (range, lean) = range_of(&shape, up, [center, half]);
            let is_round = shape.bounds().is_some();
            if is_round || lean >= self.limits.slope_limit() {
                floor(range, Surface::Walkable);
            }
            if is_round || (UPRIGHT..self.limits.slope_limit()).contains(&lean) {
                floor(range, Surface::Steep);
            }
            let is_overhead = range[1] >= head && (is_round || lean < UPRIGHT);
            overhead.ceiling |= is_overhead;
            overhead.obstacle |= is_overhead;
        }
        for face in &faces {
            let heights = face.corners.map(|corner| corner.dot(up));
            let [lowest, highest] = [
                heights.into_iter().fold(f64::INFINITY, f64::min),
                heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
            ];
            let lean = face.normal.dot(up);
            if lean.abs() <= UPRIGHT {
                // Without slides, a fall may end on the edges of a wall's triangles.
                if self.walls_carry {
                    floor([low.dot(up), highest.min(high.dot(up))], Surface::Steep);
                }
                // A wall that leans by a hair stops a rise, too.
                overhead.obstacle |= highest >= head;
                continue;
            }
            // The part of the plane in the box, and of the triangle.
            let spread = face.normal.abs().dot(half) / lean.abs();
            let middle = center.dot(up) + (face.corners[0] - center).dot(face.normal) / lean;
            let (lowest, highest) = (lowest.max(middle - spread), highest.min(middle + spread));
            if lean > UPRIGHT || face.two_sided {
                let walkable = lean.abs() >= self.limits.slope_limit();
                let surface = if walkable { Surface::Walkable } else { Surface::Steep };
                floor([lowest, highest], surface);
            }
            let is_ceiling = (lean < -UPRIGHT || face.two_sided) && highest >= head;
            overhead.ceiling |= is_ceiling;
            overhead.obstacle |= is_ceiling;
        }
        self.ridges(&faces, [low, high], &mut floor);
        self.faces = faces;
        overhead
    }

    /// Collects the triangles in a box. Returns the shapes.
    fn collect(&self, bounds: &Aabb, faces: &mut Vec<NearFace>) -> Vec<Shape> {
        faces.clear();
        let filter = self.world.surroundings.filter;
        let content = self.world.scene.content();
        let both_sides = filter.sides == Sides::Both;
        let mut collector = FaceCollector { probe: self, both_sides, faces, shapes: Vec::new() };
        visit_box(content, bounds, filter, &mut collector);
        collector.shapes
    }

    /// Edges of steep faces and walls that carry a character on top of them.
    ///
    /// The contact normal on an edge is at right angles to it. So it is walkable only if the edge
    /// itself is no steeper than the slope limit, and the faces at it fall away to both sides.
    fn ridges(
        &mut self,
        faces: &[NearFace],
        [low, high]: [DVec3; 2],
        floor: &mut impl FnMut([f64; 2], Surface),
    ) {
        let up = self.up;
        let cos = self.limits.slope_limit();
        let steepest = (1.0 - cos * cos).sqrt();
        let mut edges = core::mem::take(&mut self.edges);
        edges.clear();
        for (number, face) in faces.iter().enumerate() {
            if face.normal.dot(up).abs() >= cos {
                continue;
            }
            for first in 0..3_u8 {
                let [p, q] = face.edge(first);
                let along = (q - p).normalize_or_zero();
                if along.dot(up).abs() <= steepest
                    && p.max(q).cmpge(low).all()
                    && p.min(q).cmple(high).all()
                {
                    edges.push((edge_key(p, q), number as u32, first));
                }
            }
        }
        edges.sort_unstable();
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let (_, number, first) = group[0];
            let face = &faces[number as usize];
            let [p, q] = face.edge(first);
            // An edge of one face, or of many, may stand out.
            let is_ridge =
                group.len() != 2 || face.is_ridge_with(&faces[group[1].1 as usize], p, up);
            if is_ridge {
                let heights = [p.dot(up), q.dot(up)];
                floor([heights[0].min(heights[1]), heights[0].max(heights[1])], Surface::Edge);
            }
        }
        self.edges = edges;
    }
}

/// The range of heights of a shape, of a half-space in a box given by centre and half size, and
/// how far its surface leans.
fn range_of(shape: &Shape, up: DVec3, [center, half]: [DVec3; 2]) -> ([f64; 2], f64) {
    let around = |middle: f64, reach: f64| [middle - reach, middle + reach];
    match (shape, shape.bounds()) {
        (Shape::HalfSpace(half_space), _) => {
            let normal = half_space.normal();
            let lean = normal.dot(up);
            let steep = if lean.abs() > UPRIGHT { lean } else { UPRIGHT };
            let middle = center.dot(up) + (half_space.point() - center).dot(normal) / steep;
            (around(middle, normal.abs().dot(half) / steep.abs()), lean)
        }
        (_, Some(bounds)) => {
            (around(bounds.center().dot(up), 0.5 * up.abs().dot(bounds.size())), 0.0)
        }
        (_, None) => (around(center.dot(up), up.abs().dot(half)), 0.0),
    }
}

impl NearFace {
    fn edge(&self, first: u8) -> [DVec3; 2] {
        let first = usize::from(first);
        [self.corners[first], self.corners[(first + 1) % 3]]
    }

    /// Whether the edge at `p` between the two faces stands out upwards.
    fn is_ridge_with(&self, other: &Self, p: DVec3, up: DVec3) -> bool {
        // A bend by less than half a degree is no ridge.
        const BEND: f64 = 0.01;
        let far = other.corners.into_iter().map(|corner| (corner - p).dot(self.normal));
        let farthest = far.fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        let size = other.corners.into_iter().map(|corner| corner.distance(p)).fold(0.0, f64::max);
        let lean = self.normal.dot(up);
        // Convex seen from above: the other face is below this one's plane.
        farthest.abs() > BEND * size && (lean.abs() <= UPRIGHT || farthest * lean.signum() <= 0.0)
    }
}

/// Both ends, to 0.1 mm, in an order that does not depend on the face.
fn edge_key(p: DVec3, q: DVec3) -> [[i64; 3]; 2] {
    let round = |point: DVec3| (point * 1e4).round().to_array().map(|value| value as i64);
    let mut ends = [round(p), round(q)];
    ends.sort_unstable();
    ends
}

struct FaceCollector<'a> {
    probe: &'a Probe<'a>,
    both_sides: bool,
    faces: &'a mut Vec<NearFace>,
    shapes: Vec<Shape>,
}

impl FaceCollector<'_> {
    fn is_ignored(&self, body: u32) -> bool {
        let content = self.probe.world.scene.content();
        content.body_by_index(body).is_none_or(|(id, _)| self.probe.ignores(id))
    }
}

impl BoxVisitor for FaceCollector<'_> {
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        if self.is_ignored(body) {
            return;
        }
        let content = self.probe.world.scene.content();
        let Some((surface, _)) = content.surface(body) else { return };
        let corners = [0, 1, 2].map(|i| corners.lane(i));
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let two_sided = self.both_sides || surface.has_two_sides(slot as usize);
        self.faces.push(NearFace { corners, normal, two_sided });
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if !self.is_ignored(body) {
            self.shapes.push(*shape);
        }
    }
}

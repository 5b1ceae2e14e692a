//! Shapes as convex cores with a radius, and their closest point to a point.

use crate::TargetShape;
use glam::{DMat3, DVec3};

/// A shape as a core with a radius around it. Its distance is that of the core minus the radius.
#[derive(Debug, Clone, Copy)]
pub struct Solid {
    /// The shape without its rounding.
    pub core: Core,
    /// Radius around the core in metres: 0 except for spheres and capsules.
    pub radius: f64,
}

/// A convex set with a formula for its closest point to any point.
#[derive(Debug, Clone, Copy)]
pub enum Core {
    /// A thin triangle, possibly degenerate.
    Triangle(OracleTriangle),
    /// A solid box: centre, axes as columns, half extents.
    Box(DVec3, DMat3, DVec3),
    /// A point.
    Point(DVec3),
    /// A segment between two points.
    Segment(DVec3, DVec3),
    /// A half-space: a point on its plane and the unit normal. Distances inside are negative.
    HalfSpace(DVec3, DVec3),
}

/// A triangle in the frame of its longest edge.
///
/// A point is `a + x·e + y·w`, with `e` along the edge and `w` perpendicular to it.
#[derive(Debug, Clone, Copy)]
pub struct OracleTriangle {
    /// The corners in the caller's order.
    pub corners: [DVec3; 3],
    a: DVec3,
    e: DVec3,
    w: DVec3,
    /// Length of the longest edge, in metres.
    pub length: f64,
    /// Height of the third corner over the longest edge, in metres.
    pub width: f64,
    /// Position of the third corner along the longest edge, in metres.
    foot: f64,
    /// Whether `w` has correct bits.
    has_area: bool,
}

/// The closest point of a core to a given point.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// Metres; 0 inside a solid, negative inside a half-space.
    pub distance: f64,
    /// The closest point.
    pub point: DVec3,
    /// Unit direction from the closest point to the given one: the gradient of the distance. Zero
    /// if the distance is zero.
    pub normal: DVec3,
}

impl Solid {
    /// `target` in coordinates relative to `origin`.
    pub fn relative_to(target: &TargetShape, origin: DVec3) -> Self {
        let (core, radius) = match target {
            TargetShape::Triangle(t) => {
                (Core::Triangle(OracleTriangle::new(t.vertices().map(|v| v - origin))), 0.0)
            }
            TargetShape::Box(b) => {
                (Core::Box(b.center() - origin, b.axes(), b.half_extents().as_dvec3()), 0.0)
            }
            TargetShape::Sphere(s) => (Core::Point(s.center() - origin), f64::from(s.radius())),
            TargetShape::Capsule(c) => {
                (Core::Segment(c.p0() - origin, c.p1() - origin), f64::from(c.radius()))
            }
            TargetShape::HalfSpace(h) => (Core::HalfSpace(h.point() - origin, h.normal()), 0.0),
            TargetShape::Segment(s) => (Core::Segment(s.a() - origin, s.b() - origin), 0.0),
            TargetShape::Point(p) => (Core::Point(p.position() - origin), 0.0),
        };
        Self { core, radius }
    }

    /// Distance of `p` to the shape's surface, from inside or outside, in metres.
    pub fn surface_distance(&self, p: DVec3) -> f64 {
        match self.core {
            Core::Box(center, axes, half) => {
                let local = (axes.transpose() * (p - center)).abs();
                let outside = (local - half).max(DVec3::ZERO).length();
                let inside = (half - local).min_element();
                if inside > 0.0 { inside } else { outside }
            }
            _ => (self.core.nearest(p).distance - self.radius).abs(),
        }
    }
}

impl Core {
    /// The closest point of the core to `p`.
    pub fn nearest(&self, p: DVec3) -> Nearest {
        match self {
            Self::Triangle(triangle) => Nearest::new(p, triangle.nearest(p)),
            Self::Box(center, axes, half) => {
                let local = axes.transpose() * (p - *center);
                let clamped = local.clamp(-*half, *half);
                // In the box's frame the difference is exactly zero inside.
                let away = *axes * (local - clamped);
                Nearest::new(p, p - away)
            }
            Self::Point(center) => Nearest::new(p, *center),
            Self::Segment(a, b) => Nearest::new(p, on_segment(p, *a, *b)),
            Self::HalfSpace(point, normal) => {
                let distance = normal.dot(p - *point);
                Nearest { distance, point: p - *normal * distance, normal: *normal }
            }
        }
    }

    /// The largest `u · q` over the core. Infinite for a half-space, except along its own normal.
    pub fn support(&self, u: DVec3) -> f64 {
        match self {
            Self::Triangle(triangle) => {
                let [a, b, c] = triangle.corners;
                u.dot(a).max(u.dot(b)).max(u.dot(c))
            }
            Self::Box(center, axes, half) => {
                u.dot(*center) + (axes.transpose() * u).abs().dot(*half)
            }
            Self::Point(center) => u.dot(*center),
            Self::Segment(a, b) => u.dot(*a).max(u.dot(*b)),
            Self::HalfSpace(point, normal) => {
                if u.dot(*normal) > 1.0 - 1e-12 {
                    u.dot(*point)
                } else {
                    f64::INFINITY
                }
            }
        }
    }
}

impl Nearest {
    fn new(p: DVec3, point: DVec3) -> Self {
        let away = p - point;
        let distance = away.length();
        let normal = if distance > 0.0 { away / distance } else { DVec3::ZERO };
        Self { distance, point, normal }
    }
}

impl OracleTriangle {
    /// The triangle with these corners.
    pub fn new(corners: [DVec3; 3]) -> Self {
        let longest = (0..3)
            .max_by(|&i, &j| {
                let size = |k: usize| (corners[(k + 1) % 3] - corners[k]).length_squared();
                size(i).total_cmp(&size(j))
            })
            .unwrap_or(0);
        let a = corners[longest];
        let along = corners[(longest + 1) % 3] - a;
        let third = corners[(longest + 2) % 3] - a;
        let length = along.length();
        let e = if length > 0.0 { along / length } else { DVec3::ZERO };
        let foot = third.dot(e);
        // Subtracting the part along `e` twice leaves a rounding error relative to the result, not
        // to `third`. So `w` is perpendicular to `e` even in a sliver.
        let across = third - e * foot;
        let across = across - e * across.dot(e);
        let width = across.length();
        // The corners are rounded to 2⁻⁵³ of their size. A width of a few such steps has no
        // direction.
        let has_area = width > 1e-15 * length;
        let w = if has_area { across / width } else { DVec3::ZERO };
        Self { corners, a, e, w, length, width, foot, has_area }
    }

    /// Unit normal of the front, from which the corners run counter-clockwise. `None` if the
    /// triangle is too thin.
    pub fn normal(&self) -> Option<DVec3> {
        self.has_area.then(|| self.e.cross(self.w).normalize())
    }

    /// The projection to the plane if it is inside, otherwise the closest point of the three
    /// edges.
    ///
    /// Every candidate is on the triangle, so a wrong choice never makes the distance too small.
    fn nearest(&self, p: DVec3) -> DVec3 {
        if self.has_area {
            let d = p - self.a;
            let (x, y) = (d.dot(self.e), d.dot(self.w));
            let rise = y / self.width;
            let (left, right) = (self.foot * rise, self.length + (self.foot - self.length) * rise);
            if (0.0..=1.0).contains(&rise) && left <= x && x <= right {
                return self.a + self.e * x + self.w * y;
            }
        }
        let [a, b, c] = self.corners;
        let mut best = on_segment(p, a, b);
        for candidate in [on_segment(p, b, c), on_segment(p, c, a)] {
            if p.distance_squared(candidate) < p.distance_squared(best) {
                best = candidate;
            }
        }
        best
    }
}

/// The point of the segment `a b` closest to `p`. An end is returned exactly.
pub(crate) fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let ab = b - a;
    let (along, whole) = ((p - a).dot(ab), ab.length_squared());
    if along <= 0.0 || whole == 0.0 {
        a
    } else if along >= whole {
        b
    } else {
        a + ab * (along / whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Core {
        Core::Triangle(OracleTriangle::new([a.into(), b.into(), c.into()]))
    }

    #[test]
    fn a_triangle_answers_with_its_face_edges_and_corners() {
        let core = triangle([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]);
        assert_eq!(core.nearest(DVec3::new(1.0, 1.0, 2.0)).distance, 2.0);
        assert!((core.nearest(DVec3::new(2.0, -3.0, 4.0)).distance - 5.0).abs() < 1e-15);
        assert!((core.nearest(DVec3::new(-2.0, -3.0, 6.0)).distance - 7.0).abs() < 1e-15);
        assert!((core.nearest(DVec3::new(7.0, 0.0, 4.0)).distance - 5.0).abs() < 1e-15);
        // Across the slanted edge: its outward normal is (3, 4)/5 and it passes through (2, 1.5).
        let q = core.nearest(DVec3::new(2.0 + 3.0, 1.5 + 4.0, 0.0));
        assert!(
            (q.distance - 5.0).abs() < 1e-14
                && q.point.distance(DVec3::new(2.0, 1.5, 0.0)) < 1e-14
        );
    }

    #[test]
    fn every_vertex_order_gives_the_same_distance() {
        let v = [[0.0, 0.5, 0.0], [4000.0, 0.0, 1.0], [1999.0, 0.25 + 1e-6, 0.5]];
        let p = DVec3::new(1500.0, 0.7, 3.0);
        let first = triangle(v[0], v[1], v[2]).nearest(p).distance;
        for [i, j, k] in [[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            assert!((triangle(v[i], v[j], v[k]).nearest(p).distance - first).abs() < 1e-11);
        }
    }

    #[test]
    fn a_sliver_is_as_exact_as_its_edges() {
        // 4 km long, 4 µm wide: the point 1 m above its middle is 1 m away.
        let core = triangle([0.0; 3], [4000.0, 0.0, 0.0], [2000.0, 4e-6, 0.0]);
        let d = core.nearest(DVec3::new(1900.0, 1e-6, 1.0)).distance;
        assert!((d - 1.0).abs() < 1e-12, "{d}");
    }

    #[test]
    fn degenerate_triangles_are_segments_and_points() {
        let line = triangle([0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(line.nearest(DVec3::new(1.5, 2.0, 0.0)).distance, 2.0);
        let point = triangle([1.0; 3], [1.0; 3], [1.0; 3]);
        assert_eq!(point.nearest(DVec3::new(1.0, 4.0, 5.0)).distance, 5.0);
    }

    #[test]
    fn a_solid_box_is_at_distance_zero_inside() {
        let core = Core::Box(DVec3::ZERO, DMat3::IDENTITY, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(core.nearest(DVec3::new(0.5, -1.0, 2.0)).distance, 0.0);
        assert_eq!(core.nearest(DVec3::new(4.0, 6.0, 2.0)).distance, 5.0);
        assert_eq!(core.support(DVec3::Y), 2.0);
    }

    #[test]
    fn a_half_space_is_signed() {
        let core = Core::HalfSpace(DVec3::new(0.0, 0.0, 2.0), DVec3::Z);
        assert_eq!(core.nearest(DVec3::new(9.0, 9.0, -1.0)).distance, -3.0);
    }
}

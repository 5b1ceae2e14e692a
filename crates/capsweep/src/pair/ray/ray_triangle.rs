#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::polygon::PolygonLanes;
use crate::math::{F32x8, F64x4, Vec3Soa, with_lanes};
use crate::pair::ray::{PreparedRay, SurfaceCrossing};
use crate::{Feature, Ray, RayHit, Sides, Triangle};
use glam::DVec3;

/// The hit of a ray on a triangle.
///
/// `None` if the ray passes by or runs along the plane, or if `sides` is [`Sides::Front`] and the
/// motion runs out of the triangle's front. Triangles that share an edge or a vertex bit by bit
/// are watertight: a ray through the shared part hits at least one of them. A degenerate triangle
/// is never skipped, and its normal opposes the ray.
pub fn ray_triangle(ray: &Ray, triangle: &Triangle, sides: Sides) -> Option<RayHit> {
    let ray = PreparedRay::new(ray)?;
    let crossing = ray.cross_triangle(triangle, sides)?;
    ray.reaches(crossing.time).then(|| crossing.hit(&ray))
}

/// A crossing of the ray's line and a triangle, at any time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleCrossing {
    pub(crate) time: f64,
    /// The triangle's unit normal; against the ray if the triangle is degenerate.
    normal: DVec3,
    feature: Feature,
    weights: [f64; 3],
}

impl TriangleCrossing {
    #[inline]
    pub(crate) fn surface(&self) -> SurfaceCrossing {
        SurfaceCrossing {
            time: self.time,
            normal: self.normal,
            feature: self.feature,
            barycentrics: Some(self.weights),
        }
    }

    /// The hit at this crossing.
    #[inline(always)]
    pub(crate) fn hit(&self, ray: &PreparedRay) -> RayHit {
        ray.hit(&self.surface())
    }
}

/// The mask of the lanes that hold a corner.
const CORNERS: u32 = 0b111;

impl PreparedRay {
    /// Where the ray's line crosses a triangle, border included.
    pub(crate) fn cross_triangle(
        &self,
        triangle: &Triangle,
        sides: Sides,
    ) -> Option<TriangleCrossing> {
        with_lanes!(|L| {
            let corners = Vec3Soa::<<L as F32x8>::F64x4>::corners(&triangle.vertices());
            self.cross_corners(corners, sides)
        })
    }

    /// [`PreparedRay::cross_triangle`], of corners one per lane; the last lane repeats the first
    /// corner.
    ///
    /// The triangle is sheared along the ray onto a plane across it (Woop, Benthin and Wald,
    /// *Watertight Ray/Triangle Intersection*). A vertex gets the same image in every triangle
    /// that shares it. There the sign of each edge's [`orient2d`] is exact, and exactly opposite
    /// for the neighbour.
    #[inline(always)]
    pub(crate) fn cross_corners<F: F64x4>(
        &self,
        corners: Vec3Soa<F>,
        sides: Sides,
    ) -> Option<TriangleCrossing> {
        let sheared = ShearedTriangle::new(self, corners);
        let EdgeAreas { areas, positive, negative } = sheared.edge_areas();
        // Both signs: the ray passes by. No sign: it runs along the plane.
        if (positive != 0) == (negative != 0) {
            return None;
        }
        let triangle = PolygonLanes::new::<3>(corners);
        let (normal, has_face) = match triangle.face_normal() {
            Some(normal) => (normal, true),
            None => (-self.direction(), false),
        };
        if sides == Sides::Front && has_face && triangle.area_vector().dot(self.motion) >= 0.0 {
            return None;
        }
        let [u, v, w, _] = areas.store();
        let inside = positive | negative == CORNERS;
        let feature = if inside { Feature::Face } else { feature([u, v, w]) };
        let [u, v, w, _] = (areas / F::splat(u + v + w)).abs().store();
        let weights = [u, v, w];
        let depths = sheared.depth / F::splat(self.speed);
        let time = match feature {
            Feature::Vertex(i) => depths.store()[usize::from(i)],
            Feature::Edge(i) => sheared.on_edge(usize::from(i), depths),
            Feature::Face => {
                // On slivers the plane is more accurate than the weights, unless seen edge-on.
                let by_plane = normal.dot(corners.first() - self.origin) / normal.dot(self.motion);
                if has_face && by_plane.is_finite() {
                    by_plane
                } else {
                    let [a, b, c, _] = depths.store();
                    u * a + v * b + w * c
                }
            }
        };
        let (next, last) = (depths.next::<3>(), depths.next::<3>().next::<3>());
        let [nearest, ..] = depths.min(next).min(last).store();
        let [farthest, ..] = depths.max(next).max(last).store();
        Some(TriangleCrossing { time: time.clamp(nearest, farthest), normal, feature, weights })
    }
}

/// The corners of a triangle, one per lane, sheared along the ray; the last lane repeats one.
struct ShearedTriangle<F> {
    /// Coordinates in the plane across the ray.
    x: F,
    y: F,
    /// Coordinate along the axis with the largest motion.
    depth: F,
}

/// Twice the signed areas of the triangles that the ray forms with the edge opposite to each
/// corner: the unnormalised weights of the corners.
struct EdgeAreas<F> {
    areas: F,
    /// The mask of the positive areas, and that of the negative ones.
    positive: u32,
    negative: u32,
}

impl<F: F64x4> ShearedTriangle<F> {
    #[inline(always)]
    fn new(ray: &PreparedRay, corners: Vec3Soa<F>) -> Self {
        let Vec3Soa { x, y, z } = corners.sub(Vec3Soa::all(ray.origin));
        let (by_axis, [x, y, z]) = ([x, y, z], ray.axes);
        let (x, y, depth) = (by_axis[x], by_axis[y], by_axis[z]);
        let (across, up) = (F::splat(ray.shear[0]), F::splat(ray.shear[1]));
        Self { x: x - across * depth, y: y - up * depth, depth }
    }

    #[inline(always)]
    fn edge_areas(&self) -> EdgeAreas<F> {
        let (from_x, from_y) = (self.x.next::<3>(), self.y.next::<3>());
        let (to_x, to_y) = (from_x.next::<3>(), from_y.next::<3>());
        let areas = from_x * to_y - from_y * to_x;
        let areas = EdgeAreas::new(areas);
        if areas.positive | areas.negative == CORNERS {
            return areas;
        }
        self.exact_edge_areas()
    }

    /// With exact signs, for an area that is zero or rounds to it.
    #[cold]
    fn exact_edge_areas(&self) -> EdgeAreas<F> {
        let [a, b, c] = self.positions();
        let [u, v, w] = [orient2d(b, c), orient2d(c, a), orient2d(a, b)];
        EdgeAreas::new(F::load([u, v, w, u]))
    }

    fn positions(&self) -> [[f64; 2]; 3] {
        let (x, y) = (self.x.store(), self.y.store());
        [[x[0], y[0]], [x[1], y[1]], [x[2], y[2]]]
    }

    /// Depth at which the ray hits the edge that starts at corner `i`.
    #[cold]
    fn on_edge(&self, i: usize, depths: F) -> f64 {
        let (flat, depths, j) = (self.positions(), depths.store(), (i + 1) % 3);
        on_edge((flat[i], depths[i]), (flat[j], depths[j]))
    }
}

impl<F: F64x4> EdgeAreas<F> {
    #[inline(always)]
    fn new(areas: F) -> Self {
        let zero = F::splat(0.0);
        let positive = zero.lt_mask(areas) & CORNERS;
        Self { areas, positive, negative: areas.lt_mask(zero) & CORNERS }
    }
}

/// Depth at which the ray hits an edge that it crosses exactly, from the positions and depths of
/// the edge's ends. The order of the ends changes no bit.
fn on_edge(one: ([f64; 2], f64), other: ([f64; 2], f64)) -> f64 {
    let ((from, depth), (to, far)) = if one <= other { (one, other) } else { (other, one) };
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let along = if x.abs() >= y.abs() { -from[0] / x } else { -from[1] / y };
    depth + (far - depth) * along
}

/// Twice the signed area of the triangle of the ray, `from` and `to`: positive where `to` is to
/// the left of `from`. Its sign is exact, and `orient2d(to, from)` is exactly its negative.
///
/// Rounding is monotonic, so a difference of rounded products has the sign of the exact one or is
/// zero. Where it is zero, the rounding errors of the two products decide.
fn orient2d(from: [f64; 2], to: [f64; 2]) -> f64 {
    let (one, other) = (from[0] * to[1], from[1] * to[0]);
    let area = one - other;
    if area != 0.0 {
        return area;
    }
    rounding_error(from[0], to[1], one) - rounding_error(from[1], to[0], other)
}

/// `a · b − product`, exactly, where `product` is the rounded product (Dekker 1971).
fn rounding_error(a: f64, b: f64, product: f64) -> f64 {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

/// Splits `value` into two numbers of 26 bits each (Veltkamp).
fn halves(value: f64) -> (f64, f64) {
    const SPLIT: f64 = ((1_u64 << 27) + 1) as f64;
    let scaled = value * SPLIT;
    let high = scaled - (scaled - value);
    (high, value - high)
}

/// The feature that is hit: weights are exactly zero on the border.
#[cold]
fn feature(weights: [f64; 3]) -> Feature {
    match weights.map(|weight| weight == 0.0) {
        [false, true, true] => Feature::Vertex(0),
        [true, false, true] => Feature::Vertex(1),
        [true, true, false] => Feature::Vertex(2),
        [false, false, true] => Feature::Edge(0),
        [true, false, false] => Feature::Edge(1),
        [false, true, false] => Feature::Edge(2),
        _ => Feature::Face,
    }
}

#[cfg(test)]
mod tests {
    use super::{orient2d, rounding_error};

    #[test]
    fn rounding_errors_are_exact() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 + f64::EPSILON);
        // (1 + ε)² = 1 + 2ε + ε², of which ε² is lost.
        assert_eq!(rounding_error(a, b, a * b), f64::EPSILON * f64::EPSILON);
        assert_eq!(rounding_error(3.0, 5.0, 15.0), 0.0);
        // Products of fractions, whose errors exact arithmetic gives.
        for (a, b, error) in [
            (0.1, 0.3, 1.665_334_536_937_734_7e-18),
            (1.0 / 3.0, 3.7, -6.846_375_318_521_799e-17),
            (1_000_000.1, 7.3, 1.366_856_672_291_305_6e-10),
        ] {
            assert_eq!(rounding_error(a, b, a * b), error, "{a} {b}");
            assert_eq!(rounding_error(-a, b, -a * b), -error, "{a} {b}");
        }
    }

    #[test]
    fn areas_that_round_to_zero_keep_their_signs() {
        let e = f64::EPSILON;
        // (1 + e)(1 − e) = 1 − e² against 1 · 1.
        let (from, to) = ([1.0 + e, 1.0], [1.0, 1.0 - e]);
        assert_eq!(from[0] * to[1] - from[1] * to[0], 0.0);
        assert_eq!((orient2d(from, to), orient2d(to, from)), (-e * e, e * e));
    }
}

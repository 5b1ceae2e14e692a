use super::{Ray, Surface};
use crate::shape::face_normal;
use crate::{Feature, Motion, RayHit, Sides, Triangle};
use glam::DVec3;

/// Where a ray from `origin` along `motion` meets a triangle.
///
/// `None` if it passes by or runs along the plane, or if `sides` is [`Sides::Front`] and the motion runs out of the
/// triangle's front. Triangles that share an edge or a vertex bit by bit are watertight: a ray that reaches what they
/// share hits at least one of them. A triangle without a face of its own is never skipped, and its normal is against the ray.
pub fn ray_triangle(
    origin: DVec3,
    motion: &Motion,
    triangle: &Triangle,
    sides: Sides,
) -> Option<RayHit> {
    let ray = Ray::new(origin, motion)?;
    let piercing = pierce_triangle(&ray, triangle, sides)?;
    ray.reaches(piercing.time).then(|| ray.hit(&piercing.surface(&ray)))
}

/// A crossing of the ray's line and a triangle, at any time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piercing {
    pub(crate) time: f64,
    /// The triangle's own unit normal; `None` if it is degenerate.
    pub(crate) front: Option<DVec3>,
    feature: Feature,
    weights: [f64; 3],
}

impl Piercing {
    pub(crate) fn surface(&self, ray: &Ray) -> Surface {
        Surface {
            time: self.time,
            normal: self.front.unwrap_or_else(|| -ray.direction()),
            feature: self.feature,
            barycentrics: Some(self.weights),
        }
    }

    /// What is reported of the crossing.
    pub(crate) fn hit(&self, ray: &Ray) -> RayHit {
        ray.hit(&self.surface(ray))
    }
}

/// Where the line of the ray crosses the triangle, border included.
///
/// The triangle is sheared along the ray onto a plane across it (Woop, Benthin and Wald, *Watertight Ray/Triangle
/// Intersection*): a vertex lands where it lands whichever triangle it belongs to. There the sign of each edge's
/// [`side`] is exact, and exactly opposite for the neighbour.
#[inline]
pub(crate) fn pierce_triangle(ray: &Ray, triangle: &Triangle, sides: Sides) -> Option<Piercing> {
    let vertices = triangle.vertices();
    let [a, b, c] = vertices;
    let relative = [a - ray.origin, b - ray.origin, c - ray.origin];
    let [x, y, z] = ray.axes;
    let flatten = |p: DVec3| [p[x] - ray.shear[0] * p[z], p[y] - ray.shear[1] * p[z]];
    let (a, b, c) = (flatten(relative[0]), flatten(relative[1]), flatten(relative[2]));
    let flat = [a, b, c];
    let weights = [side(b, c), side(c, a), side(a, b)];
    let [u, v, w] = weights;
    let (some_left, some_right) = (u > 0.0 || v > 0.0 || w > 0.0, u < 0.0 || v < 0.0 || w < 0.0);
    // On both sides of its edges: beside it. On none: seen from its edge.
    if some_left == some_right {
        return None;
    }
    let front = face_normal(&vertices);
    if sides == Sides::Front && front.is_some() && triangle.area_vector().dot(ray.motion) >= 0.0 {
        return None;
    }
    let feature = feature(weights);
    let total = weights[0] + weights[1] + weights[2];
    let weights = [(u / total).abs(), (v / total).abs(), (w / total).abs()];
    let speed = ray.motion[z];
    let depths = [relative[0][z] / speed, relative[1][z] / speed, relative[2][z] / speed];
    let time = match feature {
        Feature::Vertex(i) => depths[usize::from(i)],
        Feature::Edge(i) => {
            let (i, j) = (usize::from(i), (usize::from(i) + 1) % 3);
            on_edge((flat[i], depths[i]), (flat[j], depths[j]))
        }
        Feature::Face => {
            let by_weights =
                weights[0] * depths[0] + weights[1] * depths[1] + weights[2] * depths[2];
            // On slivers the plane is known better than the weights; seen from its edge it is not.
            let by_plane = front.map_or(by_weights, |n| n.dot(relative[0]) / n.dot(ray.motion));
            if by_plane.is_finite() { by_plane } else { by_weights }
        }
    };
    let nearest = depths[0].min(depths[1]).min(depths[2]);
    let farthest = depths[0].max(depths[1]).max(depths[2]);
    Some(Piercing { time: time.clamp(nearest, farthest), front, feature, weights })
}

/// Depth at which the ray meets an edge that it meets exactly, from the places of its ends and their depths: the same
/// bits whichever end comes first.
fn on_edge(one: ([f64; 2], f64), other: ([f64; 2], f64)) -> f64 {
    let ((from, depth), (to, far)) = if one <= other { (one, other) } else { (other, one) };
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let along = if x.abs() >= y.abs() { -from[0] / x } else { -from[1] / y };
    depth + (far - depth) * along
}

/// Twice the signed area of the triangle from the ray through `from` and `to`: positive where `to` is to the left of
/// `from`. Its sign is exact, and `side(to, from)` is exactly its negative.
///
/// Rounding is monotonic, so a difference of rounded products has the sign of the exact one or is zero; where it is
/// zero, the two products' rounding errors decide.
fn side(from: [f64; 2], to: [f64; 2]) -> f64 {
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

/// Two numbers of 26 bits each that add up to `value` (Veltkamp).
fn halves(value: f64) -> (f64, f64) {
    const SPLIT: f64 = ((1_u64 << 27) + 1) as f64;
    let scaled = value * SPLIT;
    let high = scaled - (scaled - value);
    (high, value - high)
}

/// Weights are exactly zero on the border.
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
    use super::{rounding_error, side};

    #[test]
    fn rounding_errors_are_exact() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 + f64::EPSILON);
        // (1 + ε)² = 1 + 2ε + ε², of which ε² is lost.
        assert_eq!(rounding_error(a, b, a * b), f64::EPSILON * f64::EPSILON);
        assert_eq!(rounding_error(3.0, 5.0, 15.0), 0.0);
    }

    #[test]
    fn sides_that_round_to_zero_still_differ() {
        let e = f64::EPSILON;
        // (1 + e)(1 − e) = 1 − e² against 1 · 1.
        let (from, to) = ([1.0 + e, 1.0], [1.0, 1.0 - e]);
        assert_eq!(from[0] * to[1] - from[1] * to[0], 0.0);
        assert_eq!((side(from, to), side(to, from)), (-e * e, e * e));
    }
}

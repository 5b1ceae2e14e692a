//! Distance of a segment and a convex core.

use super::shape::Core;
use glam::DVec3;

/// The closest points of a segment and a core.
#[derive(Debug, Clone, Copy)]
pub struct Closest {
    /// Metres between them; 0 if they cross, negative inside a half-space.
    pub distance: f64,
    /// Parameter on the segment, 0 to 1.
    pub s: f64,
    /// The closest point on the core.
    pub point: DVec3,
    /// Unit direction from the core to the segment; zero if the distance is zero.
    pub normal: DVec3,
}

/// Distance below which segment and core cross: 1 pm, the rounding error of a coordinate of a few
/// kilometres.
const CROSSING: f64 = 1e-12;

/// One point of the segment with its closest point on the core.
#[derive(Clone, Copy)]
struct Sample {
    at: Closest,
    /// Half the derivative of the squared distance, `(p − c) · axis`. It is piecewise linear in
    /// `s` and never falls, because the squared distance to a polytope is piecewise quadratic and
    /// convex.
    half_slope: f64,
}

/// The smallest distance between the segment `base + s·axis`, `0 ≤ s ≤ 1`, and `core`.
///
/// The distance of a moving point to a convex set is convex in `s`. The sign of the derivative
/// brackets the minimum. Secants and bisections narrow the bracket; a secant is exact once both
/// ends are on one linear piece. The search ends when the tangents at the ends prove the minimum.
pub fn segment_distance(core: &Core, base: DVec3, axis: DVec3) -> Closest {
    let sample = |s: f64| {
        let near = core.nearest(base + axis * s);
        let at = Closest { distance: near.distance, s, point: near.point, normal: near.normal };
        let size = if let Core::HalfSpace(..) = core { 1.0 } else { near.distance };
        Sample { at, half_slope: near.normal.dot(axis) * size }
    };
    let length = axis.length();
    let mut low = sample(0.0);
    if low.half_slope >= 0.0 || axis == DVec3::ZERO {
        return low.at;
    }
    let mut high = sample(1.0);
    if high.half_slope <= 0.0 {
        return high.at;
    }
    // Illinois method: an end that stays twice in a row counts half. Otherwise the secant
    // converges slowly from one side.
    let (mut low_weight, mut high_weight) = (1.0, 1.0);
    let mut bisect = false;
    for _ in 0..200 {
        let nearer = if low.at.distance < high.at.distance { low } else { high };
        let best = nearer.at;
        if best.distance < CROSSING {
            return Closest { distance: 0.0, normal: DVec3::ZERO, ..best };
        }
        let width = high.at.s - low.at.s;
        // The distance is flat at its minimum, so it converges long before the direction does.
        let lowest = best.distance - tangent_bound(&low, &high) <= 1e-14 + 1e-15 * best.distance;
        let perpendicular = nearer.half_slope.abs() <= 1e-12 * best.distance * length;
        let proven = lowest && perpendicular;
        if proven {
            return best;
        }
        let (a, b) = (low.half_slope * low_weight, high.half_slope * high_weight);
        let secant = low.at.s - a * width / (b - a);
        let inside = secant > low.at.s && secant < high.at.s;
        let s = if inside && !bisect { secant } else { low.at.s + 0.5 * width };
        if s <= low.at.s || s >= high.at.s {
            return best;
        }
        let next = sample(s);
        if next.half_slope == 0.0 {
            return next.at;
        }
        if next.half_slope < 0.0 {
            low = next;
            (low_weight, high_weight) = (1.0, high_weight * 0.5);
        } else {
            high = next;
            (low_weight, high_weight) = (low_weight * 0.5, 1.0);
        }
        // Secants converge slowly at a kink. One that does not halve the bracket is followed by a
        // bisection.
        bisect = high.at.s - low.at.s > 0.5 * width;
    }
    if low.at.distance < high.at.distance { low.at } else { high.at }
}

/// Height at which the tangents at both ends of the bracket meet: a lower bound of the distance.
fn tangent_bound(low: &Sample, high: &Sample) -> f64 {
    let falling = low.half_slope / low.at.distance;
    let rising = high.half_slope / high.at.distance;
    let width = high.at.s - low.at.s;
    let x = (high.at.distance - low.at.distance - rising * width) / (falling - rising);
    low.at.distance + falling * x
}

#[cfg(test)]
mod tests {
    use super::super::shape::OracleTriangle;
    use super::*;
    use glam::DMat3;

    #[test]
    fn crossed_segments_are_as_far_apart_as_their_lines() {
        let core = Core::Segment(DVec3::new(-3.0, 0.0, 0.0), DVec3::new(5.0, 0.0, 0.0));
        let found = segment_distance(&core, DVec3::new(1.0, -2.0, 3.0), DVec3::new(0.0, 6.0, 0.0));
        assert!((found.distance - 3.0).abs() < 1e-15 && (found.s - 1.0 / 3.0).abs() < 1e-15);
        assert!(found.normal.distance(DVec3::Z) < 1e-15);
    }

    #[test]
    fn a_piercing_axis_is_at_distance_zero() {
        let corners = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 3.0, 0.0)];
        let core = Core::Triangle(OracleTriangle::new(corners));
        let found = segment_distance(&core, DVec3::new(1.0, 0.5, -1.0), DVec3::new(0.1, 0.2, 3.0));
        assert_eq!(found.distance, 0.0);
    }

    #[test]
    fn an_axis_beside_a_box_edge() {
        // The box's edge x = 1, y = 2 and an axis along (4, −3, 0)/5 at distance 2 from it, at
        // height 0.
        let core = Core::Box(DVec3::ZERO, DMat3::IDENTITY, DVec3::new(1.0, 2.0, 3.0));
        let foot = DVec3::new(1.0, 2.0, 0.0) + DVec3::new(0.6, 0.8, 0.0) * 2.0;
        let along = DVec3::new(0.8, -0.6, 0.0);
        let found = segment_distance(&core, foot - along, along * 5.0);
        assert!((found.distance - 2.0).abs() < 1e-14, "{found:?}");
        assert!((found.s - 0.2).abs() < 1e-7, "{found:?}");
    }

    #[test]
    fn the_search_agrees_with_dense_sampling() {
        let mut rng = crate::Rng::new(&[7]);
        for _ in 0..500 {
            let core =
                Core::Triangle(OracleTriangle::new([rng.cube(3.0), rng.cube(3.0), rng.cube(3.0)]));
            let (base, axis) = (rng.cube(3.0), rng.cube(3.0));
            let found = segment_distance(&core, base, axis).distance;
            let sampled = (0..=2000)
                .map(|i| core.nearest(base + axis * (f64::from(i) / 2000.0)).distance)
                .fold(f64::INFINITY, f64::min);
            assert!(found <= sampled + 1e-15 && sampled - found < 3e-3, "{found} vs {sampled}");
        }
    }
}

//! Distances by convex minimisation: no normals of pairs, no roots, no cases of the solver.

use super::target::Target;
use capsweep::{Capsule, Obb};
use glam::DVec3;

/// Steps of a golden section: the bracket shrinks to 10⁻¹⁵ of its length.
const STEPS: usize = 72;

/// Where in 0..=1 a convex function is smallest, and its value there.
pub(crate) fn minimise(f: impl Fn(f64) -> f64) -> (f64, f64) {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = (0.0, f(0.0));
    let keep = |best: &mut (f64, f64), x: f64, value: f64| {
        if value < best.1 {
            *best = (x, value);
        }
    };
    keep(&mut best, 1.0, f(1.0));
    let (mut left, mut right) = (1.0 - RATIO, RATIO);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..STEPS {
        keep(&mut best, left, at_left);
        keep(&mut best, right, at_right);
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - RATIO * (high - low);
            at_left = f(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + RATIO * (high - low);
            at_right = f(right);
        }
    }
    best
}

/// Closest point of the segment `ab` to `p`.
pub(crate) fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    let squared = along.length_squared();
    if squared < 1e-280 {
        return a;
    }
    a + along * ((p - a).dot(along) / squared).clamp(0.0, 1.0)
}

/// Distance of `p` to the segment `ab`.
pub(crate) fn point_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    p.distance(on_segment(p, a, b))
}

/// Distance of `p` to the triangle: its edges, or the height over its face where `p` is over it.
pub(crate) fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let border = [(a, b), (b, c), (c, a)].map(|(from, to)| on_segment(p, from, to));
    let mut nearest = border[0];
    for candidate in border {
        if p.distance(candidate) < p.distance(nearest) {
            nearest = candidate;
        }
    }
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    if longest < 1e-100 {
        return p.distance(nearest);
    }
    let n = ((b - a) / longest).cross((c - a) / longest);
    if n.length() < 1e-12 {
        return p.distance(nearest);
    }
    let n = n.normalize();
    let inside = [(a, b), (b, c), (c, a)]
        .into_iter()
        .all(|(from, to)| (to - from).cross(p - from).dot(n) >= 0.0);
    // Measured from the nearest border point, so that a tilted normal of a sliver costs nothing.
    if inside { n.dot(p - nearest).abs() } else { p.distance(nearest) }
}

/// Distance of `p` to the solid box; 0 inside.
pub(crate) fn point_box(p: DVec3, solid: &Obb) -> f64 {
    let local = solid.axes().transpose() * (p - solid.center());
    let half = solid.half_extents().as_dvec3();
    (local.abs() - half).max(DVec3::ZERO).length()
}

/// Gap between the surfaces of `capsule`, moved by `offset`, and `target`; minus all radii where
/// the cores meet.
pub(crate) fn gap(capsule: &Capsule, offset: DVec3, target: &Target) -> f64 {
    let (p0, p1) = (capsule.p0() + offset, capsule.p1() + offset);
    let radius = f64::from(capsule.radius());
    if let Target::HalfSpace(plane) = target {
        let height = |p: DVec3| plane.normal().dot(p - plane.point());
        return height(p0).min(height(p1)) - radius;
    }
    let axis = p1 - p0;
    let (_, distance) = minimise(|s| target.core_distance(p0 + axis * s));
    distance - radius - target.radius()
}

/// The smallest gap over the whole motion: convex in the axis parameter and in time.
pub(crate) fn smallest_gap(capsule: &Capsule, motion: DVec3, target: &Target) -> f64 {
    minimise(|t| gap(capsule, motion * t, target)).1
}

/// Whether some translation shorter than `depth` by more than `margin` frees the capsule: it must
/// not.
pub(crate) fn shorter_way_out(
    capsule: &Capsule,
    target: &Target,
    depth: f64,
    margin: f64,
) -> Option<DVec3> {
    let length = depth - margin;
    if length <= 0.0 {
        return None;
    }
    directions(target)
        .into_iter()
        .find(|direction| gap(capsule, *direction * length, target) > 0.0)
}

/// A spread of unit vectors, and the target's own directions.
fn directions(target: &Target) -> Vec<DVec3> {
    let mut found = target.own_directions();
    for x in -3_i32..=3 {
        for y in -3_i32..=3 {
            for z in -3_i32..=3 {
                if x.abs().max(y.abs()).max(z.abs()) == 3 {
                    found.push(DVec3::new(x.into(), y.into(), z.into()).normalize());
                }
            }
        }
    }
    found
}

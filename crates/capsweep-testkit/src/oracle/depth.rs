//! Search for the minimum translation that frees a capsule.

use super::shape::Core;
use glam::DVec3;
use std::sync::LazyLock;

/// A translation that frees the capsule. The shortest is the minimum translation.
#[derive(Debug, Clone, Copy)]
pub struct PushOut {
    /// Length in metres: after it the two no longer overlap.
    pub depth: f64,
    /// Unit direction.
    pub direction: DVec3,
}

/// Directions spread evenly over the sphere, about 4° apart.
static SAMPLE_DIRECTIONS: LazyLock<Vec<DVec3>> = LazyLock::new(|| {
    const COUNT: u32 = 2048;
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    (0..COUNT)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(COUNT);
            let (sin, cos) = (golden * f64::from(i)).sin_cos();
            let ring = (1.0 - z * z).sqrt();
            DVec3::new(ring * cos, ring * sin, z)
        })
        .collect()
});

/// Finds a shortest translation that frees the axis `s·axis` from `core`, up to `reach` (sum of
/// the radii).
///
/// In direction `u` the two separate after `max u·q − min u·p + reach` metres. So every direction
/// gives an upper bound of the minimum translation. The search tries dense samples, the candidate
/// directions of the shapes, and a descent from the best of them.
///
/// Accuracy: the candidate directions (face normals, edge × axis) reach the minimum to rounding.
/// Samples and descent alone came within 5 µm of it in two of three pierced boxes and triangles,
/// and within 5 mm in nine of ten. They catch a wrong exit; the candidates give the last digits.
pub fn push_out(core: &Core, axis: DVec3, reach: f64) -> PushOut {
    let push_along = |direction: DVec3| {
        let lowest = direction.dot(axis).min(0.0);
        PushOut { depth: core.support(direction) - lowest + reach, direction }
    };
    let mut best = [PushOut { depth: f64::INFINITY, direction: DVec3::Z }; 3];
    let keep = |best: &mut [PushOut; 3], found: PushOut| {
        if found.depth < best[2].depth {
            best[2] = found;
            best.sort_by(|x, y| x.depth.total_cmp(&y.depth));
        }
    };
    if let Core::HalfSpace(_, normal) = core {
        return push_along(*normal);
    }
    for candidate in candidate_directions(core, axis) {
        if let Some(direction) = candidate.try_normalize() {
            keep(&mut best, push_along(direction));
            keep(&mut best, push_along(-direction));
        }
    }
    for direction in SAMPLE_DIRECTIONS.iter() {
        keep(&mut best, push_along(*direction));
    }
    let refined = best.map(|start| refine(&push_along, start));
    refined.into_iter().fold(best[0], |x, y| if y.depth < x.depth { y } else { x })
}

/// Normals of the core's faces, and directions perpendicular to one of its edges and to the axis.
fn candidate_directions(core: &Core, axis: DVec3) -> Vec<DVec3> {
    let perpendicular = |edges: &[DVec3]| {
        let mut all: Vec<_> = edges.iter().map(|e| e.cross(axis)).collect();
        all.extend(edges.iter().map(|e| e.any_orthogonal_vector()));
        all
    };
    match core {
        Core::Triangle(triangle) => {
            let [a, b, c] = triangle.corners;
            let mut all = perpendicular(&[b - a, c - b, a - c]);
            all.extend(triangle.normal());
            all
        }
        Core::Box(_, axes, _) => {
            let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
            let mut all = perpendicular(&columns);
            all.extend(columns);
            all
        }
        Core::Segment(a, b) => perpendicular(&[*b - *a, axis]),
        Core::Point(_) | Core::HalfSpace(..) => perpendicular(&[axis]),
    }
}

/// Descends over the sphere to the lowest of eight neighbours. The step shrinks if none is lower.
///
/// The depth has kinks, along which the descent is slow, so it stops after a fixed number of
/// rounds. Its result is a valid translation in any case.
fn refine(push_along: &impl Fn(DVec3) -> PushOut, start: PushOut) -> PushOut {
    let mut best = start;
    let mut step = 0.03;
    for _ in 0..48 {
        let (x, y) = best.direction.any_orthonormal_pair();
        let around = [x, -x, y, -y, x + y, x - y, y - x, -x - y];
        let lowest = around
            .into_iter()
            .map(|d| push_along((best.direction + d * step).normalize()))
            .fold(best, |a, b| if b.depth < a.depth { b } else { a });
        if lowest.depth < best.depth {
            best = lowest;
        } else {
            step *= 0.4;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::shape::OracleTriangle;
    use super::*;
    use glam::DMat3;

    #[test]
    fn an_axis_inside_a_box_leaves_through_the_nearest_face() {
        // Half extents 1×2×3, an upright axis through the centre, reach 0.25: out along x by
        // 1 + 0.25.
        let half = DVec3::new(1.0, 2.0, 3.0);
        let core = Core::Box(DVec3::new(0.0, 0.0, 0.5), DMat3::IDENTITY, half);
        let found = push_out(&core, DVec3::Z, 0.25);
        assert!((found.depth - 1.25).abs() < 1e-15 && found.direction.x.abs() > 0.999_999);
    }

    #[test]
    fn a_pierced_triangle_is_left_over_the_shorter_part_of_the_axis() {
        // A large floor at z = 0.25, the axis from 0 to 1: 0.25 below, 0.75 above.
        let corners = [[-50.0, -40.0, 0.25], [60.0, -40.0, 0.25], [0.0, 70.0, 0.25]];
        let core = Core::Triangle(OracleTriangle::new(corners.map(DVec3::from)));
        let found = push_out(&core, DVec3::Z, 0.5);
        assert!((found.depth - 0.75).abs() < 1e-14, "{found:?}");
        assert!(found.direction.z > 0.999_999, "{found:?}");
    }

    #[test]
    fn samples_and_descent_alone_come_within_a_millimetre_on_a_turned_box() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
        let core = Core::Box(DVec3::ZERO, turn, half);
        let push_along = |direction: DVec3| PushOut { depth: core.support(direction), direction };
        let sampled = SAMPLE_DIRECTIONS
            .iter()
            .map(|d| push_along(*d))
            .min_by(|x, y| x.depth.total_cmp(&y.depth))
            .expect("there are samples");
        assert!((refine(&push_along, sampled).depth - 1.0).abs() < 1e-3);
    }
}

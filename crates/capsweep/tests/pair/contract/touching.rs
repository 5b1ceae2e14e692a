//! Touching at the start: a hit if and only if the motion presses on.

use super::referee::well_formed;
use super::target::{
    Target, capsule, edge, half_space, rod, skew, solid, sphere, triangle, v, vertex,
};
use capsweep::{CONTACT_TOLERANCE, Capsule};
use glam::{DQuat, DVec3, Vec3};

/// Targets whose top is at z = 0 around the origin, and whose top normal there is +z.
fn tops() -> Vec<Target> {
    vec![
        triangle(v(-3.0, -2.0, 0.0), v(5.0, -2.0, 0.0), v(-3.0, 4.0, 0.0)),
        solid(v(0.5, -0.5, -1.0), Vec3::new(3.0, 2.0, 1.0), DQuat::IDENTITY),
        sphere(v(0.0, 0.0, -0.75), 0.75),
        rod(v(-3.0, 0.0, -0.25), v(2.0, 0.0, -0.25), 0.25),
        half_space(v(6.0, 7.0, 0.0), DVec3::Z),
        edge(v(-3.0, 0.0, 0.0), v(2.0, 0.0, 0.0)),
        vertex(DVec3::ZERO),
    ]
}

/// Capsules whose lowest point is `gap` over the origin: a sphere, upright, tilted and lying ones.
fn bodies(gap: f64) -> [Capsule; 4] {
    let low = v(0.0, 0.0, 0.5 + gap);
    let lying = v(0.25, 0.125, 0.0);
    [
        capsule(low, low, 0.5),
        capsule(low, low + DVec3::Z, 0.5),
        capsule(low + v(0.25, 0.5, 0.75), low, 0.5),
        capsule(low - lying, low + lying, 0.5),
    ]
}

#[test]
fn within_the_bound_it_is_a_hit_exactly_if_the_motion_presses_on() {
    for target in tops() {
        for gap in [0.0, 1e-6, -1e-6, 1.9e-6, -1.9e-6] {
            // Crossing axes have their own test: their normal is a quotient.
            let crossing = matches!(target, Target::Capsule(_) | Target::Segment(_));
            for body in bodies(gap).into_iter().take(if crossing { 3 } else { 4 }) {
                for pressing in [v(0.0, 0.0, -1.0), v(5.0, 1.0, -0.01), v(0.0, 0.0, -1e-9)] {
                    let hit = target.both(&body, pressing);
                    let hit =
                        hit.unwrap_or_else(|| panic!("{gap} {pressing} {body:?} {target:?}"));
                    well_formed(&body, pressing, &target, &hit);
                    assert_eq!((hit.time, hit.depth), (0.0, 0.0), "{gap} {body:?} {target:?}");
                    assert!(hit.normal.as_dvec3().distance(DVec3::Z) < 1e-5, "{hit:?}");
                    assert_eq!(target.front(&body, pressing), Some(hit));
                }
                for harmless in [
                    v(0.0, 0.0, 1.0),
                    v(10.0, 0.0, 0.0),
                    v(-10.0, 3.0, 0.0),
                    v(0.0, -1e-9, 0.0),
                    v(5.0, 1.0, 0.01),
                    v(0.0, 0.0, 1e-300),
                ] {
                    let hit = target.both(&body, harmless);
                    assert_eq!(hit, None, "{gap} {harmless} {body:?} {target:?}");
                    assert_eq!(target.front(&body, harmless), None);
                }
            }
        }
    }
}

#[test]
fn beyond_the_bound_it_is_an_overlap_or_a_later_hit() {
    for target in tops() {
        for body in bodies(-2.1e-6) {
            for motion in [v(0.0, 0.0, -1.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)] {
                let hit = target.both(&body, motion).expect("overlaps by 2.1 µm");
                assert!((hit.depth - 2.1e-6).abs() < 1e-8 && hit.time == 0.0, "{hit:?}");
            }
        }
        for gap in [2.1e-6, 3e-6, 1e-5] {
            for body in bodies(gap) {
                let hit = target.both(&body, v(0.0, 0.0, -1.0)).expect("2.1 µm or more below");
                assert!((hit.distance - gap).abs() < 1e-9 && hit.depth == 0.0, "{hit:?}");
                assert_eq!(target.both(&body, v(1.0, 0.0, 0.0)), None, "{gap} {target:?}");
                assert_eq!(target.both(&body, v(0.0, 0.0, 1.0)), None, "{gap} {target:?}");
            }
        }
    }
}

#[test]
fn resting_on_a_floor_and_walking_over_its_far_border_is_no_hit() {
    let floor = [v(-1.0, -2.0, 0.0), v(3.0, -2.0, 0.0), v(-1.0, 4.0, 0.0)];
    let [a, b, c] = floor;
    for target in [
        triangle(a, b, c),
        triangle(b, c, a),
        triangle(c, a, b),
        triangle(a, c, b),
        solid(v(0.0, 0.0, -1.0), Vec3::new(2.0, 1.5, 1.0), DQuat::IDENTITY),
        solid(DVec3::ZERO, Vec3::new(2.0, 1.5, 0.0), DQuat::IDENTITY),
        half_space(v(50.0, 60.0, 0.0), DVec3::Z),
    ] {
        for gap in [0.0, 1e-6, -1e-6, 3e-6, 1e-5] {
            for body in bodies(gap) {
                for motion in [v(10.0, 0.0, 0.0), v(-10.0, 1.0, 0.0), v(6.0, 8.0, 0.0)] {
                    assert_eq!(
                        target.both(&body, motion),
                        None,
                        "{gap} {motion} {body:?} {target:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn resting_on_a_turned_floor_and_walking_over_its_far_border_is_no_hit() {
    let turn = skew();
    let [a, b, c] = [v(-1.0, -2.0, 0.0), v(3.0, -2.0, 0.0), v(-1.0, 4.0, 0.0)].map(|p| turn * p);
    let normal = (b - a).cross(c - a).normalize();
    for target in [
        triangle(a, b, c),
        triangle(a, c, b),
        solid(turn * v(0.0, 0.0, -1.0), Vec3::new(2.0, 1.5, 1.0), turn),
        half_space(turn * v(5.0, 6.0, 0.0), turn * DVec3::Z),
    ] {
        for gap in [3e-6, 1e-5] {
            let low = normal * (0.5 + gap);
            for axis in [DVec3::ZERO, normal, turn * v(0.25, 0.125, 0.5)] {
                let body = capsule(low, low + axis, 0.5);
                for motion in [v(10.0, 0.0, 0.0), v(-10.0, 1.0, 0.0), v(6.0, 8.0, 0.0)] {
                    let motion = turn * motion;
                    assert_eq!(
                        target.both(&body, motion),
                        None,
                        "{gap} {motion} {body:?} {target:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sliding_along_a_wall_while_standing_on_a_floor_hits_neither() {
    let floor = triangle(v(-20.0, -20.0, 0.0), v(60.0, -20.0, 0.0), v(-20.0, 60.0, 0.0));
    let wall = triangle(v(0.5, -20.0, -1.0), v(0.5, 1.0, 9.0), v(0.5, 30.0, -1.0));
    let body = capsule(v(0.0, 0.0, 0.5), v(0.0, 0.0, 1.5), 0.5);
    for target in [floor, wall] {
        assert_eq!(target.both(&body, v(0.0, 10.0, 0.0)), None);
        assert_eq!(target.both(&body, v(0.0, -10.0, 0.0)), None);
    }
    assert!(wall.both(&body, v(1e-6, 10.0, 0.0)).is_some_and(|hit| hit.time == 0.0));
}

#[test]
fn touching_an_edge_or_a_corner_from_beside_counts_by_the_contact_normal() {
    let floor = triangle(v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 3.0, 0.0));
    // Distance 5/8 by (3, 4)/8: exact.
    let beside_edge = capsule(v(1.0, -0.375, 0.5), v(1.0, -0.375, 2.0), 0.625);
    let corner = capsule(v(-0.375, 0.0, 0.5), v(-0.375, 0.0, 0.5), 0.625);
    for (body, out) in [(beside_edge, v(0.0, -0.6, 0.8)), (corner, v(-0.6, 0.0, 0.8))] {
        let hit = floor.both(&body, out * -1e-3).expect("presses on");
        assert_eq!((hit.time, hit.depth), (0.0, 0.0));
        assert!(hit.normal.as_dvec3().distance(out) < 1e-6);
        assert_eq!(floor.both(&body, out), None);
        let across = out.cross(v(out.y, -out.x, 0.0)).normalize();
        assert_eq!(floor.both(&body, across + out * 1e-3), None, "receding");
        assert!(floor.both(&body, across - out * 1e-3).is_some_and(|hit| hit.time == 0.0));
    }
    const { assert!(CONTACT_TOLERANCE == 2e-6) };
}

#[test]
fn sliding_along_a_rod_that_the_axis_crosses_is_no_hit() {
    // Heights, radii and the crossing point are exact, so is n = +z, and the motion has no z at
    // all.
    let along = rod(v(-3.0, 0.0, -0.25), v(2.0, 0.0, -0.25), 0.25);
    let low = v(0.0, 0.0, 0.5);
    for half in [v(0.25, 0.125, 0.0), v(0.0, 0.5, 0.0), v(0.5, 0.75, 0.0), v(-0.25, 0.375, 0.0)] {
        let body = capsule(low - half, low + half, 0.5);
        for motion in [v(10.0, 0.0, 0.0), v(-10.0, 3.0, 0.0), v(0.0, -1.0, 0.0), half] {
            assert_eq!(along.both(&body, motion), None, "{motion} {body:?}");
            assert_eq!(along.both(&body, -motion), None, "-{motion} {body:?}");
        }
        assert!(along.both(&body, v(1.0, 1.0, -1e-3)).is_some_and(|hit| hit.time == 0.0));
    }
}

/// Such a capsule is within the bound of touching, yet its axis is too near to the face for a
/// direction.
#[test]
fn a_capsule_thinner_than_the_bound_that_reaches_through_a_face_overlaps_it() {
    let floor = triangle(v(-50.0, -50.0, 0.0), v(50.0, -50.0, 0.0), v(0.0, 80.0, 0.0));
    for (low, radius, depth) in
        [(-2e-7, 5e-7_f32, 7e-7), (2e-7, 5e-7, 3e-7), (-5e-7, 1e-7, 6e-7), (2e-7, 1.1e-6, 9e-7)]
    {
        let body = capsule(v(0.0, 0.0, low), v(0.0, 0.0, 1.0), radius);
        let overlap = floor.overlap(&body).unwrap_or_else(|| panic!("{low} {radius}"));
        assert!((overlap.depth - depth).abs() < 1e-12, "{low} {radius}: {overlap:?}");
        let down = floor.front(&body, v(0.0, 0.0, -1e-3));
        let down = down.unwrap_or_else(|| panic!("{low} {radius}: nothing"));
        assert_eq!(down.depth, overlap.depth, "{low} {radius}");
    }
}

#[test]
fn an_end_that_touches_the_inside_of_a_face_has_the_normal_of_its_plane() {
    let front = v(0.3, -0.4, 0.8).normalize();
    let (u, w) = (front.any_orthonormal_vector(), front.cross(front.any_orthonormal_vector()));
    let face = triangle(u * -3.0 - w * 2.0, u * 4.0 - w * 2.0, w * 3.0);
    for gap in [0.0, 4e-7, -4e-7, 9e-7, -9e-7, 1.1e-6, -1.1e-6, 1.9e-6, -1.9e-6] {
        let low = u * 0.2 + front * (0.5 + gap);
        let body = capsule(low, low + v(0.1, 0.2, 1.0), 0.5);
        for motion in [-front, u - front * 0.01, front * -1e-9] {
            let hit = face.front(&body, motion).unwrap_or_else(|| panic!("{gap} {motion}"));
            assert_eq!((hit.time, hit.depth), (0.0, 0.0));
            assert!(hit.normal.as_dvec3().distance(front) < 2e-7, "{gap} {motion}: {hit:?}");
            assert_eq!(hit.feature, capsweep::Feature::Face);
        }
        for motion in [front, u, u + front * 0.01, w * 1e-9] {
            // Along the face within the resolution of f64.
            let level = motion - front * front.dot(motion).min(0.0);
            assert_eq!(face.front(&body, level), None, "{gap} {motion}");
        }
    }
}

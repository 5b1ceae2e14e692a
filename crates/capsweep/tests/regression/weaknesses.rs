//! Where the capsule sweeps of a widely used engine go wrong by design; capsweep's do not.
//!
//! Each weakness has a number, W1 to W12. W7 and W8 are about speed and need no test.

use crate::{assert_direction, assert_near, capsule, motion, sphere_capsule, triangle};
use capsweep::{
    CONTACT_TOLERANCE, Capsule, Feature, HalfSpace, Obb, Sides, Sphere, Triangle,
    closest_capsule_triangle, overlap_capsule_triangle, sweep_capsule_box, sweep_capsule_capsule,
    sweep_capsule_half_space, sweep_capsule_sphere, sweep_capsule_triangle,
};
use glam::{DQuat, DVec3, dvec3, vec3};

fn reversed(target: &Triangle) -> Triangle {
    let [a, b, c] = target.vertices();
    Triangle::new(a, c, b).unwrap()
}

/// W1: from behind, the engine takes the far cap of the prism: late by up to the projected axis.
#[test]
fn w1_a_back_face_is_hit_as_early_as_a_front_face() {
    let mover = capsule([0.3, -0.2, 3.0], [1.1, 0.4, 4.5], 0.4);
    let front = triangle([[-9.0, -7.0, 0.5], [8.0, -6.0, -0.5], [1.0, 9.0, 0.3]]);
    for way in [[0.2, -0.3, -6.0], [-1.5, 0.5, -5.0], [0.0, 0.0, -7.0]].map(motion) {
        let seen = sweep_capsule_triangle(&mover, &way, &front, Sides::Both).unwrap();
        let behind = sweep_capsule_triangle(&mover, &way, &reversed(&front), Sides::Both);
        assert_near(behind.map(|hit| hit.time), seen.time, 1e-12);
        assert!(behind.unwrap().normal.distance(seen.normal) < 1e-6);
        assert!(behind.unwrap().face_normal.distance(seen.face_normal) < 1e-6);
    }
}

/// W2: the engine skips a triangle that is edge-on to the motion, with its borders.
#[test]
fn w2_the_border_of_a_sheet_seen_edge_on_is_hit() {
    let sheet = triangle([[2.0, -3.0, 0.0], [2.0, 4.0, 0.0], [9.0, 0.5, 0.0]]);
    let way = motion([5.0, 0.0, 0.0]);
    let ball = sphere_capsule([0.0, 0.0, 0.1], 0.5);
    // The ball's centre is 0.1 above the sheet: it meets the border √(0.5² − 0.1²) before it.
    let hit = sweep_capsule_triangle(&ball, &way, &sheet, Sides::Both);
    assert_near(hit.map(|hit| hit.distance), 2.0 - 0.24_f64.sqrt(), 1e-9);
    assert_eq!(hit.unwrap().feature, Feature::Edge(0));
    let lying = capsule([-1.0, 0.3, 0.0], [0.0, 0.3, 0.0], 0.5);
    let hit = sweep_capsule_triangle(&lying, &way, &sheet, Sides::Both);
    assert_near(hit.map(|hit| hit.distance), 1.5, 1e-12);
    // `Front` skips faces that do not oppose the motion: the sign alone decides.
    assert_eq!(sweep_capsule_triangle(&ball, &way, &sheet, Sides::Front), None);
    assert_eq!(sweep_capsule_triangle(&lying, &way, &sheet, Sides::Front), None);
}

/// W3: triangles with legs below 3.1 mm are invisible to spheres and to axial drops.
#[test]
fn w3_small_triangles_are_hit_head_on() {
    for leg in [3e-3, 1e-3, 1e-5, 1e-8] {
        let target = triangle([[0.0, 0.0, 0.0], [leg, 0.0, 0.0], [0.0, leg, 0.0]]);
        let way = motion([0.0, 0.0, -3.0]);
        let (x, y) = (leg * 0.3, leg * 0.4);
        for top in [2.0, 3.0] {
            let mover = capsule([x, y, 2.0], [x, y, top], 0.5);
            let hit = sweep_capsule_triangle(&mover, &way, &target, Sides::Front);
            assert_near(hit.map(|hit| hit.distance), 1.5, 1e-9);
            assert_direction(hit.unwrap().normal, [0.0, 0.0, 1.0]);
        }
    }
}

/// W4: moving along its axis, a capsule misses overlaps behind the leading hemisphere.
#[test]
fn w4_overlap_is_seen_anywhere_along_an_axial_motion() {
    let floor = triangle([[-6.0, -5.0, 0.0], [7.0, -4.0, 0.0], [0.5, 8.0, 0.0]]);
    for height in [-2.4, -2.0, -1.5, -1.0, -0.5, 0.0, 0.4] {
        let mover = capsule([0.0, 0.0, height], [0.0, 0.0, height + 2.0], 0.5);
        let down = motion([0.0, 0.0, -1.0]);
        let hit = sweep_capsule_triangle(&mover, &down, &floor, Sides::Front).unwrap();
        assert_eq!((hit.time, hit.distance), (0.0, 0.0));
        // Out is up past the lower end or down past the upper one, whichever is nearer.
        let exact = (0.5 - height).min(height + 2.5);
        assert_near(Some(hit.depth), exact, 1e-9);
    }
}

/// W5: three code paths disagree on what starts overlapping, for example at a border that faces
/// away.
#[test]
fn w5_every_query_agrees_on_what_overlaps() {
    let target = triangle([[0.0, -3.0, 0.0], [0.0, 4.0, 0.0], [-6.0, 0.5, 0.0]]);
    // Leaning on the border x = 0 from outside and moving away from it, down into the front.
    for reach in [0.2, 0.399, 0.399_997, 0.400_001, 0.5] {
        let mover = capsule([reach, 0.1, 0.0], [reach, 0.1, 1.0], 0.4);
        let radius = f64::from(mover.radius());
        let overlaps = reach < radius - CONTACT_TOLERANCE;
        assert_eq!(overlap_capsule_triangle(&mover, &target).is_some(), overlaps);
        assert_eq!(
            closest_capsule_triangle(&mover, &target).distance < -CONTACT_TOLERANCE,
            overlaps
        );
        for way in [[1.0, 0.0, -0.001], [0.5, 0.0, -1.0]].map(motion) {
            for sides in [Sides::Front, Sides::Both] {
                let hit = sweep_capsule_triangle(&mover, &way, &target, sides);
                assert_eq!(hit.is_some_and(|hit| hit.starts_overlapping()), overlaps);
            }
        }
    }
}

/// W6: overlapping a sphere or a capsule, the normal is the direction of the motion.
#[test]
fn w6_the_normal_of_an_overlap_pushes_out_of_every_shape() {
    let mover = capsule([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.4);
    let way = motion([1.0, 0.0, 0.0]);
    let ball = Sphere::new(dvec3(0.5, 0.0, 0.5), 0.3).unwrap();
    let rod = capsule([0.5, -2.0, 0.5], [0.5, 3.0, 0.5], 0.3);
    let slab = Obb::axis_aligned(dvec3(0.7, 0.0, 0.5), vec3(0.5, 2.0, 3.0)).unwrap();
    let solid = HalfSpace::new(dvec3(0.2, 0.0, 0.0), DVec3::NEG_X).unwrap();
    let hits = [
        (sweep_capsule_sphere(&mover, &way, &ball, Sides::Front), 0.2),
        (sweep_capsule_capsule(&mover, &way, &rod, Sides::Front), 0.2),
        (sweep_capsule_box(&mover, &way, &slab, Sides::Front), 0.2),
        (sweep_capsule_half_space(&mover, &way, &solid, Sides::Front), 0.2),
    ];
    for (hit, depth) in hits {
        assert_near(hit.map(|hit| hit.depth), depth, 1e-7);
        assert_direction(hit.unwrap().normal, [-1.0, 0.0, 0.0]);
    }
}

/// W9: an absolute millimetre decides ties, whatever the unit of length.
#[test]
fn w9_a_scene_in_other_units_gives_the_same_answer() {
    let mover = |scale: f64| {
        capsule([0.0, 0.0, 2.0 * scale], [0.1 * scale, 0.0, 3.0 * scale], (0.4 * scale) as f32)
    };
    let target = |scale: f64| {
        let vertices = [[-4.0, -3.0, 0.1], [5.0, -2.0, -0.3], [0.5, 6.0, 0.2]];
        triangle(vertices.map(|vertex| vertex.map(|x| x * scale)))
    };
    let way = |scale: f64| motion([0.5 * scale, 0.2 * scale, -4.0 * scale]);
    let exact =
        sweep_capsule_triangle(&mover(1.0), &way(1.0), &target(1.0), Sides::Front).unwrap();
    for power in -6..=6 {
        let scale = 2_f64.powi(power);
        let hit = sweep_capsule_triangle(&mover(scale), &way(scale), &target(scale), Sides::Front);
        assert_near(hit.map(|hit| hit.time), exact.time, 1e-9);
        assert_eq!(hit.unwrap().feature, exact.feature);
    }
}

/// W10: on triangles of 100 m and more the normal is up to 84° off.
#[test]
fn w10_normals_hold_on_big_triangles() {
    for size in [1e2, 1e3, 4e3] {
        let target =
            triangle([[-size, -size, 0.0], [size, -0.9 * size, 0.0], [0.1 * size, size, 0.0]]);
        for (x, y) in [(0.0, 0.0), (0.3, -0.6), (-0.4, -0.7)] {
            let (x, y) = (x * size, y * size);
            let mover = capsule([x, y, 3.0], [x + 0.3, y - 0.2, 4.0], 0.4);
            let way = motion([7.0, -5.0, -4.0]);
            let hit = sweep_capsule_triangle(&mover, &way, &target, Sides::Front);
            assert_near(hit.map(|hit| hit.time), (3.0 - f64::from(0.4_f32)) / 4.0, 1e-12);
            assert!((f64::from(hit.unwrap().normal.z) - 1.0).abs() < 1e-6);
        }
    }
}

/// W11: resting exactly on a floor and moving along it, a capsule hits the floor's far border.
#[test]
fn w11_a_tangential_motion_in_touch_hits_nothing() {
    let floor = triangle([[-2.0, -3.0, 0.0], [2.5, -2.0, 0.0], [0.5, 4.0, 0.0]]);
    for gap in [0.0, 1e-6, -1e-6, 3e-6, 1e-4] {
        let mover = capsule([0.0, 0.0, 0.5 + gap], [0.0, 0.0, 1.5 + gap], 0.5);
        let lying = capsule([0.0, 0.0, 0.5 + gap], [0.7, 0.3, 0.5 + gap], 0.5);
        for way in [[10.0, 0.0, 0.0], [0.0, -10.0, 0.0], [-7.0, 7.0, 0.0]].map(motion) {
            for sides in [Sides::Front, Sides::Both] {
                assert_eq!(sweep_capsule_triangle(&mover, &way, &floor, sides), None);
                assert_eq!(sweep_capsule_triangle(&lying, &way, &floor, sides), None);
            }
        }
    }
}

/// W12: push-out depends on the world's axes, and fails with the centre behind the surface.
#[test]
fn w12_push_out_turns_with_the_scene_and_sees_behind_the_surface() {
    let vertices = [[-3.0, -2.5, 0.0], [4.0, -2.0, 0.0], [0.5, 3.0, 0.0]].map(DVec3::from);
    for rise in [0.6, 0.2, -0.3, -0.9] {
        let ends = [dvec3(0.1, 0.2, rise), dvec3(0.4, 0.1, rise + 1.0)];
        let depth_of = |turn: DQuat| {
            let [a, b, c] = vertices.map(|vertex| turn * vertex);
            let [p0, p1] = ends.map(|end| turn * end);
            let mover = Capsule::new(p0, p1, 0.7).unwrap();
            let target = Triangle::new(a, b, c).unwrap();
            let overlap = overlap_capsule_triangle(&mover, &target).unwrap();
            (overlap.depth, turn.inverse() * overlap.normal.as_dvec3())
        };
        let (depth, normal) = depth_of(DQuat::IDENTITY);
        for (axis, angle) in [(DVec3::X, 0.7), (dvec3(1.0, 2.0, -0.5), 2.1), (DVec3::Y, 3.0)] {
            let (turned, direction) = depth_of(DQuat::from_axis_angle(axis.normalize(), angle));
            assert_near(Some(turned), depth, 1e-7);
            assert!(direction.distance(normal) < 1e-6);
        }
        // Past the lower end upwards, or past the upper end downwards.
        let exact = (0.7 - rise).min(rise + 1.0 + 0.7);
        assert_near(Some(depth), exact, 1e-6);
    }
}

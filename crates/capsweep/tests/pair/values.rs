//! Sweeps and overlaps by value, where a wrong shortcut or a wrong bound would show.

use capsweep::{
    Capsule, Feature, Motion, Point, Sides, Sphere, Triangle, sweep_capsule_point,
    sweep_capsule_sphere, sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3};

/// The direction between the closest points is uncertain on a radius of 10 µm, kilometres from the
/// corners. The plane's normal is not.
#[test]
fn a_thin_capsule_gets_the_normal_of_the_face_that_it_lands_on() {
    let mut rng = Rng::new(&[2101]);
    let mut hits = 0;
    for _ in 0..500 {
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let [a, b, c] = [(-1500.0, -1500.0), (2500.0, -1000.0), (-500.0, 2000.0)]
            .map(|(x, y)| turn * dvec3(x, y, 0.0));
        let triangle = Triangle::new(a, b, c).unwrap();
        let (normal, low) = (turn * DVec3::Z, turn * dvec3(rng.range(-99.0, 99.0), 7.0, 1.0));
        let thin = Capsule::new(low, low + normal, 1e-5).unwrap();
        let way = Motion::new(normal * -2.0 + turn * DVec3::X * rng.range(-1.0, 1.0)).unwrap();
        let hit = sweep_capsule_triangle(&thin, &way, &triangle, Sides::Front).unwrap();
        assert_eq!(hit.feature, Feature::Face);
        assert_eq!(Some(hit.normal), triangle.normal(), "{triangle:?}");
        assert_eq!(hit.normal, hit.face_normal);
        hits += 1;
    }
    assert_eq!(hits, 500);
}

/// Near a graze, rounding turns some normals along the motion. They are corrected, and the face's
/// normal with them.
#[test]
fn a_corrected_normal_is_the_faces_normal_too() {
    let mut rng = Rng::new(&[2102]);
    let mut corrected = 0;
    for _ in 0..2000 {
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let corner = |x: f64, y: f64| turn * dvec3(x, y, 0.0);
        let triangle =
            Triangle::new(corner(-99.0, -99.0), corner(99.0, -99.0), corner(0.0, 99.0)).unwrap();
        let start = turn * dvec3(0.0, 0.0, 0.5 + 1e-8);
        let ball = Capsule::new(start, start, 0.5).unwrap();
        let way = Motion::new(turn * dvec3(3.0, 1.0, -3e-8)).unwrap();
        let Some(hit) = sweep_capsule_triangle(&ball, &way, &triangle, Sides::Front) else {
            continue;
        };
        assert!(hit.normal.as_dvec3().dot(way.vector()) <= 0.0);
        assert_eq!(hit.normal, hit.face_normal);
        corrected += u32::from(Some(hit.normal) != triangle.normal());
    }
    assert!(corrected > 100, "{corrected}");
}

/// Gaps just above the tolerance: the motion closes them by a hundredth more than it must.
#[test]
fn a_gap_of_a_few_micrometres_that_the_motion_closes_is_a_hit() {
    let corner = |x: f64, y: f64| dvec3(x, y, 0.0);
    let triangle = Triangle::new(corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0)).unwrap();
    let sphere = Sphere::new(DVec3::ZERO, 0.25).unwrap();
    for gap in [2.1e-6, 2.5e-6, 3e-6, 4e-6, 1e-5, 1e-4] {
        for (closed, hits) in [(1.01, true), (0.9, false)] {
            let motion = Motion::new(dvec3(gap * closed, 0.0, 0.0)).unwrap();
            let at = |x: f64, radius: f32| {
                let foot = dvec3(-f64::from(radius) - x - gap, 1.0, -0.5);
                Capsule::new(foot, foot + DVec3::Z, radius).unwrap()
            };
            // The side of the capsule against the edge x = 0.
            let edge = sweep_capsule_triangle(&at(0.0, 0.5), &motion, &triangle, Sides::Both);
            assert_eq!(edge.is_some(), hits, "edge, {gap} {closed}");
            // Its side against a sphere.
            let ball = at(0.25, 0.5).translated(dvec3(0.0, -1.0, 0.0)).unwrap();
            let round = sweep_capsule_sphere(&ball, &motion, &sphere, Sides::Both);
            assert_eq!(round.is_some(), hits, "sphere, {gap} {closed}");
            // A sphere against a vertex, along the diagonal.
            let away = dvec3(-1.0, -1.0, 0.0).normalize();
            let foot = away * (0.5 + gap);
            let ball = Capsule::new(foot, foot, 0.5).unwrap();
            let motion = Motion::new(away * (-gap * closed)).unwrap();
            let vertex = sweep_capsule_triangle(&ball, &motion, &triangle, Sides::Both);
            assert_eq!(vertex.is_some(), hits, "vertex, {gap} {closed}");
        }
    }
}

/// A point beside the capsule: the normal is exactly level, and known to 8 roundings of the
/// coordinates over the distance. A motion presses from 10⁻¹² plus that on.
#[test]
fn a_touch_is_pressed_from_the_slope_that_its_normal_is_known_to() {
    for (half, radius) in [(0.0, 0.5), (1.0, 0.5), (1024.0, 0.5), (1024.0, 1.0 / 128.0)] {
        for (half, radius) in [(half, radius), (half, 64.0 * radius)] {
            let capsule = Capsule::new(dvec3(0.0, 0.0, -half), dvec3(0.0, 0.0, half), radius);
            let (capsule, distance) = (capsule.unwrap(), f64::from(radius));
            let touched = dvec3(distance, 0.0, 0.75 * half);
            let size = 0.75 * half + touched.length();
            let known = 1e-12 + 8.0 * f64::EPSILON * size / distance;
            for length in [1.0 / 1024.0, 1.0, 1000.0] {
                let hit = |slope: f64| {
                    let motion = Motion::new(dvec3(slope, 1.0, 0.0) * length).unwrap();
                    let point = Point::new(touched).unwrap();
                    sweep_capsule_point(&capsule, &motion, &point)
                };
                let what = format!("{half} {radius} {length}");
                for slope in [-known, 0.0, 0.1 * known, 0.9 * known] {
                    assert_eq!(hit(slope), None, "{what}: {slope}");
                }
                for slope in [1.1 * known, 10.0 * known, 0.1] {
                    let time = hit(slope).map(|hit| (hit.time, hit.depth));
                    assert_eq!(time, Some((0.0, 0.0)), "{what}: {slope}");
                }
            }
        }
    }
}

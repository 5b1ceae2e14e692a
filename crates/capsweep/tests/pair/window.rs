//! The vertical window of rule 3.3: it drops triangles, and never one that the sweep touches.

use capsweep::scene::VerticalWindow;
use capsweep::{Capsule, Motion, ShapeError, Sides, Triangle, sweep_capsule_triangle};
use capsweep_testkit::literal;
use capsweep_testkit::{Family, Pair, Rng, TargetShape, generate};
use glam::{DVec3, dvec3};

#[test]
fn the_window_drops_nothing_that_the_sweep_touches() {
    let (mut hits, mut dropped) = (0, 0);
    for family in Family::ALL {
        let mut rng = Rng::new(&[9]);
        for index in 0..4_000 {
            let case = generate(Pair::Triangle, family, 21, index);
            let TargetShape::Triangle(triangle) = case.target else {
                panic!("asked for triangles")
            };
            let up = match index % 3 {
                0 => DVec3::Z,
                1 => rng.direction() * rng.log_range(1e-3, 1e3),
                _ => case.motion.direction().unwrap_or(DVec3::Y) * rng.sign(),
            };
            let step_down = if rng.chance(0.5) { 0.0 } else { rng.range(0.0, 0.5) };
            let window = VerticalWindow::new(&case.capsule, &case.motion, up, step_down).unwrap();
            let hit = sweep_capsule_triangle(&case.capsule, &case.motion, &triangle, Sides::Both);
            let keeps = window.keeps(&triangle);
            assert!(keeps || hit.is_none(), "{family:?} {index}: {hit:?} of {window:?}");
            hits += usize::from(hit.is_some());
            dropped += usize::from(!keeps);
        }
    }
    assert!(hits > 10_000 && dropped > 4_000, "{hits} hit, {dropped} dropped");
}

/// As low as the end of a sweep at 10⁹ m, where f64 resolves 0.1 µm.
#[test]
fn the_window_holds_at_the_end_of_the_world() {
    let mut rng = Rng::new(&[31]);
    let mut hits = 0;
    for _ in 0..2_000 {
        let far = dvec3(rng.sign(), rng.sign(), rng.sign()) * (1e9 - 100.0);
        let up = rng.direction();
        let capsule = Capsule::new(far, far + rng.cube(1.0), 0.4).unwrap();
        let motion = Motion::new(rng.direction() * rng.range(0.0, 30.0)).unwrap();
        let at = far + motion.vector() * rng.range(0.9, 1.1);
        let corners = [at + rng.cube(1.0), at + rng.cube(1.0), at + rng.cube(1.0)];
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let window = VerticalWindow::new(&capsule, &motion, up, 0.0).unwrap();
        if sweep_capsule_triangle(&capsule, &motion, &triangle, Sides::Both).is_some() {
            assert!(window.keeps(&triangle));
            hits += 1;
        }
    }
    assert!(hits > 500, "{hits}");
}

fn level_at(z: f64) -> Triangle {
    Triangle::new(dvec3(-90.0, -70.0, z), dvec3(110.0, -80.0, z), dvec3(10.0, 130.0, z)).unwrap()
}

/// The rule's own window misses both: a floor 10 m down, and a ledge at the end of a long climb at
/// 20°.
#[test]
fn the_window_holds_all_of_a_long_fall_and_of_a_long_climb() {
    let capsule = Capsule::from_feet(dvec3(0.0, 0.0, 10.0), DVec3::Z, 0.4, 1.8).unwrap();
    // Cosine and sine of 20°.
    let climb = dvec3(0.939_692_620_785_908_4, 0.0, 0.342_020_143_325_668_7);
    for (direction, distance, height) in [(DVec3::NEG_Z, 12.0, 0.0), (climb, 20.0, 17.0)] {
        let motion = Motion::along(direction, distance).unwrap();
        let hit = sweep_capsule_triangle(&capsule, &motion, &level_at(height), Sides::Both);
        assert!(hit.is_some());
        let literal = literal::VerticalWindow::new(&capsule, direction, distance, 0.3);
        assert!(!literal.keeps(&level_at(height)));
        let window = VerticalWindow::new(&capsule, &motion, DVec3::Z, 0.3).unwrap();
        assert!(window.keeps(&level_at(height)));
    }
}

#[test]
fn the_window_is_at_least_the_rules_and_five_centimetres_wider_than_the_sweep() {
    let capsule = Capsule::from_feet(dvec3(3.0, 4.0, 10.0), DVec3::Z, 0.375, 1.75).unwrap();
    let window = |motion: DVec3, step_down: f64| {
        let motion = Motion::new(motion).unwrap();
        let window = VerticalWindow::new(&capsule, &motion, DVec3::Z * 7.0, step_down).unwrap();
        assert_eq!(window.up(), DVec3::Z);
        [window.min(), window.max()]
    };
    assert_eq!(window(DVec3::ZERO, 2.0), [10.0 - 0.05, 11.75 + 0.05]);
    assert_eq!(window(dvec3(4.0, 0.0, 0.0), 2.0), [10.0 - 0.05, 11.75 + 0.05]);
    // A step of 2 m on a steep descent, unless the descent is longer.
    assert_eq!(window(dvec3(0.0, 0.0, -1.0), 2.0), [8.0 - 0.05, 11.75 + 0.05]);
    assert_eq!(window(dvec3(0.0, 0.0, -4.0), 2.0), [6.0 - 0.05, 11.75 + 0.05]);
    assert_eq!(window(dvec3(4.0, 0.0, -1.0), 2.0), [9.0 - 0.05, 11.75 + 0.05]);
    // The whole length on a steep climb, the rise on others.
    assert_eq!(window(dvec3(3.0, 0.0, 4.0), 2.0), [10.0 - 0.05, 16.75 + 0.05]);
    assert_eq!(window(dvec3(4.0, 0.0, 1.0), 2.0), [10.0 - 0.05, 12.75 + 0.05]);
}

#[test]
fn a_window_needs_an_up_and_a_step() {
    let capsule = Capsule::new(DVec3::ZERO, DVec3::Z, 0.4).unwrap();
    let window =
        |up, step_down| VerticalWindow::new(&capsule, &Motion::ZERO, up, step_down).unwrap_err();
    assert!(matches!(window(DVec3::ZERO, 0.1), ShapeError::NoDirection { field: "up", .. }));
    assert!(matches!(window(DVec3::Z, -0.1), ShapeError::Negative { field: "step_down", .. }));
    assert!(matches!(window(DVec3::Z, f64::NAN), ShapeError::NotFinite { .. }));
}

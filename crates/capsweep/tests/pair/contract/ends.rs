//! The end of the motion is inclusive.

use super::referee::judge;
use super::target::{
    Target, capsule, edge, half_space, rod, skew, solid, sphere, triangle, v, vertex,
};
use capsweep::Capsule;
use glam::{DQuat, DVec3, Vec3};

/// Target, capsule, direction of motion and the exact distance at which they touch.
fn approaches(turn: DQuat, shift: DVec3) -> Vec<(Target, Capsule, DVec3, f64)> {
    let at = |x, y, z| turn * v(x, y, z) + shift;
    let down = turn * -DVec3::Z;
    let person = |x, y| capsule(at(x, y, 2.5), at(x + 0.25, y, 4.0), 0.5);
    let lying = capsule(at(0.5, 0.25, 2.5), at(1.5, 0.5, 2.5), 0.5);
    let floor = triangle(at(-1.0, -2.0, 0.0), at(6.0, -2.0, 0.0), at(-1.0, 5.0, 0.0));
    let block = solid(at(1.0, 0.5, -0.5), Vec3::new(3.0, 2.0, 0.5), turn);
    // Beside an edge by 3/8 with radius 5/8, the contact is 1/2 higher.
    let beside = |y: f64| capsule(at(1.0, y - 0.375, 3.0), at(1.0, y - 0.375, 4.0), 0.625);
    let corner = capsule(at(-1.375, -2.0, 3.0), at(-1.375, -2.0, 3.0), 0.625);
    vec![
        (floor, person(0.5, 0.5), down, 2.0),
        (floor, lying, down, 2.0),
        (floor, beside(-2.0), down, 2.5),
        (floor, corner, down, 2.5),
        (block, person(0.5, 0.5), down, 2.0),
        (block, lying, down, 2.0),
        (block, beside(-1.5), down, 2.5),
        (sphere(at(0.5, 0.5, -0.75), 0.75), person(0.5, 0.5), down, 2.0),
        (rod(at(-2.0, 0.5, -0.25), at(3.0, 0.5, -0.25), 0.25), person(0.5, 0.5), down, 2.0),
        (half_space(at(9.0, 9.0, 0.0), turn * DVec3::Z), person(0.5, 0.5), down, 2.0),
        (half_space(at(9.0, 9.0, 0.0), turn * DVec3::Z), lying, down, 2.0),
        (edge(at(-2.0, 0.5, 0.0), at(3.0, 0.5, 0.0)), person(0.5, 0.5), down, 2.0),
        (edge(at(-2.0, -2.0, 0.0), at(3.0, -2.0, 0.0)), beside(-2.0), down, 2.5),
        (edge(at(-1.0, -2.0, 0.0), at(3.0, -2.0, 0.0)), corner, down, 2.5),
        (vertex(at(0.5, 0.5, 0.0)), person(0.5, 0.5), down, 2.0),
        (vertex(at(1.0, -2.0, 0.0)), beside(-2.0), down, 2.5),
    ]
}

fn frames() -> [(DQuat, DVec3); 3] {
    [
        (DQuat::IDENTITY, DVec3::ZERO),
        (skew(), v(0.3, -0.7, 0.11)),
        (skew().inverse(), v(512.3, -100.7, 33.3)),
    ]
}

#[test]
fn a_touch_at_exactly_the_end_is_a_hit() {
    for (turn, shift) in frames() {
        for (target, body, along, distance) in approaches(turn, shift) {
            let hit = judge(&body, along * distance, &target);
            let found = hit.map_or(f64::INFINITY, |hit| hit.time);
            assert!((found - 1.0).abs() < 1e-9, "{found} {body:?} {target:?}");
        }
    }
}

#[test]
fn five_micrometres_short_is_no_hit() {
    for (turn, shift) in frames() {
        for (target, body, along, distance) in approaches(turn, shift) {
            let hit = judge(&body, along * (distance - 5e-6), &target);
            assert_eq!(hit, None, "{body:?} {target:?}");
        }
    }
}

#[test]
fn a_longer_motion_finds_the_same_distance() {
    for (turn, shift) in frames() {
        for (target, body, along, distance) in approaches(turn, shift) {
            for factor in [1.0 + 1e-12, 1.000_001, 2.0, 7.3, 400.0] {
                let hit = judge(&body, along * (distance * factor), &target);
                let found = hit.map_or(f64::INFINITY, |hit| hit.distance);
                assert!(
                    (found - distance).abs() < 1e-9,
                    "{found} ≠ {distance} {body:?} {target:?}"
                );
            }
        }
    }
}

#[test]
fn an_oblique_touch_at_exactly_the_end_is_a_hit() {
    // The sideways part of the motion does not change when the plane is reached.
    for (turn, shift) in frames() {
        let at = |x, y, z| turn * v(x, y, z) + shift;
        let floor = triangle(at(-9.0, -9.0, 0.0), at(30.0, -9.0, 0.0), at(-9.0, 30.0, 0.0));
        let plane = half_space(at(1.0, 2.0, 0.0), turn * DVec3::Z);
        for slope in [1.0, 1e-1, 1e-2, 1e-3] {
            let body = capsule(at(0.0, 0.0, 0.5 + 8.0 * slope), at(0.0, 0.0, 9.0), 0.5);
            let motion = turn * v(7.0, -3.0, -8.0 * slope);
            for target in [floor, plane] {
                let found = judge(&body, motion, &target).map_or(f64::INFINITY, |hit| hit.time);
                assert!((found - 1.0).abs() < 1e-9 / slope, "{found} slope {slope} {target:?}");
            }
        }
    }
}

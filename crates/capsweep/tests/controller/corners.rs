//! Corners: inside, outside, wedges, and three planes that meet.

use super::level::{Level, Walk, assert_near, human};
use glam::{DVec3, Vec3, dvec3};

/// A floor with two walls of 20 m that meet at the origin with `degrees` between them. The corner
/// opens towards −x.
fn corner(degrees: f64) -> Level {
    let half = (degrees * 0.5).to_radians();
    let (sin, cos) = half.sin_cos();
    let [left, right] = [1.0, -1.0].map(|side| dvec3(-cos, side * sin, 0.0).as_vec3() * 20.0);
    let tall = Vec3::Z * 4.0;
    Level::floor().quad(left, Vec3::ZERO, tall, left + tall).quad(
        Vec3::ZERO,
        right,
        right + tall,
        tall,
    )
}

#[test]
fn an_inside_corner_stops_and_holds_still() {
    for degrees in [20.0, 45.0, 60.0, 90.0, 120.0, 150.0] {
        let mut walk = Walk::start(&corner(degrees).scene(), human(), dvec3(-4.0, 0.0, 0.0));
        let heading = dvec3(4.0, 0.3, 0.0);
        walk.walk(heading, 4.0, 60);
        let before = walk.feet();
        walk.walk(heading, 1.0, 60);
        assert_near(walk.feet(), before, 1e-5);
        // The skin stays between the character and both walls.
        let half = (degrees * 0.5).to_radians();
        for side in [1.0, -1.0] {
            let inward = dvec3(-half.sin(), -side * half.cos(), 0.0);
            let gap = before.dot(inward) - 0.32;
            assert!(gap > -3e-6, "{degrees}°: {gap}");
        }
        let deepest = -0.32 / half.sin();
        if degrees < 160.0 {
            assert!((before.x - deepest).abs() < 0.02, "{degrees}°: {before} not {deepest}");
        }
    }
}

#[test]
fn a_wedge_too_narrow_to_enter_is_left_again() {
    let mut walk = Walk::start(&corner(12.0).scene(), human(), dvec3(-8.0, 0.1, 0.0));
    walk.walk(dvec3(5.0, 0.0, 0.0), 3.0, 60);
    let deep = walk.feet();
    walk.walk(dvec3(-5.0, 0.0, 0.0), 0.5, 60);
    assert!(deep.x - walk.feet().x > 2.4, "{deep} {}", walk.feet());
}

#[test]
fn an_outside_corner_is_rounded() {
    // A walk along two sides of a pillar.
    let scene =
        Level::floor().cuboid(Vec3::new(0.0, -2.0, -1.0), Vec3::new(4.0, 2.0, 4.0)).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 0.0, 0.0));
    walk.walk(dvec3(3.0, 3.0, 0.0), 2.0, 60);
    let feet = walk.feet();
    assert!(feet.y > 2.3 && feet.x > 1.0, "{feet}");
    let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 1.5, 0.0));
    walk.walk(dvec3(3.0, 0.6, 0.0), 4.0, 60);
    let feet = walk.feet();
    assert!(feet.x > 5.0, "{feet}");
}

#[test]
fn no_corner_adds_speed() {
    for degrees in [30.0, 70.0, 90.0, 110.0, 170.0] {
        let mut walk = Walk::start(&corner(degrees).scene(), human(), dvec3(-6.0, 0.4, 0.0));
        for i in 0..400 {
            let angle = f64::from(i) * 0.7;
            let step = dvec3(angle.cos(), angle.sin(), 0.0) * 0.1 + DVec3::X * 0.05;
            let asked = step.length();
            let moved = walk.go(step - DVec3::Z * 0.02).achieved;
            let level = moved.truncate().length();
            assert!(level <= asked + 1e-9, "{degrees}°: {level} of {asked}");
        }
    }
}

#[test]
fn three_planes_that_meet_in_a_point_hold_without_jitter() {
    // A corner under a ceiling that slopes down into it.
    let level = corner(90.0).triangle(
        Vec3::new(0.5, 0.0, 1.2),
        Vec3::new(-6.0, -8.0, 3.2),
        Vec3::new(-6.0, 8.0, 3.2),
    );
    let mut walk = Walk::start(&level.scene(), human(), dvec3(-6.0, 0.2, 0.0));
    let heading = dvec3(4.0, 0.5, 0.0);
    walk.walk(heading, 5.0, 60);
    let before = walk.feet();
    for _ in 0..60 {
        walk.go((heading - DVec3::Z * 5.0) / 60.0);
        assert_near(walk.feet(), before, 1e-5);
    }
    assert!(walk.last.is_grounded() && walk.last.touching.sides);
    walk.walk(-heading, 0.5, 60);
    assert!(walk.feet().x < before.x - 1.9, "{} {before}", walk.feet());
}

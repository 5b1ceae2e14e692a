//! Blocked moves, rides, and the skin where there is little room.

use crate::level::{Level, Walk, assert_near, human, input};
use capsweep::Sides;
use capsweep::controller::{Carrier, Obstruction, Ride};
use capsweep::scene::{Body, Filter, Mobility, Pose, Scene};
use glam::{DVec3, dvec3, vec3};

#[test]
fn a_move_that_asks_for_nothing_is_not_blocked() {
    // 10 cm in a wall: the recovery touches it, and nothing is asked for.
    let scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(3.0, 4.0, 4.0)).scene();
    let walk = Walk::start(&scene, human(), dvec3(0.78, 0.0, 0.0));
    assert!(!walk.last.contacts.is_empty());
    assert_eq!(walk.last.obstruction, Obstruction::None);
}

/// A rise counts by its own share, and a walk by its own.
#[test]
fn a_rise_is_blocked_below_a_hundredth_of_its_height() {
    let ceiling = |gap: f64| {
        let low = (1.84 + gap) as f32;
        Level::floor().cuboid(vec3(-5.0, -5.0, low), vec3(5.0, 5.0, 4.0)).scene()
    };
    for (gap, rise, blocked) in
        [(0.05, 0.1, false), (0.5, 1.0, false), (0.0005, 0.1, true), (0.005, 1.0, true)]
    {
        let mut walk = Walk::start(&ceiling(gap), human(), DVec3::ZERO);
        let made = walk.go(DVec3::Z * rise).obstruction;
        assert_eq!(made == Obstruction::Blocked, blocked, "{gap} {rise}");
    }
    // A wall stops the walk. The 9 mm of rise are no walk.
    let low = (1.84 + 0.009) as f32;
    let scene = Level::floor()
        .cuboid(vec3(-5.0, -5.0, low), vec3(5.0, 5.0, 4.0))
        .cuboid(vec3(0.32, -5.0, -1.0), vec3(2.0, 5.0, 4.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let outcome = walk.go(dvec3(0.1, 0.0, 1.0));
    assert!(outcome.touching.sides && outcome.touching.above);
    assert_eq!(outcome.obstruction, Obstruction::Blocked);
    // On a ramp, 5 mm before a wall: the walk rises with the ramp, and is blocked.
    let ramp = Level::floor()
        .ramp(-4.0, 8.0, 4.0)
        .cuboid(vec3(1.0, -5.0, -1.0), vec3(2.0, 5.0, 9.0))
        .scene();
    let mut walk = Walk::start(&ramp, human(), dvec3(0.0, 0.0, 2.1));
    walk.walk(dvec3(1.0, 0.0, 0.0), 1.5, 60);
    walk.go(dvec3(-0.005, 0.0, 0.0));
    let outcome = walk.go(dvec3(1.0, 0.0, 0.0));
    assert!(outcome.achieved.z > 1e-3, "{outcome:?}");
    assert_eq!(outcome.obstruction, Obstruction::Blocked);
}

/// A slab of 8 × 8 m whose top is at 1 m, a character on it, and the move of both by `by`.
fn ride(by: DVec3, ride: Ride, dt: f64, ceiling: f32) -> (Walk, DVec3) {
    let mut scene =
        Level::floor().cuboid(vec3(-9.0, -9.0, ceiling), vec3(9.0, 9.0, ceiling + 1.0)).scene();
    let slab = Level::default().cuboid(vec3(-4.0, -4.0, -0.5), vec3(4.0, 4.0, 0.0)).mesh();
    let [before, after] = [DVec3::Z, DVec3::Z + by].map(|at| Pose::from_translation(at).unwrap());
    let body = Body::mesh(slab, before).unwrap().with_mobility(Mobility::Dynamic);
    let body = scene.insert(body);
    let mut walk = Walk::start(&scene, human(), dvec3(0.5, 0.25, 1.0));
    assert_eq!(walk.state.footing().unwrap().body, body);
    let start = walk.feet();
    scene.move_mesh(body, after).unwrap();
    walk.scene = scene;
    let carrier = Carrier { ride, ..Carrier::new(body, before, after) };
    walk.move_with(&input(DVec3::ZERO).with_dt(dt).carried_by(carrier));
    (walk, start)
}

#[test]
fn a_ride_reports_the_displacement_of_the_body_and_its_velocity() {
    let by = dvec3(0.3, -0.1, 0.2);
    for (part, carried) in [(Ride::Full, by), (Ride::Vertical, DVec3::Z * 0.2)] {
        let (walk, start) = ride(by, part, 0.25, 9.0);
        assert_near(walk.last.carried.displacement, carried, 1e-12);
        assert_near(walk.feet(), start + carried, 1e-5);
        assert_near(walk.last.ground.unwrap().velocity, by * 4.0, 1e-9);
        assert!(!walk.last.carried.blocked);
    }
    // Without a duration there is no velocity.
    let (walk, _) = ride(by, Ride::Full, 0.0, 9.0);
    assert_eq!(walk.last.ground.unwrap().velocity, DVec3::ZERO);
    // A ceiling 5 cm over the head stops the lift there.
    let (walk, start) = ride(DVec3::Z * 0.1, Ride::Full, 0.25, 1.0 + 1.84 + 0.05);
    assert!(walk.last.carried.blocked && walk.last.touching.above);
    assert_near(walk.last.carried.displacement, DVec3::Z * 0.1, 1e-12);
    assert!(walk.state.center().z - 0.92 > start.z + 0.049, "{}", walk.feet());
}

/// A corridor of 0.62 m: the skin of 20 mm is thinned to 10 mm, and by a twentieth of it more.
#[test]
fn a_thinned_skin_leaves_a_twentieth_of_the_contact_offset() {
    let scene = Level::floor()
        .cuboid(vec3(-9.0, 0.31, -1.0), vec3(9.0, 3.0, 4.0))
        .cuboid(vec3(-9.0, -3.0, -1.0), vec3(9.0, -0.31, 4.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    for side in [1.0, -1.0] {
        walk.go(dvec3(0.5, side * 0.1, 0.0));
        let off = walk.feet().y * side;
        assert!((off - 0.001).abs() < 1e-5, "{off}");
        assert!((walk.last.recovery.left - 0.01).abs() < 1e-5, "{:?}", walk.last.recovery);
        // The next move starts in the middle again.
        walk.go(DVec3::ZERO);
    }
}

/// A room of 1.83 m, of two-sided surfaces: the skin is 5 mm deep in the floor and in the ceiling.
/// Whichever of them a sweep down reports first, the floor is the ground.
#[test]
fn a_two_sided_ceiling_in_the_skin_is_no_ground() {
    for (floor_key, ceiling_key, sweeps) in [(1, 2, 1), (2, 1, 2)] {
        let mut scene = Scene::new();
        let ceiling = Level::default().cuboid(vec3(-9.0, -9.0, 1.83), vec3(9.0, 9.0, 3.0));
        for (level, key) in [(Level::floor(), floor_key), (ceiling, ceiling_key)] {
            scene.insert(Body::mesh(level.mesh(), Pose::IDENTITY).unwrap().with_key(key));
        }
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let both = Filter { sides: Sides::Both, ..Filter::default() };
        for _ in 0..3 {
            let outcome = walk.move_with(&input(dvec3(0.05, 0.0, -0.01)).with_filter(both));
            let ground = outcome.ground.unwrap();
            assert!(ground.normal.z > 0.9 && ground.walkable && ground.touched, "{ground:?}");
            assert_eq!(outcome.stats.down, sweeps, "{floor_key}: {:?}", outcome.stats);
        }
        assert!((walk.state.center().z - 0.915).abs() < 1e-4, "{}", walk.state.center());
    }
}

//! Presses, doors and walls that close on a character.

use super::assert_crushed_by;
use crate::level::{Level, Walk, human};
use capsweep::controller::Obstruction;
use capsweep::scene::{Body, Mobility, Pose, Scene, Shape};
use capsweep::{Motion, Obb};
use glam::{DQuat, DVec3, dvec3, vec3};

#[test]
fn a_wall_that_crushes_holds_and_releases_a_character() {
    let mut scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(2.0, 4.0, 4.0)).scene();
    let press = |x: f64| {
        Shape::Box(Obb::new(dvec3(x, 0.0, 1.5), vec3(1.0, 3.0, 1.5), DQuat::IDENTITY).unwrap())
    };
    let body = scene.insert(Body::shape(press(-3.0)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    // Its face goes from x = −2 to 0.9, which leaves 0.1 m, and back.
    let faces = (0..=145).map(|i| -2.0 + 0.02 * f64::from(i));
    for face in faces.clone().chain(faces.rev()) {
        scene.move_shape(body, press(face - 1.0)).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let feet = walk.feet();
        assert!(feet.x < 1.0 && feet.z.abs() < 1e-3, "face at {face}: {feet}");
        let crushed = matches!(walk.last.obstruction, Obstruction::Crushed { .. });
        assert_eq!(
            crushed,
            1.0 - face < 0.6 - 1e-5,
            "face at {face}: {:?}",
            walk.last.obstruction
        );
    }
    assert!(walk.last.is_grounded() && (walk.feet().x - 0.68).abs() < 0.05, "{}", walk.feet());
    let free = Motion::new(dvec3(-0.5, 0.0, 0.0)).unwrap();
    assert!(!free.is_zero() && walk.go(free.vector()).obstruction == Obstruction::None);
}

#[test]
fn a_press_from_above_crushes_and_releases_a_character() {
    for (thick, solid) in [(0.1_f32, false), (0.1, true), (2.0, false), (2.0, true)] {
        let mut scene = Level::floor().scene();
        let pose = |low: f64| Pose::from_translation(DVec3::Z * low).unwrap();
        let slab = |low: f64| {
            let center = DVec3::Z * (low + 0.5 * f64::from(thick));
            Shape::Box(Obb::new(center, vec3(2.0, 2.0, 0.5 * thick), DQuat::IDENTITY).unwrap())
        };
        let body = if solid {
            Body::shape(slab(3.0))
        } else {
            let mesh = Level::default().cuboid(vec3(-2.0, -2.0, 0.0), vec3(2.0, 2.0, thick));
            Body::mesh(mesh.mesh(), pose(3.0)).unwrap()
        };
        let body = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let lows = (0..=145).map(|i| 3.0 - 0.02 * f64::from(i));
        for low in lows.clone().chain(lows.rev()) {
            if solid {
                scene.move_shape(body, slab(low)).unwrap();
            } else {
                scene.move_mesh(body, pose(low)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.01);
            let what = format!("{thick} m thick, solid {solid}, press at {low}");
            let center = walk.state.center().z;
            assert!(0.0 < center && center < low, "{what}: center at {center}");
            assert_crushed_by(&walk, low, &what);
        }
        assert!(walk.last.is_grounded() && walk.feet().length() < 1e-3, "{}", walk.feet());
    }
}

#[test]
fn two_presses_that_both_move_hold_and_release_a_character() {
    let slab = |center: DVec3| {
        Shape::Box(Obb::new(center, vec3(2.0, 2.0, 0.1), DQuat::IDENTITY).unwrap())
    };
    let mut scene = Scene::new();
    let place = |room: f64| [DVec3::Z * -0.1, DVec3::Z * (room + 0.1)];
    let ids =
        place(2.5).map(|at| scene.insert(Body::shape(slab(at)).with_mobility(Mobility::Dynamic)));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.go(DVec3::Z * -0.01);
    let rooms = (0..=240).map(|i| 2.5 - 0.01 * f64::from(i));
    for room in rooms.clone().chain(rooms.rev()) {
        for (id, at) in ids.into_iter().zip(place(room)) {
            scene.move_shape(id, slab(at)).unwrap();
        }
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let center = walk.state.center().z;
        assert!(0.0 < center && center < room, "room {room}: center at {center}");
        assert_eq!(walk.is_crushed(), room < 1.8 - 1e-5, "{room}: {:?}", walk.last.obstruction);
    }
    assert!(walk.last.is_grounded() && walk.feet().length() < 1e-3, "{}", walk.feet());
}

#[test]
fn a_press_over_a_ramp_holds_a_walking_character_above_the_ramp() {
    for solid in [false, true] {
        let ramp = [(0.0, -0.5), (8.0, -0.5), (8.0, 4.6), (0.0, 0.0)];
        let mut scene = Level::floor().prism(&ramp, -10.0, 10.0).scene();
        let lean = (4.6_f64 / 8.0).atan();
        let turn = DQuat::from_rotation_y(-lean);
        // Parallel to the ramp, `room` metres straight above it.
        let low = |room: f64| dvec3(4.0, 0.0, 2.3 + room);
        let slab = |room: f64| {
            let center = low(room) + turn * DVec3::Z * 0.1;
            Shape::Box(Obb::new(center, vec3(5.0, 5.0, 0.1), turn).unwrap())
        };
        let pose = |room: f64| Pose::new(low(room), turn, DVec3::ONE).unwrap();
        let mesh = Level::default().cuboid(vec3(-5.0, -5.0, 0.0), vec3(5.0, 5.0, 0.2));
        let body = if solid {
            Body::shape(slab(3.0))
        } else {
            Body::mesh(mesh.mesh(), pose(3.0)).unwrap()
        };
        let press = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), dvec3(3.0, 0.0, 3.0 * 4.6 / 8.0 + 0.1));
        walk.walk(DVec3::ZERO, 0.5, 60);
        let rooms = (0..=120).map(|i| 3.0 - 0.02 * f64::from(i));
        for (i, room) in rooms.clone().chain(rooms.rev()).enumerate() {
            if solid {
                scene.move_shape(press, slab(room)).unwrap();
            } else {
                scene.move_mesh(press, pose(room)).unwrap();
            }
            walk.scene = scene.clone();
            let along = if i % 60 < 30 { 0.01 } else { -0.01 };
            walk.go(dvec3(along, 0.004, -0.005));
            let center = walk.state.center();
            let over = center.z - center.x * 4.6 / 8.0;
            let what = format!("solid {solid}, {i}, room {room}: center {center}, {over} over");
            assert!(over > 0.0 && over < room, "{what} {:?}", walk.last.obstruction);
        }
        assert!(!walk.last.obstruction.is_overlap() && walk.last.is_grounded());
    }
}

#[test]
fn a_crushed_walk_up_a_ramp_leads_to_its_top_and_not_through_it() {
    // Two moving walls leave 0.58 m, then 0.4 m, over a ramp of 30°.
    let ramp = [(0.0, -0.5), (8.0, -0.5), (8.0, 4.6), (0.0, 0.0)];
    for closes_to in [0.29, 0.2] {
        let mut scene = Level::floor().prism(&ramp, -10.0, 10.0).scene();
        let wall = |side: f64, half: f64| {
            let center = dvec3(0.0, side * (half + 1.0), 4.0);
            Shape::Box(Obb::new(center, vec3(20.0, 1.0, 8.0), DQuat::IDENTITY).unwrap())
        };
        let walls = [-1.0, 1.0].map(|side| {
            let body = Body::shape(wall(side, 0.6)).with_mobility(Mobility::Dynamic);
            (side, scene.insert(body))
        });
        let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 0.0, 0.0));
        for tick in 0..240 {
            let half = (0.6 - 0.01 * f64::from(tick)).max(closes_to);
            for (side, id) in walls {
                scene.move_shape(id, wall(side, half)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(dvec3(0.03, 0.0, -0.005));
            let feet = walk.feet();
            let ground = (feet.x * 4.6 / 8.0).max(0.0);
            let what = format!("{closes_to}, tick {tick}: {feet} over {ground}");
            assert!(feet.z > ground - 0.05, "{what}");
            assert!(feet.z < ground + 0.4, "{what}");
        }
        assert!(walk.is_crushed() && walk.feet().x > 3.0, "{}", walk.feet());
    }
}

#[test]
fn a_thin_door_that_crushes_does_not_pass_through_a_character() {
    for solid in [false, true] {
        let mut scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(2.0, 4.0, 4.0)).scene();
        let door = |x: f64| {
            let center = dvec3(x - 0.05, 0.0, 1.5);
            Shape::Box(Obb::new(center, vec3(0.05, 3.0, 1.5), DQuat::IDENTITY).unwrap())
        };
        let pose = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
        let leaf = Level::default().cuboid(vec3(-0.1, -3.0, 0.0), vec3(0.0, 3.0, 3.0));
        let body = if solid {
            Body::shape(door(-2.0))
        } else {
            Body::mesh(leaf.mesh(), pose(-2.0)).unwrap()
        };
        let body = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let faces = (0..=145).map(|i| -2.0 + 0.02 * f64::from(i));
        for face in faces.clone().chain(faces.rev()) {
            if solid {
                scene.move_shape(body, door(face)).unwrap();
            } else {
                scene.move_mesh(body, pose(face)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.01);
            let feet = walk.feet();
            let what =
                format!("solid {solid}, face at {face}: {feet} {:?}", walk.last.obstruction);
            assert!(feet.x > face && feet.x < 1.0, "{what}");
        }
    }
}

#[test]
fn two_thin_doors_do_not_pass_through_a_falling_character() {
    let door = |side: f64, half: f64| {
        let center = dvec3(side * (half + 0.05), 0.0, 0.0);
        Shape::Box(Obb::new(center, vec3(0.05, 3.0, 50.0), DQuat::IDENTITY).unwrap())
    };
    for start in [-0.3, 0.0, 0.2] {
        let mut scene = Scene::new();
        let doors = [-1.0, 1.0].map(|side| {
            let body = Body::shape(door(side, 0.8)).with_mobility(Mobility::Dynamic);
            (side, scene.insert(body))
        });
        let mut walk = Walk::start(&scene, human(), dvec3(start, 0.0, 10.0));
        let halves = (0..=75).map(|i| 0.8 - 0.01 * f64::from(i));
        for half in halves.clone().chain(halves.rev()) {
            for (side, id) in doors {
                scene.move_shape(id, door(side, half)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.02);
            let feet = walk.feet();
            assert!(feet.x.abs() < half, "{start}, doors at {half}: {feet}");
            assert_eq!(walk.is_crushed(), half < 0.3 - 1e-5, "{start}, doors at {half}");
        }
        assert!(walk.feet().z < 8.0 && !walk.last.obstruction.is_overlap());
    }
}

/// A press that leaves 5 cm: the centre stays above the floor.
#[test]
fn the_centre_of_a_crushed_character_keeps_its_distance() {
    let mut scene = Level::floor().scene();
    let slab = |low: f64| {
        let center = DVec3::Z * (low + 1.0);
        Shape::Box(Obb::new(center, vec3(2.0, 2.0, 1.0), DQuat::IDENTITY).unwrap())
    };
    let body = scene.insert(Body::shape(slab(3.0)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    for step in 0..=295 {
        scene.move_shape(body, slab(3.0 - 0.01 * f64::from(step))).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::ZERO);
    }
    // A thousandth of the radius.
    let height = walk.state.center().z;
    assert!((height - 3e-4).abs() < 1e-6, "{height}");
}

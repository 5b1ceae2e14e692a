//! Crushes by value: where the centre is, what is missing, and where the footing stays.

use super::lift_rig::{CarrierInput, LiftKind, LiftRig, LiftSetup};
use crate::level::{Level, Walk, assert_near, human, input};
use capsweep::Obb;
use capsweep::controller::{Carrier, Contact, Controller, ControllerConfig, Obstruction, Pass};
use capsweep::scene::{Body, Mobility, Pose, Scene, Shape};
use glam::{DQuat, DVec3, dvec3, vec3};

/// Height of the centre over the ground, with the skin below.
const STANDING: f64 = 0.92;

fn missing(walk: &Walk) -> f64 {
    match walk.last.obstruction {
        Obstruction::Crushed { missing } => missing,
        other => panic!("{other:?}"),
    }
}

/// The ceiling is at 3 m and the head stays under it, so the centre stays at 2.1 m. The lift gets
/// into the legs.
#[test]
fn a_crushed_rider_keeps_its_head_under_the_ceiling() {
    for kind in [LiftKind::Mesh, LiftKind::Box] {
        for carrier in [CarrierInput::Full, CarrierInput::Missing] {
            let mut rig = LiftRig::new(LiftSetup { kind, carrier, ..LiftSetup::DEFAULT });
            // Room of 1.9 m, then 1.7 m, 1.5 m and 1.4 m.
            for rise in [0.1, 0.2, 0.2, 0.1] {
                rig.go(rise, DVec3::ZERO);
            }
            let what = format!("{kind:?} {carrier:?}: {:?}", rig.walk.last);
            assert!((rig.center_height() - 2.1).abs() < 1e-4, "{what}");
            assert!((missing(&rig.walk) - 0.42).abs() < 1e-4, "{what}");
            // The top of the lift, at 1.6 m, is 0.4 m over the lowest point of the body.
            assert!((rig.walk.last.recovery.left - 0.42).abs() < 1e-4, "{what}");
            assert_eq!(rig.walk.last.recovery.displacement, DVec3::ZERO, "{what}");
            let of_lift = |contact: &&Contact| contact.target.body == rig.lift;
            let contacts: Vec<_> = rig.walk.last.contacts.iter().filter(of_lift).collect();
            assert_eq!(contacts.len(), 1, "{what}");
            assert_eq!(contacts[0].pass, Pass::Recovery, "{what}");
            let footing = *rig.walk.state.footing().unwrap();
            assert_eq!(footing.body, rig.lift, "{what}");
            assert_near(footing.point, dvec3(0.4, -0.3, 1.6), 1e-4);
            let speed = if carrier == CarrierInput::Full { 6.0 } else { 0.0 };
            assert!((footing.velocity - DVec3::Z * speed).length() < 1e-6, "{what}");
            assert_eq!(rig.walk.last.stats.overlaps, 4, "{what}");
            // With room again it stands as before, over the same place.
            rig.go(-0.5, DVec3::ZERO);
            let what = format!("{kind:?} {carrier:?}: {:?}", rig.walk.last);
            assert_eq!(rig.walk.last.obstruction, Obstruction::None, "{what}");
            assert!((rig.center_height() - 1.1 - STANDING).abs() < 1e-4, "{what}");
            assert!(rig.walk.last.is_grounded(), "{what}");
        }
    }
}

/// A lift that rises by more than a radius in one move.
#[test]
fn a_fast_lift_takes_the_footing_of_its_rider_along() {
    for (drift, spin) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.7)] {
        let setup = LiftSetup { drift, spin, thickness: 2.0, ..LiftSetup::DEFAULT };
        let mut rig = LiftRig::new(setup);
        let before = rig.feet_on_lift();
        rig.go(0.6, DVec3::ZERO);
        let what = format!("{drift} {spin}: {:?}", rig.walk.last);
        assert!(rig.walk.is_crushed(), "{what}");
        assert!((missing(&rig.walk) - 0.42).abs() < 1e-4, "{what}");
        assert!((rig.center_height() - 2.1).abs() < 1e-4, "{what}");
        let footing = *rig.walk.state.footing().unwrap();
        assert!((footing.point.z - 1.6).abs() < 1e-4, "{what}");
        // The velocity of the footing is that of the place on the lift.
        let pose = |top| LiftRig::pose(&rig.setup, top);
        let carried = pose(1.6).point_to_world(before) - pose(1.0).point_to_world(before);
        assert!((footing.velocity - carried * 60.0).length() < 1e-3, "{what}");
        rig.go(-0.6, DVec3::ZERO);
        assert!((rig.center_height() - 1.0 - STANDING).abs() < 1e-4, "{:?}", rig.walk.last);
    }
}

#[test]
fn a_caller_that_moves_the_rider_gets_a_footing_without_velocity() {
    let setup = LiftSetup { carrier: CarrierInput::Caller, ..LiftSetup::DEFAULT };
    let mut rig = LiftRig::new(setup);
    for rise in [0.1, 0.2, 0.2, 0.1] {
        rig.go(rise, DVec3::ZERO);
    }
    let footing = *rig.walk.state.footing().unwrap();
    assert!((footing.point.z - 1.6).abs() < 1e-4, "{footing:?}");
    assert_eq!(footing.velocity, DVec3::ZERO);
    assert!((missing(&rig.walk) - 0.42).abs() < 1e-4);
}

#[test]
fn the_footing_of_a_crushed_walker_moves_with_it() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    rig.go(0.5, DVec3::ZERO);
    let before = rig.walk.state.footing().unwrap().point;
    for i in 1..=5 {
        rig.go(0.0, dvec3(0.04, -0.02, 0.0));
        let moved = dvec3(0.04, -0.02, 0.0) * f64::from(i);
        assert_near(rig.walk.state.footing().unwrap().point, before + moved, 1e-4);
        assert!((missing(&rig.walk) - 0.32).abs() < 1e-4, "{:?}", rig.walk.last.obstruction);
    }
}

/// It has no height to rise or fall in, so these passes are not even tried.
#[test]
fn a_crushed_rider_neither_rises_nor_falls() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    rig.go(0.5, DVec3::ZERO);
    for way in [DVec3::Z * 0.3, DVec3::Z * -0.3] {
        rig.go(0.0, way);
        let outcome = &rig.walk.last;
        assert!((rig.center_height() - 2.1).abs() < 1e-4, "{way}: {outcome:?}");
        assert_eq!((outcome.stats.up, outcome.touching.above), (0, false), "{way}: {outcome:?}");
        assert!((missing(&rig.walk) - 0.32).abs() < 1e-4, "{way}: {outcome:?}");
    }
}

#[test]
fn without_a_duration_a_crushed_riders_footing_has_no_velocity() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    let [before, after] = [1.0, 1.5].map(|top| LiftRig::pose(&rig.setup, top));
    rig.scene.move_mesh(rig.lift, after).unwrap();
    rig.walk.scene = rig.scene.clone();
    let carrier = Carrier::new(rig.lift, before, after);
    rig.walk.move_with(&input(DVec3::ZERO).carried_by(carrier));
    assert!((missing(&rig.walk) - 0.32).abs() < 1e-4, "{:?}", rig.walk.last);
    assert_eq!(rig.walk.state.footing().unwrap().velocity, DVec3::ZERO);
}

/// Two slabs that leave 1.4 m between them, around a character in the air. The lower one is 0.82 m
/// below its centre.
#[test]
fn a_character_crushed_in_the_air_gets_the_lower_slab_as_its_footing() {
    let slab =
        |z: f64| Shape::Box(Obb::new(DVec3::Z * z, vec3(2.0, 2.0, 0.5), DQuat::IDENTITY).unwrap());
    let mut scene = Scene::new();
    let [low, high] =
        [-5.0, 9.0].map(|z| scene.insert(Body::shape(slab(z)).with_mobility(Mobility::Dynamic)));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    assert!(walk.state.footing().is_none());
    scene.move_shape(low, slab(0.1 - 0.5)).unwrap();
    scene.move_shape(high, slab(1.5 + 0.5)).unwrap();
    walk.scene = scene.clone();
    walk.go(DVec3::ZERO);
    let what = format!("{:?}", walk.last);
    assert!((missing(&walk) - 0.42).abs() < 1e-4, "{what}");
    assert!((walk.state.center().z - (0.1 + STANDING - 0.42)).abs() < 1e-4, "{what}");
    let footing = *walk.state.footing().unwrap();
    assert!(footing.body == low && footing.walkable, "{what}");
    assert_near(footing.point, DVec3::Z * 0.1, 1e-4);
    // Once there is room, it stands on that slab.
    scene.move_shape(high, slab(4.0)).unwrap();
    walk.scene = scene;
    walk.go(DVec3::ZERO);
    assert!((walk.feet().z - 0.1).abs() < 1e-4, "{:?}", walk.last);
    assert!(walk.last.is_grounded());
    // It stands up. It is not pushed out of the slab.
    assert_eq!(walk.last.recovery.displacement, DVec3::ZERO);
}

/// A cabin whose roof is a part of the same body as its floor: the footing is the floor.
#[test]
fn a_character_crushed_in_a_cabin_stands_on_its_floor() {
    let beam = Level::default().cuboid(vec3(-9.0, -1.0, 3.0), vec3(9.0, 1.0, 3.1));
    let mut scene = beam.scene();
    let cabin = Level::default()
        .cuboid(vec3(-2.0, -2.0, -0.2), vec3(2.0, 2.0, 0.0))
        .cuboid(vec3(-2.0, -2.0, 2.6), vec3(2.0, 2.0, 2.8));
    let at = |z: f64| Pose::from_translation(DVec3::Z * z).unwrap();
    let body = Body::mesh(cabin.mesh(), at(1.0)).unwrap().with_mobility(Mobility::Dynamic);
    let body = scene.insert(body);
    let mut walk = Walk::start(&scene, human(), DVec3::Z);
    for (from, to) in [(1.0, 1.3), (1.3, 1.5)] {
        scene.move_mesh(body, at(to)).unwrap();
        walk.scene = scene.clone();
        let carrier = Carrier::new(body, at(from), at(to));
        walk.move_with(&input(DVec3::ZERO).carried_by(carrier));
        let lacks = 1.82 - (3.0 - to);
        assert!((missing(&walk) - lacks).abs() < 1e-4, "{to}: {:?}", walk.last);
        assert_near(walk.state.footing().unwrap().point, DVec3::Z * to, 1e-4);
    }
}

/// A wall that closes to 0.5 m: the character is in the middle, 5 cm deep in both.
#[test]
fn a_character_between_closing_walls_is_equally_deep_in_both() {
    let wall = |x: f64| {
        let half = vec3(0.5, 3.0, 2.0);
        Shape::Box(Obb::new(dvec3(x, 0.0, 2.0), half, DQuat::IDENTITY).unwrap())
    };
    let mut scene = Level::floor().scene();
    scene.insert(Body::shape(wall(1.5)));
    let closing = scene.insert(Body::shape(wall(-1.5)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let before = walk.state.center();
    scene.move_shape(closing, wall(0.0)).unwrap();
    walk.scene = scene.clone();
    walk.go(DVec3::ZERO);
    let what = format!("{:?}", walk.last);
    assert!((walk.feet().x - 0.75).abs() < 1e-4 && walk.feet().z.abs() < 1e-4, "{what}");
    assert!((missing(&walk) - 0.05).abs() < 1e-4, "{what}");
    let moved = walk.state.center() - before;
    assert!((walk.last.recovery.displacement - moved).length() < 2e-3, "{what}");
    assert_eq!(walk.last.stats.overlaps, 6, "{what}");
    // It still can rise and fall: only its sides lack room.
    assert!(walk.last.is_grounded(), "{what}");
    walk.go(DVec3::Z * 0.3);
    assert!((walk.feet().z - 0.3).abs() < 1e-3, "{:?}", walk.last);
}

/// Nothing snaps it to the ground, and no carrier takes it along: it stands up by itself.
#[test]
fn a_released_rider_stands_on_its_lift_at_once() {
    let setup = LiftSetup { carrier: CarrierInput::Missing, ..LiftSetup::DEFAULT };
    let mut rig = LiftRig::new(setup);
    rig.walk.controller =
        Controller::new(ControllerConfig { snap_distance: 0.0, ..human() }).unwrap();
    for rise in [0.1, 0.2, 0.2, 0.1] {
        rig.go(rise, DVec3::ZERO);
    }
    assert!(rig.walk.is_crushed());
    // Within a radius, so that the footing finds the lift again.
    rig.go(-0.25, DVec3::ZERO);
    assert!((rig.center_height() - 2.1).abs() < 1e-4 && rig.walk.is_crushed());
    rig.go(-0.25, DVec3::ZERO);
    assert!((rig.center_height() - 1.1 - STANDING).abs() < 1e-4, "{:?}", rig.walk.last);
    assert!(rig.walk.last.is_grounded());
}

/// A plate comes between a crushed character and its lift, which drops. Its centre stays on its
/// side of the plate.
#[test]
fn a_released_rider_does_not_follow_its_lift_through_a_plate() {
    let mut rig = LiftRig::new(LiftSetup::DEFAULT);
    for _ in 0..3 {
        rig.go(0.2, DVec3::ZERO);
    }
    assert!((rig.center_height() - 2.1).abs() < 1e-4 && rig.walk.is_crushed());
    let plate = Level::default().cuboid(vec3(-9.0, -9.0, 1.95), vec3(9.0, 9.0, 2.0));
    rig.scene.insert(Body::mesh(plate.mesh(), Pose::IDENTITY).unwrap());
    rig.go(-1.4, DVec3::ZERO);
    assert!(rig.center_height() > 2.0, "{:?}", rig.walk.last);
}

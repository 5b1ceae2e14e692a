//! Placement: feet, resize, free places and the up direction.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::controller::{Controller, ControllerConfig, Surroundings};
use capsweep::scene::{Body, Shape};
use glam::{DVec3, dvec3, vec3};

#[test]
fn feet_in_are_feet_out() {
    for config in [human(), physx(), ControllerConfig::wow()] {
        let controller = Controller::new(config).unwrap();
        let feet = dvec3(3.0, -4.0, 5.0);
        let state = controller.spawn(feet).unwrap();
        assert_near(controller.feet(&state), feet, 1e-12);
        let there = controller.teleport(&state, -feet).unwrap();
        assert_near(controller.feet(&there), -feet, 1e-12);
        assert!(there.is_unverified() && there.footing().is_none());
        assert!(controller.teleport(&state, DVec3::NAN).is_err());
    }
}

#[test]
fn resizing_keeps_the_feet_and_standing_up_needs_room() {
    let scene = Level::floor().cuboid(vec3(2.0, -3.0, 1.2), vec3(5.0, 3.0, 3.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let feet = walk.feet();
    walk.state = walk.controller.resize(&walk.state, 1.0).unwrap();
    assert_near(walk.feet(), feet, 1e-12);
    let all = Surroundings::default();
    assert!(walk.controller.can_resize(&scene, &walk.state, 1.8, &all).unwrap());
    // It crouches under the table.
    walk.walk(dvec3(3.0, 0.0, 0.0), 1.0, 60);
    assert_near(walk.feet(), dvec3(3.0, 0.0, 0.0), 1e-4);
    assert!(!walk.controller.can_resize(&scene, &walk.state, 1.8, &all).unwrap());
    assert!(walk.controller.can_resize(&scene, &walk.state, 1.1, &all).unwrap());
    assert!(walk.controller.can_resize(&scene, &walk.state, 0.8, &all).unwrap());
    assert!(walk.controller.resize(&walk.state, f32::NAN).is_err());
}

#[test]
fn beside_an_occupied_place_is_a_free_one() {
    let scene = Level::floor().cuboid(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 3.0)).scene();
    let controller = Controller::new(human()).unwrap();
    let all = Surroundings::default();
    let inside = controller.spawn(dvec3(0.8, 0.1, 0.0)).unwrap();
    let spot = controller.find_free_position(&scene, &inside, 3.0, &all).unwrap().unwrap();
    let feet = controller.feet(&spot);
    assert!((feet - dvec3(1.32, 0.1, 0.0)).length() < 0.2, "{feet}");
    // From the free place it goes back until its skin touches.
    let level = (feet - dvec3(0.8, 0.1, 0.0)).normalize();
    assert!((feet.x - 1.32).abs() < 1e-4 && level.x > 0.9, "{feet}");
    let free = controller.spawn(dvec3(5.0, 0.0, 0.5)).unwrap();
    assert_eq!(controller.find_free_position(&scene, &free, 3.0, &all).unwrap(), Some(free));
    assert_eq!(controller.find_free_position(&scene, &inside, 0.1, &all).unwrap(), None);
    for bad in [f64::NAN, f64::INFINITY, -1.0, 1e9] {
        assert!(controller.find_free_position(&scene, &inside, bad, &all).is_err(), "{bad}");
    }
}

#[test]
fn a_place_inside_a_wall_or_under_the_floor_is_not_free() {
    // A block so large that the character inside touches none of its faces.
    let scene = Level::floor().cuboid(vec3(-3.0, -3.0, -1.0), vec3(3.0, 3.0, 9.0)).scene();
    let controller = Controller::new(human()).unwrap();
    let all = Surroundings::default();
    let inside = controller.spawn(dvec3(2.0, 0.0, 4.0)).unwrap();
    let spot = controller.find_free_position(&scene, &inside, 6.0, &all).unwrap().unwrap();
    assert!(controller.feet(&spot).x > 3.3, "{:?}", controller.feet(&spot));
    let under = controller.spawn(dvec3(20.0, 0.0, -4.0)).unwrap();
    let spot = controller.find_free_position(&scene, &under, 8.0, &all).unwrap().unwrap();
    assert!(controller.feet(&spot).z > -0.01, "{:?}", controller.feet(&spot));
}

#[test]
fn a_character_s_own_body_in_the_scene_takes_no_room() {
    let controller = Controller::new(human()).unwrap();
    let state = controller.spawn(DVec3::ZERO).unwrap();
    let mut scene = Level::floor().scene();
    let body = capsweep::Capsule::from_feet(DVec3::Z * 0.02, DVec3::Z, 0.3, 1.8).unwrap();
    let own = scene.insert(Body::obstacle(Shape::Capsule(body)));
    let others = Surroundings { ignore: Some(own), ..Surroundings::default() };
    let spot = controller.find_free_position(&scene, &state, 2.0, &others).unwrap();
    assert_eq!(spot, Some(state));
    assert_ne!(
        controller.find_free_position(&scene, &state, 2.0, &Surroundings::default()).unwrap(),
        spot
    );
    let crouched = controller.resize(&state, 1.0).unwrap();
    assert!(controller.can_resize(&scene, &crouched, 1.8, &others).unwrap());
}

#[test]
fn a_new_up_direction_keeps_the_feet() {
    let before = Controller::new(human()).unwrap();
    let after = Controller::new(ControllerConfig { up: DVec3::X, ..human() }).unwrap();
    let state = before.spawn(dvec3(1.0, 2.0, 3.0)).unwrap();
    let turned = after.reorient(&state, &before).unwrap();
    assert_near(after.feet(&turned), dvec3(1.0, 2.0, 3.0), 1e-12);
    assert_near(turned.center(), dvec3(1.92, 2.0, 3.0), 1e-6);
}

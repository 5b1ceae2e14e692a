//! Separation of characters that overlap each other.

use super::level::human;
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, Controller, ControllerConfig, MoveInput};
use capsweep::scene::{Body, Scene, Shape};
use capsweep::{HalfSpace, Motion};
use glam::{DVec3, dvec3};

#[test]
fn two_overlapping_characters_separate_evenly_for_any_up_direction() {
    for up in [DVec3::Z, DVec3::Y, dvec3(1.0, 1.0, 1.0)] {
        let controller = Controller::new(ControllerConfig { up, ..human() }).unwrap();
        let aside = up.normalize().any_orthonormal_vector() * 0.5;
        let crowd = [DVec3::ZERO, aside].map(|feet| controller.spawn(feet).unwrap());
        let mut pushes = Vec::new();
        controller.separate(&crowd, 1.0, &mut pushes).unwrap();
        // Two radii and a skin are 0.62 m; 0.5 m apart, 0.12 m are missing: 0.06 m each.
        assert!((pushes[0] + aside.normalize() * 0.06).length() < 1e-6, "{pushes:?}");
        assert_eq!(pushes[0], -pushes[1]);
        controller.separate(&crowd, 0.01, &mut pushes).unwrap();
        assert!((pushes[0].length() - 0.01).abs() < 1e-9);
    }
}

#[test]
fn a_character_on_another_s_head_is_not_pushed() {
    let controller = Controller::new(human()).unwrap();
    let crowd = [DVec3::ZERO, DVec3::Z * 1.81].map(|feet| controller.spawn(feet).unwrap());
    let mut pushes = Vec::new();
    controller.separate(&crowd, 1.0, &mut pushes).unwrap();
    assert_eq!(pushes, [DVec3::ZERO; 2]);
}

#[test]
fn a_crowd_separates() {
    let controller = Controller::new(human()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::shape(Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap())));
    let mut rng = capsweep_testkit::Rng::new(&[3]);
    let mut crowd: Vec<CharacterState> = (0..200)
        .map(|_| controller.spawn(dvec3(rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), 0.0)).unwrap())
        .collect();
    let mut pushes = Vec::new();
    for _ in 0..300 {
        controller.separate(&crowd, 0.07, &mut pushes).unwrap();
        for (state, push) in crowd.iter_mut().zip(&pushes) {
            let input = MoveInput::new(Motion::new(*push - DVec3::Z * 0.01).unwrap());
            *state = controller.move_by(&scene, &mut TriangleCache::new(), state, &input).state;
        }
    }
    controller.separate(&crowd, 1.0, &mut pushes).unwrap();
    let worst = pushes.iter().map(|push| push.length()).fold(0.0, f64::max);
    assert!(worst < 0.02, "still {worst} to go");
}

#[test]
fn the_order_of_a_crowd_decides_nothing() {
    let controller = Controller::new(human()).unwrap();
    let mut rng = capsweep_testkit::Rng::new(&[4]);
    let crowd: Vec<_> = (0..3).map(|_| controller.spawn(rng.cube(0.2)).unwrap()).collect();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    controller.separate(&crowd, 1.0, &mut one).unwrap();
    let swapped = [crowd[2], crowd[1], crowd[0]];
    controller.separate(&swapped, 1.0, &mut other).unwrap();
    for i in 0..3 {
        assert!((one[i] - other[2 - i]).length() < 1e-9);
    }
}

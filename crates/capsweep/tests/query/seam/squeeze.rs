//! Between walls: a capsule is freed if there is room, and reported as squeezed if not.

use capsweep::query::{Clearance, MAX_PUSHES};
use capsweep::scene::{Body, Filter, Scene, Shape};
use capsweep::{Capsule, HalfSpace, Obb};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3, vec3};

fn scene(shapes: impl IntoIterator<Item = Shape>) -> Scene {
    let mut scene = Scene::new();
    for (shape, key) in shapes.into_iter().zip(0..) {
        scene.insert(Body::shape(shape).with_key(key));
    }
    scene
}

fn half_space(point: DVec3, normal: DVec3) -> Shape {
    Shape::HalfSpace(HalfSpace::new(point, normal).unwrap())
}

fn standing(at: DVec3) -> Capsule {
    Capsule::from_feet(at, DVec3::Z, 0.4, 1.8).unwrap()
}

/// Two walls 0.6 m apart, and a capsule 0.8 m wide.
#[test]
fn a_symmetric_squeeze_is_reported() {
    for turn in [DQuat::IDENTITY, DQuat::from_xyzw(1.0, -2.0, 3.0, 5.0).normalize()] {
        for aside in [0.0, 0.05, -0.2] {
            let wall = |side: f64| {
                half_space(turn * dvec3(0.3 * side, 0.0, 0.0), turn * -DVec3::X * side)
            };
            let scene = scene([wall(1.0), wall(-1.0)]);
            let center = turn * dvec3(aside, 0.0, 0.0);
            let capsule = Capsule::from_center(center, turn * DVec3::Z * 0.5, 0.4).unwrap();
            let found = scene.depenetrate(&capsule, &Filter::default());
            let Clearance::Squeezed { left } = found.state else { panic!("{found:?}") };
            assert!((left - 0.1).abs() < 1e-6, "{left}");
            // To the middle, where both are as deep.
            assert!(found.push.distance(turn * dvec3(-aside, 0.0, 0.0)) < 1e-6, "{found:?}");
            assert!(!found.is_free() && found.left() == left && found.pushes == 2);
        }
    }
}

/// Floor and ceiling of boxes.
#[test]
fn a_capsule_taller_than_the_room_is_squeezed() {
    let slab =
        |z: f64| Shape::Box(Obb::axis_aligned(dvec3(0.2, -0.1, z), vec3(3.0, 2.0, 0.5)).unwrap());
    let scene = scene([slab(-0.5), slab(2.2)]);
    let found = scene.depenetrate(&standing(dvec3(0.0, 0.0, -0.03)), &Filter::default());
    let Clearance::Squeezed { left } = found.state else { panic!("{found:?}") };
    assert!((left - 0.05).abs() < 1e-6, "{left}");
}

/// Pushing out of one wall after the other would oscillate.
#[test]
fn corners_are_left_in_as_many_pushes_as_they_have_walls() {
    let mut rng = Rng::new(&[8]);
    for _ in 0..300 {
        // Three walls that partly face each other, as in a funnel.
        let normals = [0.0, 2.1, 4.2].map(|turn: f64| {
            let angle = turn + rng.range(-0.4, 0.4);
            dvec3(angle.cos(), angle.sin(), rng.range(0.8, 1.6)).normalize()
        });
        let scene = scene(normals.map(|normal| half_space(DVec3::ZERO, normal)));
        let capsule = Capsule::new(rng.cube(0.3), rng.cube(0.3), 0.3).unwrap();
        let found = scene.depenetrate(&capsule, &Filter::default());
        assert!(found.is_free(), "{found:?}");
        assert!(found.pushes <= 3, "{found:?}");
        let out = capsule.translated(found.push).unwrap();
        assert!(!scene.overlaps(&out, &Filter::default()));
        // The shortest way, by trying all positions around: none nearer is free.
        let shorter = found.push * 0.99;
        assert!(scene.overlaps(&capsule.translated(shorter).unwrap(), &Filter::default()));
    }
}

/// A crowd of balls all around: more constraints than four pushes can resolve.
#[test]
fn depenetration_reports_the_depth_that_is_left() {
    let mut rng = Rng::new(&[9]);
    let mut unfinished = 0;
    for _ in 0..200 {
        let balls = (0..12).map(|_| {
            let center = rng.direction() * dvec3(0.7, 0.7, 1.2);
            Shape::Sphere(capsweep::Sphere::new(center, 0.35).unwrap())
        });
        let scene = scene(balls);
        let capsule = Capsule::from_center(rng.cube(0.1), DVec3::Z * 0.5, 0.4).unwrap();
        let found = scene.depenetrate(&capsule, &Filter::default());
        let out = capsule.translated(found.push).unwrap();
        let left = scene.overlap(&out, &Filter::default()).map_or(0.0, |hit| hit.hit.depth);
        assert_eq!(left, found.left(), "{found:?}");
        assert_eq!(found.is_free(), left == 0.0);
        assert!(found.pushes <= MAX_PUSHES);
        unfinished += usize::from(matches!(found.state, Clearance::Unfinished { .. }));
    }
    assert!(unfinished > 0);
}

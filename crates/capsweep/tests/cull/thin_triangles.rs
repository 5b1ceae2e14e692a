//! Thin triangles far from where a sweep starts: culling must not lose them.

use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion, Sides, Triangle, sweep_capsule_triangle};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3};
use std::sync::Arc;

#[test]
fn a_sweep_from_afar_meets_thin_triangles() {
    let mut rng = Rng::new(&[91]);
    let mut hits = 0;
    for round in 0..3_000 {
        let (along, across) = (rng.direction(), rng.direction());
        let length = rng.log_range(0.1, 20.0);
        let width = rng.log_range(1e-6, 1e-2);
        let corner = rng.cube(10.0);
        let corners =
            [corner, corner + along * length, corner + along * (length * 0.4) + across * width];
        let corners = corners.map(DVec3::as_vec3);
        let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let triangle = Triangle::new(a, b, c).unwrap();
        let away = rng.direction() * rng.log_range(1.0, 800.0);
        let aim = a + (b - a) * rng.unit();
        let start = aim - away;
        let mover = Capsule::from_center(start, rng.direction() * 0.5, 0.05).unwrap();
        let motion = Motion::new(away * 1.01).unwrap();
        for sides in [Sides::Front, Sides::Both] {
            let expected = sweep_capsule_triangle(&mover, &motion, &triangle, sides);
            let filter = Filter { sides, ..Filter::default() };
            let found = scene.sweep(&mover, &motion, &filter).map(|hit| hit.hit);
            assert_eq!(found, expected, "round {round}");
            hits += u32::from(found.is_some());
        }
    }
    assert!(hits > 4_000, "{hits}");
}

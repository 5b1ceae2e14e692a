//! Extreme meshes: empty, degenerate, huge, out of range.

use crate::queries::{Query, queries};
use capsweep::scene::{
    Body, Filter, MeshError, MeshOptions, Pose, Scene, SceneError, Shape, TriMesh,
};
use capsweep::{Capsule, HalfSpace, Motion, ShapeError, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, tri_mesh};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

fn compare(brute: &Brute, count: usize, seed: u64) {
    let scene = brute.scene();
    for query in queries(brute, count, seed) {
        let Query { capsule, motion, filter } = query;
        let answer = scene.sweep(&capsule, &motion, &filter);
        let expected = brute.sweep(&capsule, &motion, &filter);
        if let Err(wrong) = expected.check(answer.as_ref()) {
            panic!("{query:?}: {wrong}");
        }
    }
}

#[test]
fn an_empty_mesh_is_nowhere() {
    let empty = TriMesh::new(&[], &[], MeshOptions::default()).unwrap();
    assert_eq!((empty.triangle_count(), empty.bounds(), empty.triangle(0)), (0, None, None));
    empty.validate().unwrap();
    let unused = TriMesh::new(&[Vec3::ZERO], &[], MeshOptions::default()).unwrap();
    assert_eq!(unused.bounds(), None);
    let mut scene = Scene::new();
    let id = scene.insert(Body::mesh(empty.into(), Pose::IDENTITY).unwrap());
    let ball = Capsule::new(DVec3::ZERO, DVec3::ZERO, 1.0).unwrap();
    let motion = Motion::new(DVec3::X).unwrap();
    assert!(scene.sweep(&ball, &motion, &Filter::default()).is_none());
    scene.move_mesh(id, Pose::from_translation(DVec3::X).unwrap()).unwrap();
    assert!(scene.sweep(&ball, &motion, &Filter::default()).is_none());
    scene.remove(id).unwrap();
}

#[test]
fn a_body_tells_what_it_is_made_of_and_where_it_reaches() {
    let mesh = tri_mesh(
        &(vec![Vec3::ZERO, vec3(1.0, 0.0, 0.0), vec3(0.0, 2.0, 3.0)], vec![[0, 1, 2]]),
        false,
    );
    let pose = Pose::uniform(dvec3(10.0, 20.0, 30.0), DQuat::IDENTITY, 2.0).unwrap();
    let placed = Body::mesh(mesh.clone(), pose).unwrap();
    let (its_mesh, its_pose) = placed.instance().unwrap();
    assert!(Arc::ptr_eq(its_mesh, &mesh) && *its_pose == pose && placed.solid().is_none());
    let reach = placed.bounds().unwrap();
    assert_eq!((reach.min(), reach.max()), (dvec3(10.0, 20.0, 30.0), dvec3(12.0, 24.0, 36.0)));

    let ball = Shape::Sphere(Sphere::new(dvec3(1.0, 2.0, 3.0), 0.5).unwrap());
    for body in [Body::shape(ball), Body::obstacle(ball)] {
        assert!(body.solid() == Some(&ball) && body.instance().is_none());
        assert_eq!(body.bounds().unwrap().max(), dvec3(1.5, 2.5, 3.5));
    }
    let ground = Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap());
    assert_eq!(Body::shape(ground).bounds(), None);
}

#[test]
fn bad_meshes_are_refused() {
    let make = |vertices: &[Vec3], indices: &[[u32; 3]]| {
        TriMesh::new(vertices, indices, MeshOptions::default()).unwrap_err()
    };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.1e9] {
        let error = make(&[Vec3::ZERO, vec3(0.0, bad, 0.0)], &[]);
        assert!(matches!(error, MeshError::BadVertex { vertex: 1, .. }), "{error}");
    }
    let error = make(&[Vec3::ZERO; 3], &[[0, 1, 2], [0, 3, 1]]);
    assert_eq!(error, MeshError::BadIndex { triangle: 1, index: 3, vertices: 3 });
}

#[test]
fn triangles_keep_their_numbers() {
    let mut rng = Rng::new(&[2]);
    let vertices: Vec<Vec3> = (0..300).map(|_| rng.cube(10.0).as_vec3()).collect();
    let indices: Vec<[u32; 3]> = (0..1_000).map(|_| [0; 3].map(|_| rng.below(300))).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    mesh.validate().unwrap();
    assert_eq!(mesh.triangle_count() as usize, indices.len());
    for (corners, number) in indices.iter().zip(0..) {
        let expected = corners.map(|index| vertices[index as usize]);
        assert_eq!(mesh.triangle(number), Some(expected));
    }
    assert_eq!(mesh.triangle(indices.len() as u32), None);
}

#[test]
fn degenerate_triangles_are_edges_and_points() {
    let mut rng = Rng::new(&[3]);
    let mut vertices = Vec::new();
    for _ in 0..400 {
        let a = rng.cube(6.0).as_vec3();
        let along = (rng.direction() * rng.log_range(0.1, 3.0)).as_vec3();
        vertices.extend(match rng.below(5) {
            0 => [a, a, a],
            1 => [a, a, a + along],
            2 => [a, a + along, a + along],
            3 => [a, a + along * 2.0, a + along],
            _ => [a, a + along, a + rng.cube(1.0).as_vec3()],
        });
    }
    let indices: Vec<[u32; 3]> = (0..400).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = tri_mesh(&(vertices, indices), false);
    mesh.validate().unwrap();
    let pose = Pose::new(dvec3(3.0, 1.0, 2.0), glam::DQuat::IDENTITY, dvec3(1.0, -2.0, 0.5));
    let bodies = [
        PlainBody::mesh(mesh.clone(), Pose::IDENTITY, 1),
        PlainBody::mesh(mesh, pose.unwrap(), 2),
    ];
    compare(&Brute::new(bodies), 4_000, 51);
}

#[test]
fn huge_triangles_answer_like_brute_force() {
    let mut rng = Rng::new(&[4]);
    let mut vertices: Vec<Vec3> = Vec::new();
    for i in 0..120 {
        // Huge ones through the middle, and small ones among them.
        let (reach, size) = if i % 3 == 0 { (2.0, 2_000.0) } else { (20.0, 1.0) };
        let middle = rng.cube(reach);
        let (one, other) = (rng.cube(size), rng.cube(size));
        vertices.extend([middle + one, middle + other, middle - one - other].map(DVec3::as_vec3));
    }
    let indices: Vec<[u32; 3]> = (0..120).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = tri_mesh(&(vertices, indices), false);
    mesh.validate().unwrap();
    let away = Pose::from_translation(dvec3(16_384.0, -16_384.0, 512.0)).unwrap();
    compare(&Brute::new([PlainBody::mesh(mesh.clone(), Pose::IDENTITY, 1)]), 4_000, 52);
    compare(&Brute::new([PlainBody::mesh(mesh, away, 1)]), 2_000, 53);
}

/// A mesh must lie within the range of positions as a whole. Inserting or moving it out of range
/// is an error.
#[test]
fn a_mesh_that_reaches_out_of_range_is_refused() {
    let vertices = vec![vec3(9e8, 0.0, 0.0), vec3(9e8, 1e8, 0.0), vec3(8e8, 0.0, 1e8)];
    let mesh = tri_mesh(&(vertices, vec![[0, 1, 2]]), false);
    let at = |x: f64| Pose::from_translation(dvec3(x, 0.0, 0.0)).unwrap();
    let refused = Body::mesh(mesh.clone(), at(1.5e8)).unwrap_err();
    assert!(matches!(refused, ShapeError::OutOfRange { limit: 1e9, .. }), "{refused}");
    assert_eq!(
        refused.to_string(),
        "the mesh's world bounds max.x is 1.05e9: its magnitude must not exceed 1e9"
    );
    let large = Pose::uniform(DVec3::ZERO, glam::DQuat::IDENTITY, -1e6).unwrap();
    assert!(Body::mesh(mesh.clone(), large).is_err());
    let mut scene = Scene::new();
    let id = scene.insert(Body::mesh(mesh, at(1e8)).unwrap());
    assert_eq!(scene.move_mesh(id, at(1.5e8)), Err(SceneError::OutOfRange { id, error: refused }));
    let corner = dvec3(1e9, 0.0, 0.0);
    let ball = Capsule::new(corner, corner, 1.0).unwrap();
    assert!(scene.overlaps(&ball, &Filter::default()));
}

//! Vector instructions change no bit of an answer.

use super::{Body, Filter, MeshOptions, Pose, Scene, Shape, TriMesh};
use crate::bvh::plain_only;
use crate::cache::{Hint, TriangleCache};
use crate::{Capsule, Motion, Obb, Sides};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

fn mesh((vertices, indices): &level::Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

/// Halls, tiles that tie with each other, turned and mirrored copies, and boxes.
fn world(rng: &mut Rng) -> Scene {
    let mut scene = Scene::new();
    scene.insert(Body::mesh(mesh(&level::dungeon()), Pose::IDENTITY).unwrap().with_key(1));
    let tiles = mesh(&level::tiled_floor(16, 1.0, 0.2, 0.2, Joints::TJunctions));
    for key in 2..200 {
        let turn = rng.cube(1.0);
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.6).normalize();
        let scale = dvec3(rng.range(0.2, 2.0), rng.range(0.2, 2.0), rng.sign());
        let at = rng.cube(1.0) * dvec3(28.0, 28.0, 10.0);
        let body = if key % 4 == 0 {
            Body::shape(Shape::Box(Obb::new(at, vec3(0.2, 0.4, 0.9), turn).unwrap()))
        } else {
            Body::mesh(Arc::clone(&tiles), Pose::new(at, turn, scale).unwrap()).unwrap()
        };
        scene.insert(body.with_key(key));
    }
    scene.commit();
    scene
}

#[test]
fn plain_loops_answer_like_vector_instructions() {
    let mut rng = Rng::new(&[61]);
    let scene = world(&mut rng);
    let mut hits = 0;
    for number in 0..10_000 {
        let center = rng.cube(1.0) * dvec3(28.0, 28.0, 10.0);
        let half_axis = if rng.chance(0.5) { DVec3::Z * 0.5 } else { rng.direction() * 0.5 };
        let capsule = Capsule::from_center(center, half_axis, 0.4).unwrap();
        let direction = if rng.chance(0.3) { DVec3::NEG_Z } else { rng.direction() };
        let motion = Motion::new(direction * rng.log_range(1e-3, 60.0)).unwrap();
        let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
        let filter = Filter { sides, ..Filter::default() };
        let wide = scene.sweep(&capsule, &motion, &filter);
        let plain = plain_only::run(|| scene.sweep(&capsule, &motion, &filter));
        // Every number is finite, so equal is equal in bits but for the sign of zero; the words have that.
        assert_eq!(format!("{wide:?}"), format!("{plain:?}"), "query {number}");
        hits += usize::from(wide.is_some());
    }
    assert!((2_000..10_000).contains(&hits), "{hits} hits");
}

#[test]
fn plain_loops_answer_like_vector_instructions_by_way_of_a_cache() {
    let mut rng = Rng::new(&[62]);
    let scene = world(&mut rng);
    let (mut wide_cache, mut plain_cache) = (TriangleCache::new(), TriangleCache::new());
    let (mut at, mut hits) = (DVec3::ZERO, 0);
    for number in 0..6_000 {
        if number % 10 == 0 {
            at = rng.cube(1.0) * dvec3(28.0, 28.0, 3.0);
        }
        let capsule = Capsule::from_center(at + rng.cube(0.3), DVec3::Z * 0.5, 0.4).unwrap();
        let direction = if rng.chance(0.5) { DVec3::NEG_Z } else { rng.direction() };
        let motion = Motion::new(direction * rng.log_range(1e-3, 2.0)).unwrap();
        let filter = Filter::default();
        let wide = wide_cache.sweep(&scene, Hint::Side, &capsule, &motion, &filter);
        let plain =
            plain_only::run(|| plain_cache.sweep(&scene, Hint::Side, &capsule, &motion, &filter));
        assert_eq!(format!("{wide:?}"), format!("{plain:?}"), "query {number}");
        hits += usize::from(wide.is_some());
    }
    assert_eq!(wide_cache.stats(), plain_cache.stats());
    assert!((1_000..6_000).contains(&hits), "{hits} hits");
}

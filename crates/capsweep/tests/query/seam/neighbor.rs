//! The other face at an edge.

use super::floors::slab;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, SceneHit, TriMesh};
use capsweep::{Capsule, Feature, Motion, Sides, SweepHit};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

fn scene(vertices: &[Vec3], indices: &[[u32; 3]], poses: &[Pose]) -> Scene {
    let mesh = Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap());
    let mut scene = Scene::new();
    for pose in poses {
        scene.insert(Body::mesh(Arc::clone(&mesh), *pose).expect("in range"));
    }
    scene
}

/// A ball that comes down on the edge x = 0.5, z = 0 from outside.
fn onto_edge(scene: &Scene, filter: &Filter) -> SceneHit<SweepHit> {
    let start = dvec3(0.6, 0.1, 1.0);
    let ball = Capsule::new(start, start, 0.3).unwrap();
    scene.sweep(&ball, &Motion::new(dvec3(0.0, 0.0, -1.5)).unwrap(), filter).unwrap()
}

#[test]
fn at_an_edge_the_other_face_is_known() {
    let filter = Filter::default();
    let (vertices, indices) = slab();
    let boxes = scene(&vertices, &indices, &[Pose::IDENTITY]);
    let hit = onto_edge(&boxes, &filter);
    assert!(matches!(hit.hit.feature, Feature::Edge(_)));
    let faces = [Some(hit.hit.face_normal), boxes.neighbor_normal(&hit, &filter)];
    assert!(faces.contains(&Some(Vec3::Z)) && faces.contains(&Some(Vec3::X)), "{faces:?}");

    // On the face there is no other.
    let above = Capsule::new(DVec3::Z, DVec3::Z, 0.3).unwrap();
    let fall = Motion::new(DVec3::NEG_Z).unwrap();
    let hit = boxes.sweep(&above, &fall, &filter).unwrap();
    assert_eq!(boxes.neighbor_normal(&hit, &filter), None);
}

#[test]
fn the_other_face_may_belong_to_another_mesh() {
    // A plate; its copy hangs down from its edge.
    let plate =
        [vec3(-0.5, -0.5, 0.0), vec3(0.5, -0.5, 0.0), vec3(0.5, 0.5, 0.0), vec3(-0.5, 0.5, 0.0)];
    let indices = [[0, 1, 2], [0, 2, 3]];
    let down = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let hanging = Pose::new(dvec3(0.5, 0.0, -0.5), down, DVec3::ONE).unwrap();
    for sides in [Sides::Front, Sides::Both] {
        let filter = Filter { sides, ..Filter::default() };
        let both = scene(&plate, &indices, &[Pose::IDENTITY, hanging]);
        let hit = onto_edge(&both, &filter);
        let other = both.neighbor_normal(&hit, &filter).unwrap();
        let faces = [hit.hit.face_normal, other];
        assert!(faces.iter().any(|face| face.distance(Vec3::Z) < 1e-6), "{faces:?}");
        assert!(faces.iter().any(|face| face.distance(Vec3::X) < 1e-6), "{faces:?}");
        // Alone, the plate ends there.
        let alone = scene(&plate, &indices, &[Pose::IDENTITY]);
        assert_eq!(alone.neighbor_normal(&onto_edge(&alone, &filter), &filter), None);
    }
}

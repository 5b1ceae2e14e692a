//! Rays through scenes: watertight meshes, and scenes against brute force.

#![allow(clippy::disallowed_methods, reason = "angles of a test fan need not agree to the bit")]

mod brute_force;
mod leaks;

use crate::ray_shapes::{FAR, both, cast, motion, ray_shape, scene_of, solids};
use capsweep::scene::{
    Body, BodyKind, Filter, MeshOptions, Pose, Scene, SceneHit, Shape, TriMesh,
};
use capsweep::{
    CONTACT_TOLERANCE, Motion, Ray, RayHit, ShapeError, Sides, Triangle, ray_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{Joints, Mesh, dungeon, instances, terrain, tiled_floor};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3};
use std::sync::Arc;

fn mesh_of((vertices, indices): &Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

/// Aims for rays: every vertex, the middle of every edge and face, and a point on each edge.
fn places(mesh: &Mesh, pose: &Pose) -> Vec<DVec3> {
    let (vertices, indices) = mesh;
    let world = |index: u32| pose.point_to_world(vertices[index as usize].as_dvec3());
    let mut places: Vec<DVec3> = (0..vertices.len() as u32).map(world).collect();
    for [a, b, c] in indices.iter().map(|triangle| triangle.map(world)) {
        places.extend([(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0]);
        places.push(a + (b - a) * 0.3);
    }
    places
}

fn tilted() -> DQuat {
    dquat(0.3, -0.5, 0.2, 0.9)
}

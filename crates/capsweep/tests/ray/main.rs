//! Rays: the pairs and their conventions, watertight meshes, and the scene against brute force.

#![allow(clippy::disallowed_methods, reason = "angles of a test fan need not agree to the bit")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a shape that cannot be made and a hit that is not found fail the test"
)]

mod leaks;
mod pairs;
mod scene;

use capsweep::scene::{
    Body, BodyKind, Filter, MeshOptions, Pose, Scene, SceneHit, Shape, StartOverlaps, TriMesh,
};
use capsweep::{
    CONTACT_TOLERANCE, Capsule, Feature, HalfSpace, Motion, Obb, Ray, RayHit, ShapeError, Sides,
    Sphere, Triangle, ray_box, ray_capsule, ray_half_space, ray_sphere, ray_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{Joints, Mesh, dungeon, instances, terrain, tiled_floor};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::sync::Arc;

const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);

fn motion(vector: DVec3) -> Motion {
    Motion::new(vector).unwrap()
}

fn cast(origin: DVec3, motion: &Motion) -> Ray {
    Ray::new(origin, *motion).unwrap()
}

fn both() -> Filter {
    Filter { sides: Sides::Both, ..Filter::default() }
}

fn mesh_of((vertices, indices): &Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

fn scene_of(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = Scene::new();
    for (body, key) in bodies.into_iter().zip(1..) {
        scene.insert(body.with_key(key));
    }
    scene
}

/// The solids of the convention tests: each has its top at z = 0 over the origin, and at least 1 m below it is solid.
fn solids() -> [Shape; 4] {
    let level = Obb::axis_aligned(dvec3(0.5, -0.25, -1.0), vec3(3.0, 2.0, 1.0)).unwrap();
    [
        Shape::Box(level),
        Shape::Sphere(Sphere::new(dvec3(0.0, 0.0, -1.5), 1.5).unwrap()),
        Shape::Capsule(Capsule::new(dvec3(-2.0, 0.0, -0.5), dvec3(1.0, 0.0, -0.5), 0.5).unwrap()),
        Shape::HalfSpace(HalfSpace::new(dvec3(7.0, 5.0, 0.0), DVec3::Z).unwrap()),
    ]
}

fn ray_shape(origin: DVec3, motion: &Motion, shape: &Shape, sides: Sides) -> Option<RayHit> {
    match shape {
        Shape::Box(target) => ray_box(&cast(origin, motion), target, sides),
        Shape::Sphere(target) => ray_sphere(&cast(origin, motion), target, sides),
        Shape::Capsule(target) => ray_capsule(&cast(origin, motion), target, sides),
        Shape::HalfSpace(target) => ray_half_space(&cast(origin, motion), target, sides),
    }
}

fn floor() -> Triangle {
    Triangle::new(dvec3(-3.0, -2.0, 0.0), dvec3(4.0, -2.5, 0.0), dvec3(0.5, 5.0, 0.0)).unwrap()
}

/// Places worth aiming at: every vertex, the middle of every edge and of every face, and a point on each edge.
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

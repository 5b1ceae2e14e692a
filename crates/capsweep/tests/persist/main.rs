//! Meshes and scenes as bytes: a loaded scene answers like the original, and damaged bytes are
//! refused.

#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

mod answers;
mod damage;
mod height_field;
mod layout;
mod map;

use capsweep::scene::{Body, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, HalfSpace, Obb, Sphere};
use capsweep_testkit::level;
use capsweep_testkit::{Rng, level::Mesh};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

/// With masks and tags of which most bits are set.
fn mesh((vertices, indices): &Mesh, double_sided: bool) -> TriMesh {
    let mesh = TriMesh::new(vertices, indices, MeshOptions { double_sided }).unwrap();
    let mut rng = Rng::new(&[7]);
    let mut numbers =
        || -> Vec<u32> { indices.iter().map(|_| (rng.bits() | rng.bits()) as u32).collect() };
    let (masks, tags) = (numbers(), numbers());
    let flags: Vec<bool> = indices.iter().map(|_| rng.chance(0.2)).collect();
    let mesh = mesh.with_double_sided(&flags).unwrap();
    mesh.with_masks(&masks).unwrap().with_tags(&tags).unwrap()
}

/// A dungeon, rotated and mirrored instances, shapes and obstacles of every kind.
fn world() -> Scene {
    let mut rng = Rng::new(&[5]);
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh(&level::dungeon(), false)), Pose::IDENTITY).unwrap());
    let level = level::instances(60);
    let models: Vec<Arc<TriMesh>> =
        level.meshes.iter().zip(0..).map(|(one, i)| Arc::new(mesh(one, i % 3 == 0))).collect();
    for ((model, pose), key) in level.placements.iter().zip(1..) {
        let mobility = if key % 5 == 0 { Mobility::Dynamic } else { Mobility::Static };
        let body = Body::mesh(Arc::clone(&models[*model]), *pose).unwrap().with_key(key);
        scene.insert(body.with_mask(rng.bits() as u32 | 1).with_mobility(mobility));
    }
    for key in 100..160 {
        let at = rng.cube(1.0) * dvec3(28.0, 28.0, 6.0);
        let turn = DQuat::from_xyzw(rng.range(-1.0, 1.0), 0.3, rng.range(-1.0, 1.0), 0.5);
        let shape = match key % 3 {
            0 => Shape::Box(Obb::new(at, vec3(0.3, 0.5, 0.9), turn).unwrap()),
            1 => Shape::Sphere(Sphere::new(at, 0.6).unwrap()),
            _ => Shape::Capsule(Capsule::new(at, at + rng.cube(1.0), 0.3).unwrap()),
        };
        let body = if key % 2 == 0 { Body::shape(shape) } else { Body::obstacle(shape) };
        scene.insert(body.with_key(key));
    }
    let plane = HalfSpace::new(DVec3::Z * -8.0, dvec3(0.1, 0.03, 0.7)).unwrap();
    scene.insert(Body::shape(Shape::HalfSpace(plane)).with_key(999));
    scene
}

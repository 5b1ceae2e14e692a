//! Solids for tests of rays.

use capsweep::scene::{Body, Filter, Scene, Shape};
use capsweep::{
    Capsule, HalfSpace, Motion, Obb, Ray, RayHit, Sides, Sphere, ray_box, ray_capsule,
    ray_half_space, ray_sphere,
};
use glam::{DVec3, dvec3, vec3};

pub(crate) const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);

pub(crate) fn motion(vector: DVec3) -> Motion {
    Motion::new(vector).unwrap()
}

pub(crate) fn cast(origin: DVec3, motion: &Motion) -> Ray {
    Ray::new(origin, *motion).unwrap()
}

pub(crate) fn both() -> Filter {
    Filter { sides: Sides::Both, ..Filter::default() }
}

pub(crate) fn scene_of(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = Scene::new();
    for (body, key) in bodies.into_iter().zip(1..) {
        scene.insert(body.with_key(key));
    }
    scene
}

/// Each has its top at z = 0 over the origin, and is solid for at least 1 m below it.
pub(crate) fn solids() -> [Shape; 4] {
    let level = Obb::axis_aligned(dvec3(0.5, -0.25, -1.0), vec3(3.0, 2.0, 1.0)).unwrap();
    [
        Shape::Box(level),
        Shape::Sphere(Sphere::new(dvec3(0.0, 0.0, -1.5), 1.5).unwrap()),
        Shape::Capsule(Capsule::new(dvec3(-2.0, 0.0, -0.5), dvec3(1.0, 0.0, -0.5), 0.5).unwrap()),
        Shape::HalfSpace(HalfSpace::new(dvec3(7.0, 5.0, 0.0), DVec3::Z).unwrap()),
    ]
}

pub(crate) fn ray_shape(
    origin: DVec3,
    motion: &Motion,
    shape: &Shape,
    sides: Sides,
) -> Option<RayHit> {
    match shape {
        Shape::Box(target) => ray_box(&cast(origin, motion), target, sides),
        Shape::Sphere(target) => ray_sphere(&cast(origin, motion), target, sides),
        Shape::Capsule(target) => ray_capsule(&cast(origin, motion), target, sides),
        Shape::HalfSpace(target) => ray_half_space(&cast(origin, motion), target, sides),
    }
}

//! A shape given as a target flag or on a query line, and the pair functions of its kind.

use capsweep::scene::Shape;
use capsweep::{
    Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Ray, RayHit, Sides, Sphere, SweepHit,
    Triangle, closest_capsule_box, closest_capsule_capsule, closest_capsule_half_space,
    closest_capsule_sphere, closest_capsule_triangle, overlap_capsule_box,
    overlap_capsule_capsule, overlap_capsule_half_space, overlap_capsule_sphere,
    overlap_capsule_triangle, ray_box, ray_capsule, ray_half_space, ray_sphere, ray_triangle,
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space, sweep_capsule_sphere,
    sweep_capsule_triangle,
};

#[derive(Debug)]
pub(crate) enum Target {
    Triangle(Triangle),
    Box(Obb),
    Sphere(Sphere),
    Capsule(Capsule),
    HalfSpace(HalfSpace),
}

impl Target {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Triangle(_) => "triangle",
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Capsule(_) => "capsule",
            Self::HalfSpace(_) => "half-space",
        }
    }

    pub(crate) fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        sides: Sides,
    ) -> Option<SweepHit> {
        match self {
            Self::Triangle(triangle) => sweep_capsule_triangle(capsule, motion, triangle, sides),
            Self::Box(obb) => sweep_capsule_box(capsule, motion, obb, sides),
            Self::Sphere(sphere) => sweep_capsule_sphere(capsule, motion, sphere, sides),
            Self::Capsule(other) => sweep_capsule_capsule(capsule, motion, other, sides),
            Self::HalfSpace(solid) => sweep_capsule_half_space(capsule, motion, solid, sides),
        }
    }

    pub(crate) fn ray(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        match self {
            Self::Triangle(triangle) => ray_triangle(ray, triangle, sides),
            Self::Box(obb) => ray_box(ray, obb, sides),
            Self::Sphere(sphere) => ray_sphere(ray, sphere, sides),
            Self::Capsule(other) => ray_capsule(ray, other, sides),
            Self::HalfSpace(solid) => ray_half_space(ray, solid, sides),
        }
    }

    /// The shape of a scene body; `None` for a triangle, which only meshes hold.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match self {
            Self::Triangle(_) => None,
            Self::Box(obb) => Some(Shape::Box(*obb)),
            Self::Sphere(sphere) => Some(Shape::Sphere(*sphere)),
            Self::Capsule(capsule) => Some(Shape::Capsule(*capsule)),
            Self::HalfSpace(solid) => Some(Shape::HalfSpace(*solid)),
        }
    }

    pub(crate) fn overlap(&self, capsule: &Capsule) -> Option<Overlap> {
        match self {
            Self::Triangle(triangle) => overlap_capsule_triangle(capsule, triangle),
            Self::Box(obb) => overlap_capsule_box(capsule, obb),
            Self::Sphere(sphere) => overlap_capsule_sphere(capsule, sphere),
            Self::Capsule(other) => overlap_capsule_capsule(capsule, other),
            Self::HalfSpace(solid) => overlap_capsule_half_space(capsule, solid),
        }
    }

    pub(crate) fn closest(&self, capsule: &Capsule) -> ClosestPoints {
        match self {
            Self::Triangle(triangle) => closest_capsule_triangle(capsule, triangle),
            Self::Box(obb) => closest_capsule_box(capsule, obb),
            Self::Sphere(sphere) => closest_capsule_sphere(capsule, sphere),
            Self::Capsule(other) => closest_capsule_capsule(capsule, other),
            Self::HalfSpace(solid) => closest_capsule_half_space(capsule, solid),
        }
    }
}

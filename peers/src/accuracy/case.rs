//! A case of the test kit, rounded to f32 so that every engine gets the same input.

use anyhow::Result;
use capsweep::{Capsule, Triangle};
use capsweep_testkit::{Case, TargetShape};
use glam::{DVec3, Vec3};

/// A capsule, its motion and a triangle, in f32.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweepCase {
    pub(super) center: Vec3,
    /// From the centre to the end of the axis; zero for a sphere.
    pub(super) half_axis: Vec3,
    pub(super) radius: f32,
    pub(super) motion: Vec3,
    pub(super) corners: [Vec3; 3],
}

impl SweepCase {
    /// Rounds a case to f32; `None` if its target is not a triangle.
    pub(super) fn from_case(case: &Case) -> Option<Self> {
        let TargetShape::Triangle(triangle) = &case.target else { return None };
        let (p0, p1) = (case.capsule.p0(), case.capsule.p1());
        Some(Self {
            center: case.capsule.center().as_vec3(),
            half_axis: ((p1 - p0) * 0.5).as_vec3(),
            radius: case.capsule.radius(),
            motion: case.motion.vector().as_vec3(),
            corners: triangle.vertices().map(DVec3::as_vec3),
        })
    }

    pub(super) fn capsule(&self) -> Result<Capsule> {
        let (center, half_axis) = (self.center.as_dvec3(), self.half_axis.as_dvec3());
        Ok(Capsule::from_center(center, half_axis, self.radius)?)
    }

    pub(super) fn triangle(&self) -> Result<Triangle> {
        let [a, b, c] = self.corners.map(Vec3::as_dvec3);
        Ok(Triangle::new(a, b, c)?)
    }
}

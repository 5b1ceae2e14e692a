//! Parry: `TriMesh` with its default flags and the free functions of `parry3d::query`.
//!
//! Its shape casts see both sides of a triangle. Its rays can skip back faces.

use super::{Answer, Engine, Hit};
use crate::mesh::Mesh;
use crate::queries::{CLOSEST_LIMIT, HALF_AXIS, Kind, Query, RADIUS};
use anyhow::Result;
use capsweep::Sides;
use glam::Vec3;
use parry3d::math::{Pose, Vector};
use parry3d::query::{self, ClosestPoints, Ray, RayCullingMode, ShapeCastOptions};
use parry3d::shape::{Ball, Capsule, Shape, TriMesh};

/// A mesh in Parry.
pub(crate) struct Parry {
    mesh: TriMesh,
    capsule: Capsule,
}

/// The capsule's pose and its displacement, taken as a velocity over a time of 1.
pub(crate) struct PreparedQuery {
    pose: Pose,
    motion: Vector,
    length: f64,
}

impl Parry {
    /// First touch of a capsule of any size and direction, with its axis `center ± half_axis`.
    pub(crate) fn sweep_capsule(
        &self,
        center: Vec3,
        half_axis: Vec3,
        radius: f32,
        motion: Vec3,
    ) -> Answer {
        let query = PreparedQuery::new(center, motion);
        if half_axis == Vec3::ZERO {
            return self.sweep_shape(&Ball::new(radius), &query);
        }
        self.sweep_shape(&Capsule::new(vector(-half_axis), vector(half_axis), radius), &query)
    }

    fn sweep_shape(&self, shape: &dyn Shape, query: &PreparedQuery) -> Answer {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let still = (&Pose::IDENTITY, Vector::ZERO);
        query::cast_shapes(still.0, still.1, &self.mesh, &query.pose, query.motion, shape, options)
            .ok()
            .flatten()
            .map(|hit| Hit {
                distance: f64::from(hit.time_of_impact) * query.length,
                normal: Vec3::from_array(hit.normal1.to_array()),
            })
    }
}

impl PreparedQuery {
    fn new(center: Vec3, motion: Vec3) -> Self {
        Self {
            pose: Pose::from_translation(vector(center)),
            motion: vector(motion),
            length: motion.as_dvec3().length(),
        }
    }
}

impl Engine for Parry {
    type Source = Mesh;
    type PreparedQuery = PreparedQuery;

    const NAME: &'static str = "parry";

    fn build(mesh: &Mesh) -> Result<Self> {
        let vertices = mesh.vertices.iter().map(|&vertex| vector(vertex)).collect();
        Ok(Self {
            mesh: TriMesh::new(vertices, mesh.triangles.clone())?,
            capsule: Capsule::new_z(HALF_AXIS, RADIUS),
        })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        match kind {
            Kind::Ray => Some(Sides::Front),
            _ => Some(Sides::Both),
        }
    }

    fn prepare(&self, query: &Query) -> PreparedQuery {
        PreparedQuery::new(query.center, query.motion)
    }

    fn sweep(&self, query: &PreparedQuery) -> Answer {
        self.sweep_shape(&self.capsule, query)
    }

    fn overlap(&self, query: &PreparedQuery) -> Answer {
        let found =
            query::intersection_test(&Pose::IDENTITY, &self.mesh, &query.pose, &self.capsule);
        found
            .is_ok_and(|found| found.intersecting)
            .then_some(Hit { distance: 0.0, normal: Vec3::ZERO })
    }

    fn closest(&self, query: &PreparedQuery) -> Answer {
        let (mesh, capsule) = (&self.mesh, &self.capsule);
        match query::closest_points(&Pose::IDENTITY, mesh, &query.pose, capsule, CLOSEST_LIMIT) {
            Ok(ClosestPoints::Intersecting) => Some(Hit { distance: 0.0, normal: Vec3::ZERO }),
            Ok(ClosestPoints::WithinMargin(on_mesh, on_capsule)) => {
                let apart = Vec3::from_array((on_capsule - on_mesh).to_array());
                let normal = apart.normalize_or_zero();
                Some(Hit { distance: f64::from(apart.length()), normal })
            }
            _ => None,
        }
    }

    fn ray(&self, query: &PreparedQuery) -> Answer {
        let ray = Ray::new(query.pose.translation, query.motion);
        self.mesh.cast_local_ray_with_culling(&ray, 1.0, RayCullingMode::IgnoreBackfaces).map(
            |hit| Hit {
                distance: f64::from(hit.time_of_impact) * query.length,
                normal: Vec3::from_array(hit.normal.to_array()),
            },
        )
    }
}

/// Converts a vector to Parry's version of glam.
pub(crate) fn vector(v: Vec3) -> Vector {
    Vector::from_array(v.to_array())
}

//! Rapier: the kinematic character controller. Its queries are Parry's.

use super::controller::{Controller, MoveResult, SLOPE_LIMIT, STEP_OFFSET, TICK, Touches};
use super::parry::vector;
use crate::mesh::Mesh;
use crate::queries::{HALF_AXIS, RADIUS};
use anyhow::Result;
use glam::{DVec3, Vec3};
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::math::{Pose, Vector};
use rapier3d::parry::query::DefaultQueryDispatcher;
use rapier3d::prelude::{
    BroadPhaseBvh, Capsule, ColliderBuilder, ColliderSet, IntegrationParameters, QueryFilter,
    QueryPipeline, RigidBodySet, SharedShape, TriMesh,
};

/// A world of one mesh in Rapier.
struct RapierWorld {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
}

impl RapierWorld {
    fn new(mesh: &Mesh) -> Result<Self> {
        let vertices = mesh.vertices.iter().map(|&vertex| vector(vertex)).collect();
        let shape = SharedShape::new(TriMesh::new(vertices, mesh.triangles.clone())?);
        let collider = ColliderBuilder::new(shape).build();
        let bounds = collider.compute_aabb();
        let mut colliders = ColliderSet::new();
        let handle = colliders.insert(collider);
        let mut broad_phase = BroadPhaseBvh::new();
        broad_phase.set_aabb(&IntegrationParameters::default(), handle, bounds);
        Ok(Self { bodies: RigidBodySet::new(), colliders, broad_phase })
    }

    fn queries(&self) -> QueryPipeline<'_> {
        let filter = QueryFilter::default();
        let (bodies, colliders) = (&self.bodies, &self.colliders);
        self.broad_phase.as_query_pipeline(&DefaultQueryDispatcher, bodies, colliders, filter)
    }
}

/// A character in Rapier.
pub(crate) struct RapierController {
    world: RapierWorld,
    controller: KinematicCharacterController,
    capsule: Capsule,
    center: Vector,
}

impl RapierController {
    /// A character at the origin of `mesh`.
    ///
    /// # Errors
    /// If Rapier refuses the mesh.
    pub(crate) fn new(mesh: &Mesh) -> Result<Self> {
        let autostep = CharacterAutostep {
            max_height: CharacterLength::Absolute(STEP_OFFSET),
            ..CharacterAutostep::default()
        };
        let controller = KinematicCharacterController {
            up: Vector::Z,
            autostep: Some(autostep),
            max_slope_climb_angle: SLOPE_LIMIT.acos(),
            min_slope_slide_angle: SLOPE_LIMIT.acos(),
            ..KinematicCharacterController::default()
        };
        let capsule = Capsule::new_z(HALF_AXIS, RADIUS);
        Ok(Self { world: RapierWorld::new(mesh)?, controller, capsule, center: Vector::ZERO })
    }
}

impl Controller for RapierController {
    fn name(&self) -> &'static str {
        "rapier"
    }

    fn teleport(&mut self, center: DVec3) -> Result<()> {
        self.center = vector(center.as_vec3());
        Ok(())
    }

    fn move_by(&mut self, displacement: Vec3) -> MoveResult {
        let pose = Pose::from_translation(self.center);
        let queries = self.world.queries();
        let wanted = vector(displacement);
        let moved =
            self.controller.move_shape(TICK, &queries, &self.capsule, &pose, wanted, |_| {});
        self.center += moved.translation;
        let center = Vec3::from_array(self.center.to_array()).as_dvec3();
        let touches = Touches { below: moved.grounded, sides: None, above: None };
        MoveResult { center, touches }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::parry::Parry;
    use crate::engine::{Engine, reference::Reference};
    use crate::mesh;
    use crate::queries::{Kind, generate, starts};
    use rapier3d::parry::query::ShapeCastOptions;

    /// The reason for one column for both in tables.
    #[test]
    fn rapier_casts_as_parry_does() {
        let [mesh, ..] = mesh::generated();
        let reference = Reference::from_mesh(&mesh).unwrap();
        let starts = starts(&reference, 200).unwrap();
        let parry = Parry::build(&mesh).unwrap();
        let world = RapierWorld::new(&mesh).unwrap();
        let capsule = Capsule::new_z(HALF_AXIS, RADIUS);
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        for query in generate(Kind::Dash, &starts) {
            let pose = Pose::from_translation(vector(query.center));
            let motion = vector(query.motion);
            let found = world.queries().cast_shape(&pose, motion, &capsule, options);
            let found = found
                .map(|(_, hit)| f64::from(hit.time_of_impact) * query.motion.as_dvec3().length());
            let parrys = parry.sweep(&parry.prepare(&query)).map(|hit| hit.distance);
            assert_eq!(found, parrys, "{query:?}");
        }
    }
}

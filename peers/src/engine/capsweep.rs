//! capsweep: a scene of one mesh, of one height field, or of many instances.

use super::controller::{Controller, MoveResult, SLOPE_LIMIT, STEP_OFFSET, TICK, Touches};
use super::{Answer, Engine, Hit};
use crate::mesh::{Geometry, Mesh, Terrain, World};
use crate::queries::{CLOSEST_LIMIT, HALF_AXIS, Kind, Query, RADIUS};
use anyhow::Result;
use capsweep::cache::TriangleCache;
use capsweep::controller::{self, CharacterState, ControllerConfig, MoveInput, MoveOutcome};
use capsweep::scene::{Body, CellTriangles, Filter, HeightField, HeightFieldOptions};
use capsweep::scene::{MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Limit, Motion, Ray, Sides, SlopeLimit};
use capsweep_testkit::height_field::PlainField;
use glam::{DVec3, Vec3};
use std::marker::PhantomData;
use std::sync::Arc;

/// A scene of a single mesh or height field, or of a world of instances.
pub(crate) struct Capsweep<S> {
    scene: Scene,
    source: PhantomData<S>,
}

/// The capsule, its motion and the ray from its centre. All are in range because the meshes are.
pub(crate) struct PreparedQuery {
    capsule: Capsule,
    motion: Motion,
    ray: Ray,
}

fn mesh(mesh: &Mesh) -> Result<Arc<TriMesh>> {
    Ok(Arc::new(TriMesh::new(&mesh.vertices, &mesh.triangles, MeshOptions::default())?))
}

/// Geometry that becomes a capsweep scene.
pub(crate) trait SceneSource: Geometry {
    /// Builds the scene.
    fn scene(&self) -> Result<Scene>;
}

impl SceneSource for Mesh {
    fn scene(&self) -> Result<Scene> {
        let mut scene = Scene::new();
        scene.insert(Body::mesh(mesh(self)?, Pose::IDENTITY)?);
        Ok(scene)
    }
}

impl SceneSource for Terrain {
    fn scene(&self) -> Result<Scene> {
        let PlainField { grid, heights, turned, .. } = &self.field;
        let (cells, options) = (CellTriangles::Two { turned }, HeightFieldOptions::default());
        let field = HeightField::new(*grid, heights.clone(), cells, options)?;
        let mut scene = Scene::new();
        scene.insert(Body::height_field(Arc::new(field), Pose::IDENTITY)?);
        Ok(scene)
    }
}

impl SceneSource for World {
    fn scene(&self) -> Result<Scene> {
        let meshes = self.meshes.iter().map(mesh).collect::<Result<Vec<_>>>()?;
        let mut scene = Scene::new();
        scene.edit(|edit| -> Result<()> {
            for instance in &self.instances {
                let pose = Pose::new(
                    instance.position.as_dvec3(),
                    instance.rotation.as_dquat(),
                    instance.scale.as_dvec3(),
                )?;
                edit.insert(Body::mesh(Arc::clone(&meshes[instance.mesh]), pose)?);
            }
            Ok(())
        })?;
        Ok(scene)
    }
}

impl<S: SceneSource> Engine for Capsweep<S> {
    type Source = S;
    type PreparedQuery = Option<PreparedQuery>;

    const NAME: &'static str = "capsweep";

    fn build(source: &S) -> Result<Self> {
        Ok(Self { scene: source.scene()?, source: PhantomData })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        let sided = kind.is_sweep() || matches!(kind, Kind::Ray);
        Some(if sided { Sides::Front } else { Sides::Both })
    }

    fn prepare(&self, query: &Query) -> Option<PreparedQuery> {
        let half_axis = DVec3::new(0.0, 0.0, f64::from(HALF_AXIS));
        let capsule = Capsule::from_center(query.center.as_dvec3(), half_axis, RADIUS).ok()?;
        let motion = Motion::new(query.motion.as_dvec3()).ok()?;
        Some(PreparedQuery { capsule, motion, ray: Ray::new(capsule.center(), motion).ok()? })
    }

    fn sweep(&self, query: &Option<PreparedQuery>) -> Answer {
        let query = query.as_ref()?;
        let found = self.scene.sweep(&query.capsule, &query.motion, &Filter::default())?;
        Some(Hit { distance: found.hit.distance, normal: found.hit.normal })
    }

    fn overlap(&self, query: &Option<PreparedQuery>) -> Answer {
        let found = self.scene.overlaps(&query.as_ref()?.capsule, &Filter::default());
        found.then_some(Hit { distance: 0.0, normal: Vec3::ZERO })
    }

    fn closest(&self, query: &Option<PreparedQuery>) -> Answer {
        let limit = Limit::new(f64::from(CLOSEST_LIMIT)).ok()?;
        let found = self.scene.closest(&query.as_ref()?.capsule, limit, &Filter::default())?;
        Some(Hit { distance: found.hit.distance.max(0.0), normal: found.hit.normal })
    }

    fn ray(&self, query: &Option<PreparedQuery>) -> Answer {
        let found = self.scene.ray(&query.as_ref()?.ray, &Filter::default())?;
        Some(Hit { distance: found.hit.distance, normal: found.hit.normal })
    }
}

/// A character in capsweep, with the settings of `PhysX`.
pub(crate) struct CapsweepController {
    scene: Scene,
    controller: controller::Controller,
    cache: TriangleCache,
    outcome: MoveOutcome,
}

impl CapsweepController {
    /// A character at the origin of `mesh`.
    ///
    /// # Errors
    /// If capsweep refuses the mesh.
    pub(crate) fn new(mesh: &Mesh) -> Result<Self> {
        let config = ControllerConfig {
            radius: RADIUS,
            total_height: 2.0 * (HALF_AXIS + RADIUS),
            step_offset: STEP_OFFSET,
            slope_limit: SlopeLimit::from_cos(SLOPE_LIMIT)?,
            ..ControllerConfig::physx(DVec3::Z)
        };
        let (scene, controller) = (mesh.scene()?, controller::Controller::new(config)?);
        let still = MoveInput::new(Motion::new(DVec3::ZERO)?);
        let mut cache = TriangleCache::new();
        let state = controller.spawn(DVec3::ZERO)?;
        let outcome = controller.move_by(&scene, &mut cache, &state, &still);
        Ok(Self { scene, controller, cache, outcome })
    }
}

impl Controller for CapsweepController {
    fn name(&self) -> &'static str {
        "capsweep"
    }

    fn teleport(&mut self, center: DVec3) -> Result<()> {
        let ControllerConfig { radius, total_height, .. } = *self.controller.config();
        self.outcome.state = CharacterState::new(center, radius, total_height)?;
        Ok(())
    }

    fn move_by(&mut self, displacement: Vec3) -> MoveResult {
        let state = self.outcome.state;
        // Every displacement here is finite and short. For any other the character stays.
        if let Ok(motion) = Motion::new(displacement.as_dvec3()) {
            let input = MoveInput::new(motion).with_dt(f64::from(TICK));
            let Self { scene, controller, cache, outcome } = self;
            controller.move_into(scene, cache, &state, &input, outcome);
        }
        let touching = self.outcome.touching;
        let touches = Touches {
            below: touching.below,
            sides: Some(touching.sides),
            above: Some(touching.above),
        };
        MoveResult { center: self.outcome.state.center(), touches }
    }
}

//! Many instances in a `PxScene`: each is a static actor for queries only, in a static tree.

use super::{PreparedQuery, capsule_geometry, cook, glam, mesh_geometry, physics, prepare, vec3};
use crate::engine::{Answer, Engine, Hit};
use crate::mesh::{Instance, World};
use crate::queries::{Kind, Query};
use anyhow::{Result, ensure};
use capsweep::Sides;
use core::mem::MaybeUninit;
use core::ptr::{from_ref, null, null_mut};
use physx_sys::{
    PxActor_release_mut, PxBase_release_mut, PxCapsuleGeometry, PxDefaultCpuDispatcher,
    PxDefaultCpuDispatcher_release_mut, PxDefaultCpuDispatcherWaitForWorkMode, PxHitFlags,
    PxMaterial, PxPhysics, PxPhysics_createMaterial_mut, PxPhysics_createRigidStatic_mut,
    PxPhysics_createScene_mut, PxPhysics_createShape_mut, PxPhysics_getTolerancesScale,
    PxPruningStructureType, PxQuat, PxQueryFilterData, PxQueryFilterData_new,
    PxRigidActor_attachShape_mut, PxRigidStatic, PxScene, PxScene_addActor_mut,
    PxScene_release_mut, PxSceneDesc_new, PxSceneQueryExt_sweepSingle,
    PxSceneQuerySystemBase_flushUpdates_mut, PxShape_release_mut, PxShapeFlags, PxSweepHit,
    PxTransform, PxTriangleMesh, PxTriangleMesh_release_mut, get_default_simulation_filter_shader,
    phys_PxDefaultCpuDispatcherCreate,
};

/// A world in `PhysX`.
pub(crate) struct PhysXScene {
    scene: *mut PxScene,
    actors: Vec<*mut PxRigidStatic>,
    meshes: Vec<*mut PxTriangleMesh>,
    material: *mut PxMaterial,
    dispatcher: *mut PxDefaultCpuDispatcher,
    capsule: PxCapsuleGeometry,
    filter: PxQueryFilterData,
}

impl PhysXScene {
    /// The scene, for the controller manager.
    pub(super) fn raw(&self) -> *mut PxScene {
        self.scene
    }

    /// A scene with nothing in it.
    fn empty(physics: *mut PxPhysics) -> Result<Self> {
        // SAFETY: `physics` exists. The objects of the descriptor live as long as the scene.
        let made = unsafe {
            let mode = PxDefaultCpuDispatcherWaitForWorkMode::WaitForWork;
            let dispatcher = phys_PxDefaultCpuDispatcherCreate(0, null_mut(), mode, 0);
            let mut desc = PxSceneDesc_new(PxPhysics_getTolerancesScale(physics));
            desc.cpuDispatcher = dispatcher.cast();
            desc.filterShader = get_default_simulation_filter_shader();
            desc.staticStructure = PxPruningStructureType::StaticAabbTree;
            Self {
                scene: PxPhysics_createScene_mut(physics, &raw const desc),
                actors: Vec::new(),
                meshes: Vec::new(),
                material: PxPhysics_createMaterial_mut(physics, 0.5, 0.5, 0.0),
                dispatcher,
                capsule: capsule_geometry(),
                filter: PxQueryFilterData_new(),
            }
        };
        ensure!(!made.scene.is_null(), "PhysX refuses to make a scene");
        Ok(made)
    }

    fn insert(&mut self, physics: *mut PxPhysics, instance: &Instance) -> Result<()> {
        let geometry = mesh_geometry(self.meshes[instance.mesh], instance.scale);
        let [x, y, z, w] = instance.rotation.to_array();
        let pose = PxTransform { q: PxQuat { x, y, z, w }, p: vec3(instance.position) };
        // SAFETY: every pointer is to a live object of `physics`. Geometry and pose are copied.
        // The actor holds its own reference to the shape, so this one is released.
        let added = unsafe {
            let flags = PxShapeFlags::SceneQueryShape;
            let geometry = from_ref(&geometry).cast();
            let shape = PxPhysics_createShape_mut(physics, geometry, self.material, true, flags);
            let actor = PxPhysics_createRigidStatic_mut(physics, &raw const pose);
            let attached = PxRigidActor_attachShape_mut(actor.cast(), shape);
            PxShape_release_mut(shape);
            self.actors.push(actor);
            attached && PxScene_addActor_mut(self.scene, actor.cast(), null())
        };
        ensure!(added, "PhysX refuses an instance");
        Ok(())
    }
}

impl Drop for PhysXScene {
    fn drop(&mut self) {
        // SAFETY: all objects came from PhysX and are released once, each before those it uses.
        unsafe {
            for &actor in &self.actors {
                PxActor_release_mut(actor.cast());
            }
            if !self.scene.is_null() {
                PxScene_release_mut(self.scene);
            }
            for &mesh in &self.meshes {
                PxTriangleMesh_release_mut(mesh);
            }
            PxBase_release_mut(self.material.cast());
            PxDefaultCpuDispatcher_release_mut(self.dispatcher);
        }
    }
}

impl Engine for PhysXScene {
    type Source = World;
    type PreparedQuery = PreparedQuery;

    const NAME: &'static str = "physx";

    fn build(world: &World) -> Result<Self> {
        let physics = physics()?;
        let mut built = Self::empty(physics)?;
        for mesh in &world.meshes {
            built.meshes.push(cook(mesh)?);
        }
        for instance in &world.instances {
            built.insert(physics, instance)?;
        }
        // SAFETY: the scene exists and has no other user.
        unsafe { PxSceneQuerySystemBase_flushUpdates_mut(built.scene.cast()) };
        Ok(built)
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        kind.is_sweep().then_some(Sides::Front)
    }

    fn prepare(&self, query: &Query) -> PreparedQuery {
        prepare(query)
    }

    fn sweep(&self, query: &PreparedQuery) -> Answer {
        let mut hit = MaybeUninit::<PxSweepHit>::uninit();
        // SAFETY: every pointer is to a live value of the type that PhysX expects. Null means no
        // callback and no cache. The hit is written if the answer is true.
        let hit = unsafe {
            let found = PxSceneQueryExt_sweepSingle(
                self.scene,
                from_ref(&self.capsule).cast(),
                &raw const query.pose,
                &raw const query.direction,
                query.distance,
                PxHitFlags::Default,
                hit.as_mut_ptr(),
                &raw const self.filter,
                null_mut(),
                null(),
                0.0,
            );
            found.then(|| hit.assume_init())
        };
        hit.map(|hit| Hit { distance: f64::from(hit.distance), normal: glam(hit.normal) })
    }

    fn overlap(&self, _: &PreparedQuery) -> Answer {
        None
    }

    fn closest(&self, _: &PreparedQuery) -> Answer {
        None
    }

    fn ray(&self, _: &PreparedQuery) -> Answer {
        None
    }
}

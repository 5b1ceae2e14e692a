//! `PxCapsuleController` in a scene of one mesh.

use super::{PhysXScene, physics, vec3};
use crate::engine::Engine;
use crate::engine::controller::{Controller, MoveResult, SLOPE_LIMIT, STEP_OFFSET, TICK, Touches};
use crate::mesh::{Mesh, World};
use crate::queries::{HALF_AXIS, RADIUS};
use anyhow::{Result, ensure};
use core::ptr::{null, null_mut};
use glam::{DVec3, Vec3};
use physx_sys::{
    PxCapsuleControllerDesc_delete, PxCapsuleControllerDesc_new_alloc, PxController,
    PxController_getPosition, PxController_move_mut, PxController_release_mut,
    PxControllerCollisionFlags, PxControllerFilters, PxControllerFilters_new, PxControllerManager,
    PxControllerManager_createController_mut, PxControllerManager_release_mut, PxExtendedVec3,
    PxMaterial, PxPhysics_createMaterial_mut, phys_PxCreateControllerManager,
};

/// A character in `PhysX`.
pub(crate) struct PhysXController {
    controller: *mut PxController,
    manager: *mut PxControllerManager,
    material: *mut PxMaterial,
    filters: PxControllerFilters,
    /// Held because the manager needs it; dropped last.
    _scene: PhysXScene,
}

impl PhysXController {
    /// A character at the origin of `mesh`.
    ///
    /// # Errors
    /// If `PhysX` refuses the mesh or the character.
    pub(crate) fn new(mesh: &Mesh) -> Result<Self> {
        let scene = PhysXScene::build(&World::from_mesh(mesh))?;
        let physics = physics()?;
        // SAFETY: scene and SDK exist. Null means no filters.
        let mut made = unsafe {
            Self {
                controller: null_mut(),
                manager: phys_PxCreateControllerManager(scene.raw(), false),
                material: PxPhysics_createMaterial_mut(physics, 0.5, 0.5, 0.0),
                filters: PxControllerFilters_new(null(), null_mut(), null_mut()),
                _scene: scene,
            }
        };
        ensure!(!made.manager.is_null(), "PhysX refuses a controller manager");
        made.spawn(DVec3::ZERO)?;
        Ok(made)
    }

    /// Replaces the character. Teleporting the old one would keep the object that it stands on.
    fn spawn(&mut self, center: DVec3) -> Result<()> {
        let DVec3 { x, y, z } = center;
        // SAFETY: manager and material exist. The descriptor is copied and then deleted. The old
        // controller is released once.
        unsafe {
            if !self.controller.is_null() {
                PxController_release_mut(self.controller);
            }
            let desc = PxCapsuleControllerDesc_new_alloc();
            (*desc).position = PxExtendedVec3 { x, y, z };
            (*desc).upDirection = vec3(Vec3::Z);
            (*desc).slopeLimit = SLOPE_LIMIT;
            (*desc).stepOffset = STEP_OFFSET;
            (*desc).radius = RADIUS;
            (*desc).height = 2.0 * HALF_AXIS;
            (*desc).material = self.material;
            self.controller = PxControllerManager_createController_mut(self.manager, desc.cast());
            PxCapsuleControllerDesc_delete(desc);
        }
        ensure!(!self.controller.is_null(), "PhysX refuses a character at {center}");
        Ok(())
    }
}

impl Drop for PhysXController {
    fn drop(&mut self) {
        // SAFETY: all objects came from PhysX and are released once, each before those it uses.
        // The scene follows.
        unsafe {
            if !self.controller.is_null() {
                PxController_release_mut(self.controller);
            }
            if !self.manager.is_null() {
                PxControllerManager_release_mut(self.manager);
            }
            physx_sys::PxBase_release_mut(self.material.cast());
        }
    }
}

impl Controller for PhysXController {
    fn name(&self) -> &'static str {
        PhysXScene::NAME
    }

    fn teleport(&mut self, center: DVec3) -> Result<()> {
        self.spawn(center)
    }

    fn move_by(&mut self, displacement: Vec3) -> MoveResult {
        let displacement = vec3(displacement);
        // SAFETY: the controller exists and the pointers are to live values. Null means no
        // obstacles. The position is copied before the next move.
        let (flags, center) = unsafe {
            let (controller, filters) = (self.controller, &raw const self.filters);
            let flags = PxController_move_mut(
                controller,
                &raw const displacement,
                0.0,
                TICK,
                filters,
                null(),
            );
            let PxExtendedVec3 { x, y, z } = *PxController_getPosition(controller);
            (flags, DVec3::new(x, y, z))
        };
        let touches = Touches {
            below: flags.contains(PxControllerCollisionFlags::CollisionDown),
            sides: Some(flags.contains(PxControllerCollisionFlags::CollisionSides)),
            above: Some(flags.contains(PxControllerCollisionFlags::CollisionUp)),
        };
        MoveResult { center, touches }
    }
}

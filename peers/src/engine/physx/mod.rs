//! `PhysX` through its raw bindings.
//!
//! A mesh is cooked for BVH34 with default settings. Queries are those of `PxGeometryQuery`, with
//! default flags. `PxHeightField` has a file of its own.
#![expect(unsafe_code, reason = "PhysX is C++: every call into it is unsafe")]

mod controller;
mod height_field;
mod scene;
mod target;

pub(crate) use controller::PhysXController;
pub(crate) use height_field::PhysXHeightField;
pub(crate) use scene::PhysXScene;

use super::{Answer, Engine};
use crate::mesh::Mesh;
use crate::queries::{HALF_AXIS, Kind, Query, RADIUS};
use anyhow::{Result, ensure};
use capsweep::Sides;
use core::f32::consts::FRAC_1_SQRT_2;
use core::ffi::c_void;
use core::mem::size_of;
use core::ptr::{from_ref, null_mut};
use glam::{DQuat, DVec3, Vec3};
use physx_sys::{
    PxBoundedData, PxCapsuleGeometry, PxCapsuleGeometry_new, PxCookingParams_new, PxErrorCode,
    PxMeshGeometryFlags, PxMeshMidPhase, PxMeshScale_new_2, PxMidphaseDesc_setToDefault_mut,
    PxPhysics, PxPhysics_getPhysicsInsertionCallback_mut, PxPhysics_getTolerancesScale, PxQuat,
    PxSphereGeometry_new, PxTolerancesScale_new, PxTransform, PxTriangleMesh,
    PxTriangleMesh_release_mut, PxTriangleMeshCookingResult, PxTriangleMeshDesc_new,
    PxTriangleMeshGeometry, PxTriangleMeshGeometry_new, PxVec3, create_error_callback,
    get_default_allocator, phys_PxCreateFoundation, phys_PxCreatePhysics,
    phys_PxCreateTriangleMesh,
};
use std::sync::OnceLock;
use target::Target;

/// `PX_PHYSICS_VERSION` of the version that `physx-sys` compiles, 5.1.3.
const VERSION: u32 = (5 << 24) + (1 << 16) + (3 << 8);

/// The SDK; null if it did not start.
struct Sdk(*mut PxPhysics);

// SAFETY: the SDK is only used to create objects, and its functions that do so take a lock.
unsafe impl Send for Sdk {}

// SAFETY: as for `Send`.
unsafe impl Sync for Sdk {}

/// The one SDK that `PhysX` allows a process; it lives until the process ends.
static SDK: OnceLock<Sdk> = OnceLock::new();

/// Drops the messages of `PhysX`. The return values of its functions report errors.
unsafe extern "C" fn ignore(_: PxErrorCode, _: *const i8, _: *const i8, _: u32, _: *const c_void) {
}

/// Starts `PhysX`.
fn start() -> Sdk {
    // SAFETY: allocator and error callback live until the process ends. The foundation is null if
    // one exists already. The SDK copies the scale and gets no debuggers.
    unsafe {
        let errors = create_error_callback(ignore, null_mut());
        let foundation = phys_PxCreateFoundation(VERSION, get_default_allocator().cast(), errors);
        if foundation.is_null() {
            return Sdk(null_mut());
        }
        let metres = PxTolerancesScale_new(1.0, 10.0);
        let (tracing, debugger) = (false, null_mut());
        let metres = &raw const metres;
        Sdk(phys_PxCreatePhysics(VERSION, foundation, metres, tracing, debugger, null_mut()))
    }
}

/// The SDK.
///
/// # Errors
/// If it does not start.
fn physics() -> Result<*mut PxPhysics> {
    let physics = SDK.get_or_init(start).0;
    ensure!(!physics.is_null(), "PhysX does not start");
    Ok(physics)
}

/// Cooks `mesh` for queries with default settings.
///
/// # Errors
/// If `PhysX` does not start or refuses the mesh.
fn cook(mesh: &Mesh) -> Result<*mut PxTriangleMesh> {
    let physics = physics()?;
    let mut result = PxTriangleMeshCookingResult::Success;
    // SAFETY: the SDK exists; the descriptor points into `mesh`, which outlives the call and which
    // cooking copies; the callback belongs to the SDK.
    let cooked = unsafe {
        let mut params = PxCookingParams_new(PxPhysics_getTolerancesScale(physics));
        PxMidphaseDesc_setToDefault_mut(&raw mut params.midphaseDesc, PxMeshMidPhase::Bvh34);
        let mut desc = PxTriangleMeshDesc_new();
        desc.points = bounded(&mesh.vertices);
        desc.triangles = bounded(&mesh.triangles);
        let insertion = PxPhysics_getPhysicsInsertionCallback_mut(physics);
        phys_PxCreateTriangleMesh(&raw const params, &raw const desc, insertion, &raw mut result)
    };
    ensure!(!cooked.is_null(), "PhysX refuses to cook {}", mesh.name);
    Ok(cooked)
}

/// A cooked mesh as a geometry, scaled along its own axes.
fn mesh_geometry(cooked: *mut PxTriangleMesh, scale: Vec3) -> PxTriangleMeshGeometry {
    let scale = vec3(scale);
    // SAFETY: `cooked` came from `cook` and is not released yet; the scale is copied.
    unsafe {
        let scale = PxMeshScale_new_2(&raw const scale);
        PxTriangleMeshGeometry_new(cooked, &raw const scale, PxMeshGeometryFlags::empty())
    }
}

/// The capsule of all queries.
fn capsule_geometry() -> PxCapsuleGeometry {
    // SAFETY: takes and returns numbers.
    unsafe { PxCapsuleGeometry_new(RADIUS, HALF_AXIS) }
}

/// Converts `query` to a pose, a unit direction and a distance.
fn prepare(query: &Query) -> PreparedQuery {
    let motion = query.motion.as_dvec3();
    PreparedQuery {
        pose: PxTransform { q: UPRIGHT, p: vec3(query.center) },
        direction: vec3(motion.normalize_or_zero().as_vec3()),
        distance: motion.length() as f32,
    }
}

/// A mesh in `PhysX`.
pub(crate) struct PhysX {
    cooked: *mut PxTriangleMesh,
    mesh: Target<PxTriangleMeshGeometry>,
}

/// The capsule's pose, a unit direction and a distance.
pub(crate) struct PreparedQuery {
    pose: PxTransform,
    direction: PxVec3,
    distance: f32,
}

/// A capsule of any size and direction.
pub(crate) struct PosedCapsule {
    center: Vec3,
    rotation: PxQuat,
    half_height: f32,
    radius: f32,
}

impl PosedCapsule {
    /// The capsule with the axis `center ± half_axis`.
    pub(crate) fn new(center: Vec3, half_axis: Vec3, radius: f32) -> Self {
        let axis = half_axis.as_dvec3();
        // A capsule of `PhysX` lies along x before its rotation.
        let turn = DQuat::from_rotation_arc(DVec3::X, axis.try_normalize().unwrap_or(DVec3::X));
        let [x, y, z, w] = turn.as_quat().to_array();
        Self { center, rotation: PxQuat { x, y, z, w }, half_height: axis.length() as f32, radius }
    }
}

/// Rotates the x axis, along which a capsule of `PhysX` lies, to z.
const UPRIGHT: PxQuat = PxQuat { x: 0.0, y: -FRAC_1_SQRT_2, z: 0.0, w: FRAC_1_SQRT_2 };

/// The pose of the mesh.
const IDENTITY: PxTransform = PxTransform {
    q: PxQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
    p: PxVec3 { x: 0.0, y: 0.0, z: 0.0 },
};

impl PhysX {
    /// First touch of a capsule of any size and direction.
    pub(crate) fn sweep_capsule(&self, capsule: &PosedCapsule, motion: Vec3) -> Answer {
        let mut query = prepare(&Query { center: capsule.center, motion });
        query.pose.q = capsule.rotation;
        // SAFETY: both geometries start with PxGeometry.
        unsafe {
            match capsule.half_height {
                // PhysX refuses a capsule without length.
                0.0 => {
                    let sphere = PxSphereGeometry_new(capsule.radius);
                    self.mesh.sweep(from_ref(&sphere).cast(), &query)
                }
                half_height => {
                    let capsule = PxCapsuleGeometry_new(capsule.radius, half_height);
                    self.mesh.sweep(from_ref(&capsule).cast(), &query)
                }
            }
        }
    }

    /// Sets whether queries see back faces.
    pub(crate) fn set_sides(&mut self, sides: Sides) {
        self.mesh.set_sides(sides);
    }
}

impl Drop for PhysX {
    fn drop(&mut self) {
        // SAFETY: `cooked` came from `cook` and nothing else holds it.
        unsafe { PxTriangleMesh_release_mut(self.cooked) };
    }
}

impl Engine for PhysX {
    type Source = Mesh;
    type PreparedQuery = PreparedQuery;

    const NAME: &'static str = "physx";

    fn build(mesh: &Mesh) -> Result<Self> {
        let cooked = cook(mesh)?;
        Ok(Self { cooked, mesh: Target::new(mesh_geometry(cooked, Vec3::ONE), IDENTITY) })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        self.mesh.sides(kind)
    }

    fn prepare(&self, query: &Query) -> PreparedQuery {
        prepare(query)
    }

    fn sweep(&self, query: &PreparedQuery) -> Answer {
        self.mesh.sweep_capsule(query)
    }

    fn overlap(&self, query: &PreparedQuery) -> Answer {
        self.mesh.overlap_capsule(query)
    }

    fn closest(&self, _: &PreparedQuery) -> Answer {
        None
    }

    fn ray(&self, query: &PreparedQuery) -> Answer {
        self.mesh.ray(query)
    }
}

/// An array in the form of `PhysX`. Vertices and triangles have twelve bytes each.
fn bounded<T>(items: &[T]) -> PxBoundedData {
    PxBoundedData {
        stride: size_of::<T>() as u32,
        structgen_pad0: [0; 4],
        data: items.as_ptr().cast(),
        count: items.len() as u32,
        structgen_pad1: [0; 4],
    }
}

fn vec3(v: Vec3) -> PxVec3 {
    PxVec3 { x: v.x, y: v.y, z: v.z }
}

fn glam(v: PxVec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

//! Queries of `PxGeometryQuery` against one geometry.

use super::{PreparedQuery, capsule_geometry, glam};
use crate::engine::{Answer, Hit};
use crate::queries::Kind;
use capsweep::Sides;
use core::mem::{MaybeUninit, size_of};
use core::ptr::{from_ref, null_mut};
use glam::Vec3;
use physx_sys::{
    PxCapsuleGeometry, PxGeomRaycastHit, PxGeomSweepHit, PxGeometry, PxGeometryQuery_overlap,
    PxGeometryQuery_raycast, PxGeometryQuery_sweep, PxGeometryQueryFlags, PxHeightFieldGeometry,
    PxHitFlags, PxTransform, PxTriangleMeshGeometry,
};

/// A geometry that starts with [`PxGeometry`].
///
/// # Safety
/// It must, and it must point to live objects of `PhysX`.
pub(super) unsafe trait Geometry {}

// SAFETY: derived from PxGeometry; whoever makes one keeps the mesh.
unsafe impl Geometry for PxTriangleMeshGeometry {}

// SAFETY: derived from PxGeometry; whoever makes one keeps the field.
unsafe impl Geometry for PxHeightFieldGeometry {}

/// A geometry at a pose, the capsule of all queries, and their flags.
pub(super) struct Target<G> {
    geometry: G,
    pose: PxTransform,
    capsule: PxCapsuleGeometry,
    flags: PxHitFlags,
}

impl<G: Geometry> Target<G> {
    /// The geometry at `pose`, with default flags.
    pub(super) fn new(geometry: G, pose: PxTransform) -> Self {
        Self { geometry, pose, capsule: capsule_geometry(), flags: PxHitFlags::Default }
    }

    fn geometry(&self) -> *const PxGeometry {
        from_ref(&self.geometry).cast()
    }

    /// Sets whether queries see back faces.
    pub(super) fn set_sides(&mut self, sides: Sides) {
        self.flags.set(PxHitFlags::MeshBothSides, sides == Sides::Both);
    }

    /// The sides that queries see; `None` if `PhysX` has no such query.
    pub(super) fn sides(&self, kind: Kind) -> Option<Sides> {
        match kind {
            // PhysX has the closest point to a point, not to a capsule.
            Kind::Closest => None,
            _ if self.flags.contains(PxHitFlags::MeshBothSides) => Some(Sides::Both),
            _ => Some(Sides::Front),
        }
    }

    /// First touch of a moving shape.
    ///
    /// # Safety
    /// `shape` must be a live geometry.
    pub(super) unsafe fn sweep(&self, shape: *const PxGeometry, query: &PreparedQuery) -> Answer {
        let mut hit = MaybeUninit::<PxGeomSweepHit>::uninit();
        // SAFETY: every pointer is to a live value of the type that PhysX expects. A geometry
        // starts with PxGeometry. The hit is written if and only if the answer is true.
        let hit = unsafe {
            let found = PxGeometryQuery_sweep(
                &raw const query.direction,
                query.distance,
                shape,
                &raw const query.pose,
                self.geometry(),
                &raw const self.pose,
                hit.as_mut_ptr(),
                self.flags,
                0.0,
                PxGeometryQueryFlags::SimdGuard,
                null_mut(),
            );
            found.then(|| hit.assume_init())
        };
        hit.map(|hit| Hit { distance: f64::from(hit.distance), normal: glam(hit.normal) })
    }

    /// First touch of the moving capsule.
    pub(super) fn sweep_capsule(&self, query: &PreparedQuery) -> Answer {
        // SAFETY: a capsule's geometry starts with PxGeometry.
        unsafe { self.sweep(from_ref(&self.capsule).cast(), query) }
    }

    /// Whether the capsule overlaps the geometry.
    pub(super) fn overlap_capsule(&self, query: &PreparedQuery) -> Answer {
        // SAFETY: every pointer is to a live value of the type PhysX expects.
        let found = unsafe {
            PxGeometryQuery_overlap(
                from_ref(&self.capsule).cast(),
                &raw const query.pose,
                self.geometry(),
                &raw const self.pose,
                PxGeometryQueryFlags::SimdGuard,
                null_mut(),
            )
        };
        found.then_some(Hit { distance: 0.0, normal: Vec3::ZERO })
    }

    /// First triangle that a ray meets.
    pub(super) fn ray(&self, query: &PreparedQuery) -> Answer {
        let mut hit = MaybeUninit::<PxGeomRaycastHit>::uninit();
        // SAFETY: every pointer is to a live value of the type that PhysX expects. There is room
        // for one hit, which is written if the count is 1.
        let hit = unsafe {
            let count = PxGeometryQuery_raycast(
                &raw const query.pose.p,
                &raw const query.direction,
                self.geometry(),
                &raw const self.pose,
                query.distance,
                self.flags,
                1,
                hit.as_mut_ptr(),
                size_of::<PxGeomRaycastHit>() as u32,
                PxGeometryQueryFlags::SimdGuard,
                null_mut(),
            );
            (count == 1).then(|| hit.assume_init())
        };
        hit.map(|hit| Hit { distance: f64::from(hit.distance), normal: glam(hit.normal) })
    }
}

//! A mesh body of a scene, and its triangles as targets of the exact solver.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::kernel::Exits;
use crate::math::{F32x8, with_lanes};
use crate::mesh::tri_mesh::TriMesh;
use crate::pair::contract::CapsuleFrame;
use crate::pair::target::TriangleTarget;
use crate::scene::body::{Body, Geometry};
use crate::scene::filter::Filter;
use crate::scene::store::Content;
use crate::shape::pose::Pose;

/// A mesh body, as a query sees it.
#[derive(Clone, Copy)]
pub(crate) struct MeshInstance<'a> {
    /// The body's index.
    pub(crate) body: u32,
    pub(crate) mesh: &'a TriMesh,
    pub(crate) pose: &'a Pose,
    /// The sides that count: of the triangle that it comes with, or for culling
    /// ([`TriMesh::cull_sides`]).
    pub(crate) sides: Sides,
}

impl Content {
    /// The body with this index, if it is a mesh, with the sides of the triangle in `slot`.
    pub(crate) fn instance(
        &self,
        index: u32,
        slot: u32,
        filter: Filter,
    ) -> Option<MeshInstance<'_>> {
        let (_, body) = self.body_by_index(index)?;
        MeshInstance::of(index, body, slot, filter)
    }

    /// Mesh and pose of the body with this index, if it is a mesh.
    pub(crate) fn mesh(&self, index: u32) -> Option<(&TriMesh, &Pose)> {
        let Geometry::Mesh { mesh, pose } = &self.body_by_index(index)?.1.geometry else {
            return None;
        };
        Some((mesh, pose))
    }
}

impl<'a> MeshInstance<'a> {
    /// The body with this index, if it is a mesh, with the sides of the triangle in `slot`.
    pub(crate) fn of(index: u32, body: &'a Body, slot: u32, filter: Filter) -> Option<Self> {
        let Geometry::Mesh { mesh, pose } = &body.geometry else { return None };
        let sides = mesh.sides_in(slot as usize, filter.sides);
        Some(Self { body: index, mesh, pose, sides })
    }
}

impl MeshInstance<'_> {
    /// The ways by which an axis that pierces the triangle in `slot` may be pushed out.
    #[inline(always)]
    pub(crate) fn exits(&self, slot: usize) -> Exits {
        self.mesh.exits(self.pose, slot, self.sides)
    }

    /// The triangle in `slot`, relative to a capsule.
    pub(crate) fn target(&self, frame: &CapsuleFrame, slot: usize) -> TriangleTarget {
        self.target_with_exits(frame, slot, self.exits(slot))
    }

    /// As [`MeshInstance::target`], with other `exits`.
    pub(crate) fn target_with_exits(
        &self,
        frame: &CapsuleFrame,
        slot: usize,
        exits: Exits,
    ) -> TriangleTarget {
        with_lanes!(|L| {
            let corners = self.mesh.world_corners::<<L as F32x8>::F64x4>(self.pose, slot);
            TriangleTarget::in_mesh(frame, corners, exits)
        })
    }
}

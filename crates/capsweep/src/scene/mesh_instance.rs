//! A mesh body of a scene, and its triangles as targets of the exact solver.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::kernel::Exits;
use crate::math::{F32x8, with_lanes};
use crate::mesh::surface::Surface;
use crate::pair::contract::CapsuleFrame;
use crate::pair::target::TriangleTarget;
use crate::scene::body::Body;
use crate::scene::filter::Filter;
use crate::scene::store::Content;
use crate::shape::pose::Pose;

/// A mesh body, as a query sees it.
#[derive(Clone, Copy)]
pub(crate) struct MeshInstance<'a> {
    /// The body's index.
    pub(crate) body: u32,
    pub(crate) surface: Surface<'a>,
    pub(crate) pose: &'a Pose,
    /// The sides that count: of the triangle that it comes with, or for culling
    /// ([`SharedSurface::with_cull_sides`](crate::mesh::surface::SharedSurface::with_cull_sides)).
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

    /// Surface and pose of the body with this index, if it is a mesh or a height field.
    pub(crate) fn surface(&self, index: u32) -> Option<(Surface<'_>, &Pose)> {
        self.body_by_index(index)?.1.surface()
    }
}

impl<'a> MeshInstance<'a> {
    /// The body with this index, if it is a mesh, with the sides of the triangle in `slot`.
    pub(crate) fn of(index: u32, body: &'a Body, slot: u32, filter: Filter) -> Option<Self> {
        let (surface, pose) = body.surface()?;
        let sides = surface.sides_in(slot as usize, filter.sides);
        Some(Self { body: index, surface, pose, sides })
    }
}

impl MeshInstance<'_> {
    /// The ways by which an axis that pierces the triangle in `slot` may be pushed out.
    #[inline(always)]
    pub(crate) fn exits(&self, slot: usize) -> Exits {
        self.surface.exits(self.pose, slot, self.sides)
    }

    /// As [`MeshInstance::exits`] in a mesh, which stores its edges. Any exits in a field: it
    /// finds its edges from its neighbours, which costs as much as half an exact test. See
    /// [`MeshInstance::find_exits`].
    #[inline(always)]
    pub(crate) fn stored_exits(&self, slot: usize) -> Exits {
        match self.surface {
            Surface::Mesh(_) => self.exits(slot),
            Surface::Field(_) => Exits::ALL,
        }
    }

    /// Finds the exits of a target with [stored ones](Self::stored_exits), unless it has them. The
    /// axis of a capsule over the ground pierces nothing, and so needs none.
    #[inline(always)]
    pub(crate) fn find_exits(&self, frame: &CapsuleFrame, slot: usize, of: &mut TriangleTarget) {
        if let Surface::Field(_) = self.surface {
            self.find_exits_in_field(frame, slot, of);
        }
    }

    /// A call of its own, so that the code of meshes stays small.
    #[inline(never)]
    fn find_exits_in_field(&self, frame: &CapsuleFrame, slot: usize, of: &mut TriangleTarget) {
        if !of.is_clear_of(frame.half_axis()) {
            of.exits = self.exits(slot);
        }
    }

    /// The triangle in `slot`, relative to a capsule.
    pub(crate) fn target(&self, frame: &CapsuleFrame, slot: usize) -> TriangleTarget {
        with_lanes!(|L| {
            let corners = self.surface.world_corners::<<L as F32x8>::F64x4>(self.pose, slot);
            let mut target = TriangleTarget::in_mesh(frame, corners, self.stored_exits(slot));
            self.find_exits(frame, slot, &mut target);
            target
        })
    }

    /// As [`MeshInstance::target`], with other `exits`.
    pub(crate) fn target_with_exits(
        &self,
        frame: &CapsuleFrame,
        slot: usize,
        exits: Exits,
    ) -> TriangleTarget {
        with_lanes!(|L| {
            let corners = self.surface.world_corners::<<L as F32x8>::F64x4>(self.pose, slot);
            TriangleTarget::in_mesh(frame, corners, exits)
        })
    }
}

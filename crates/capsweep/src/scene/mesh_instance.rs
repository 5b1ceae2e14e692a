//! A mesh body of a scene, and its triangles as targets of the exact solver.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::kernel::Exits;
use crate::math::{F32x8, F64x4, Vec3Soa, with_lanes};
use crate::mesh::surface::Surface;
use crate::pair::contract::CapsuleFrame;
use crate::pair::target::TriangleTarget;
use crate::scene::body::Body;
use crate::scene::filter::Filter;
use crate::scene::store::Content;
use crate::shape::pose::Pose;
use crate::tolerance::PIERCE;

/// A mesh body, as a query sees it.
#[derive(Clone, Copy)]
pub(crate) struct MeshInstance<'a> {
    /// The body's index.
    pub(crate) body: u32,
    pub(crate) surface: Surface<'a>,
    pub(crate) pose: &'a Pose,
    /// The sides that count: of the triangle that it comes with, or for culling
    /// ([`Surface::cull_sides`]).
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

    /// As [`MeshInstance::exits`], for a capsule and the triangle's corners in the world. Any exits
    /// if the axis cannot pierce the triangle: nothing then asks for them.
    ///
    /// A mesh stores its edges. A field finds them from its neighbours, which costs as much as half
    /// an exact test; a capsule over the ground never needs them.
    #[inline(always)]
    pub(crate) fn exits_near<F: F64x4>(
        &self,
        frame: &CapsuleFrame,
        slot: usize,
        corners: Vec3Soa<F>,
        starts_apart: bool,
    ) -> Exits {
        let are_stored = matches!(self.surface, Surface::Mesh(_));
        if !are_stored && (starts_apart || is_clear(frame, &corners.to_arrays())) {
            return Exits::ALL;
        }
        self.exits(slot)
    }

    /// The triangle in `slot`, relative to a capsule.
    pub(crate) fn target(&self, frame: &CapsuleFrame, slot: usize) -> TriangleTarget {
        with_lanes!(|L| {
            let corners = self.surface.world_corners::<<L as F32x8>::F64x4>(self.pose, slot);
            let exits = self.exits_near(frame, slot, corners, false);
            TriangleTarget::in_mesh(frame, corners, exits)
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

/// Whether the axis of a capsule is clearly on one side of a triangle's plane, and so does not
/// count as piercing it.
///
/// Rounding is below 10⁻¹⁴ of the corners' distance from the capsule times the size of the
/// triangle; the margin is a hundred times that, and twice [`PIERCE`].
#[inline(never)]
fn is_clear(frame: &CapsuleFrame, corners: &Vec3Soa<[f64; 4]>) -> bool {
    let [a, b, c] = [0, 1, 2].map(|i| frame.relative(corners.lane(i)));
    let area = (b - a).cross(c - a);
    let (middle, half) = (area.dot(a).abs(), area.dot(frame.half_axis()).abs());
    let size = (b - a).length() * (c - a).length();
    let distance = a.length() + frame.half_axis().length();
    middle - half > 2.0 * PIERCE * area.length() + 1e-12 * size * distance
}

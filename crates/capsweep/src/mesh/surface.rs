//! [`Surface`]: the triangles of a body, stored or implicit.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::Exits;
use crate::math::{F64x4, Vec3Soa};
use crate::mesh::edges::EdgeKind;
use crate::mesh::height_field::HeightField;
use crate::mesh::sides::{Access, DoubleSided};
use crate::mesh::tri_mesh::TriMesh;
use crate::shape::pose::Pose;
use crate::{Aabb, Sides, Triangle};
use glam::Vec3;
use std::sync::Arc;

/// A mesh or a height field. Each triangle has a *slot*: its place in the packets of a mesh, or
/// its index in a field.
#[derive(Clone, Copy)]
pub(crate) enum Surface<'a> {
    Mesh(&'a TriMesh),
    Field(&'a HeightField),
}

/// A surface with a shared owner.
#[derive(Debug, Clone)]
pub(crate) enum SharedSurface {
    Mesh(Arc<TriMesh>),
    Field(Arc<HeightField>),
}

impl SharedSurface {
    /// Where it lies in memory: the same for all that share it.
    pub(crate) fn address(&self) -> usize {
        match self {
            Self::Mesh(mesh) => Arc::as_ptr(mesh).addr(),
            Self::Field(field) => Arc::as_ptr(field).addr(),
        }
    }

    #[inline(always)]
    pub(crate) fn as_surface(&self) -> Surface<'_> {
        match self {
            Self::Mesh(mesh) => Surface::Mesh(mesh),
            Self::Field(field) => Surface::Field(field),
        }
    }
}

impl SharedSurface {
    /// The surface, and the sides to cull by: both if those of any triangle count. One match for
    /// the two.
    #[inline(always)]
    pub(crate) fn with_cull_sides(&self, wanted: Sides) -> (Surface<'_>, Sides) {
        let (surface, double_sided) = match self {
            Self::Mesh(mesh) => (Surface::Mesh(mesh), mesh.double_sided),
            Self::Field(field) => (Surface::Field(field), field.double_sided()),
        };
        (surface, if double_sided == DoubleSided::None { wanted } else { Sides::Both })
    }
}

impl Surface<'_> {
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::Mesh(mesh) => mesh.bounds(),
            Self::Field(field) => field.bounds(),
        }
    }

    /// Largest magnitude of a coordinate.
    #[inline(always)]
    pub(crate) fn max_coordinate(&self) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh.max_coordinate(),
            Self::Field(field) => field.max_coordinate,
        }
    }

    /// The corners of the triangle in `slot`, in the surface's space.
    #[inline]
    pub(crate) fn local_corners(&self, slot: usize) -> [Vec3; 3] {
        match self {
            Self::Mesh(mesh) => mesh.local_corners(slot),
            Self::Field(field) => {
                let [x, y, z] = field.corner_lanes(slot);
                [0, 1, 2].map(|i| Vec3::new(x[i], y[i], z[i]))
            }
        }
    }

    /// The triangle in `slot`, in the world. All queries transform it by this function or by
    /// [`Surface::world_corners`], so that they see the same bits.
    #[inline(always)]
    pub(crate) fn world_triangle(&self, pose: &Pose, slot: usize) -> Triangle {
        Triangle::from_checked(pose.triangle_to_world(self.local_corners(slot)))
    }

    /// The corners of the [world triangle](Self::world_triangle) in `slot`, with the same bits,
    /// one per lane. The fourth lane repeats the first corner.
    #[inline(always)]
    pub(crate) fn world_corners<F: F64x4>(&self, pose: &Pose, slot: usize) -> Vec3Soa<F> {
        match self {
            Self::Mesh(mesh) => mesh.world_corners(pose, slot),
            Self::Field(field) => {
                let mut corners = field.corner_lanes(slot);
                if pose.is_mirrored() {
                    for lanes in &mut corners {
                        lanes.swap(1, 2);
                    }
                }
                let [x, y, z] = corners.map(F::widen);
                pose.points_to_world(Vec3Soa { x, y, z })
            }
        }
    }

    /// The exits of an axis that pierces the [world triangle](Self::world_triangle) in `slot`.
    #[inline(always)]
    pub(crate) fn exits(&self, pose: &Pose, slot: usize, sides: Sides) -> Exits {
        let closed = self.inner_edges(slot);
        Exits { back: sides == Sides::Both, closed, mirrored: pose.is_mirrored() }
    }

    /// Bits 0, 1, 2: the [inner](EdgeKind::is_inner) edges of the triangle in `slot`, in the
    /// surface's own order. Other bits mean nothing.
    #[inline(always)]
    pub(crate) fn inner_edges(&self, slot: usize) -> u8 {
        match self {
            Self::Mesh(mesh) => mesh.edges[slot],
            Self::Field(field) => field.inner_edges(slot),
        }
    }

    /// Prefetches data of the exact test for the triangle in `slot`: see [`TriMesh::prefetch`].
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: usize) {
        if let Self::Mesh(mesh) = self {
            mesh.prefetch(slot);
        }
    }

    /// Prefetches only the index of the triangle in `slot`.
    #[inline(always)]
    pub(crate) fn prefetch_index(&self, slot: usize) {
        if let Self::Mesh(mesh) = self {
            mesh.prefetch_index(slot);
        }
    }

    /// Whether `edge` of the triangle in `slot`, in the surface's own order, is
    /// [flat](EdgeKind::Flat).
    #[inline]
    pub(crate) fn is_flat(&self, slot: usize, edge: u8) -> bool {
        match self {
            Self::Mesh(mesh) => mesh.is_flat(slot, edge),
            Self::Field(field) => field.edge_kind(slot, usize::from(edge)) == EdgeKind::Flat,
        }
    }

    /// Whether the triangle in `slot` shares a bit with `mask`.
    #[inline(always)]
    pub(crate) fn is_seen(&self, slot: usize, mask: u32) -> bool {
        self.mask_in(slot) & mask != 0
    }

    #[inline(always)]
    pub(crate) fn mask_in(&self, slot: usize) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.mask_in(slot),
            Self::Field(field) => field.mask_in(slot),
        }
    }

    #[inline]
    pub(crate) fn tag_in(&self, slot: usize) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.tag_in(slot),
            Self::Field(field) => field.tag_in(slot),
        }
    }

    /// Index and tag of the triangle in `slot`.
    #[inline(always)]
    pub(crate) fn index_and_tag_in(&self, slot: usize) -> (u32, u32) {
        match self {
            Self::Mesh(mesh) => (mesh.index_in(slot), mesh.tag_in(slot)),
            Self::Field(field) => (slot as u32, field.tag_in(slot)),
        }
    }

    /// Index of the triangle in `slot`.
    #[inline]
    pub(crate) fn index_in(&self, slot: usize) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.index_in(slot),
            Self::Field(_) => slot as u32,
        }
    }

    /// Slot of the triangle with this index; `None` if there is none.
    pub(crate) fn slot_of(&self, index: u32) -> Option<usize> {
        match self {
            Self::Mesh(mesh) => mesh.slot_of(index),
            Self::Field(field) => field.has_triangle(index as usize).then_some(index as usize),
        }
    }

    /// Of which triangles both sides count, whatever the query asks for.
    #[inline(always)]
    pub(crate) fn double_sided(&self) -> DoubleSided {
        match self {
            Self::Mesh(mesh) => mesh.double_sided,
            Self::Field(field) => field.double_sided(),
        }
    }

    /// Whether both sides of the triangle in `slot` count, whatever the query asks for.
    #[inline]
    pub(crate) fn has_two_sides(&self, slot: usize) -> bool {
        match self {
            Self::Mesh(mesh) => mesh.has_two_sides(slot),
            Self::Field(field) => field.options.double_sided,
        }
    }

    /// The sides of the triangle in `slot` that count for a query that asks for `wanted`.
    #[inline(always)]
    pub(crate) fn sides_in(&self, slot: usize, wanted: Sides) -> Sides {
        match self {
            Self::Mesh(mesh) => mesh.sides_in(slot, wanted),
            Self::Field(field) if field.options.double_sided => Sides::Both,
            Self::Field(_) => wanted,
        }
    }

    /// How a query with `mask` sees the triangle in `slot`.
    #[inline(always)]
    pub(crate) fn access(&self, slot: usize, mask: u32) -> Access {
        match self {
            Self::Mesh(mesh) => mesh.access(slot, mask),
            Self::Field(field) if field.mask_in(slot) & mask == 0 => Access::Hidden,
            Self::Field(_) => Access::Seen,
        }
    }
}

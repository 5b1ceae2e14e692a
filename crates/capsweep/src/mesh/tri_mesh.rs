//! [`TriMesh`]: packets of eight triangles under a tree.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::buffer::Buffer;
use crate::bvh::{self, Bounds, Bvh, BvhDefect, BvhStats, NONE, WIDTH};
use crate::math::{F64x4, Vec3Soa, prefetch_at};
use crate::mesh::edges::EdgeKind;
use crate::mesh::packet::Packet;
use crate::mesh::report::{MeshReport, inspect_checked};
use crate::mesh::sides::{DoubleSided, TWO_SIDES};
use crate::shape::pose::Pose;
use crate::{Aabb, MAX_POSITION, parallel};
use core::fmt;
use glam::Vec3;

/// Why a mesh could not be made or changed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is NaN, infinite or larger than [`MAX_POSITION`] in magnitude.
    BadVertex {
        /// Index of the vertex.
        vertex: usize,
        /// Its position.
        position: Vec3,
    },
    /// A triangle names a vertex that does not exist.
    BadIndex {
        /// Index of the triangle.
        triangle: u32,
        /// The vertex index that it has.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// More triangles than a mesh can hold.
    TooManyTriangles {
        /// Number of triangles given.
        triangles: usize,
        /// Largest number that a mesh can hold.
        limit: usize,
    },
    /// A refit gives more or fewer triangles than the mesh has.
    OtherTriangleCount {
        /// Number of triangles given.
        triangles: usize,
        /// Number of triangles of the mesh.
        expected: usize,
    },
    /// A list with one entry per triangle is too short or too long.
    WrongCount {
        /// The entries of the list: masks or tags.
        what: &'static str,
        /// Number of entries given.
        given: usize,
        /// Number of triangles.
        triangles: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadVertex { vertex, position } => {
                write!(
                    f,
                    "vertex {vertex} is at {position}: coordinates must be finite and at most \
                     {MAX_POSITION:e} in magnitude"
                )
            }
            Self::BadIndex { triangle, index, vertices } => {
                write!(f, "triangle {triangle} names vertex {index}, but there are {vertices}")
            }
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles are more than {limit}; split the mesh")
            }
            Self::OtherTriangleCount { triangles, expected } => {
                write!(
                    f,
                    "a refit got {triangles} triangles, but the mesh has {expected}: \
                     build a new mesh"
                )
            }
            Self::WrongCount { what, given, triangles } => {
                write!(f, "{given} {what} for {triangles} triangles: give one for each")
            }
        }
    }
}

impl core::error::Error for MeshError {}

/// Options of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshOptions {
    /// Both sides of every triangle count, whatever sides the query asks for. Sweeps and rays hit
    /// both, and a capsule that pierces a triangle may be pushed out through either.
    pub double_sided: bool,
}

/// Largest number of triangles: a leaf index has 31 bits, and a leaf may hold a single triangle.
pub(crate) const MAX_TRIANGLES: usize = 1 << 30;

/// A triangle mesh in its own space, ready for queries. Triangles keep the indices that they are
/// given with.
#[derive(Debug, Clone)]
pub struct TriMesh {
    pub(crate) bvh: Bvh,
    /// One per leaf of the tree, lane by lane.
    pub(crate) packets: Buffer<Packet>,
    /// Slot of triangle `i`: eight times its leaf, plus its lane.
    pub(crate) slots: Buffer<u32>,
    /// By slot: bit `i` is set if edge `i` is [inner](EdgeKind::is_inner), bit `3 + i` if it is
    /// [flat](EdgeKind::Flat); [`TWO_SIDES`] if the triangle is double-sided.
    pub(crate) edges: Buffer<u8>,
    /// By slot; empty if every query mask sees every triangle.
    pub(crate) masks: Buffer<u32>,
    /// By slot; empty if all tags are 0.
    pub(crate) tags: Buffer<u32>,
    pub(crate) bounds: Option<Aabb>,
    /// Largest magnitude of a coordinate.
    pub(crate) max_coordinate: f64,
    pub(crate) options: MeshOptions,
    pub(crate) double_sided: DoubleSided,
}

impl TriMesh {
    /// Builds the mesh and its tree. The vertices of a triangle run counter-clockwise seen from
    /// its front.
    ///
    /// # Errors
    /// If a vertex is not finite or out of range, an index names no vertex, or there are too many
    /// triangles.
    pub fn new(
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> Result<Self, MeshError> {
        Self::new_with_report(vertices, indices, options).map(|(mesh, _)| mesh)
    }

    /// As [`TriMesh::new`], with the report that the build makes anyway. A separate
    /// [`MeshReport::new`] takes about as long as the build.
    ///
    /// # Errors
    /// As [`TriMesh::new`].
    pub fn new_with_report(
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> Result<(Self, MeshReport), MeshError> {
        check_mesh(vertices, indices)?;
        Ok(Self::with_tree(bvh::build, vertices, indices, options))
    }

    /// Replaces the triangles by as many new ones: usually the same triangles with moved vertices.
    /// Masks, tags and [flags of sides](Self::with_double_sided) stay.
    ///
    /// Answers are those of a newly built mesh. The tree keeps its structure and gets new boxes,
    /// in half the time of a build. Queries stay fast while triangles that were close stay close.
    ///
    /// # Errors
    /// As [`TriMesh::new`], and if the number of triangles differs. The mesh is then unchanged.
    pub fn refit(&mut self, vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
        check_mesh(vertices, indices)?;
        let (triangles, expected) = (indices.len(), self.slots.len());
        if triangles != expected {
            return Err(MeshError::OtherTriangleCount { triangles, expected });
        }
        let mut bvh = core::mem::take(&mut self.bvh);
        let refitted = |boxes: &[Bounds]| {
            bvh.refit(boxes);
            bvh
        };
        let (masks, tags) = (self.masks.clone(), self.tags.clone());
        let (mut mesh, _) = Self::with_tree(refitted, vertices, indices, self.options);
        // Triangles keep their slots, so masks, tags and flags of sides stay valid.
        if self.double_sided == DoubleSided::Some {
            let own = mesh.edges.iter().zip(&*self.edges);
            mesh.edges = own.map(|(new, old)| new | old & TWO_SIDES).collect::<Vec<u8>>().into();
        }
        *self = Self { masks, tags, double_sided: self.double_sided, ..mesh };
        Ok(())
    }

    /// A mesh of checked triangles; `tree` makes the tree over their boxes.
    fn with_tree(
        tree: impl FnOnce(&[Bounds]) -> Bvh + Send,
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> (Self, MeshReport) {
        let corners = |item: u32| indices[item as usize].map(|index| vertices[index as usize]);
        let ((bvh, bounds), (report, topology)) = parallel::join(
            || {
                let boxes: Vec<Bounds> =
                    parallel::collect(indices.len(), |item| triangle_bounds(corners(item as u32)));
                (tree(&boxes), bounds_of_all(&boxes))
            },
            || inspect_checked(vertices, indices),
        );
        let kinds = topology.into_kinds();
        let leaves = bvh.leaf_count();
        let item_in = |slot: usize| bvh.leaf_items(slot / WIDTH)[slot % WIDTH];
        let packets = parallel::collect(leaves, |leaf| {
            let mut packet = Packet::EMPTY;
            for (lane, &item) in bvh.leaf_items(leaf).iter().enumerate() {
                if item != NONE {
                    packet.set(lane, corners(item));
                }
            }
            packet
        });
        let edges = parallel::collect(leaves * WIDTH, |slot| {
            kinds.get(item_in(slot) as usize).map_or(0, |kinds| edge_bits(*kinds))
        });
        let mut slots = vec![0; indices.len()];
        for slot in 0..leaves * WIDTH {
            // Unused lanes hold `NONE`, which is out of range.
            if let Some(slot_of_item) = slots.get_mut(item_in(slot) as usize) {
                *slot_of_item = slot as u32;
            }
        }
        let mesh = Self {
            bvh,
            packets: packets.into(),
            slots: slots.into(),
            edges: edges.into(),
            masks: Buffer::default(),
            tags: Buffer::default(),
            bounds,
            max_coordinate: largest_coordinate(bounds),
            options,
            double_sided: DoubleSided::of(options, false),
        };
        (mesh, report)
    }

    /// The same mesh with a mask for each triangle. A query that sees the body sees those
    /// triangles whose mask shares a bit with its own. Without masks it sees every triangle.
    ///
    /// Masks do not change how triangles join: an edge between two triangles stays internal when a
    /// query sees only one of them.
    ///
    /// # Errors
    /// If there is not one mask for each triangle.
    pub fn with_masks(self, masks: &[u32]) -> Result<Self, MeshError> {
        let masks = self.by_slot("masks", masks)?;
        Ok(Self { masks, ..self })
    }

    /// The same mesh with the caller's own number for each triangle, such as a material or an
    /// area. [Hits](crate::scene::HitTarget::tag) report it.
    ///
    /// # Errors
    /// If there is not one tag for each triangle.
    pub fn with_tags(self, tags: &[u32]) -> Result<Self, MeshError> {
        let tags = self.by_slot("tags", tags)?;
        Ok(Self { tags, ..self })
    }

    fn by_slot(&self, what: &'static str, values: &[u32]) -> Result<Buffer<u32>, MeshError> {
        let (given, triangles) = (values.len(), self.slots.len());
        if given != triangles {
            return Err(MeshError::WrongCount { what, given, triangles });
        }
        let mut by_slot = vec![0; self.packets.len() * WIDTH];
        for (&slot, &value) in self.slots.iter().zip(values) {
            by_slot[slot as usize] = value;
        }
        Ok(by_slot.into())
    }

    /// Number of triangles; their indices are below it.
    pub fn triangle_count(&self) -> u32 {
        // At most `MAX_TRIANGLES`.
        self.slots.len() as u32
    }

    /// Corners of a triangle in the mesh's space; `None` if there is no such triangle.
    pub fn triangle(&self, index: u32) -> Option<[Vec3; 3]> {
        let slot = self.slot_of(index)?;
        Some(self.packets[slot / WIDTH].get(slot % WIDTH))
    }

    /// The mask of a triangle; all bits are set in a mesh without masks. `None` if there is no
    /// such triangle.
    pub fn mask(&self, index: u32) -> Option<u32> {
        Some(self.mask_in(self.slot_of(index)?))
    }

    /// The caller's number for a triangle; 0 in a mesh without tags. `None` if there is no such
    /// triangle.
    pub fn tag(&self, index: u32) -> Option<u32> {
        Some(self.tag_in(self.slot_of(index)?))
    }

    pub(crate) fn slot_of(&self, index: u32) -> Option<usize> {
        self.slots.get(index as usize).map(|slot| *slot as usize)
    }

    /// The corners of all triangles, by index.
    fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (0..self.triangle_count()).filter_map(|index| self.triangle(index))
    }

    /// The box around all triangles, in the mesh's space; `None` if there are none.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// Bytes of memory that the triangles and the tree take.
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.bvh.memory()
            + size_of_val(&*self.packets)
            + size_of_val(&*self.slots)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.tags)
    }

    /// Statistics of its tree.
    pub fn tree_stats(&self) -> BvhStats {
        self.bvh.stats()
    }

    /// Checks the tree against the triangles.
    ///
    /// # Errors
    /// The first defect found. A mesh that was built has none.
    pub fn validate(&self) -> Result<(), BvhDefect> {
        let boxes: Vec<Bounds> = self.triangles().map(triangle_bounds).collect();
        self.bvh.validate(&boxes)
    }

    /// The first triangle whose edge bits differ from those that the corners of all triangles
    /// give, except for [`TWO_SIDES`] where triangles differ in their sides. [`NONE`] if an unused
    /// slot has edge bits, a mask or a tag; `None` for every mesh that was built.
    pub(crate) fn wrong_edges(&self) -> Option<u32> {
        let corners: Vec<[Vec3; 3]> = self.triangles().collect();
        // Vertices at one position count as one, so each triangle can have vertices of its own.
        let indices: Vec<[u32; 3]> =
            (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let kinds = inspect_checked(corners.as_flattened(), &indices).1.into_kinds();
        let (items, edges) = (&*self.bvh.items, &*self.edges);
        let (masks, tags) = (&*self.masks, &*self.tags);
        let own_sides = if self.double_sided == DoubleSided::Some { TWO_SIDES } else { 0 };
        items.iter().zip(edges).enumerate().find_map(|(slot, (&item, &bits))| {
            let Some(kinds) = kinds.get(item as usize) else {
                let is_empty = |list: &[u32]| list.get(slot).is_none_or(|value| *value == 0);
                return (bits != 0 || !is_empty(masks) || !is_empty(tags)).then_some(NONE);
            };
            (bits & !own_sides != edge_bits(*kinds)).then_some(item)
        })
    }

    /// The corners of the triangle in `slot`, in the mesh's space.
    #[inline]
    pub(crate) fn local_corners(&self, slot: usize) -> [Vec3; 3] {
        self.packets[slot / WIDTH].get(slot % WIDTH)
    }

    /// The corners of the triangle in `slot`, in the world, one per lane. The fourth lane repeats
    /// the first corner.
    #[inline(always)]
    pub(crate) fn world_corners<F: F64x4>(&self, pose: &Pose, slot: usize) -> Vec3Soa<F> {
        let local = self.packets[slot / WIDTH].corners_of(slot % WIDTH, pose.is_mirrored());
        pose.points_to_world(local)
    }

    /// Prefetches the edge bits and the index of the triangle in `slot`. They lie in other arrays
    /// than its corners, and a large mesh does not fit in the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: usize) {
        prefetch_at(&self.edges, slot);
        self.prefetch_index(slot);
    }

    /// Prefetches only the index of the triangle in `slot`.
    #[inline(always)]
    pub(crate) fn prefetch_index(&self, slot: usize) {
        prefetch_at(&self.bvh.items, slot);
    }

    /// Whether `edge` of the triangle in `slot`, in the mesh's own order, is
    /// [flat](EdgeKind::Flat).
    #[inline]
    pub(crate) fn is_flat(&self, slot: usize, edge: u8) -> bool {
        self.edges[slot] & (8 << edge) != 0
    }

    #[inline(always)]
    pub(crate) fn mask_in(&self, slot: usize) -> u32 {
        self.masks.get(slot).copied().unwrap_or(u32::MAX)
    }

    #[inline]
    pub(crate) fn tag_in(&self, slot: usize) -> u32 {
        self.tags.get(slot).copied().unwrap_or(0)
    }

    /// Index of the triangle in `slot`.
    #[inline]
    pub(crate) fn index_in(&self, slot: usize) -> u32 {
        self.bvh.items[slot]
    }

    /// Largest magnitude of a coordinate.
    pub(crate) fn max_coordinate(&self) -> f64 {
        self.max_coordinate
    }
}

/// Largest magnitude of a coordinate of a box; 0 if there is none.
pub(crate) fn largest_coordinate(bounds: Option<Aabb>) -> f64 {
    bounds.map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element())
}

/// The bits of [`TriMesh::edges`].
fn edge_bits(kinds: [EdgeKind; 3]) -> u8 {
    let bits = |has: fn(EdgeKind) -> bool| {
        let [ab, bc, ca] = kinds.map(|kind| u8::from(has(kind)));
        ab | bc << 1 | ca << 2
    };
    bits(EdgeKind::is_inner) | bits(|kind| kind == EdgeKind::Flat) << 3
}

pub(crate) fn triangle_bounds([a, b, c]: [Vec3; 3]) -> Bounds {
    Bounds { min: a.min(b).min(c), max: a.max(b).max(c) }
}

/// The box around all; `None` if there are none.
pub(crate) fn bounds_of_all(boxes: &[Bounds]) -> Option<Aabb> {
    let all = Bounds::union_of(boxes);
    (!boxes.is_empty()).then(|| Aabb::from_corners(all.min.as_dvec3(), all.max.as_dvec3()))
}

/// Whether a vertex is finite and in the range of positions. NaN fails every comparison.
pub(crate) fn is_in_range(position: Vec3) -> bool {
    position.abs().cmple(Vec3::splat(MAX_POSITION as f32)).all()
}

fn check_mesh(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
    for (vertex, &position) in vertices.iter().enumerate() {
        if !is_in_range(position) {
            return Err(MeshError::BadVertex { vertex, position });
        }
    }
    check_indices(vertices, indices)
}

/// Checks that there are not too many triangles and that all their indices name vertices.
pub(crate) fn check_indices(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
    if indices.len() > MAX_TRIANGLES {
        return Err(MeshError::TooManyTriangles {
            triangles: indices.len(),
            limit: MAX_TRIANGLES,
        });
    }
    for (corners, triangle) in indices.iter().zip(0..) {
        for &index in corners {
            if index as usize >= vertices.len() {
                return Err(MeshError::BadIndex { triangle, index, vertices: vertices.len() });
            }
        }
    }
    Ok(())
}

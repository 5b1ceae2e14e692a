#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::buffer::Buffer;
use crate::bvh::{self, Bounds, Bvh, BvhDefect, BvhStats, NONE, WIDTH};
use crate::kernel::Exits;
use crate::math::{F64x4, Vec3Soa, prefetch_at};
use crate::mesh::edges::EdgeKind;
use crate::mesh::packet::Packet;
use crate::mesh::report::{MeshReport, inspect_mesh};
use crate::shape::pose::Pose;
use crate::{Sides, Triangle, parallel};
use core::fmt;
use glam::Vec3;

/// Why a mesh could not be made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is NaN, infinite or larger than [`crate::MAX_POSITION`] in magnitude.
    BadVertex {
        /// Its number.
        vertex: usize,
        /// Where it is.
        position: Vec3,
    },
    /// A triangle names a vertex that does not exist.
    BadIndex {
        /// The triangle's number.
        triangle: usize,
        /// The vertex it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More triangles than a mesh can number.
    TooManyTriangles {
        /// How many were given.
        triangles: usize,
        /// How many a mesh can hold.
        limit: usize,
    },
    /// A mesh is given more or fewer triangles than it has.
    OtherTriangleCount {
        /// How many were given.
        triangles: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// A list that has an entry for each triangle is too short or too long.
    WrongCount {
        /// Of what: masks or tags.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many triangles there are.
        triangles: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadVertex { vertex, position } => {
                write!(
                    f,
                    "vertex {vertex} is at {position}: coordinates must be finite and in range"
                )
            }
            Self::BadIndex { triangle, index, vertices } => {
                write!(f, "triangle {triangle} names vertex {index}, but there are {vertices}")
            }
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles are more than {limit}; part the mesh")
            }
            Self::OtherTriangleCount { triangles, expected } => {
                write!(f, "{triangles} triangles for a mesh of {expected}; build a new one")
            }
            Self::WrongCount { what, given, triangles } => {
                write!(f, "{given} {what} for {triangles} triangles: give one for each")
            }
        }
    }
}

impl core::error::Error for MeshError {}

/// How a mesh behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshOptions {
    /// Both sides of every triangle count, whatever the query says: sweeps and rays hit both, and
    /// a pierced triangle is left by either.
    pub double_sided: bool,
}

/// Largest number of triangles: leaves are numbered in 31 bits, and a leaf may hold one triangle.
pub(crate) const MAX_TRIANGLES: usize = 1 << 30;

/// A triangle mesh in its own space, ready for queries. Triangles keep the numbers they came with.
#[derive(Debug, Clone)]
pub struct TriMesh {
    pub(crate) bvh: Bvh,
    /// One for each leaf of the tree, lane by lane.
    pub(crate) packets: Buffer<Packet>,
    /// Where triangle `i` is: eight times its leaf, plus its lane.
    pub(crate) slots: Buffer<u32>,
    /// By slot: bit `i` is set where edge `i` is [inner](EdgeKind::is_inner), bit `3 + i` where it is [flat](EdgeKind::Flat).
    pub(crate) edges: Buffer<u8>,
    /// By slot; empty where every mask sees every triangle.
    pub(crate) masks: Buffer<u32>,
    /// By slot; empty where all are 0.
    pub(crate) tags: Buffer<u32>,
    pub(crate) bounds: Option<(Vec3, Vec3)>,
    /// Largest magnitude of a coordinate.
    pub(crate) size: f64,
    pub(crate) options: MeshOptions,
}

impl TriMesh {
    /// Builds the mesh and its tree. Counter-clockwise triangles face the viewer.
    ///
    /// # Errors
    /// If a vertex is not finite or out of range, an index names no vertex, or there are too many.
    pub fn new(
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> Result<Self, MeshError> {
        Self::new_with_report(vertices, indices, options).map(|(mesh, _)| mesh)
    }

    /// As [`TriMesh::new`], and what was found on the way: finding it again would cost as much as building.
    ///
    /// # Errors
    /// As [`TriMesh::new`].
    pub fn new_with_report(
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> Result<(Self, MeshReport), MeshError> {
        check(vertices, indices)?;
        Ok(Self::with_tree(bvh::build, vertices, indices, options))
    }

    /// Gives the mesh new triangles, as many as it has: the same ones with their vertices elsewhere, as a rule. They are
    /// [checked](Self::new) as when a mesh is made.
    ///
    /// Answers are those of a mesh built anew. The tree is fitted to the triangles where they are now, in half the
    /// time that building one takes; it stays fast while triangles that were close to each other are so still.
    ///
    /// # Errors
    /// As [`TriMesh::new`], and if the number of triangles is another. The mesh is then what it was.
    pub fn refit(&mut self, vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
        check(vertices, indices)?;
        let (triangles, expected) = (indices.len(), self.triangle_count());
        if triangles != expected {
            return Err(MeshError::OtherTriangleCount { triangles, expected });
        }
        let mut bvh = core::mem::take(&mut self.bvh);
        let fitted = |boxes: &[Bounds]| {
            bvh.refit(boxes);
            bvh
        };
        let (masks, tags) = (self.masks.clone(), self.tags.clone());
        let (mesh, _) = Self::with_tree(fitted, vertices, indices, self.options);
        // Triangles keep their places in the tree, so what is kept by place stays.
        *self = Self { masks, tags, ..mesh };
        Ok(())
    }

    /// A mesh of checked triangles, with the tree that `tree` makes over their boxes.
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
                    parallel::collect(indices.len(), |item| bounds(corners(item as u32)));
                (tree(&boxes), around(&boxes))
            },
            || inspect_mesh(vertices, indices),
        );
        let kinds = topology.into_kinds();
        let leaves = bvh.leaf_count();
        let in_slot = |slot: usize| bvh.leaf_items(slot / WIDTH)[slot % WIDTH];
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
            kinds.get(in_slot(slot) as usize).map_or(0, |kinds| edge_bits(*kinds))
        });
        let mut slots = vec![0; indices.len()];
        for slot in 0..leaves * WIDTH {
            if let Some(place) = slots.get_mut(in_slot(slot) as usize) {
                *place = slot as u32;
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
            size: size_of_box(bounds),
            options,
        };
        (mesh, report)
    }

    /// The same mesh with a mask for each triangle (rule 3.2): a query sees those whose mask shares a bit with its own,
    /// of the bodies that it sees at all. Without masks it sees every triangle.
    ///
    /// How triangles join stays a matter of the mesh: an inner edge is one whichever of its triangles a query sees.
    ///
    /// # Errors
    /// If there is not one for each triangle.
    pub fn with_masks(self, masks: &[u32]) -> Result<Self, MeshError> {
        let masks = self.by_slot("masks", masks)?;
        Ok(Self { masks, ..self })
    }

    /// The same mesh with the caller's own number for each triangle, such as a material or an area, that comes back in
    /// [hits](crate::scene::HitTarget::tag).
    ///
    /// # Errors
    /// If there is not one for each triangle.
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

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.slots.len()
    }

    /// Corners of a triangle in the mesh's space; `None` if there is no such triangle.
    pub fn triangle(&self, index: usize) -> Option<[Vec3; 3]> {
        let slot = *self.slots.get(index)? as usize;
        Some(self.packets[slot / WIDTH].get(slot % WIDTH))
    }

    /// Bits of which a query's mask must share one to see a triangle; all are set in a mesh without masks. `None` if
    /// there is no such triangle.
    pub fn mask(&self, index: usize) -> Option<u32> {
        Some(self.mask_in(*self.slots.get(index)? as usize))
    }

    /// The caller's number for a triangle; 0 in a mesh without tags. `None` if there is no such triangle.
    pub fn tag(&self, index: usize) -> Option<u32> {
        Some(self.tag_in(*self.slots.get(index)? as usize))
    }

    /// Smallest and largest corner of the box around all triangles; `None` if there are none.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.bounds
    }

    /// Whether sweeps hit both sides of every triangle.
    pub fn is_double_sided(&self) -> bool {
        self.options.double_sided
    }

    /// Bytes that triangles and tree occupy.
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.bvh.memory()
            + size_of_val(&*self.packets)
            + size_of_val(&*self.slots)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.tags)
    }

    /// What can be said about its tree in numbers.
    pub fn tree_figures(&self) -> BvhStats {
        self.bvh.figures()
    }

    /// Checks the tree against the triangles.
    ///
    /// # Errors
    /// The first defect found. A mesh that was built has none.
    pub fn validate(&self) -> Result<(), BvhDefect> {
        let triangles = 0..self.triangle_count();
        let boxes: Vec<Bounds> =
            triangles.filter_map(|index| self.triangle(index)).map(bounds).collect();
        self.bvh.validate(&boxes)
    }

    /// The first triangle whose edges are not what its neighbours give; [`NONE`] if an empty slot
    /// has edges, a mask or a tag. A mesh that was built has none.
    pub(crate) fn wrong_edges(&self) -> Option<u32> {
        let triangles = 0..self.triangle_count();
        let corners: Vec<[Vec3; 3]> = triangles.filter_map(|index| self.triangle(index)).collect();
        // Vertices at one position count as one, so every triangle may have its own.
        let indices: Vec<[u32; 3]> =
            (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let kinds = inspect_mesh(corners.as_flattened(), &indices).1.into_kinds();
        let (items, edges) = (&*self.bvh.items, &*self.edges);
        let (masks, tags) = (&*self.masks, &*self.tags);
        items.iter().zip(edges).enumerate().find_map(|(slot, (&item, &bits))| {
            let Some(kinds) = kinds.get(item as usize) else {
                let is_empty = |list: &[u32]| list.get(slot).is_none_or(|value| *value == 0);
                return (bits != 0 || !is_empty(masks) || !is_empty(tags)).then_some(NONE);
            };
            (bits != edge_bits(*kinds)).then_some(item)
        })
    }

    /// The triangle in `slot`, placed in the world: the one way in which any query makes it.
    #[inline(always)]
    pub(crate) fn world_triangle(&self, pose: &Pose, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(pose.triangle_to_world(corners))
    }

    /// The corners of the [world triangle](Self::world_triangle) in `slot`, the same bits, side by side; then the first again.
    #[inline(always)]
    pub(crate) fn world_corners<F: F64x4>(&self, pose: &Pose, slot: usize) -> Vec3Soa<F> {
        let local = self.packets[slot / WIDTH].corners_of(slot % WIDTH, pose.is_mirrored());
        pose.points_to_world(local)
    }

    /// The triangle in `slot`, in the mesh's own space.
    pub(crate) fn local_triangle(&self, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(corners.map(Vec3::as_dvec3))
    }

    /// Where an axis may leave the [world triangle](Self::world_triangle) in `slot`.
    #[inline(always)]
    pub(crate) fn exits(&self, pose: &Pose, slot: usize, sides: Sides) -> Exits {
        let (back, closed) = (sides == Sides::Both, self.edges[slot]);
        Exits { back, closed, mirrored: pose.is_mirrored() }
    }

    /// Asks for what is known of the triangle in `slot`, and of its neighbours there, besides where it is: it may be far away in memory, and is
    /// wanted soon.
    #[inline]
    pub(crate) fn prefetch(&self, slot: usize) {
        prefetch_at(&self.edges, slot);
        self.fetch_number(slot);
    }

    /// As [`TriMesh::prefetch`], where its number alone is wanted.
    #[inline(always)]
    pub(crate) fn fetch_number(&self, slot: usize) {
        prefetch_at(&self.bvh.items, slot);
    }

    /// Whether `edge` of the triangle in `slot`, in the mesh's own order, is [flat](EdgeKind::Flat).
    pub(crate) fn is_flat(&self, slot: usize, edge: u8) -> bool {
        self.edges[slot] & (8 << edge) != 0
    }

    /// Whether the triangle in `slot` shares a bit with `mask`.
    #[inline(always)]
    pub(crate) fn is_seen(&self, slot: usize, mask: u32) -> bool {
        self.mask_in(slot) & mask != 0
    }

    #[inline(always)]
    pub(crate) fn mask_in(&self, slot: usize) -> u32 {
        self.masks.get(slot).copied().unwrap_or(u32::MAX)
    }

    #[inline]
    pub(crate) fn tag_in(&self, slot: usize) -> u32 {
        self.tags.get(slot).copied().unwrap_or(0)
    }

    /// Number of the triangle in `slot`.
    #[inline]
    pub(crate) fn number_in(&self, slot: usize) -> u32 {
        self.bvh.items[slot]
    }

    /// Largest magnitude of a coordinate.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }
}

/// Largest magnitude of a coordinate of a box.
pub(crate) fn size_of_box(bounds: Option<(Vec3, Vec3)>) -> f64 {
    let (min, max) = bounds.unwrap_or_default();
    f64::from(min.abs().max(max.abs()).max_element())
}

fn edge_bits(kinds: [EdgeKind; 3]) -> u8 {
    let bits = |has: fn(EdgeKind) -> bool| {
        let [ab, bc, ca] = kinds.map(|kind| u8::from(has(kind)));
        ab | bc << 1 | ca << 2
    };
    bits(EdgeKind::is_inner) | bits(|kind| kind == EdgeKind::Flat) << 3
}

pub(crate) fn bounds([a, b, c]: [Vec3; 3]) -> Bounds {
    Bounds { min: a.min(b).min(c), max: a.max(b).max(c) }
}

/// Smallest and largest corner of the box around all; `None` if there are none.
pub(crate) fn around(boxes: &[Bounds]) -> Option<(Vec3, Vec3)> {
    let all = boxes.iter().fold(Bounds::EMPTY, |all, one| all.union(*one));
    (!boxes.is_empty()).then_some((all.min, all.max))
}

/// Whether a vertex may be here; NaN is not at most anything.
pub(crate) fn is_in_range(position: Vec3) -> bool {
    position.abs().cmple(Vec3::splat(crate::MAX_POSITION as f32)).all()
}

fn check(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
    for (vertex, &position) in vertices.iter().enumerate() {
        if !is_in_range(position) {
            return Err(MeshError::BadVertex { vertex, position });
        }
    }
    if indices.len() > MAX_TRIANGLES {
        return Err(MeshError::TooManyTriangles { triangles: indices.len(), limit: MAX_TRIANGLES });
    }
    for (triangle, corners) in indices.iter().enumerate() {
        for &index in corners {
            if index as usize >= vertices.len() {
                return Err(MeshError::BadIndex { triangle, index, vertices: vertices.len() });
            }
        }
    }
    Ok(())
}

use super::edges::EdgeKind;
use super::mesh_report::{MeshReport, inspect_mesh};
use super::packet::Packet;
use super::pose::Pose;
use crate::buffer::Buffer;
use crate::bvh::{self, Bounds, BvhDefect, NONE, WIDTH};
use crate::overlap::Exits;
use crate::{Sides, Triangle};
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
    /// Sweeps hit both sides of every triangle, whatever the query says.
    pub double_sided: bool,
}

/// Largest number of triangles: leaves are numbered in 31 bits, and a leaf may hold one triangle.
pub(crate) const MAX_TRIANGLES: usize = 1 << 30;

/// A triangle mesh in its own space, ready for queries. Triangles keep the numbers they came with.
#[derive(Debug, Clone)]
pub struct TriMesh {
    pub(crate) bvh: bvh::Bvh,
    /// One for each leaf of the tree, lane by lane.
    pub(crate) packets: Buffer<Packet>,
    /// Where triangle `i` is: eight times its leaf, plus its lane.
    pub(crate) slots: Buffer<u32>,
    /// By slot: bit `i` is set where edge `i` is [inner](EdgeKind::is_inner).
    pub(crate) inner: Buffer<u8>,
    /// By slot; empty where every mask sees every triangle.
    pub(crate) masks: Buffer<u32>,
    /// By slot; empty where all are 0.
    pub(crate) tags: Buffer<u32>,
    pub(crate) bounds: Option<(Vec3, Vec3)>,
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
        let corners = |triangle: &[u32; 3]| triangle.map(|index| vertices[index as usize]);
        let boxes: Vec<Bounds> = indices.iter().map(|triangle| bounds(corners(triangle))).collect();
        let bvh = bvh::build(&boxes);
        let mut packets = vec![Packet::EMPTY; bvh.leaf_count()];
        let mut slots = vec![0; indices.len()];
        let (report, topology) = inspect_mesh(vertices, indices);
        let kinds = topology.into_kinds();
        let mut inner = vec![0; packets.len() * WIDTH];
        for (leaf, packet) in packets.iter_mut().enumerate() {
            for (lane, &item) in bvh.leaf_items(leaf).iter().enumerate() {
                if item != NONE {
                    packet.set(lane, corners(&indices[item as usize]));
                    slots[item as usize] = (leaf * WIDTH + lane) as u32;
                    inner[leaf * WIDTH + lane] = inner_edges(kinds[item as usize]);
                }
            }
        }
        let bounds = around(&boxes);
        let mesh = Self {
            bvh,
            packets: packets.into(),
            slots: slots.into(),
            inner: inner.into(),
            masks: Buffer::default(),
            tags: Buffer::default(),
            bounds,
            options,
        };
        Ok((mesh, report))
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
    /// [hits](super::Struck::tag).
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
            + size_of_val(&*self.inner)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.tags)
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

    /// The triangle in `slot`, placed in the world: the one way in which any query makes it.
    pub(super) fn world_triangle(&self, pose: &Pose, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(pose.triangle_to_world(corners))
    }

    /// The triangle in `slot`, in the mesh's own space.
    pub(super) fn local_triangle(&self, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(corners.map(Vec3::as_dvec3))
    }

    /// Where an axis may leave the [world triangle](Self::world_triangle) in `slot`.
    pub(super) fn exits(&self, pose: &Pose, slot: usize, sides: Sides) -> Exits {
        let inner = self.inner[slot];
        let [ab, bc, ca] = [1, 2, 4].map(|bit| inner & bit == 0);
        // Mirrored, the world triangle runs `a c b`.
        let edges = if pose.is_mirrored() { [ca, bc, ab] } else { [ab, bc, ca] };
        Exits { back: sides == Sides::Both, edges }
    }

    /// Bits of the triangles of a leaf that a query with this mask sees.
    #[inline]
    pub(super) fn seen_in(&self, leaf: usize, mask: u32) -> u32 {
        if self.masks.is_empty() {
            return u32::MAX;
        }
        let masks = &self.masks[leaf * WIDTH..(leaf + 1) * WIDTH];
        let bit = |(lane, triangle): (usize, &u32)| u32::from(triangle & mask != 0) << lane;
        masks.iter().enumerate().map(bit).sum()
    }

    pub(super) fn mask_in(&self, slot: usize) -> u32 {
        self.masks.get(slot).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn tag_in(&self, slot: usize) -> u32 {
        self.tags.get(slot).copied().unwrap_or(0)
    }

    /// Number of the triangle in `slot`.
    pub(super) fn number_in(&self, slot: usize) -> u32 {
        self.bvh.leaf_items(slot / WIDTH)[slot % WIDTH]
    }

    /// Largest magnitude of a coordinate.
    pub(super) fn size(&self) -> f64 {
        let (min, max) = self.bounds.unwrap_or_default();
        f64::from(min.abs().max(max.abs()).max_element())
    }
}

fn inner_edges(kinds: [EdgeKind; 3]) -> u8 {
    let [ab, bc, ca] = kinds.map(|kind| u8::from(kind.is_inner()));
    ab | bc << 1 | ca << 2
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

use super::edges::{EdgeKind, EdgeTopology};
use super::packet::Packet;
use super::pose::Pose;
use crate::bvh::{self, Bounds, Bvh, BvhDefect, NONE, WIDTH};
use crate::overlap::Exits;
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
        }
    }
}

impl core::error::Error for MeshError {}

/// How a mesh behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeshOptions {
    /// Sweeps hit both sides of every triangle, whatever the query says.
    pub double_sided: bool,
}

/// Largest number of triangles: leaves are numbered in 31 bits, and a leaf may hold one triangle.
const MAX_TRIANGLES: usize = 1 << 30;

/// A triangle mesh in its own space, ready for queries. Triangles keep the numbers they came with.
#[derive(Debug, Clone)]
pub struct TriMesh {
    pub(super) bvh: Bvh,
    /// One for each leaf of the tree, lane by lane.
    pub(super) packets: Vec<Packet>,
    /// Where triangle `i` is: eight times its leaf, plus its lane.
    slots: Vec<u32>,
    /// By slot: bit `i` is set where edge `i` is [inner](EdgeKind::is_inner), bit `3 + i` where it is [flat](EdgeKind::Flat).
    edges: Vec<u8>,
    bounds: Option<(Vec3, Vec3)>,
    /// Largest magnitude of a coordinate.
    size: f64,
    options: MeshOptions,
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
        *self = Self::with_tree(fitted, vertices, indices, self.options);
        Ok(())
    }

    /// A mesh of checked triangles, with the tree that `tree` makes over their boxes.
    fn with_tree(
        tree: impl FnOnce(&[Bounds]) -> Bvh + Send,
        vertices: &[Vec3],
        indices: &[[u32; 3]],
        options: MeshOptions,
    ) -> Self {
        let corners = |item: u32| indices[item as usize].map(|index| vertices[index as usize]);
        let ((bvh, bounds), kinds) = parallel::join(
            || {
                let boxes: Vec<Bounds> =
                    parallel::collect(indices.len(), |item| bounds(corners(item as u32)));
                let all = boxes.iter().fold(Bounds::EMPTY, |all, one| all.union(*one));
                (tree(&boxes), (!boxes.is_empty()).then_some((all.min, all.max)))
            },
            || EdgeTopology::of(vertices, indices).into_kinds(),
        );
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
        let (min, max) = bounds.unwrap_or_default();
        let size = f64::from(min.abs().max(max.abs()).max_element());
        Self { bvh, packets, slots, edges, bounds, size, options }
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
            + size_of_val(self.packets.as_slice())
            + size_of_val(self.slots.as_slice())
            + size_of_val(self.edges.as_slice())
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
    #[inline]
    pub(super) fn world_triangle(&self, pose: &Pose, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(pose.triangle_to_world(corners))
    }

    /// Where an axis may leave the [world triangle](Self::world_triangle) in `slot`.
    #[inline]
    pub(super) fn exits(&self, pose: &Pose, slot: usize, sides: Sides) -> Exits {
        let inner = self.edges[slot];
        let [ab, bc, ca] = [1, 2, 4].map(|bit| inner & bit == 0);
        // Mirrored, the world triangle runs `a c b`.
        let edges = if pose.is_mirrored() { [ca, bc, ab] } else { [ab, bc, ca] };
        Exits { back: sides == Sides::Both, edges }
    }

    /// Whether `edge` of the triangle in `slot`, in the mesh's own order, is [flat](EdgeKind::Flat).
    pub(super) fn is_flat(&self, slot: usize, edge: u8) -> bool {
        self.edges[slot] & (8 << edge) != 0
    }

    /// Largest magnitude of a coordinate.
    pub(super) fn size(&self) -> f64 {
        self.size
    }
}

fn edge_bits(kinds: [EdgeKind; 3]) -> u8 {
    let bits = |has: fn(EdgeKind) -> bool| {
        let [ab, bc, ca] = kinds.map(|kind| u8::from(has(kind)));
        ab | bc << 1 | ca << 2
    };
    bits(EdgeKind::is_inner) | bits(|kind| kind == EdgeKind::Flat) << 3
}

fn bounds([a, b, c]: [Vec3; 3]) -> Bounds {
    Bounds { min: a.min(b).min(c), max: a.max(b).max(c) }
}

fn check(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<(), MeshError> {
    let limit = crate::MAX_POSITION as f32;
    for (vertex, &position) in vertices.iter().enumerate() {
        // NaN is not at most anything.
        if !position.abs().cmple(Vec3::splat(limit)).all() {
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

use super::edges::{EdgeKind, EdgeTopology};
use super::packet::Packet;
use super::pose::Pose;
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
    pub(super) bvh: bvh::Bvh,
    /// One for each leaf of the tree, lane by lane.
    pub(super) packets: Vec<Packet>,
    /// Where triangle `i` is: eight times its leaf, plus its lane.
    slots: Vec<u32>,
    /// By slot: bit `i` is set where edge `i` is [inner](EdgeKind::is_inner), bit `3 + i` where it is [flat](EdgeKind::Flat).
    edges: Vec<u8>,
    bounds: Option<(Vec3, Vec3)>,
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
        let corners = |triangle: &[u32; 3]| triangle.map(|index| vertices[index as usize]);
        let boxes: Vec<Bounds> = indices.iter().map(|triangle| bounds(corners(triangle))).collect();
        let bvh = bvh::build(&boxes);
        let mut packets = vec![Packet::EMPTY; bvh.leaf_count()];
        let mut slots = vec![0; indices.len()];
        let kinds = EdgeTopology::of(vertices, indices).into_kinds();
        let mut edges = vec![0; packets.len() * WIDTH];
        for (leaf, packet) in packets.iter_mut().enumerate() {
            for (lane, &item) in bvh.leaf_items(leaf).iter().enumerate() {
                if item != NONE {
                    packet.set(lane, corners(&indices[item as usize]));
                    slots[item as usize] = (leaf * WIDTH + lane) as u32;
                    edges[leaf * WIDTH + lane] = edge_bits(kinds[item as usize]);
                }
            }
        }
        let all = boxes.iter().fold(Bounds::EMPTY, |all, one| all.union(*one));
        let bounds = (!boxes.is_empty()).then_some((all.min, all.max));
        Ok(Self { bvh, packets, slots, edges, bounds, options })
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
    pub(super) fn world_triangle(&self, pose: &Pose, slot: usize) -> Triangle {
        let corners = self.packets[slot / WIDTH].get(slot % WIDTH);
        Triangle::from_checked(pose.triangle_to_world(corners))
    }

    /// Where an axis may leave the [world triangle](Self::world_triangle) in `slot`.
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
        let (min, max) = self.bounds.unwrap_or_default();
        f64::from(min.abs().max(max.abs()).max_element())
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

//! [`EdgeTopology`]: how the edges of a mesh join its triangles.

use crate::mesh::buckets::Buckets;
use crate::mesh::report::inspect_mesh;
use crate::mesh::tri_mesh::MeshError;
use crate::tolerance::FLAT_COS;
use glam::{DVec3, Vec3};

/// How an edge of a triangle joins the next triangle, seen from the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeKind {
    /// No other triangle has this edge.
    #[default]
    Open = 0,
    /// The neighbour continues the face: the surface bends by less than 0.5°.
    Flat = 1,
    /// The neighbour rises in front of the face, like a wall on a floor.
    Concave = 2,
    /// The neighbour falls behind the face, like the sides of a box.
    Convex = 3,
    /// The neighbour has the opposite winding: one shows its front where the other shows its back,
    /// so there is no angle between two fronts.
    Flipped = 4,
    /// More than two triangles have this edge.
    NonManifold = 5,
}

impl EdgeKind {
    /// Whether the edge lies inside a surface: nothing in front can touch the edge without
    /// touching a face as well.
    pub fn is_inner(self) -> bool {
        matches!(self, Self::Flat | Self::Concave)
    }
}

/// How every triangle of a mesh joins its neighbours.
///
/// Edges are matched by the exact positions of their ends, so a soup of unconnected triangles
/// works like an indexed mesh. Degenerate triangles have no side and join nothing: their edges are
/// [`EdgeKind::Open`], and other triangles do not count them as neighbours. A triangle that
/// repeats another with the same winding has that one's kinds and neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EdgeTopology {
    kinds: Vec<[EdgeKind; 3]>,
    /// [`NO_NEIGHBOR`] if an edge has none, or more than one.
    neighbors: Vec<[u32; 3]>,
}

const NO_NEIGHBOR: u32 = u32::MAX;

impl EdgeTopology {
    /// Finds the neighbours of every triangle; [`inspect_mesh`] makes the report as well.
    ///
    /// # Errors
    /// As [`inspect_mesh`].
    pub fn new(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<Self, MeshError> {
        inspect_mesh(vertices, indices).map(|(_, topology)| topology)
    }

    /// The kinds of all edges, by triangle: edge 0 is `ab`, 1 is `bc`, 2 is `ca`.
    pub fn kinds(&self) -> &[[EdgeKind; 3]] {
        &self.kinds
    }

    /// Only the kinds: three bytes per triangle.
    pub fn into_kinds(self) -> Vec<[EdgeKind; 3]> {
        self.kinds
    }

    /// The only other triangle at an edge; `None` if the edge has no neighbour, or more than one.
    /// `None` too if there is no such triangle or edge.
    pub fn neighbor(&self, triangle: u32, edge: u8) -> Option<u32> {
        let neighbor = *self.neighbors.get(triangle as usize)?.get(usize::from(edge))?;
        (neighbor != NO_NEIGHBOR).then_some(neighbor)
    }

    /// Copies kinds and neighbours of `first` to `repeat`: the same triangle, which may start at
    /// another vertex.
    pub(crate) fn copy(&mut self, welded: &[[u32; 3]], first: u32, repeat: u32) {
        let (first, repeat) = (first as usize, repeat as usize);
        let turn = (0..3).find(|&i| welded[first][i] == welded[repeat][0]).unwrap_or(0);
        for edge in 0..3 {
            let twin = (edge + turn) % 3;
            self.kinds[repeat][edge] = self.kinds[first][twin];
            self.neighbors[repeat][edge] = self.neighbors[first][twin];
        }
    }
}

/// Numbers of edges with a defect; an edge counts once, however many triangles share it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EdgeCounts {
    pub(crate) open: usize,
    pub(crate) flipped: usize,
    pub(crate) non_manifold: usize,
}

/// Matches the edges of all triangles whose normal is not zero; the others join nothing.
pub(crate) fn join(
    vertices: &[Vec3],
    welded: &[[u32; 3]],
    normals: &[DVec3],
) -> (EdgeTopology, EdgeCounts) {
    let mut topology = EdgeTopology {
        kinds: vec![[EdgeKind::Open; 3]; welded.len()],
        neighbors: vec![[NO_NEIGHBOR; 3]; welded.len()],
    };
    let mut counts = EdgeCounts::default();
    // One bucket per lower vertex; sorted within it by upper vertex, then by triangle and edge.
    let half_edges = (0_u32..).zip(welded.iter().zip(normals));
    let half_edges = half_edges.filter(|&(_, (_, &normal))| normal != DVec3::ZERO);
    let half_edges = half_edges.flat_map(|(triangle, (&[a, b, c], _))| {
        [(a, b, 0), (b, c, 1), (c, a, 2)].map(|(start, end, edge)| {
            let half_edge = u64::from(triangle * 3 + edge);
            (start.min(end), u64::from(start.max(end)) << 32 | half_edge)
        })
    });
    let sort = |bucket: &mut [u64]| bucket.sort_unstable();
    Buckets::distribute(vertices.len(), half_edges).each_sorted(sort, |bucket| {
        for edge in bucket.chunk_by(|one, other| one >> 32 == other >> 32) {
            match *edge {
                [_] => counts.open += 1,
                [one, other] => {
                    let (one, other) = (HalfEdge::unpack(one), HalfEdge::unpack(other));
                    let kind = classify(vertices, welded, normals, [one, other]);
                    counts.flipped += usize::from(kind == EdgeKind::Flipped);
                    topology.kinds[one.triangle][one.edge] = kind;
                    topology.kinds[other.triangle][other.edge] = kind;
                    topology.neighbors[one.triangle][one.edge] = other.triangle as u32;
                    topology.neighbors[other.triangle][other.edge] = one.triangle as u32;
                }
                _ => {
                    counts.non_manifold += 1;
                    for half_edge in edge.iter().map(|&half_edge| HalfEdge::unpack(half_edge)) {
                        topology.kinds[half_edge.triangle][half_edge.edge] = EdgeKind::NonManifold;
                    }
                }
            }
        }
    });
    (topology, counts)
}

/// An edge as one of its triangles has it.
#[derive(Debug, Clone, Copy)]
struct HalfEdge {
    triangle: usize,
    edge: usize,
}

impl HalfEdge {
    fn unpack(packed: u64) -> Self {
        let half_edge = packed as u32 as usize;
        Self { triangle: half_edge / 3, edge: half_edge % 3 }
    }
}

/// The kind of an edge that two triangles share; it is the same for both.
fn classify(
    vertices: &[Vec3],
    welded: &[[u32; 3]],
    normals: &[DVec3],
    [one, other]: [HalfEdge; 2],
) -> EdgeKind {
    let start = welded[one.triangle][one.edge];
    if start == welded[other.triangle][other.edge] {
        return EdgeKind::Flipped;
    }
    let end = welded[one.triangle][(one.edge + 1) % 3];
    let along = (vertices[end as usize] - vertices[start as usize]).as_dvec3();
    kind_between(normals[one.triangle], normals[other.triangle], along)
}

/// The kind of an edge between two faces of the same winding, with the normals `n` and `m`. The
/// face with the normal `n` has the edge in the direction `along`. The two faces swapped give the
/// same kind.
pub(crate) fn kind_between(n: DVec3, m: DVec3, along: DVec3) -> EdgeKind {
    if n.dot(m) > FLAT_COS {
        return EdgeKind::Flat;
    }
    // Two faces folded onto each other are the rim of a thin sheet: convex.
    if n.cross(m).dot(along) < 0.0 { EdgeKind::Concave } else { EdgeKind::Convex }
}

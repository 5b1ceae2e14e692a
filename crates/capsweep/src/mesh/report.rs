//! [`MeshReport`]: the defects of a mesh.

use crate::math::normals::face_normal;
use crate::mesh::buckets::Buckets;
use crate::mesh::edges::{EdgeCounts, EdgeKind, EdgeTopology, join};
use crate::mesh::tri_mesh::{MeshError, check_indices};
use crate::mesh::weld::weld;
use crate::tolerance::SLIVER;
use glam::{DVec3, Vec3};

/// The defects of a mesh. Every list is complete and in rising order.
///
/// A mesh with any of them can be used. Vertices at the same position count as one, whatever their
/// indices. Degenerate and repeated triangles take no part in the findings on edges.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshReport {
    /// Triangles that are segments or points: see
    /// [`Triangle::is_degenerate`](crate::Triangle::is_degenerate).
    pub degenerate: Vec<u32>,
    /// Triangles, not degenerate, whose longest edge is over 1 000 times their height.
    pub slivers: Vec<u32>,
    /// Triangles with the same three corners as an earlier one, in any order.
    pub duplicate: Vec<u32>,
    /// Vertices, by index, that no triangle uses.
    pub unreferenced: Vec<u32>,
    /// Edges between two triangles of opposite winding.
    pub flipped: EdgeDefects,
    /// Edges that only one triangle has.
    pub open: EdgeDefects,
    /// Edges that three or more triangles have.
    pub non_manifold: EdgeDefects,
}

/// Edges with the same defect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EdgeDefects {
    /// Number of edges; an edge that several triangles share counts once.
    pub edges: usize,
    /// The triangles that have them, in rising order.
    pub triangles: Vec<u32>,
}

impl MeshReport {
    /// Inspects every triangle, vertex and edge; time and memory grow linearly.
    ///
    /// # Errors
    /// As [`inspect_mesh`].
    pub fn new(vertices: &[Vec3], indices: &[[u32; 3]]) -> Result<Self, MeshError> {
        inspect_mesh(vertices, indices).map(|(report, _)| report)
    }
}

/// The report on a mesh and how its triangles join, from one matching of its edges.
///
/// The order of the triangles decides only which of two duplicates counts as the first.
///
/// # Errors
/// If an index names no vertex, or there are more triangles than a mesh can hold. Vertices may be
/// anywhere.
pub fn inspect_mesh(
    vertices: &[Vec3],
    indices: &[[u32; 3]],
) -> Result<(MeshReport, EdgeTopology), MeshError> {
    check_indices(vertices, indices)?;
    Ok(inspect_checked(vertices, indices))
}

/// As [`inspect_mesh`], for indices that were checked.
pub(crate) fn inspect_checked(
    vertices: &[Vec3],
    indices: &[[u32; 3]],
) -> (MeshReport, EdgeTopology) {
    let first = weld(vertices);
    let welded: Vec<_> =
        indices.iter().map(|triangle| triangle.map(|index| first[index as usize])).collect();
    let mut report =
        MeshReport { unreferenced: unreferenced(vertices, indices), ..<_>::default() };

    let mut normals = Vec::with_capacity(indices.len());
    for (&triangle, number) in welded.iter().zip(0..) {
        let corners = triangle.map(|index| vertices[index as usize].as_dvec3());
        let normal = normal_of_corners(corners);
        match normal {
            Some((_, Form::WellShaped)) => {}
            Some((_, Form::Sliver)) => report.slivers.push(number),
            None => report.degenerate.push(number),
        }
        normals.push(normal.map_or(DVec3::ZERO, |(normal, _)| normal));
    }

    let repeats = find_duplicates(vertices.len(), &welded, &mut report.duplicate);
    for &[_, repeat] in &repeats {
        normals[repeat as usize] = DVec3::ZERO;
    }
    let (mut topology, counts) = join(vertices, &welded, &normals);
    report.add_edge_defects(&topology, counts, &normals);
    for [first, repeat] in repeats {
        topology.copy(&welded, first, repeat);
    }
    (report, topology)
}

impl MeshReport {
    /// Lists the triangles with a defect at an edge.
    fn add_edge_defects(
        &mut self,
        topology: &EdgeTopology,
        counts: EdgeCounts,
        normals: &[DVec3],
    ) {
        for ((kinds, normal), number) in topology.kinds().iter().zip(normals).zip(0..) {
            if *normal == DVec3::ZERO {
                continue;
            }
            for (kind, defects) in [
                (EdgeKind::Open, &mut self.open),
                (EdgeKind::Flipped, &mut self.flipped),
                (EdgeKind::NonManifold, &mut self.non_manifold),
            ] {
                if kinds.contains(&kind) {
                    defects.triangles.push(number);
                }
            }
        }
        self.open.edges = counts.open;
        self.flipped.edges = counts.flipped;
        self.non_manifold.edges = counts.non_manifold;
    }
}

fn unreferenced(vertices: &[Vec3], indices: &[[u32; 3]]) -> Vec<u32> {
    let mut used = vec![false; vertices.len()];
    for &index in indices.as_flattened() {
        used[index as usize] = true;
    }
    used.iter().zip(0..).filter(|(used, _)| !**used).map(|(_, index)| index).collect()
}

/// The form of a triangle that is not degenerate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    WellShaped,
    Sliver,
}

/// Unit normal of a triangle, by which its edges are classified; `None` if it is degenerate.
pub(crate) fn normal_of_corners(corners: [DVec3; 3]) -> Option<(DVec3, Form)> {
    let well_shaped = well_shaped_normal(corners).map(|normal| (normal, Form::WellShaped));
    well_shaped.or_else(|| Some((face_normal(&corners)?, Form::Sliver)))
}

/// Unit normal of a triangle that is neither a sliver nor degenerate; there the cross product is
/// exact enough.
fn well_shaped_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let longest_squared =
        (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    // Twice the area is the longest edge times the height over it.
    let least_area = SLIVER * longest_squared;
    let area = (b - a).cross(c - a);
    let area_squared = area.length_squared();
    (area_squared > least_area * least_area).then(|| area / area_squared.sqrt())
}

/// Adds to `duplicates` every triangle with the corners of an earlier one. Returns the pairs
/// `[first, repeat]` that also have the same winding.
fn find_duplicates(
    vertex_count: usize,
    welded: &[[u32; 3]],
    duplicates: &mut Vec<u32>,
) -> Vec<[u32; 2]> {
    let keyed = welded.iter().zip(0_u32..).map(|(&triangle, number)| {
        let [low, mid, high] = sorted(triangle);
        (low, (mid, high, number))
    });
    let mut repeats = Vec::new();
    let sort = |bucket: &mut [(u32, u32, u32)]| bucket.sort_unstable();
    Buckets::distribute(vertex_count, keyed).each_sorted(sort, |bucket| {
        for same in bucket.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            // The first of each winding.
            let mut firsts = [None; 2];
            for (i, &(_, _, number)) in same.iter().enumerate() {
                if i > 0 {
                    duplicates.push(number);
                }
                match &mut firsts[usize::from(is_odd(welded[number as usize]))] {
                    Some(first) => repeats.push([*first, number]),
                    first => *first = Some(number),
                }
            }
        }
    });
    duplicates.sort_unstable();
    repeats
}

fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// Whether the corners are an odd permutation of their sorted order.
fn is_odd([a, b, c]: [u32; 3]) -> bool {
    (a < b) ^ (b < c) ^ (c < a)
}

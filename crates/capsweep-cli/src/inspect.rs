//! The content of a level: counts, memory, tree statistics, and the defects of its meshes.

use crate::load;
use capsweep::scene::{BvhStats, MeshReport, Pose, Scene, TriMesh};
use capsweep_formats::Level;
use glam::{DVec3, Vec3};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
pub(crate) struct Inspection {
    /// Placed meshes.
    pub(crate) instances: usize,
    /// Shapes and obstacles.
    pub(crate) shapes: usize,
    /// Triangles, each mesh counted once.
    pub(crate) triangles: usize,
    /// Triangles, each mesh counted once per instance.
    pub(crate) placed_triangles: usize,
    /// Bounds of all bounded bodies.
    pub(crate) bounds: Option<Bounds>,
    /// Memory of all meshes, in bytes.
    pub(crate) memory: usize,
    pub(crate) meshes: Vec<Mesh>,
}

/// A box in world space, in metres.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Bounds {
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    /// Name of the first instance.
    pub(crate) name: Option<String>,
    /// Number of the first instance.
    pub(crate) instance: u64,
    pub(crate) instances: usize,
    pub(crate) triangles: usize,
    pub(crate) double_sided: bool,
    /// Number of triangles of which both sides count.
    pub(crate) double_sided_triangles: u32,
    /// Memory in bytes.
    pub(crate) memory: usize,
    pub(crate) tree: BvhStats,
    /// The kinds of defects that the mesh has.
    pub(crate) findings: Vec<Finding>,
}

/// The triangles with one kind of defect.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) what: &'static str,
    /// Number of edges if the defect is one of edges, otherwise of triangles.
    pub(crate) count: usize,
    /// All triangles with the defect.
    pub(crate) triangles: Vec<DefectTriangle>,
}

/// A triangle and its centroid in world space, as part of the first instance.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct DefectTriangle {
    pub(crate) triangle: u32,
    pub(crate) at: [f64; 3],
}

impl Inspection {
    pub(crate) fn new(level: &Level) -> Self {
        let scene = &level.scene;
        let meshes: Vec<Mesh> =
            unique_meshes(scene).iter().map(|one| one.inspect(level)).collect();
        let instances = meshes.iter().map(|mesh| mesh.instances).sum();
        Self {
            instances,
            shapes: scene.bodies().count() - instances,
            triangles: meshes.iter().map(|mesh| mesh.triangles).sum(),
            placed_triangles: meshes.iter().map(|mesh| mesh.triangles * mesh.instances).sum(),
            bounds: bounds(scene),
            memory: meshes.iter().map(|mesh| mesh.memory).sum(),
            meshes,
        }
    }
}

/// A mesh, its first instance, and the number of its instances.
struct UniqueMesh<'a> {
    mesh: &'a Arc<TriMesh>,
    pose: &'a Pose,
    key: u64,
    instances: usize,
}

/// Every mesh once, in the order of the first instances.
fn unique_meshes(scene: &Scene) -> Vec<UniqueMesh<'_>> {
    let mut known = std::collections::HashMap::new();
    let mut meshes: Vec<UniqueMesh> = Vec::new();
    for (_, body) in scene.bodies() {
        let Some((mesh, pose)) = body.instance() else { continue };
        let index = *known.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
            meshes.push(UniqueMesh { mesh, pose, key: body.key(), instances: 0 });
            meshes.len() - 1
        });
        meshes[index].instances += 1;
    }
    meshes
}

fn bounds(scene: &Scene) -> Option<Bounds> {
    let all = load::bounds(scene)?;
    Some(Bounds { min: all.min().to_array(), max: all.max().to_array() })
}

impl UniqueMesh<'_> {
    fn inspect(&self, level: &Level) -> Mesh {
        let Self { mesh, key, instances, .. } = *self;
        Mesh {
            name: level.names.body(key).map(str::to_owned),
            instance: key,
            instances,
            triangles: mesh.triangle_count() as usize,
            double_sided: mesh.is_double_sided(),
            double_sided_triangles: mesh.double_sided_triangle_count(),
            memory: mesh.memory(),
            tree: mesh.tree_stats(),
            findings: self.findings(),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let triangles = 0..self.mesh.triangle_count();
        let corners: Vec<[Vec3; 3]> = triangles.filter_map(|i| self.mesh.triangle(i)).collect();
        let indices: Vec<[u32; 3]> =
            (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        // The report welds vertices at equal positions, so each triangle may have its own here.
        // All indices name a corner, so there is no error.
        let report = MeshReport::new(corners.as_flattened(), &indices).unwrap_or_default();
        let defect = |triangle: &u32| {
            let local = corners[*triangle as usize].map(Vec3::as_dvec3);
            let centroid = local.into_iter().sum::<DVec3>() / 3.0;
            DefectTriangle {
                triangle: *triangle,
                at: self.pose.point_to_world(centroid).to_array(),
            }
        };
        let finding = |what, count, triangles: &[u32]| Finding {
            what,
            count,
            triangles: triangles.iter().map(defect).collect(),
        };
        let of_triangles = |what, list: &[u32]| finding(what, list.len(), list);
        let all = [
            of_triangles("degenerate triangles", &report.degenerate),
            of_triangles("slivers", &report.slivers),
            of_triangles("duplicate triangles", &report.duplicate),
            finding("flipped edges", report.flipped.edges, &report.flipped.triangles),
            finding("open edges", report.open.edges, &report.open.triangles),
            finding(
                "non-manifold edges",
                report.non_manifold.edges,
                &report.non_manifold.triangles,
            ),
        ];
        all.into_iter().filter(|finding| finding.count > 0).collect()
    }
}

//! What there is to know about a level: how much of what, how its trees are, what is wrong with its meshes and where.

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
    /// Triangles, each mesh counted as often as it stands somewhere.
    pub(crate) placed_triangles: usize,
    /// Of everything that has an end.
    pub(crate) bounds: Option<Bounds>,
    /// Bytes of all meshes.
    pub(crate) memory: usize,
    pub(crate) meshes: Vec<Mesh>,
}

/// A box in the world.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Bounds {
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    /// The name of its first instance.
    pub(crate) name: Option<String>,
    /// The number of its first instance.
    pub(crate) instance: u64,
    pub(crate) instances: usize,
    pub(crate) triangles: usize,
    pub(crate) double_sided: bool,
    /// Bytes.
    pub(crate) memory: usize,
    pub(crate) tree: BvhStats,
    /// What is wrong; kinds of which there is nothing are left out.
    pub(crate) findings: Vec<Finding>,
}

/// Triangles with something wrong.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) what: &'static str,
    /// How many edges, where it is about edges; triangles otherwise.
    pub(crate) count: usize,
    /// All of them.
    pub(crate) triangles: Vec<Spot>,
}

/// A triangle and its middle in the world, where the first instance stands.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Spot {
    pub(crate) triangle: u32,
    pub(crate) at: [f64; 3],
}

impl Inspection {
    pub(crate) fn of(level: &Level) -> Self {
        let scene = &level.scene;
        let meshes: Vec<Mesh> = distinct(scene).iter().map(|one| one.inspect(level)).collect();
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

/// A mesh, its first instance, and how many there are.
struct Distinct<'a> {
    mesh: &'a Arc<TriMesh>,
    pose: &'a Pose,
    key: u64,
    instances: usize,
}

/// Every mesh once, in the order in which they first stand somewhere.
fn distinct(scene: &Scene) -> Vec<Distinct<'_>> {
    let mut known = std::collections::HashMap::new();
    let mut meshes: Vec<Distinct> = Vec::new();
    for (_, body) in scene.bodies() {
        let Some((mesh, pose)) = body.instance() else { continue };
        let place = *known.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
            meshes.push(Distinct { mesh, pose, key: body.key(), instances: 0 });
            meshes.len() - 1
        });
        meshes[place].instances += 1;
    }
    meshes
}

fn bounds(scene: &Scene) -> Option<Bounds> {
    let all = load::bounds(scene)?;
    Some(Bounds { min: all.min().to_array(), max: all.max().to_array() })
}

impl Distinct<'_> {
    fn inspect(&self, level: &Level) -> Mesh {
        let Self { mesh, key, instances, .. } = *self;
        Mesh {
            name: level.names.body(key).map(str::to_owned),
            instance: key,
            instances,
            triangles: mesh.triangle_count() as usize,
            double_sided: mesh.is_double_sided(),
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
        // Vertices at one position count as one, so it does not matter that every triangle has its own here.
        // All indices name a corner, so there is no error.
        let report = MeshReport::new(corners.as_flattened(), &indices).unwrap_or_default();
        let spot = |triangle: &u32| {
            let local = corners[*triangle as usize].map(Vec3::as_dvec3);
            let middle = local.into_iter().sum::<DVec3>() / 3.0;
            Spot { triangle: *triangle, at: self.pose.point_to_world(middle).to_array() }
        };
        let finding = |what, count, triangles: &[u32]| Finding {
            what,
            count,
            triangles: triangles.iter().map(spot).collect(),
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

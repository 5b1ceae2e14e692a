use super::random::Random;
use capsweep::scene::{Pose, Scene, TriMesh};
use glam::DVec3;
use std::sync::Arc;

/// Places on top of triangles.
pub(super) struct Spots<'a> {
    /// Every placed triangle that a person could stand on, or every one if there is none.
    triangles: Vec<(&'a Arc<TriMesh>, &'a Pose, u32)>,
}

/// Height over the surface (metres): a skin, so that nothing overlaps to begin with.
const LIFT: f64 = 0.02;

/// Upward part of the normal of what can be stood on: slopes of up to 50°.
const WALKABLE: f64 = 0.64;

impl<'a> Spots<'a> {
    /// `None` if the scene has no triangles.
    pub(super) fn of(scene: &'a Scene) -> Option<Self> {
        let mut triangles = Vec::new();
        for (mesh, pose) in scene.bodies().filter_map(|(_, body)| body.instance()) {
            let numbers = 0..mesh.triangle_count() as u32;
            triangles.extend(numbers.map(|number| (mesh, pose, number)));
        }
        let mut floors = triangles.clone();
        floors.retain(|one| is_floor(corners(one)));
        let triangles = if floors.is_empty() { triangles } else { floors };
        (!triangles.is_empty()).then_some(Self { triangles })
    }

    /// Somewhere on one of them.
    pub(super) fn feet(&self, random: &mut Random) -> DVec3 {
        let [a, b, c] = corners(&self.triangles[random.below(self.triangles.len())]);
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        a + (b - a) * u + (c - a) * v + DVec3::Z * LIFT
    }
}

fn corners((mesh, pose, number): &(&Arc<TriMesh>, &Pose, u32)) -> [DVec3; 3] {
    pose.triangle_to_world(mesh.triangle(*number as usize).unwrap_or_default())
}

fn is_floor([a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).normalize_or_zero().z > WALKABLE
}

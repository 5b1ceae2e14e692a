use super::random::Random;
use super::{HEIGHT, RADIUS};
use capsweep::scene::{Filter, Pose, Scene, TriMesh};
use capsweep::{Capsule, ShapeError};
use glam::DVec3;
use std::sync::Arc;

/// Places on top of triangles where a person fits.
pub(super) struct Spots<'a> {
    scene: &'a Scene,
    /// Every placed triangle that a person could stand on, or every one if there is none.
    triangles: Vec<(&'a Arc<TriMesh>, &'a Pose, u32)>,
}

/// Distance from the surface (metres): a skin, so that nothing overlaps to begin with.
const LIFT: f64 = 0.02;

/// Upward part of the normal of what can be stood on: slopes of up to 50°.
const WALKABLE: f64 = 0.64;

/// Places that are tried before one is taken that is not free.
const TRIES: usize = 64;

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
        (!triangles.is_empty()).then_some(Self { scene, triangles })
    }

    /// A person somewhere on one of them: free, if a free place is found.
    pub(super) fn person(&self, random: &mut Random) -> Result<Capsule, ShapeError> {
        let mut person = self.anyone(random)?;
        for _ in 1..TRIES {
            if !self.scene.overlaps(&person, &Filter::default()) {
                break;
            }
            person = self.anyone(random)?;
        }
        Ok(person)
    }

    /// A person on one of them, whatever else is there.
    fn anyone(&self, random: &mut Random) -> Result<Capsule, ShapeError> {
        let [a, b, c] = corners(&self.triangles[random.below(self.triangles.len())]);
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        let radius = f64::from(RADIUS);
        let center = a + (b - a) * u + (c - a) * v + normal * (radius + LIFT);
        Capsule::from_feet(center - DVec3::Z * radius, DVec3::Z, RADIUS, HEIGHT)
    }
}

fn corners((mesh, pose, number): &(&Arc<TriMesh>, &Pose, u32)) -> [DVec3; 3] {
    pose.triangle_to_world(mesh.triangle(*number as usize).unwrap_or_default())
}

fn is_floor([a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).normalize_or_zero().z > WALKABLE
}

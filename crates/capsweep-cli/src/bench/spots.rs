use super::random::Random;
use super::{HEIGHT, RADIUS};
use capsweep::scene::{Filter, Pose, Scene, TriMesh};
use capsweep::{Capsule, ShapeError};
use glam::DVec3;

/// Places on top of triangles where a person fits.
pub(super) struct Spots<'a> {
    scene: &'a Scene,
    instances: Vec<Instance<'a>>,
    /// Triangles of all instances.
    triangles: usize,
}

struct Instance<'a> {
    mesh: &'a TriMesh,
    pose: &'a Pose,
    /// Triangles of the instances before it.
    before: usize,
}

/// Distance from the surface (metres): a skin, so that nothing overlaps to begin with.
const LIFT: f64 = 0.02;

/// Upward part of the normal of what can be stood on: slopes of up to 50°.
const WALKABLE: f64 = 0.64;

/// Triangles that are tried before one is taken that is no floor, and places before one that is not free.
const TRIES: usize = 64;

impl<'a> Spots<'a> {
    /// `None` if the scene has no triangles.
    pub(super) fn of(scene: &'a Scene) -> Option<Self> {
        let (mut instances, mut triangles) = (Vec::new(), 0);
        for (mesh, pose) in scene.bodies().filter_map(|(_, body)| body.instance()) {
            instances.push(Instance { mesh, pose, before: triangles });
            triangles += mesh.triangle_count() as usize;
        }
        (triangles > 0).then_some(Self { scene, instances, triangles })
    }

    /// A person on some triangle: free, if a free place is found.
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

    /// A person on some triangle, whatever else is there.
    fn anyone(&self, random: &mut Random) -> Result<Capsule, ShapeError> {
        let [a, b, c] = self.floor(random);
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        let radius = f64::from(RADIUS);
        let center = a + (b - a) * u + (c - a) * v + normal * (radius + LIFT);
        Capsule::from_feet(center - DVec3::Z * radius, DVec3::Z, RADIUS, HEIGHT)
    }

    /// The corners of a triangle that can be stood on, if one is found.
    fn floor(&self, random: &mut Random) -> [DVec3; 3] {
        let mut corners = self.triangle(random.below(self.triangles));
        for _ in 1..TRIES {
            if is_floor(corners) {
                break;
            }
            corners = self.triangle(random.below(self.triangles));
        }
        corners
    }

    /// The corners of a triangle, all instances counted through.
    fn triangle(&self, number: usize) -> [DVec3; 3] {
        // The first instance has none before it, so there is always one to the left.
        let next = self.instances.partition_point(|instance| instance.before <= number);
        let Instance { mesh, pose, before } = &self.instances[next - 1];
        pose.triangle_to_world(mesh.triangle((number - before) as u32).unwrap_or_default())
    }
}

fn is_floor([a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).normalize_or_zero().z > WALKABLE
}

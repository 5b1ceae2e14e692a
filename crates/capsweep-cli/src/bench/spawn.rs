//! Random capsules that stand on the triangles of a scene.

use super::random::Random;
use super::{HEIGHT, RADIUS};
use crate::area::Area;
use capsweep::scene::{Filter, Pose, Scene, TriMesh};
use capsweep::{Capsule, ShapeError};
use glam::DVec3;

/// Draws capsules on top of triangles.
pub(super) struct SpawnPoints<'a> {
    scene: &'a Scene,
    triangles: Triangles<'a>,
    /// Number of triangles.
    count: usize,
}

/// The triangles to stand on.
enum Triangles<'a> {
    /// All of a level.
    OfInstances(Vec<Instance<'a>>),
    /// Those of a part of a map.
    List(Vec<[DVec3; 3]>),
}

struct Instance<'a> {
    mesh: &'a TriMesh,
    pose: &'a Pose,
    /// Number of triangles of the instances before this one.
    before: usize,
}

/// Distance from the surface in metres, so that no capsule overlaps its own ground.
const LIFT: f64 = 0.02;

/// Smallest z of a walkable normal: slopes of up to 50°.
const WALKABLE: f64 = 0.64;

/// Attempts to draw a floor triangle, and to draw a free capsule; then the last draw is used.
const TRIES: usize = 64;

impl<'a> SpawnPoints<'a> {
    /// `None` if the area has no triangles.
    pub(super) fn new(scene: &'a Scene, area: &Area) -> Option<Self> {
        let part = area.bounds.filter(|_| area.is_part);
        let (triangles, count) = if let Some(bounds) = part {
            let mut list = Vec::new();
            scene.triangles_seen_in(&bounds, &Filter::default(), |seen| {
                list.push(seen.triangle.vertices());
            });
            let count = list.len();
            (Triangles::List(list), count)
        } else {
            let (mut instances, mut count) = (Vec::new(), 0);
            for (mesh, pose) in scene.bodies().filter_map(|(_, body)| body.instance()) {
                instances.push(Instance { mesh, pose, before: count });
                count += mesh.triangle_count() as usize;
            }
            (Triangles::OfInstances(instances), count)
        };
        (count > 0).then_some(Self { scene, triangles, count })
    }

    /// A capsule on a random triangle, free of overlaps unless all attempts fail.
    pub(super) fn capsule(&self, random: &mut Random) -> Result<Capsule, ShapeError> {
        let mut capsule = self.any_capsule(random)?;
        for _ in 1..TRIES {
            if !self.scene.overlaps(&capsule, &Filter::default()) {
                break;
            }
            capsule = self.any_capsule(random)?;
        }
        Ok(capsule)
    }

    /// A capsule on a random triangle, which may overlap others.
    fn any_capsule(&self, random: &mut Random) -> Result<Capsule, ShapeError> {
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

    /// The corners of a random walkable triangle, or of any triangle if all attempts fail.
    fn floor(&self, random: &mut Random) -> [DVec3; 3] {
        let mut corners = self.triangle(random.below(self.count));
        for _ in 1..TRIES {
            if is_floor(corners) {
                break;
            }
            corners = self.triangle(random.below(self.count));
        }
        corners
    }

    /// The corners of a triangle by its number.
    fn triangle(&self, number: usize) -> [DVec3; 3] {
        let instances = match &self.triangles {
            Triangles::List(list) => return list[number],
            Triangles::OfInstances(instances) => instances,
        };
        // The first instance has `before` 0, so `next` is at least 1.
        let next = instances.partition_point(|instance| instance.before <= number);
        let Instance { mesh, pose, before } = &instances[next - 1];
        pose.triangle_to_world(mesh.triangle((number - before) as u32).unwrap_or_default())
    }
}

fn is_floor([a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).normalize_or_zero().z > WALKABLE
}

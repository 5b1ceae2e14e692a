//! Many instances of small meshes over hills.

use super::Mesh;
use super::build::{Flight, MeshBuilder, ring};
use super::noise::{hills, noise};
use crate::Rng;
use capsweep::scene::Pose;
use glam::{DVec3, Vec2, Vec3, dquat, dvec3, vec2, vec3};

/// Small closed meshes and their placements.
#[derive(Debug, Clone)]
pub struct Instances {
    /// 50 meshes: rocks, crates, trees, walls and stairs, of 12 to about 500 triangles.
    pub meshes: Vec<Mesh>,
    /// Index of the mesh and pose of each instance.
    pub placements: Vec<(usize, Pose)>,
}

/// Half the side of the square that the instances cover, in metres.
const REACH: f32 = 2_000.0;

/// `count` instances of 50 small meshes over hills of 4 × 4 km.
///
/// All are rotated, a third is tilted, half is stretched unevenly and a fifth is mirrored.
pub fn instances(count: usize) -> Instances {
    let mut rng = Rng::from_seed(23);
    let meshes: Vec<Mesh> = (0..50)
        .map(|i| {
            let variant = i / 5;
            match i % 5 {
                0 => rock(2 + variant % 2, variant),
                1 => crates(variant),
                2 => tree(variant),
                3 => wall(variant),
                _ => steps(variant),
            }
        })
        .collect();
    let placements =
        (0..count).map(|i| (rng.below(meshes.len() as u32) as usize, pose(i, &mut rng))).collect();
    Instances { meshes, placements }
}

#[allow(clippy::expect_used, reason = "every part is within range by construction")]
fn pose(number: usize, rng: &mut Rng) -> Pose {
    let [x, y] = [0; 2].map(|_| rng.range_f32(-REACH, REACH));
    let position = vec3(x, y, hills(x, y));
    let tilt = if number.is_multiple_of(3) { 0.3 } else { 0.0 };
    let [a, b, c] = [tilt, tilt, 1.0].map(|most| f64::from(rng.range_f32(-most, most)));
    let rotation = dquat(a, b, c, f64::from(rng.range_f32(0.1, 1.0)));
    let size = f64::from(rng.range_f32(0.5, 2.5));
    let mut scale = DVec3::splat(size);
    if number.is_multiple_of(2) {
        scale *= DVec3::from_array([0; 3].map(|_| f64::from(rng.range_f32(0.5, 2.0))));
    }
    if number.is_multiple_of(5) {
        let mirrors = [
            dvec3(-1.0, 1.0, 1.0),
            dvec3(1.0, -1.0, 1.0),
            dvec3(1.0, 1.0, -1.0),
            dvec3(-1.0, -1.0, -1.0),
        ];
        scale *= mirrors[rng.below(4) as usize];
    }
    Pose::new(position.as_dvec3(), rotation, scale).expect("a pose within range")
}

/// A rock: a dented sphere of 8 × 4^`depth` triangles.
pub(crate) fn rock(depth: u32, seed: u32) -> Mesh {
    let mut rock = MeshBuilder::default();
    let corners = [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y];
    for (i, &corner) in corners.iter().enumerate() {
        let next = corners[(i + 1) % 4];
        dent(&mut rock, [corner, next, Vec3::Z], depth, seed);
        dent(&mut rock, [next, corner, -Vec3::Z], depth, seed);
    }
    rock.finish()
}

fn dent(rock: &mut MeshBuilder, [a, b, c]: [Vec3; 3], depth: u32, seed: u32) {
    if depth == 0 {
        rock.triangle([a, b, c].map(|direction| {
            let dents =
                noise(direction.x + direction.z * 1.7, direction.y - direction.z, 0.6, seed);
            direction * (1.0 + 0.25 * dents)
        }));
        return;
    }
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(one, other)| (one + other).normalize());
    for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
        dent(rock, part, depth - 1, seed);
    }
}

/// A stack of one to three boxes, each smaller than the one below.
pub(crate) fn crates(variant: u32) -> Mesh {
    let mut stack = MeshBuilder::default();
    let mut rng = Rng::from_seed(u64::from(variant) + 100);
    let mut bottom = 0.0;
    for i in 0..=variant % 3 {
        let half = vec2(rng.range_f32(0.4, 0.6), rng.range_f32(0.5, 0.8)) / (1.0 + i as f32);
        let top = bottom + rng.range_f32(0.4, 1.0);
        stack.cuboid((-half).extend(bottom), half.extend(top));
        // A gap of 2 cm, so that no two faces coincide.
        bottom = top + 0.02;
    }
    stack.finish()
}

/// A tree: a trunk and two to four cones.
pub(crate) fn tree(variant: u32) -> Mesh {
    let mut tree = MeshBuilder::default();
    let corners = 5 + variant % 4;
    tree.prism(&ring(Vec2::ZERO, 0.2, corners), 0.0, 1.5);
    for i in 0..2 + variant % 3 {
        let bottom = 1.3 + i as f32 * 0.9;
        let outline = ring(Vec2::ZERO, 1.6 - i as f32 * 0.3, corners + 3);
        tree.cone(&outline, bottom, Vec3::Z * (bottom + 1.7));
    }
    tree.finish()
}

/// A battlement: a wall with merlons.
fn wall(variant: u32) -> Mesh {
    let mut wall = MeshBuilder::default();
    let length = 3.0 + variant as f32;
    wall.cuboid(vec3(0.0, -0.3, 0.0), vec3(length, 0.3, 2.0));
    let mut start = 0.25;
    while start + 0.5 < length {
        wall.cuboid(vec3(start, -0.25, 2.0), vec3(start + 0.5, 0.25, 2.6));
        start += 1.0;
    }
    wall.finish()
}

fn steps(variant: u32) -> Mesh {
    let mut steps = MeshBuilder::default();
    steps.flight(&Flight {
        foot: vec3(-1.0, -0.75, 0.0),
        along: Vec3::X,
        width: 1.5,
        steps: 4 + variant,
        rise: 0.18,
        run: 0.28,
    });
    steps.finish()
}

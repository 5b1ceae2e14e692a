//! A flat floor of tiles, for tests of internal edges.

use super::Mesh;
use super::build::MeshBuilder;
use crate::rng::{hash_cell, unit_f32};
use glam::{Vec3, vec3};

/// The joints between the tiles of a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joints {
    /// Corner to corner.
    Matching,
    /// The tiles of every second column are cut in half, so that corners are on neighbours' edges.
    TJunctions,
}

/// A flat floor of `cells` × `cells` tiles of `size` metres around the origin.
///
/// It rises by `tilt` metres per metre along x: its normal is `(−tilt, 0, 1)`, up to the rounding
/// of vertices to f32. Inner corners move in the plane by up to `jitter` tiles (0 to below 0.3).
pub fn tiled_floor(cells: u32, size: f32, tilt: f32, jitter: f32, joints: Joints) -> Mesh {
    let mut floor = MeshBuilder::default();
    let half = cells as f32 * 0.5;
    let at = |i: u32, j: u32| {
        let inner = i > 0 && i < cells && j > 0 && j < cells;
        let jitter = if inner { jitter } else { 0.0 };
        let x = i as f32 - half + jitter * (2.0 * unit_f32(hash_cell(i, j, 11)) - 1.0);
        let y = j as f32 - half + jitter * (2.0 * unit_f32(hash_cell(i, j, 12)) - 1.0);
        vec3(x * size, y * size, x * size * tilt)
    };
    for j in 0..cells {
        for i in 0..cells {
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if joints == Joints::TJunctions && i % 2 == 1 {
                let [a, b, c, d] = corners;
                let (left, right) = (middle(a, d), middle(b, c));
                floor.quad([a, b, right, left]);
                floor.quad([left, right, c, d]);
            } else if hash_cell(i, j, 13).is_multiple_of(2) {
                floor.quad(corners);
            } else {
                let [a, b, c, d] = corners;
                floor.quad([b, c, d, a]);
            }
        }
    }
    floor.finish()
}

fn middle(one: Vec3, other: Vec3) -> Vec3 {
    one + (other - one) * 0.5
}

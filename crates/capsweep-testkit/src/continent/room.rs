//! Rooms: boxes whose fronts face the inside.

use crate::level::build::MeshBuilder;
use glam::{Vec3, vec3};

/// Adds a closed box whose faces look inward.
pub(super) fn inward_box(mesh: &mut MeshBuilder, low: Vec3, high: Vec3) {
    let at = |k: u32| {
        let pick = |bit: u32, axis: usize| if k >> bit & 1 == 1 { high[axis] } else { low[axis] };
        vec3(pick(0, 0), pick(1, 1), pick(2, 2))
    };
    // Bottom, top, and the sides; counter-clockwise seen from inside.
    for face in
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    {
        mesh.quad(face.map(at));
    }
}

/// Adds a horizontal floor of `parts` quads with heights from a function; it faces up.
pub(super) fn floor(
    mesh: &mut MeshBuilder,
    [low, high]: [[f32; 2]; 2],
    parts: [u32; 2],
    height: impl Fn(f32, f32) -> f32,
) {
    let at = |i: u32, j: u32| {
        // The last coordinate is exactly `high`, so that floors of two groups meet in bits.
        let step = |k: usize, n: u32| {
            let part = n as f32 / parts[k] as f32;
            if n == parts[k] { high[k] } else { low[k] + (high[k] - low[k]) * part }
        };
        let (x, y) = (step(0, i), step(1, j));
        vec3(x, y, height(x, y))
    };
    for i in 0..parts[0] {
        for j in 0..parts[1] {
            mesh.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
}

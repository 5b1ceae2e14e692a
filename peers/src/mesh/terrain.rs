//! A million triangles of hills: 708 × 708 cells of one metre.

use super::Mesh;
use crate::rng::mix;
use glam::Vec3;

/// Cells along a side: two triangles each make 1 002 528.
const CELLS: u32 = 708;

/// Wavelength and height of each layer of noise, in metres: hills, mounds, bumps.
const LAYERS: [(f32, f32); 3] = [(64.0, 24.0), (16.0, 4.0), (4.0, 0.6)];

/// The terrain, in rows; the diagonals alternate.
pub(crate) fn terrain() -> Mesh {
    let row = CELLS + 1;
    let mut vertices = Vec::with_capacity((row * row) as usize);
    let mut triangles = Vec::with_capacity((2 * CELLS * CELLS) as usize);
    for y in 0..row {
        for x in 0..row {
            let (x, y) = (x as f32, y as f32);
            vertices.push(Vec3::new(x, y, height(x, y)));
        }
    }
    for y in 0..CELLS {
        for x in 0..CELLS {
            let a = y * row + x;
            let (b, c, d) = (a + 1, a + row + 1, a + row);
            if (x + y) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    Mesh { name: "terrain".to_owned(), vertices, triangles }
}

fn height(x: f32, y: f32) -> f32 {
    let mut sum = 0.0;
    for (layer, (wavelength, amplitude)) in LAYERS.into_iter().enumerate() {
        sum += amplitude * noise(layer as u64, x / wavelength, y / wavelength);
    }
    sum
}

/// Value noise: random heights in 0..1 at whole numbers, blended smoothly between them.
fn noise(layer: u64, x: f32, y: f32) -> f32 {
    let (left, low) = (x.floor(), y.floor());
    let (u, v) = (smooth(x - left), smooth(y - low));
    let at = |dx: f32, dy: f32| lattice(layer, left + dx, low + dy);
    let bottom = at(0.0, 0.0) + (at(1.0, 0.0) - at(0.0, 0.0)) * u;
    let top = at(0.0, 1.0) + (at(1.0, 1.0) - at(0.0, 1.0)) * u;
    bottom + (top - bottom) * v
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn lattice(layer: u64, x: f32, y: f32) -> f32 {
    let key =
        (layer << 48) ^ (u64::from(x.to_bits()) << 32).rotate_left(7) ^ u64::from(y.to_bits());
    (mix(mix(key)) >> 40) as f32 / (1u32 << 24) as f32
}

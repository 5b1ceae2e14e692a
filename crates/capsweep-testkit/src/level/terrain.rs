//! A regular grid of hills.

use super::Mesh;
use super::noise::hills;
use glam::vec3;

/// Hills over `cells` × `cells` squares of 1 m around the origin.
///
/// Each square has two triangles; the diagonals alternate. 708 cells make a million triangles.
pub fn terrain(cells: u32) -> Mesh {
    let stride = cells + 1;
    let offset = cells as f32 * 0.5;
    let vertices = (0..stride * stride).map(|i| {
        let (x, y) = ((i % stride) as f32 - offset, (i / stride) as f32 - offset);
        vec3(x, y, hills(x, y))
    });
    let indices = (0..cells * cells).flat_map(|i| {
        let (column, row) = (i % cells, i / cells);
        let a = row * stride + column;
        let (b, c, d) = (a + 1, a + stride + 1, a + stride);
        if (column + row) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    });
    (vertices.collect(), indices.collect())
}

//! A regular grid of hills.

use super::Mesh;
use super::noise::hills;
use crate::height_field::PlainField;
use capsweep::scene::{HeightGrid, Heights};
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

/// The same hills as a height field of `cells` × `cells` squares of 1 m, from the origin on.
///
/// Each square has four triangles around a centre, or two with alternating diagonals. 501 cells of
/// four make a million triangles.
pub fn terrain_field(cells: u32, four: bool) -> PlainField {
    let offset = cells as f32 * 0.5;
    let points = |stride: u32, first: f32| {
        let at = move |i: u32| i as f32 + first - offset;
        (0..stride * stride).map(move |i| hills(at(i / stride), at(i % stride)))
    };
    let centers = points(if four { cells } else { 0 }, 0.5);
    let heights = points(cells + 1, 0.0).chain(centers).collect();
    let grid = HeightGrid { rows: cells, columns: cells, spacing: [1.0, 1.0] };
    let mut field = PlainField::new(grid, Heights::F32(heights), four);
    if !four {
        field.turned = (0..cells * cells).map(|i| (i / cells + i % cells) % 2 == 1).collect();
    }
    field
}

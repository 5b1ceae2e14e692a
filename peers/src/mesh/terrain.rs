//! Hills as a height field with heights of 16 bits, which every engine reads without rounding.

use super::{Geometry, Mesh};
use capsweep_testkit::height_field::PlainField;
use capsweep_testkit::level;

/// Metres of one step of the heights: a power of two, so that no engine rounds.
pub(crate) const HEIGHT_STEP: f32 = 1.0 / 1024.0;

/// A height field, and its triangles as a mesh for the reference.
pub(crate) struct Terrain {
    /// Two triangles per cell; heights are u16.
    pub(crate) field: PlainField,
    /// The same triangles.
    pub(crate) mesh: Mesh,
}

impl Geometry for Terrain {
    fn name(&self) -> &str {
        &self.mesh.name
    }

    fn triangles(&self) -> usize {
        self.mesh.triangles.len()
    }

    fn instances(&self) -> Option<usize> {
        None
    }
}

/// Generates hills of a million triangles in squares of 1 m, with alternating diagonals.
pub(crate) fn terrain() -> Terrain {
    // Raw 0 is −32 m and raw 65535 is one step below 32 m.
    let field = level::terrain_field(708, false).with_u16(-32.0, 32.0 - HEIGHT_STEP);
    let corners = field.triangles();
    let vertices = corners.iter().flat_map(|(_, corners)| *corners).collect();
    let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Terrain { field, mesh: Mesh { name: "height field".to_owned(), vertices, triangles } }
}

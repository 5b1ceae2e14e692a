//! How the triangles of a field join: found from the heights when a query needs it.

use crate::mesh::edges::{EdgeKind, kind_between};
use crate::mesh::height_field::HeightField;
use crate::mesh::height_field::cells::{CellTriangle, FieldView};
use crate::mesh::report::normal_of_corners;
use glam::{DVec3, Vec3};

impl HeightField {
    /// The kind of an edge of the triangle with this index, in the field's own order. The same as
    /// in a mesh of the same triangles.
    pub(crate) fn edge_kind(&self, index: usize, edge: usize) -> EdgeKind {
        let view = self.view();
        view.triangle(index).map_or(EdgeKind::Open, |triangle| view.edge_kind(triangle, edge))
    }

    /// The bits of the [inner](EdgeKind::is_inner) edges of the triangle with this index.
    pub(crate) fn inner_edges(&self, index: usize) -> u8 {
        let view = self.view();
        let Some(triangle) = view.triangle(index) else { return 0 };
        let bit = |edge: usize| u8::from(view.edge_kind(triangle, edge).is_inner()) << edge;
        bit(0) | bit(1) | bit(2)
    }
}

impl FieldView<'_> {
    fn edge_kind(&self, triangle: CellTriangle, edge: usize) -> EdgeKind {
        let Some(neighbor) = self.neighbor(triangle, edge) else { return EdgeKind::Open };
        let corners = self.corners_of(triangle);
        // Degenerate triangles have no side and join nothing.
        let normals = normal(corners).zip(normal(self.corners_of(neighbor)));
        let Some((own, other)) = normals else { return EdgeKind::Open };
        let along = corners[(edge + 1) % 3] - corners[edge % 3];
        kind_between(own, other, along.as_dvec3())
    }
}

fn normal(corners: [Vec3; 3]) -> Option<DVec3> {
    normal_of_corners(corners.map(Vec3::as_dvec3)).map(|(normal, _)| normal)
}

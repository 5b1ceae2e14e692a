//! Reads a glTF mesh as a model. Triangles of double-sided materials are double-sided.

use super::accessor::Accessors;
use crate::Limits;
use crate::axes::Axes;
use crate::error::{Fault, Reason, malformed, within};
use crate::world::Model;
use capsweep::scene::MeshError;
use gltf::json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use std::collections::HashMap;

/// Vertices and triangles of all models so far, checked against the limits.
#[derive(Default)]
pub(super) struct Totals {
    vertices: u64,
    triangles: u64,
}

impl Totals {
    /// Adds to both counts.
    pub(super) fn add(
        &mut self,
        vertices: u64,
        triangles: u64,
        limits: &Limits,
    ) -> Result<(), Fault> {
        self.vertices = self.vertices.saturating_add(vertices);
        self.triangles = self.triangles.saturating_add(triangles);
        // A mesh needs at most three vertices for each triangle.
        within("vertices", self.vertices, limits.triangles.saturating_mul(3))?;
        within("triangles", self.triangles, limits.triangles)
    }
}

/// Reads models from accessors, within limits.
pub(super) struct MeshReader<'a> {
    pub(super) accessors: Accessors<'a>,
    pub(super) axes: Axes,
    pub(super) limits: &'a Limits,
}

impl MeshReader<'_> {
    /// Reads the triangles of `mesh`; `None` if it has none.
    pub(super) fn model(&self, mesh: &Mesh, totals: &mut Totals) -> Result<Option<Model>, Fault> {
        let name = mesh.name.clone().unwrap_or_default();
        let mut model = Model { name, ..Model::default() };
        let mut first_vertices = HashMap::new();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let location = || format!("primitives[{index}]");
            let double_sided = self.is_double_sided(primitive)?;
            let mut builder = ModelBuilder { reader: self, model: &mut model, totals };
            builder.add(primitive, &mut first_vertices).map_err(|fault| fault.at(location))?;
            model.double_sided.resize(model.triangles.len(), double_sided);
        }
        if !model.double_sided.contains(&true) {
            model.double_sided.clear();
        }
        Ok((!model.triangles.is_empty()).then_some(model))
    }

    fn is_double_sided(&self, primitive: &Primitive) -> Result<bool, Fault> {
        let Some(index) = primitive.material else { return Ok(false) };
        let material = self.accessors.root.get(index);
        let none = || malformed("there is no such material");
        let material = material
            .ok_or_else(none)
            .map_err(|fault| fault.at(|| format!("materials[{}]", index.value())))?;
        Ok(material.double_sided)
    }
}

/// Appends primitives to a model.
struct ModelBuilder<'a> {
    reader: &'a MeshReader<'a>,
    model: &'a mut Model,
    totals: &'a mut Totals,
}

impl ModelBuilder<'_> {
    /// Adds the triangles of `primitive`.
    ///
    /// Primitives often share an accessor of positions. `first_vertices` has the index of its
    /// first vertex, by accessor, so that the vertices are added once.
    fn add(
        &mut self,
        primitive: &Primitive,
        first_vertices: &mut HashMap<usize, u32>,
    ) -> Result<(), Fault> {
        let Checked::Valid(mode) = primitive.mode else {
            return Err(malformed("is of an unknown mode"));
        };
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(());
        }
        let MeshReader { accessors, axes, limits } = *self.reader;
        // The format says that a primitive without positions is not drawn.
        let Some(&positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions))
        else {
            return Ok(());
        };
        let vertices = accessors.count(positions)?;
        let corners = primitive.indices.map_or(Ok(vertices), |index| accessors.count(index))?;
        let count = triangle_count(mode, corners)?;
        if count == 0 {
            return Ok(());
        }
        let key = positions.value();
        let first = if let Some(&first) = first_vertices.get(&key) {
            self.totals.add(0, count, limits)?;
            first
        } else {
            self.totals.add(vertices, count, limits)?;
            let first = u32::try_from(self.model.vertices.len())
                .map_err(|_| malformed("more vertices than 32 bits can number"))?;
            let read = accessors.positions(positions)?;
            self.model.vertices.extend(read.into_iter().map(|vertex| axes.rotate(vertex)));
            if let Some(error) = self.model.bad_vertex_from(first as usize) {
                return Err(Reason::Mesh(error).into());
            }
            first_vertices.insert(key, first);
            first
        };
        let corners = match primitive.indices {
            Some(index) => accessors.indices(index)?,
            None => (0..vertices as u32).collect(),
        };
        let tag = primitive.material.map_or(0, |material| material.value() as u32 + 1);
        for triangle in 0..count as usize {
            let indices = corners_of(mode, triangle).map(|corner| corners[corner]);
            if let Some(&index) = indices.iter().find(|&&index| u64::from(index) >= vertices) {
                let (triangle, vertices) = (triangle as u32, vertices as usize);
                return Err(Reason::Mesh(MeshError::BadIndex { triangle, index, vertices }).into());
            }
            self.model.triangles.push(indices.map(|index| first + index));
            self.model.tags.push(tag);
        }
        Ok(())
    }
}

/// The number of triangles that `corners` corners make.
fn triangle_count(mode: Mode, corners: u64) -> Result<u64, Fault> {
    match mode {
        Mode::Triangles if !corners.is_multiple_of(3) => {
            Err(malformed(format!("{corners} corners are no whole number of triangles")))
        }
        Mode::Triangles => Ok(corners / 3),
        _ => Ok(corners.saturating_sub(2)),
    }
}

/// The corners of triangle `i`. Every second triangle of a strip swaps two corners, so that all
/// fronts are on the same side.
fn corners_of(mode: Mode, i: usize) -> [usize; 3] {
    match mode {
        Mode::TriangleStrip => [i, i + 1 + i % 2, i + 2 - i % 2],
        Mode::TriangleFan => [i + 1, i + 2, 0],
        _ => [3 * i, 3 * i + 1, 3 * i + 2],
    }
}

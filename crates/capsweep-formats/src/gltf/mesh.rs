//! A mesh of the file as one or two models.

use super::accessor::Accessors;
use crate::Limits;
use crate::axes::Axes;
use crate::error::{Fault, Reason, malformed, within};
use crate::world::Model;
use capsweep::scene::MeshError;
use gltf::json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use std::collections::HashMap;

/// What all models so far have, checked against the limits.
#[derive(Default)]
pub(super) struct Totals {
    vertices: u64,
    triangles: u64,
}

impl Totals {
    /// Counts more of both.
    pub(super) fn add(
        &mut self,
        vertices: u64,
        triangles: u64,
        limits: &Limits,
    ) -> Result<(), Fault> {
        self.vertices = self.vertices.saturating_add(vertices);
        self.triangles = self.triangles.saturating_add(triangles);
        // No mesh needs more than three vertices a triangle.
        within("vertices", self.vertices, limits.triangles.saturating_mul(3))?;
        within("triangles", self.triangles, limits.triangles)
    }
}

/// What models are read from and checked against.
pub(super) struct Reader<'a> {
    pub(super) accessors: Accessors<'a>,
    pub(super) axes: Axes,
    pub(super) limits: &'a Limits,
}

impl Reader<'_> {
    /// The surfaces of `mesh`: those that are seen from the front, and those that are seen from both sides.
    pub(super) fn models(&self, mesh: &Mesh, totals: &mut Totals) -> Result<Vec<Model>, Fault> {
        let name = mesh.name.clone().unwrap_or_default();
        let mut models = [false, true].map(|double_sided| Model {
            name: name.clone(),
            double_sided,
            ..Model::default()
        });
        let mut known = HashMap::new();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let place = || format!("primitives[{index}]");
            let sides = usize::from(self.is_double_sided(primitive)?);
            let mut part = Part { reader: self, model: &mut models[sides], sides, totals };
            part.add(primitive, &mut known).map_err(|fault| fault.at(place))?;
        }
        Ok(models.into_iter().filter(|model| !model.triangles.is_empty()).collect())
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

/// A model in the making.
struct Part<'a> {
    reader: &'a Reader<'a>,
    model: &'a mut Model,
    sides: usize,
    totals: &'a mut Totals,
}

impl Part<'_> {
    /// Adds the triangles of `primitive`. `known` says where the vertices of an accessor begin: primitives often share them.
    fn add(
        &mut self,
        primitive: &Primitive,
        known: &mut HashMap<(usize, usize), u32>,
    ) -> Result<(), Fault> {
        let Checked::Valid(mode) = primitive.mode else {
            return Err(malformed("is of an unknown mode"));
        };
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(());
        }
        let Reader { accessors, axes, limits } = *self.reader;
        // A primitive without positions has nothing to draw.
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
        let key = (positions.value(), self.sides);
        let first = if let Some(&first) = known.get(&key) {
            self.totals.add(0, count, limits)?;
            first
        } else {
            self.totals.add(vertices, count, limits)?;
            let first = u32::try_from(self.model.vertices.len())
                .map_err(|_| malformed("more vertices than 32 bits can number"))?;
            let read = accessors.positions(positions)?;
            self.model.vertices.extend(read.into_iter().map(|vertex| axes.turn(vertex)));
            if let Some(error) = self.model.bad_vertex_from(first as usize) {
                return Err(Reason::Mesh(error).into());
            }
            known.insert(key, first);
            first
        };
        let corners = match primitive.indices {
            Some(index) => accessors.indices(index)?,
            None => (0..vertices as u32).collect(),
        };
        let tag = primitive.material.map_or(0, |material| material.value() as u32 + 1);
        for triangle in 0..count as usize {
            let named = corners_of(mode, triangle).map(|corner| corners[corner]);
            if let Some(&index) = named.iter().find(|&&index| u64::from(index) >= vertices) {
                let (triangle, vertices) = (triangle as u32, vertices as usize);
                return Err(Reason::Mesh(MeshError::BadIndex { triangle, index, vertices }).into());
            }
            self.model.triangles.push(named.map(|index| first + index));
            self.model.tags.push(tag);
        }
        Ok(())
    }
}

/// How many triangles `corners` corners make.
fn triangle_count(mode: Mode, corners: u64) -> Result<u64, Fault> {
    match mode {
        Mode::Triangles if !corners.is_multiple_of(3) => {
            Err(malformed(format!("{corners} corners are no whole number of triangles")))
        }
        Mode::Triangles => Ok(corners / 3),
        _ => Ok(corners.saturating_sub(2)),
    }
}

/// Which corners triangle `i` has. Every other one of a strip runs the other way, so that all face the same side.
fn corners_of(mode: Mode, i: usize) -> [usize; 3] {
    match mode {
        Mode::TriangleStrip => [i, i + 1 + i % 2, i + 2 - i % 2],
        Mode::TriangleFan => [i + 1, i + 2, 0],
        _ => [3 * i, 3 * i + 1, 3 * i + 2],
    }
}

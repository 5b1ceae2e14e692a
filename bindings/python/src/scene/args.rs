//! The columns that bodies and liquids are made of.

use crate::error::Fault;
use crate::input::{Scalars, Vectors, at, size};
use capsweep::scene::{
    Body, Heights, LiquidError, LiquidGrid, LiquidKind, LiquidSheet, Mobility, Pose, Shape,
};
use capsweep::{Capsule, HalfSpace, Obb, ShapeError, Sphere};
use glam::{DMat4, DQuat};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Poses of bodies: matrices; or positions, rotations (x, y, z, w) and scales.
#[derive(FromPyObject)]
pub(crate) struct PoseArgs<'py> {
    position: PyReadonlyArray2<'py, f64>,
    rotation: PyReadonlyArray2<'py, f64>,
    scale: PyReadonlyArray2<'py, f64>,
    /// Rows of 16 numbers, row by row.
    matrix: Option<PyReadonlyArray2<'py, f64>>,
}

impl PoseArgs<'_> {
    pub(crate) fn get(&self, index: usize) -> Result<Pose, Fault> {
        if let Some(matrix) = &self.matrix {
            let matrix = matrix.as_array();
            let row = if matrix.nrows() == 1 { 0 } else { index };
            let mut numbers = [0.0; 16];
            numbers.iter_mut().zip(matrix.row(row)).for_each(|(to, from)| *to = *from);
            let matrix = DMat4::from_cols_array(&numbers).transpose();
            return Pose::from_matrix(&matrix).map_err(at(self.rows(), index));
        }
        let (position, scale) =
            (Vectors(self.position.as_array()), Vectors(self.scale.as_array()));
        let rotation = quaternion(&self.rotation, index);
        Pose::new(position.get(index), rotation, scale.get(index)).map_err(|error: ShapeError| {
            let rows = match error.field().split('.').next() {
                Some("rotation") => self.rotation.as_array().nrows(),
                Some("scale") => scale.len(),
                _ => position.len(),
            };
            at(rows, index)(error)
        })
    }

    fn rows(&self) -> usize {
        self.matrix.as_ref().map_or(1, |matrix| matrix.as_array().nrows())
    }
}

fn quaternion(rotations: &PyReadonlyArray2<'_, f64>, index: usize) -> DQuat {
    let rotations = rotations.as_array();
    let row = if rotations.nrows() == 1 { 0 } else { index };
    DQuat::from_xyzw(
        rotations[[row, 0]],
        rotations[[row, 1]],
        rotations[[row, 2]],
        rotations[[row, 3]],
    )
}

/// What bodies have beside their geometry.
#[derive(FromPyObject)]
pub(crate) struct BodyArgs<'py> {
    pub(super) rows: usize,
    key: PyReadonlyArray1<'py, u64>,
    mask: PyReadonlyArray1<'py, u32>,
    dynamic: bool,
}

impl BodyArgs<'_> {
    fn finish(&self, index: usize, body: Body) -> Body {
        let mobility = if self.dynamic { Mobility::Dynamic } else { Mobility::Static };
        body.with_key(Scalars(self.key.as_array()).get(index))
            .with_mask(Scalars(self.mask.as_array()).get(index))
            .with_mobility(mobility)
    }

    pub(super) fn make(
        &self,
        py: Python<'_>,
        body: impl Fn(usize) -> Result<Body, Fault>,
    ) -> PyResult<Vec<Body>> {
        (0..self.rows)
            .map(|index| Ok(self.finish(index, body(index)?)))
            .collect::<Result<_, Fault>>()
            .map_err(|fault| fault.raise(py))
    }
}

/// Shapes of one kind: the columns that this kind needs.
#[derive(FromPyObject)]
pub(crate) struct ShapeArgs<'py> {
    kind: String,
    a: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray2<'py, f64>,
    radius: PyReadonlyArray1<'py, f64>,
    rotation: PyReadonlyArray2<'py, f64>,
    pub(super) obstacle: bool,
}

impl ShapeArgs<'_> {
    pub(super) fn shape(&self, index: usize) -> Result<Shape, Fault> {
        let (a, b) = (Vectors(self.a.as_array()), Vectors(self.b.as_array()));
        let radius = Scalars(self.radius.as_array());
        let made = || -> Result<Shape, ShapeError> {
            let radius = size("radius", radius.get(index))?;
            Ok(match self.kind.as_str() {
                "box" => {
                    let half = b.get(index);
                    let names = ["half_extents.x", "half_extents.y", "half_extents.z"];
                    for (name, number) in names.into_iter().zip(half.to_array()) {
                        size(name, number)?;
                    }
                    let rotation = quaternion(&self.rotation, index);
                    Shape::Box(Obb::new(a.get(index), half.as_vec3(), rotation)?)
                }
                "sphere" => Shape::Sphere(Sphere::new(a.get(index), radius)?),
                "capsule" => Shape::Capsule(Capsule::new(a.get(index), b.get(index), radius)?),
                _ => Shape::HalfSpace(HalfSpace::new(a.get(index), b.get(index))?),
            })
        };
        made().map_err(|error| {
            let rows = match error.field().split('.').next() {
                Some("radius") => radius.len(),
                Some("rotation") => self.rotation.as_array().nrows(),
                Some("half_extents" | "p1" | "normal") => b.len(),
                _ => a.len(),
            };
            at(rows, index)(error)
        })
    }
}

/// A sheet of liquid.
#[derive(FromPyObject)]
pub(crate) struct SheetArgs<'py> {
    heights: PyReadonlyArray2<'py, f32>,
    wet: Option<PyReadonlyArray1<'py, bool>>,
    origin: [f32; 2],
    spacing: [f32; 2],
    kind: u64,
}

impl SheetArgs<'_> {
    pub(super) fn build(&self) -> Result<LiquidSheet, LiquidError> {
        let heights = self.heights.as_array();
        let grid = LiquidGrid {
            rows: heights.nrows().saturating_sub(1) as u32,
            columns: heights.ncols().saturating_sub(1) as u32,
            origin: self.origin,
            spacing: self.spacing,
        };
        let kind = match self.kind {
            0 => LiquidKind::Water,
            1 => LiquidKind::Ocean,
            2 => LiquidKind::Magma,
            3 => LiquidKind::Slime,
            other => LiquidKind::Other(other as u32),
        };
        let sheet = LiquidSheet::new(grid, Heights::F32(heights.iter().copied().collect()), kind)?;
        match &self.wet {
            Some(wet) => sheet.with_wet(&wet.as_array().iter().copied().collect::<Vec<_>>()),
            None => Ok(sheet),
        }
    }
}

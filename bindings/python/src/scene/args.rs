//! The columns that bodies and liquids are made of.

use crate::error::Fault;
use crate::input::{Quaternions, Scalars, Vectors, at};
use crate::table::room_for;
use capsweep::ShapeError;
use capsweep::scene::{
    Body, Heights, LiquidError, LiquidGrid, LiquidKind, LiquidSheet, Mobility, Pose,
};
use glam::DMat4;
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
        let rotation = Quaternions(self.rotation.as_array());
        let pose = Pose::new(position.get(index), rotation.get(index), scale.get(index));
        pose.map_err(|error: ShapeError| {
            let rows = match error.field().split('.').next() {
                Some("rotation") => rotation.len(),
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
        let mut made = room_for(self.rows)?;
        for index in 0..self.rows {
            let one = body(index).map_err(|fault| fault.raise(py))?;
            made.push(self.finish(index, one));
        }
        Ok(made)
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
    /// Corners in a row of the grid.
    pub(super) fn columns(&self) -> usize {
        self.heights.as_array().ncols()
    }

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

//! Meshes and height fields, built once and placed any number of times.

use crate::error::{height_error, input_error};
use crate::threads;
use capsweep::scene::{
    CellMaterial, CellTriangles, HeightField, HeightFieldError, HeightFieldOptions, HeightGrid,
    Heights, MeshError, MeshOptions, MeshReport, TriMesh,
};
use glam::Vec3;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct MeshCore(Arc<TriMesh>);

#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct FieldCore(Arc<HeightField>);

impl MeshCore {
    pub(crate) fn shared(&self) -> Arc<TriMesh> {
        Arc::clone(&self.0)
    }
}

impl FieldCore {
    pub(crate) fn shared(&self) -> Arc<HeightField> {
        Arc::clone(&self.0)
    }
}

/// The triangles of a mesh.
#[derive(FromPyObject)]
pub(crate) struct MeshArgs<'py> {
    vertices: PyReadonlyArray2<'py, f32>,
    triangles: PyReadonlyArray2<'py, u32>,
    double_sided: bool,
    tags: Option<PyReadonlyArray1<'py, u32>>,
    masks: Option<PyReadonlyArray1<'py, u32>>,
    threads: Option<usize>,
}

impl MeshArgs<'_> {
    fn vertices(&self) -> Vec<Vec3> {
        let rows = self.vertices.as_array();
        rows.rows().into_iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect()
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let rows = self.triangles.as_array();
        rows.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect()
    }
}

fn refused(py: Python<'_>, error: &MeshError) -> PyErr {
    let text = error.to_string();
    match *error {
        MeshError::BadVertex { vertex, position } => {
            let bad = position.to_array().into_iter().find(|x| !x.is_finite());
            let value = bad.unwrap_or_else(|| position.abs().max_element());
            let text = format!("vertices[{vertex}]: {text}");
            input_error(py, text, "vertices", Some(vertex), Some(value.into()))
        }
        MeshError::BadIndex { triangle, index, .. } => {
            let text = format!("triangles[{triangle}]: {text}");
            input_error(py, text, "triangles", Some(triangle as usize), Some(index.into()))
        }
        MeshError::WrongCount { what, .. } => input_error(py, text, what, None, None),
        _ => input_error(py, text, "triangles", None, None),
    }
}

#[pymethods]
impl MeshCore {
    #[new]
    fn new(py: Python<'_>, args: MeshArgs<'_>) -> PyResult<Self> {
        let (vertices, triangles) = (args.vertices(), args.triangles());
        let column = |column: &Option<PyReadonlyArray1<'_, u32>>| {
            column.as_ref().map(|column| column.as_array().iter().copied().collect::<Vec<u32>>())
        };
        let (tags, masks) = (column(&args.tags), column(&args.masks));
        let options = MeshOptions { double_sided: args.double_sided };
        let pool = threads::pool(args.threads)?;
        let build = || -> Result<TriMesh, MeshError> {
            let mut mesh = TriMesh::new(&vertices, &triangles, options)?;
            if let Some(tags) = tags {
                mesh = mesh.with_tags(&tags)?;
            }
            if let Some(masks) = masks {
                mesh = mesh.with_masks(&masks)?;
            }
            Ok(mesh)
        };
        let mesh = py.detach(|| pool.install(build)).map_err(|error| refused(py, &error))?;
        Ok(Self(Arc::new(mesh)))
    }

    /// The defects of a mesh: triangles by kind of defect.
    #[staticmethod]
    fn report<'py>(py: Python<'py>, args: MeshArgs<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (vertices, triangles) = (args.vertices(), args.triangles());
        let report = threads::work(py, || MeshReport::new(&vertices, &triangles))?
            .map_err(|error| refused(py, &error))?;
        let dict = PyDict::new(py);
        for (name, found) in [
            ("degenerate", report.degenerate),
            ("duplicate", report.duplicate),
            ("slivers", report.slivers),
            ("unreferenced", report.unreferenced),
            ("open", report.open.triangles),
            ("flipped", report.flipped.triangles),
            ("non_manifold", report.non_manifold.triangles),
        ] {
            dict.set_item(name, found.into_pyarray(py))?;
        }
        Ok(dict)
    }

    fn triangle_count(&self) -> u32 {
        self.0.triangle_count()
    }

    fn bounds(&self) -> Option<([f64; 3], [f64; 3])> {
        self.0.bounds().map(|bounds| (bounds.min().to_array(), bounds.max().to_array()))
    }

    /// Bytes of memory.
    fn memory(&self) -> usize {
        self.0.memory()
    }
}

/// Terrain as a grid of heights.
#[derive(FromPyObject)]
pub(crate) struct FieldArgs<'py> {
    heights: PyReadonlyArray2<'py, f32>,
    spacing: [f32; 2],
    /// Cells have four triangles around a centre.
    four: bool,
    /// Of cells with two triangles: whether the diagonal is turned.
    turned: PyReadonlyArray1<'py, bool>,
    holes: Option<PyReadonlyArray1<'py, bool>>,
    tags: Option<PyReadonlyArray1<'py, u32>>,
    masks: Option<PyReadonlyArray1<'py, u32>>,
    /// The caller gave masks and no tags.
    is_masked: bool,
    double_sided: bool,
}

#[pymethods]
impl FieldCore {
    #[new]
    fn new(py: Python<'_>, args: FieldArgs<'_>) -> PyResult<Self> {
        let heights = args.heights.as_array();
        let grid = HeightGrid {
            rows: heights.nrows().saturating_sub(1) as u32,
            columns: heights.ncols().saturating_sub(1) as u32,
            spacing: args.spacing,
        };
        let flags = |flags: &PyReadonlyArray1<'_, bool>| {
            flags.as_array().iter().copied().collect::<Vec<bool>>()
        };
        let columns = heights.ncols();
        let shown = if args.is_masked { "masks" } else { "tags" };
        let heights: Vec<f32> = heights.iter().copied().collect();
        let (turned, holes) = (flags(&args.turned), args.holes.as_ref().map(flags));
        let materials = args.tags.as_ref().zip(args.masks.as_ref()).map(|(tags, masks)| {
            let cells = tags.as_array().into_iter().zip(masks.as_array());
            cells.map(|(&tag, &mask)| CellMaterial { mask, tag }).collect::<Vec<_>>()
        });
        let options = HeightFieldOptions { double_sided: args.double_sided };
        let build = || -> Result<HeightField, HeightFieldError> {
            let cells = if args.four {
                CellTriangles::Four
            } else {
                CellTriangles::Two { turned: &turned }
            };
            let mut field = HeightField::new(grid, Heights::F32(heights), cells, options)?;
            if let Some(holes) = holes {
                field = field.with_holes(&holes)?;
            }
            if let Some(materials) = materials {
                field = field.with_materials(&materials)?;
            }
            Ok(field)
        };
        let built = threads::work(py, build)?;
        let field = built.map_err(|error| refused_field(py, &error, columns, shown))?;
        Ok(Self(Arc::new(field)))
    }
}

/// The exception for a field. `shown` is its argument of cells: `tags` or `masks`.
fn refused_field(py: Python<'_>, error: &HeightFieldError, columns: usize, shown: &str) -> PyErr {
    let (argument, index) = match *error {
        HeightFieldError::BadHeight { index, height } => {
            return height_error(py, index, columns, height);
        }
        HeightFieldError::BadSpacing { .. } => ("spacing", None),
        HeightFieldError::TooManyMaterials { cell } => {
            (shown, Some(cell / columns.saturating_sub(1).max(1)))
        }
        _ => ("heights", None),
    };
    input_error(py, format!("{argument}: {error}"), argument, index, None)
}

//! Answers that become columns when they are read: most callers read a few of many.

use crate::table::{Columns, OnFault, fill};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The rows of an answer. They never change.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct Rows {
    rows: Box<dyn Read>,
    threads: Option<usize>,
}

impl Rows {
    pub(crate) fn new<C: Columns + 'static>(rows: Vec<C::Row>, threads: Option<usize>) -> Self
    where
        C::Row: 'static,
    {
        Self { rows: Box::new(RowsOf::<C>(rows)), threads }
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn names(&self) -> &'static [&'static str] {
        self.rows.names()
    }

    /// One column.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.rows.column(py, self.threads, name)
    }

    /// All columns, in one pass.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.rows.columns(py, self.threads)
    }
}

/// Rows of any type.
trait Read: Send + Sync {
    fn len(&self) -> usize;

    fn names(&self) -> &'static [&'static str];

    fn column<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>>;

    fn columns<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>>;
}

struct RowsOf<C: Columns>(Vec<C::Row>);

impl<C: Columns> Read for RowsOf<C> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn names(&self) -> &'static [&'static str] {
        C::NAMES
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = C::column(py, threads, &self.0, name)?;
        found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn columns<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rows = &self.0;
        let read = |index: usize| Ok(rows[index]);
        fill::<C>(py, threads, rows.len(), OnFault::Raise, read)?.into_dict(py)
    }
}

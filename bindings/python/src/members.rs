//! The members of a crowd or of chains, which any thread may change.

use crate::error::Refused;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Mutex, PoisonError};

pub(crate) struct Members<T>(Mutex<Vec<T>>);

impl<T> Members<T> {
    pub(crate) fn new(members: Vec<T>) -> Self {
        Self(Mutex::new(members))
    }

    /// Works on all members. `work` runs no Python code, which may wait for the same lock: what it
    /// refuses is raised when the lock is free, and so are answers made.
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Vec<T>) -> Result<R, Refused>,
    ) -> PyResult<R> {
        let result = {
            // The wait does not hold the interpreter's lock: the holder may need it.
            let members = self.0.lock_py_attached(py);
            work(&mut members.unwrap_or_else(PoisonError::into_inner))
        };
        result.map_err(|refused| refused.raise(py))
    }

    pub(crate) fn len(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |members| Ok(members.len()))
    }

    /// Adds the members of `other`, which is empty then; returns the number of the first.
    pub(crate) fn extend(&self, py: Python<'_>, other: &Self) -> PyResult<usize> {
        let added = other.with(py, |members| Ok(std::mem::take(members)))?;
        self.with(py, |members| {
            let first = members.len();
            members.extend(added);
            Ok(first)
        })
    }

    /// Keeps the members for which `keep` has true.
    pub(crate) fn keep(&self, py: Python<'_>, keep: &PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let keep = keep.as_array();
        self.with(py, |members| {
            // Another thread may have changed their number since the caller saw it.
            check_rows("which", keep.len(), members.len())?;
            let mut flags = keep.iter();
            members.retain(|_| flags.next() == Some(&true));
            Ok(())
        })
    }
}

/// The members that `which` names. Checked under the lock: the Python half saw another moment.
pub(crate) fn chosen(
    which: &PyReadonlyArray1<'_, i64>,
    members: usize,
) -> Result<Vec<usize>, Refused> {
    let numbered = which.as_array().into_iter().enumerate();
    numbered
        .map(|(index, &number)| {
            let inside = usize::try_from(number).ok().filter(|&number| number < members);
            inside.ok_or(Refused::NoMember { index, number, members })
        })
        .collect()
}

/// Refuses a column that has a row for each member of another number of members.
pub(crate) fn check_rows(
    argument: &'static str,
    rows: usize,
    members: usize,
) -> Result<(), Refused> {
    if rows == members { Ok(()) } else { Err(Refused::Rows { argument, rows, members }) }
}

//! Tables of answers: one column per field, filled in parallel.

use crate::error::Fault;
use crate::threads;
use numpy::{Element, IntoPyArray, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::collections::TryReserveError;

/// Rows of one task: some 100 µs of queries, and columns that share no cache line but their first
/// and last.
const ROWS_PER_TASK: usize = 256;

/// Rows that are copied by one thread: to wake another takes as long.
const ROWS_PER_COPY: usize = 4096;

/// Rows between two looks for Ctrl-C: some tenths of a second.
const ROWS_PER_SIGNAL_CHECK: usize = 1 << 18;

/// A cell of a column: a number, or a vector of three.
pub(crate) trait Cell: Copy + Send + Sync {
    fn into_array(py: Python<'_>, cells: Vec<Self>) -> PyResult<Bound<'_, PyAny>>;
}

macro_rules! scalar_cells {
    ($($type:ty),*) => {$(
        impl Cell for $type {
            fn into_array(py: Python<'_>, cells: Vec<Self>) -> PyResult<Bound<'_, PyAny>> {
                Ok(cells.into_pyarray(py).into_any())
            }
        }
    )*};
}
scalar_cells!(bool, i8, u8, i64, u16, u32, u64, f32, f64);

impl<T: Element + Copy + Send + Sync, const N: usize> Cell for [T; N] {
    fn into_array(py: Python<'_>, cells: Vec<Self>) -> PyResult<Bound<'_, PyAny>> {
        let rows = cells.len();
        Ok(cells.into_flattened().into_pyarray(py).reshape([rows, N])?.into_any())
    }
}

/// The columns of a row type.
pub(crate) trait Columns: Sized + Send {
    type Row: Copy + Send + Sync;
    type Part<'a>: Part<Row = Self::Row> + Send
    where
        Self: 'a;

    /// Empty columns with room for `rows`. A number of rows that does not fit is an error, where
    /// `Vec::with_capacity` would end the process.
    fn with_room(rows: usize) -> Result<Self, TryReserveError>;

    /// The memory of the first rows, in parts of so many rows each. Together they must fit.
    fn parts(&mut self, sizes: impl Iterator<Item = usize>) -> Vec<Self::Part<'_>>;

    /// Declares rows `0..rows` to be written.
    ///
    /// # Safety
    /// Each of them was written.
    #[expect(
        unsafe_code,
        reason = "the columns are written in parallel, before they have a length"
    )]
    unsafe fn set_rows(&mut self, rows: usize);

    /// The columns by name.
    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>>;

    /// The names of the columns.
    const NAMES: &'static [&'static str];

    /// One column of some rows; `None` if there is none of this name.
    fn column<'py>(
        py: Python<'py>,
        threads: Option<usize>,
        rows: &[Self::Row],
        name: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>>;
}

/// Some rows of all columns.
pub(crate) trait Part {
    type Row;

    fn rows(&self) -> usize;
    fn write(&mut self, index: usize, row: Self::Row);
}

/// A row type and its columns.
macro_rules! table {
    ($(#[$doc:meta])* $row:ident, $columns:ident, $part:ident {
        $($field:ident: $type:ty = $none:expr),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[allow(clippy::struct_excessive_bools, reason = "flags of an answer")]
        pub(crate) struct $row {
            $(pub(crate) $field: $type),*
        }

        impl $row {
            /// The row of a query without an answer.
            #[allow(dead_code, reason = "some tables have answers for every row")]
            pub(crate) const NONE: Self = Self { $($field: $none),* };
        }

        pub(crate) struct $columns {
            $($field: Vec<$type>),*
        }

        pub(crate) struct $part<'a> {
            $($field: &'a mut [core::mem::MaybeUninit<$type>]),*
        }

        impl crate::table::Columns for $columns {
            type Row = $row;
            type Part<'a> = $part<'a>;

            fn with_room(rows: usize) -> Result<Self, std::collections::TryReserveError> {
                $(let mut $field = Vec::new();
                $field.try_reserve_exact(rows)?;)*
                Ok(Self { $($field),* })
            }

            fn parts(&mut self, sizes: impl Iterator<Item = usize>) -> Vec<$part<'_>> {
                let mut rest = $part { $($field: self.$field.spare_capacity_mut()),* };
                let mut parts = Vec::with_capacity(sizes.size_hint().0);
                for size in sizes {
                    $(let (part, left) = rest.$field.split_at_mut(size);
                    rest.$field = left;
                    let $field = part;)*
                    parts.push($part { $($field),* });
                }
                parts
            }

            #[expect(unsafe_code, reason = "see the trait")]
            unsafe fn set_rows(&mut self, rows: usize) {
                // SAFETY: The caller promises that the rows were written, and `parts` has checked
                // that they are within the capacity.
                $(unsafe { self.$field.set_len(rows) };)*
            }

            fn into_dict(
                self,
                py: pyo3::Python<'_>,
            ) -> pyo3::PyResult<pyo3::Bound<'_, pyo3::types::PyDict>> {
                use pyo3::types::PyDictMethods;
                let dict = pyo3::types::PyDict::new(py);
                $(dict.set_item(
                    stringify!($field),
                    crate::table::Cell::into_array(py, self.$field)?,
                )?;)*
                Ok(dict)
            }

            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn column<'py>(
                py: pyo3::Python<'py>,
                threads: Option<usize>,
                rows: &[$row],
                name: &str,
            ) -> pyo3::PyResult<Option<pyo3::Bound<'py, pyo3::PyAny>>> {
                Ok(match name {
                    $(stringify!($field) => {
                        Some(crate::table::column(py, threads, rows, |row| row.$field)?)
                    })*
                    _ => None,
                })
            }
        }

        impl crate::table::Part for $part<'_> {
            type Row = $row;

            fn rows(&self) -> usize {
                let Self { $($field),* } = self;
                [$($field.len()),*][0]
            }

            #[inline(always)]
            fn write(&mut self, index: usize, row: $row) {
                $(self.$field[index].write(row.$field);)*
            }
        }
    };
}
pub(crate) use table;

/// Columns with room for `rows`, or a `MemoryError`.
pub(crate) fn room<C: Columns>(rows: usize) -> PyResult<C> {
    C::with_room(rows).map_err(|_| too_large(rows))
}

fn too_large(rows: usize) -> PyErr {
    PyMemoryError::new_err(format!("{rows} rows do not fit into memory"))
}

/// `rows` in parts of `size`: the sizes of the parts.
pub(crate) fn even(rows: usize, size: usize) -> impl Iterator<Item = usize> {
    (0..rows).step_by(size).map(move |first| size.min(rows - first))
}

/// What to do with rows that have bad input.
#[derive(Clone, Copy)]
pub(crate) enum OnFault<R> {
    Raise,
    /// Write this row.
    Mark(R),
}

/// Answers rows `0..rows` in parallel, without the interpreter's lock.
pub(crate) fn fill<C: Columns>(
    py: Python<'_>,
    threads: Option<usize>,
    rows: usize,
    on_fault: OnFault<C::Row>,
    answer: impl Fn(usize) -> Result<C::Row, Fault> + Sync,
) -> PyResult<C> {
    let mut columns = room::<C>(rows)?;
    let faults = {
        let mut parts = columns.parts(even(rows, ROWS_PER_TASK));
        run(py, threads, &mut parts, |number, part| {
            let first = number * ROWS_PER_TASK;
            let mut fault = None;
            for index in 0..part.rows() {
                let row = match (answer(first + index), on_fault) {
                    (Ok(row), _) | (Err(_), OnFault::Mark(row)) => row,
                    (Err(error), OnFault::Raise) => {
                        fault = Some(error);
                        break;
                    }
                };
                part.write(index, row);
            }
            fault
        })?
    };
    if let Some(fault) = faults.into_iter().flatten().next() {
        return Err(fault.raise(py));
    }
    // SAFETY: Without a fault, every task wrote all rows of its part, and the parts are all rows.
    #[expect(unsafe_code, reason = "the columns are written in parallel")]
    unsafe {
        columns.set_rows(rows);
    }
    Ok(columns)
}

/// One column of rows that are all there.
pub(crate) fn column<'py, R: Sync, T: Cell>(
    py: Python<'py>,
    threads: Option<usize>,
    rows: &[R],
    cell: impl Fn(&R) -> T + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let mut cells = room_for(rows.len())?;
    if rows.len() <= ROWS_PER_COPY {
        cells.extend(rows.iter().map(cell));
    } else {
        let pool = threads::pool(threads)?;
        let read = rows.par_iter().with_min_len(ROWS_PER_COPY).map(cell);
        py.detach(|| pool.install(|| cells.par_extend(read)));
    }
    T::into_array(py, cells)
}

/// Runs `work` on every item in parallel, without the interpreter's lock. Ctrl-C ends it between
/// two blocks of items.
pub(crate) fn run<T: Send, A: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    items: &mut [T],
    work: impl Fn(usize, &mut T) -> A + Sync,
) -> PyResult<Vec<A>> {
    let mut answers = room_for(items.len())?;
    let block = ROWS_PER_SIGNAL_CHECK / ROWS_PER_TASK;
    for (number, items) in items.chunks_mut(block).enumerate() {
        let first = number * block;
        answers.extend(run_whole(py, threads, items, |index, item| work(first + index, item))?);
        py.check_signals()?;
    }
    Ok(answers)
}

/// As [`run`], but no signal ends it. For work that holds a lock: the handler of a signal may be
/// Python code that waits for the same lock.
pub(crate) fn run_whole<T: Send, A: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    items: &mut [T],
    work: impl Fn(usize, &mut T) -> A + Sync,
) -> PyResult<Vec<A>> {
    let pool = threads::pool(threads)?;
    Ok(py.detach(|| {
        pool.install(|| {
            let numbered = items.par_iter_mut().enumerate();
            numbered.map(|(index, item)| work(index, item)).collect()
        })
    }))
}

/// Answers with any number of rows for each query, in the order of the queries.
pub(crate) struct Ragged<R> {
    pub(crate) rows: Vec<R>,
    /// Number of rows of each query.
    pub(crate) counts: Vec<i64>,
    /// Queries with bad input.
    pub(crate) invalid: Vec<bool>,
}

/// An empty list with room for one cell for each of `rows`, or a `MemoryError`. A list that grows
/// by itself would end the process.
pub(crate) fn room_for<T>(rows: usize) -> PyResult<Vec<T>> {
    let mut cells = Vec::new();
    match cells.try_reserve_exact(rows) {
        Ok(()) => Ok(cells),
        Err(_) => Err(too_large(rows)),
    }
}

/// As [`fill`], for queries with any number of answers.
pub(crate) fn fill_ragged<R: Copy + Send>(
    py: Python<'_>,
    threads: Option<usize>,
    queries: usize,
    mark: bool,
    answer: impl Fn(usize, &mut Vec<R>) -> Result<(), Fault> + Sync,
) -> PyResult<Ragged<R>> {
    let mut all =
        Ragged { rows: Vec::new(), counts: room_for(queries)?, invalid: room_for(queries)? };
    let mut tasks: Vec<(usize, usize)> = room_for(queries.div_ceil(ROWS_PER_TASK))?;
    let firsts = (0..queries).step_by(ROWS_PER_TASK);
    tasks.extend(firsts.map(|first| (first, (first + ROWS_PER_TASK).min(queries))));
    let done = run(py, threads, &mut tasks, |_, &mut (first, end)| {
        let (mut rows, mut counts, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
        for index in first..end {
            let before = rows.len();
            let fault = answer(index, &mut rows).err();
            invalid.push(fault.is_some());
            if let Some(fault) = fault.filter(|_| !mark) {
                return Err(fault);
            }
            counts.push((rows.len() - before) as i64);
        }
        Ok(Ragged { rows, counts, invalid })
    })?;
    let parts = done.into_iter().collect::<Result<Vec<Ragged<R>>, Fault>>();
    let parts = parts.map_err(|fault| fault.raise(py))?;
    all.rows = room_for(parts.iter().map(|part| part.rows.len()).sum())?;
    for part in parts {
        all.rows.extend(part.rows);
        all.counts.extend(part.counts);
        all.invalid.extend(part.invalid);
    }
    Ok(all)
}

/// The columns of rows that are all there.
pub(crate) fn columns_of<C: Columns>(rows: &[C::Row]) -> PyResult<C> {
    let mut columns = room::<C>(rows.len())?;
    for part in &mut columns.parts(core::iter::once(rows.len())) {
        for (index, row) in rows.iter().enumerate() {
            part.write(index, *row);
        }
    }
    // SAFETY: The one part has all rows, and each was written.
    #[expect(unsafe_code, reason = "columns of known rows")]
    unsafe {
        columns.set_rows(rows.len());
    }
    Ok(columns)
}

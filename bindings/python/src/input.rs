//! Columns of arguments. The Python layer has checked their types and shapes; each has one row,
//! which serves all, or as many as the call.

use crate::error::Fault;
use capsweep::scene::{Bodies, BodyId, Filter, StartOverlaps};
use capsweep::{Capsule, MAX_SIZE, ShapeError, Sides};
use glam::{DQuat, DVec3};
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Row `index` of a column, or its only row.
fn row(rows: usize, index: usize) -> usize {
    if rows == 1 { 0 } else { index }
}

/// `index`, unless the column's only row serves all.
fn name_row(rows: usize, index: usize) -> Option<usize> {
    (rows != 1).then_some(index)
}

/// Vectors of three numbers.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<'a>(pub(crate) ArrayView2<'a, f64>);

impl Vectors<'_> {
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> DVec3 {
        let row = row(self.0.nrows(), index);
        DVec3::new(self.0[[row, 0]], self.0[[row, 1]], self.0[[row, 2]])
    }

    pub(crate) fn len(&self) -> usize {
        self.0.nrows()
    }
}

/// Rotations (x, y, z, w).
#[derive(Clone, Copy)]
pub(crate) struct Quaternions<'a>(pub(crate) ArrayView2<'a, f64>);

impl Quaternions<'_> {
    pub(crate) fn get(&self, index: usize) -> DQuat {
        let row = row(self.0.nrows(), index);
        DQuat::from_array([0, 1, 2, 3].map(|column| self.0[[row, column]]))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.nrows()
    }
}

/// Single numbers, flags or masks.
#[derive(Clone, Copy)]
pub(crate) struct Scalars<'a, T>(pub(crate) ArrayView1<'a, T>);

impl<T: Copy> Scalars<'_, T> {
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> T {
        self.0[row(self.0.len(), index)]
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A size: f32 in the library, rounded to the nearest.
pub(crate) fn size(field: &'static str, value: f64) -> Result<f32, ShapeError> {
    let narrow = value as f32;
    if value.is_finite() && narrow.is_infinite() {
        return Err(ShapeError::OutOfRange { field, value, limit: MAX_SIZE });
    }
    Ok(narrow)
}

/// Capsules: two points and a radius; or feet, up, radius and height.
#[derive(FromPyObject)]
pub(crate) struct CapsuleArgs<'py> {
    a: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray2<'py, f64>,
    radius: PyReadonlyArray1<'py, f64>,
    height: Option<PyReadonlyArray1<'py, f64>>,
}

pub(crate) struct Capsules<'a> {
    a: Vectors<'a>,
    b: Vectors<'a>,
    radius: Scalars<'a, f64>,
    height: Option<Scalars<'a, f64>>,
}

impl CapsuleArgs<'_> {
    pub(crate) fn view(&self) -> Capsules<'_> {
        Capsules {
            a: Vectors(self.a.as_array()),
            b: Vectors(self.b.as_array()),
            radius: Scalars(self.radius.as_array()),
            height: self.height.as_ref().map(|height| Scalars(height.as_array())),
        }
    }
}

impl Capsules<'_> {
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Result<Capsule, Fault> {
        self.make(index).map_err(|error| {
            let rows = match error.field() {
                "radius" => self.radius.len(),
                "total_height" => self.height.map_or(1, |height| height.len()),
                field if field.starts_with("p1") || field.starts_with("up") => self.b.len(),
                "axis length" => self.a.len().max(self.b.len()),
                _ => self.a.len(),
            };
            Fault { index: name_row(rows, index), error }
        })
    }

    #[inline(always)]
    fn make(&self, index: usize) -> Result<Capsule, ShapeError> {
        let (a, b) = (self.a.get(index), self.b.get(index));
        let radius = size("radius", self.radius.get(index))?;
        match self.height {
            None => Capsule::new(a, b, radius),
            Some(height) => {
                Capsule::from_feet(a, b, radius, size("total_height", height.get(index))?)
            }
        }
    }
}

pub(crate) fn sides(both: bool) -> Sides {
    if both { Sides::Both } else { Sides::Front }
}

/// The bodies, triangles and sides that count.
#[derive(FromPyObject)]
pub(crate) struct FilterArgs<'py> {
    mask: PyReadonlyArray1<'py, u32>,
    both_sides: bool,
    bodies: u8,
    skip_start_overlaps: bool,
    ignore: Option<PyReadonlyArray1<'py, i64>>,
}

pub(crate) struct Filters<'a> {
    mask: Scalars<'a, u32>,
    rest: Filter,
    ignore: Option<Scalars<'a, i64>>,
}

impl FilterArgs<'_> {
    pub(crate) fn view(&self) -> Filters<'_> {
        let rest = Filter {
            mask: u32::MAX,
            sides: sides(self.both_sides),
            bodies: match self.bodies {
                1 => Bodies::Static,
                2 => Bodies::Dynamic,
                _ => Bodies::All,
            },
            start_overlaps: if self.skip_start_overlaps {
                StartOverlaps::Skip
            } else {
                StartOverlaps::Report
            },
        };
        let mask = Scalars(self.mask.as_array());
        let ignore = self.ignore.as_ref().map(|ignore| Scalars(ignore.as_array()));
        Filters { mask, rest, ignore }
    }
}

impl Filters<'_> {
    pub(crate) fn get(&self, index: usize) -> Filter {
        Filter { mask: self.mask.get(index), ..self.rest }
    }

    /// The rows of the masks, and those of the bodies to pass through.
    pub(crate) fn rows(&self) -> (usize, usize) {
        (self.mask.len(), self.ignore.map_or(1, |ignore| ignore.len()))
    }

    /// The body that row `index` passes through.
    pub(crate) fn ignore(&self, index: usize) -> Option<BodyId> {
        body_id(self.ignore?.get(index))
    }
}

/// Turns an error about `column` into one about its row.
pub(crate) fn at<E: Into<Fault>>(rows: usize, index: usize) -> impl Fn(E) -> Fault {
    move |error| Fault { index: name_row(rows, index), ..error.into() }
}

/// A body id as one number: generation in the upper half, index in the lower.
pub(crate) fn body_number(id: BodyId) -> i64 {
    (i64::from(id.generation()) << 32) | i64::from(id.index())
}

/// The id of a number; `None` below 0.
pub(crate) fn body_id(number: i64) -> Option<BodyId> {
    let number = u64::try_from(number).ok()?;
    Some(BodyId::from_numbers(number as u32, (number >> 32) as u32))
}

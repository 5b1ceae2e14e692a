//! Columns of shapes: bodies of a scene, and targets of single pairs.

use crate::error::Fault;
use crate::input::{Quaternions, Scalars, Vectors, at, size};
use capsweep::scene::Shape;
use capsweep::{Capsule, HalfSpace, Obb, ShapeError, Sphere};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Shapes of one kind. Columns that the kind does not need have one row.
#[derive(FromPyObject)]
pub(crate) struct ShapeArgs<'py> {
    kind: String,
    a: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray2<'py, f64>,
    radius: PyReadonlyArray1<'py, f64>,
    rotation: PyReadonlyArray2<'py, f64>,
}

#[derive(Clone, Copy)]
enum Kind {
    Box,
    Sphere,
    Capsule,
    HalfSpace,
}

/// Views of [`ShapeArgs`], which other threads can read.
pub(crate) struct Shapes<'a> {
    kind: Kind,
    a: Vectors<'a>,
    b: Vectors<'a>,
    radius: Scalars<'a, f64>,
    rotation: Quaternions<'a>,
}

impl ShapeArgs<'_> {
    pub(crate) fn view(&self) -> Shapes<'_> {
        let kind = match self.kind.as_str() {
            "box" => Kind::Box,
            "sphere" => Kind::Sphere,
            "capsule" => Kind::Capsule,
            _ => Kind::HalfSpace,
        };
        Shapes {
            kind,
            a: Vectors(self.a.as_array()),
            b: Vectors(self.b.as_array()),
            radius: Scalars(self.radius.as_array()),
            rotation: Quaternions(self.rotation.as_array()),
        }
    }
}

impl Shapes<'_> {
    pub(crate) fn get(&self, index: usize) -> Result<Shape, Fault> {
        self.make(index).map_err(|error| {
            let rows = match error.field().split('.').next() {
                Some("radius") => self.radius.len(),
                Some("rotation") => self.rotation.len(),
                Some("half_extents" | "p1" | "normal") => self.b.len(),
                _ => self.a.len(),
            };
            at(rows, index)(error)
        })
    }

    fn make(&self, index: usize) -> Result<Shape, ShapeError> {
        let (a, b) = (self.a.get(index), self.b.get(index));
        let radius = || size("radius", self.radius.get(index));
        Ok(match self.kind {
            Kind::Box => {
                let names = ["half_extents.x", "half_extents.y", "half_extents.z"];
                for (name, number) in names.into_iter().zip(b.to_array()) {
                    size(name, number)?;
                }
                Shape::Box(Obb::new(a, b.as_vec3(), self.rotation.get(index))?)
            }
            Kind::Sphere => Shape::Sphere(Sphere::new(a, radius()?)?),
            Kind::Capsule => Shape::Capsule(Capsule::new(a, b, radius()?)?),
            Kind::HalfSpace => Shape::HalfSpace(HalfSpace::new(a, b)?),
        })
    }
}

//! Single pairs: a capsule or a ray against one shape, row by row, without a scene.

use crate::error::Fault;
use crate::hit::{
    PairClosestColumns, PairClosestRow, PairOverlapColumns, PairOverlapRow, PairRayColumns,
    PairRayRow, PairSweepColumns, PairSweepRow,
};
use crate::input::{CapsuleArgs, Vectors, at, sides};
use crate::query::{Answer, Call, motion, ray_at};
use crate::shape::{ShapeArgs, Shapes};
use capsweep::scene::Shape;
use capsweep::{
    Capsule, ClosestPoints, Motion, Overlap, Point, Ray, RayHit, Segment, ShapeError, Sides,
    SweepHit, Triangle,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

/// Targets of one kind: shapes; or one corner for points, two for segments, three for triangles.
#[derive(FromPyObject)]
pub(crate) struct TargetArgs<'py> {
    shapes: Option<ShapeArgs<'py>>,
    corners: Vec<PyReadonlyArray2<'py, f64>>,
}

/// Views of [`TargetArgs`], which other threads can read.
enum Targets<'a> {
    Shapes(Shapes<'a>),
    Points(Vectors<'a>),
    Segments([Vectors<'a>; 2]),
    Triangles([Vectors<'a>; 3]),
}

enum Target {
    Shape(Shape),
    Point(Point),
    Segment(Segment),
    Triangle(Triangle),
}

impl TargetArgs<'_> {
    fn view(&self) -> PyResult<Targets<'_>> {
        let corner = |index: usize| Vectors(self.corners[index].as_array());
        match (&self.shapes, self.corners.len()) {
            (Some(shapes), _) => Ok(Targets::Shapes(shapes.view())),
            (None, 1) => Ok(Targets::Points(corner(0))),
            (None, 2) => Ok(Targets::Segments([0, 1].map(corner))),
            (None, 3) => Ok(Targets::Triangles([0, 1, 2].map(corner))),
            (None, count) => Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "a target has one to three corners, not {count}"
            ))),
        }
    }
}

/// The row of the corner that an error is about.
fn corner_fault(corners: &[Vectors<'_>], index: usize, error: ShapeError) -> Fault {
    let number = match error.field().split('.').next() {
        Some("b") => 1,
        Some("c") => 2,
        _ => 0,
    };
    at(corners[number.min(corners.len() - 1)].len(), index)(error)
}

impl Targets<'_> {
    #[inline(always)]
    fn get(&self, index: usize) -> Result<Target, Fault> {
        match self {
            Self::Shapes(shapes) => shapes.get(index).map(Target::Shape),
            Self::Points(points) => {
                Point::new(points.get(index)).map(Target::Point).map_err(at(points.len(), index))
            }
            Self::Segments(corners) => {
                let [a, b] = corners.map(|corner| corner.get(index));
                let made = Segment::new(a, b).map(Target::Segment);
                made.map_err(|error| corner_fault(corners, index, error))
            }
            Self::Triangles(corners) => {
                let [a, b, c] = corners.map(|corner| corner.get(index));
                let made = Triangle::new(a, b, c).map(Target::Triangle);
                made.map_err(|error| corner_fault(corners, index, error))
            }
        }
    }
}

impl Target {
    #[inline(always)]
    fn sweep(&self, capsule: &Capsule, motion: &Motion, sides: Sides) -> Option<SweepHit> {
        match self {
            Self::Triangle(one) => capsweep::sweep_capsule_triangle(capsule, motion, one, sides),
            Self::Segment(one) => capsweep::sweep_capsule_segment(capsule, motion, one),
            Self::Point(one) => capsweep::sweep_capsule_point(capsule, motion, one),
            Self::Shape(Shape::Box(one)) => {
                capsweep::sweep_capsule_box(capsule, motion, one, sides)
            }
            Self::Shape(Shape::Sphere(one)) => {
                capsweep::sweep_capsule_sphere(capsule, motion, one, sides)
            }
            Self::Shape(Shape::Capsule(one)) => {
                capsweep::sweep_capsule_capsule(capsule, motion, one, sides)
            }
            Self::Shape(Shape::HalfSpace(one)) => {
                capsweep::sweep_capsule_half_space(capsule, motion, one, sides)
            }
        }
    }

    #[inline(always)]
    fn overlap(&self, capsule: &Capsule) -> Option<Overlap> {
        match self {
            Self::Triangle(one) => capsweep::overlap_capsule_triangle(capsule, one),
            Self::Segment(one) => capsweep::overlap_capsule_segment(capsule, one),
            Self::Point(one) => capsweep::overlap_capsule_point(capsule, one),
            Self::Shape(Shape::Box(one)) => capsweep::overlap_capsule_box(capsule, one),
            Self::Shape(Shape::Sphere(one)) => capsweep::overlap_capsule_sphere(capsule, one),
            Self::Shape(Shape::Capsule(one)) => capsweep::overlap_capsule_capsule(capsule, one),
            Self::Shape(Shape::HalfSpace(one)) => {
                capsweep::overlap_capsule_half_space(capsule, one)
            }
        }
    }

    #[inline(always)]
    fn closest(&self, capsule: &Capsule) -> ClosestPoints {
        match self {
            Self::Triangle(one) => capsweep::closest_capsule_triangle(capsule, one),
            Self::Segment(one) => capsweep::closest_capsule_segment(capsule, one),
            Self::Point(one) => capsweep::closest_capsule_point(capsule, one),
            Self::Shape(Shape::Box(one)) => capsweep::closest_capsule_box(capsule, one),
            Self::Shape(Shape::Sphere(one)) => capsweep::closest_capsule_sphere(capsule, one),
            Self::Shape(Shape::Capsule(one)) => capsweep::closest_capsule_capsule(capsule, one),
            Self::Shape(Shape::HalfSpace(one)) => {
                capsweep::closest_capsule_half_space(capsule, one)
            }
        }
    }

    /// `None` also for a segment or a point, which the Python half refuses: no ray hits them.
    #[inline(always)]
    fn ray(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        match self {
            Self::Triangle(one) => capsweep::ray_triangle(ray, one, sides),
            Self::Segment(_) | Self::Point(_) => None,
            Self::Shape(Shape::Box(one)) => capsweep::ray_box(ray, one, sides),
            Self::Shape(Shape::Sphere(one)) => capsweep::ray_sphere(ray, one, sides),
            Self::Shape(Shape::Capsule(one)) => capsweep::ray_capsule(ray, one, sides),
            Self::Shape(Shape::HalfSpace(one)) => capsweep::ray_half_space(ray, one, sides),
        }
    }
}

#[pyfunction]
pub(crate) fn pair_sweep<'py>(
    py: Python<'py>,
    call: Call,
    targets: TargetArgs<'py>,
    capsules: CapsuleArgs<'py>,
    motions: PyReadonlyArray2<'py, f64>,
    both_sides: bool,
) -> Answer<'py> {
    let (targets, capsules) = (targets.view()?, capsules.view());
    let (motions, sides) = (Vectors(motions.as_array()), sides(both_sides));
    let invalid = PairSweepRow { invalid: true, ..PairSweepRow::NONE };
    call.fill::<PairSweepColumns>(py, invalid, |index| {
        let (target, capsule) = (targets.get(index)?, capsules.get(index)?);
        let found = target.sweep(&capsule, &motion(&motions, index)?, sides);
        Ok(found.map_or(PairSweepRow::NONE, PairSweepRow::from))
    })
}

#[pyfunction]
pub(crate) fn pair_overlap<'py>(
    py: Python<'py>,
    call: Call,
    targets: TargetArgs<'py>,
    capsules: CapsuleArgs<'py>,
) -> Answer<'py> {
    let (targets, capsules) = (targets.view()?, capsules.view());
    let invalid = PairOverlapRow { invalid: true, ..PairOverlapRow::NONE };
    call.fill::<PairOverlapColumns>(py, invalid, |index| {
        let found = targets.get(index)?.overlap(&capsules.get(index)?);
        Ok(found.map_or(PairOverlapRow::NONE, PairOverlapRow::from))
    })
}

#[pyfunction]
pub(crate) fn pair_closest<'py>(
    py: Python<'py>,
    call: Call,
    targets: TargetArgs<'py>,
    capsules: CapsuleArgs<'py>,
) -> Answer<'py> {
    let (targets, capsules) = (targets.view()?, capsules.view());
    let invalid = PairClosestRow { invalid: true, ..PairClosestRow::NONE };
    call.fill::<PairClosestColumns>(py, invalid, |index| {
        Ok(targets.get(index)?.closest(&capsules.get(index)?).into())
    })
}

#[pyfunction]
pub(crate) fn pair_ray<'py>(
    py: Python<'py>,
    call: Call,
    targets: TargetArgs<'py>,
    origins: PyReadonlyArray2<'py, f64>,
    motions: PyReadonlyArray2<'py, f64>,
    both_sides: bool,
) -> Answer<'py> {
    let (targets, sides) = (targets.view()?, sides(both_sides));
    let (origins, motions) = (Vectors(origins.as_array()), Vectors(motions.as_array()));
    let invalid = PairRayRow { invalid: true, ..PairRayRow::NONE };
    call.fill::<PairRayColumns>(py, invalid, |index| {
        let found = targets.get(index)?.ray(&ray_at(&origins, &motions, index)?, sides);
        Ok(found.map_or(PairRayRow::NONE, PairRayRow::from))
    })
}

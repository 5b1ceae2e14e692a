//! Queries of a scene. Each converts, asks and answers row by row, inside the parallel loop.

use crate::error::Fault;
use crate::hit::{
    ClosestColumns, ClosestRow, FlagColumns, FlagRow, LiquidColumns, LiquidRow, OverlapColumns,
    OverlapRow, PushColumns, PushRow, RayColumns, RayRow, SupportColumns, SupportRow,
    SweepColumns, SweepRow,
};
use crate::input::{CapsuleArgs, FilterArgs, Scalars, Vectors, at};
use crate::scene::SceneCore;
use crate::table::{Cell, Columns, OnFault, columns_of, fill, fill_ragged, room_for};
use capsweep::query::Column;
use capsweep::{Limit, Motion, Point, Ray, ShapeError, SlopeLimit};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What all queries have in common.
#[derive(FromPyObject)]
pub(crate) struct Call {
    /// Number of queries.
    pub(crate) rows: usize,
    pub(crate) threads: Option<usize>,
    /// Mark rows with bad input instead of raising.
    pub(crate) mark: bool,
}

impl Call {
    /// One answer for each query; `invalid` for one with bad input, if such rows are marked.
    pub(crate) fn fill<'py, C: Columns>(
        &self,
        py: Python<'py>,
        invalid: C::Row,
        answer: impl Fn(usize) -> Result<C::Row, Fault> + Sync,
    ) -> Answer<'py>
    where
        C::Row: Sync,
    {
        let on_fault = if self.mark { OnFault::Mark(invalid) } else { OnFault::Raise };
        fill::<C>(py, self.threads, self.rows, on_fault, answer)?.into_dict(py)
    }

    /// Any number of answers for each query, and the query's number for each.
    fn fill_ragged<'py, C: Columns>(
        &self,
        py: Python<'py>,
        answer: impl Fn(usize, &mut Vec<C::Row>) -> Result<(), Fault> + Sync,
    ) -> Answer<'py> {
        let answers = fill_ragged(py, self.threads, self.rows, self.mark, answer)?;
        let dict = columns_of::<C>(&answers.rows)?.into_dict(py)?;
        let counts = answers.counts.iter().enumerate();
        let mut query: Vec<i64> = room_for(answers.rows.len())?;
        query.extend(counts.flat_map(|(query, &count)| (0..count).map(move |_| query as i64)));
        dict.set_item("query", Cell::into_array(py, query)?)?;
        dict.set_item("count", Cell::into_array(py, answers.counts)?)?;
        dict.set_item("invalid", Cell::into_array(py, answers.invalid)?)?;
        Ok(dict)
    }
}

pub(crate) type Answer<'py> = PyResult<Bound<'py, PyDict>>;

#[inline(always)]
pub(crate) fn ray_at(
    origins: &Vectors<'_>,
    motions: &Vectors<'_>,
    index: usize,
) -> Result<Ray, Fault> {
    let motion = motion(motions, index)?;
    Ray::new(origins.get(index), motion).map_err(at(origins.len(), index))
}

#[inline(always)]
pub(crate) fn motion(motions: &Vectors<'_>, index: usize) -> Result<Motion, Fault> {
    Motion::new(motions.get(index)).map_err(at(motions.len(), index))
}

#[pyfunction]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    motions: PyReadonlyArray2<'py, f64>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, motions, filters) =
        (capsules.view(), Vectors(motions.as_array()), filters.view());
    let scene = scene.snapshot();
    let invalid = SweepRow { invalid: true, ..SweepRow::NONE };
    call.fill::<SweepColumns>(py, invalid, |index| {
        let (capsule, motion) = (capsules.get(index)?, motion(&motions, index)?);
        let filter = filters.get(index);
        let found = match filters.ignore(index) {
            None => scene.sweep(&capsule, &motion, &filter),
            Some(body) => {
                scene.sweep_where(&capsule, &motion, &filter, |target| target.body != body)
            }
        };
        Ok(found.map_or(SweepRow::NONE, SweepRow::from))
    })
}

#[pyfunction]
pub(crate) fn sweep_any<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    motions: PyReadonlyArray2<'py, f64>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, motions, filters) =
        (capsules.view(), Vectors(motions.as_array()), filters.view());
    let scene = scene.snapshot();
    let invalid = FlagRow { invalid: true, ..FlagRow::NONE };
    call.fill::<FlagColumns>(py, invalid, |index| {
        let (capsule, motion) = (capsules.get(index)?, motion(&motions, index)?);
        let hit = scene.sweep_any(&capsule, &motion, &filters.get(index));
        Ok(FlagRow { hit, invalid: false })
    })
}

#[pyfunction]
pub(crate) fn sweep_all<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    motions: PyReadonlyArray2<'py, f64>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, motions, filters) =
        (capsules.view(), Vectors(motions.as_array()), filters.view());
    let scene = scene.snapshot();
    call.fill_ragged::<SweepColumns>(py, |index, rows| {
        let (capsule, motion) = (capsules.get(index)?, motion(&motions, index)?);
        let mut found = Vec::new();
        scene.sweep_all(&capsule, &motion, &filters.get(index), &mut found);
        rows.extend(found.into_iter().map(SweepRow::from));
        Ok(())
    })
}

#[pyfunction]
pub(crate) fn overlap<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, filters, scene) = (capsules.view(), filters.view(), scene.snapshot());
    let invalid = OverlapRow { invalid: true, ..OverlapRow::NONE };
    call.fill::<OverlapColumns>(py, invalid, |index| {
        let found = scene.overlap(&capsules.get(index)?, &filters.get(index));
        Ok(found.map_or(OverlapRow::NONE, OverlapRow::from))
    })
}

#[pyfunction]
pub(crate) fn overlaps<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, filters, scene) = (capsules.view(), filters.view(), scene.snapshot());
    let invalid = FlagRow { invalid: true, ..FlagRow::NONE };
    call.fill::<FlagColumns>(py, invalid, |index| {
        let hit = scene.overlaps(&capsules.get(index)?, &filters.get(index));
        Ok(FlagRow { hit, invalid: false })
    })
}

#[pyfunction]
pub(crate) fn overlap_all<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, filters, scene) = (capsules.view(), filters.view(), scene.snapshot());
    call.fill_ragged::<OverlapColumns>(py, |index, rows| {
        let mut found = Vec::new();
        scene.overlap_all(&capsules.get(index)?, &filters.get(index), &mut found);
        rows.extend(found.into_iter().map(OverlapRow::from));
        Ok(())
    })
}

#[pyfunction]
pub(crate) fn closest<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    limits: PyReadonlyArray1<'py, f64>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, limits, filters) =
        (capsules.view(), Scalars(limits.as_array()), filters.view());
    let scene = scene.snapshot();
    let invalid = ClosestRow { invalid: true, ..ClosestRow::NONE };
    call.fill::<ClosestColumns>(py, invalid, |index| {
        let capsule = capsules.get(index)?;
        let limit = Limit::new(limits.get(index)).map_err(at(limits.len(), index))?;
        let found = scene.closest(&capsule, limit, &filters.get(index));
        Ok(found.map_or(ClosestRow::NONE, ClosestRow::from))
    })
}

#[pyfunction]
pub(crate) fn ray<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    origins: PyReadonlyArray2<'py, f64>,
    motions: PyReadonlyArray2<'py, f64>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (origins, motions) = (Vectors(origins.as_array()), Vectors(motions.as_array()));
    let (filters, scene) = (filters.view(), scene.snapshot());
    let invalid = RayRow { invalid: true, ..RayRow::NONE };
    call.fill::<RayColumns>(py, invalid, |index| {
        let ray = ray_at(&origins, &motions, index)?;
        Ok(scene.ray(&ray, &filters.get(index)).map_or(RayRow::NONE, RayRow::from))
    })
}

/// Columns in which to look for floors and ceilings.
#[derive(FromPyObject)]
pub(crate) struct ColumnArgs<'py> {
    points: PyReadonlyArray2<'py, f64>,
    above: PyReadonlyArray1<'py, f64>,
    below: PyReadonlyArray1<'py, f64>,
    up: [f64; 3],
    slope_degrees: f64,
}

#[pyfunction]
pub(crate) fn supports<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    columns: ColumnArgs<'py>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let points = Vectors(columns.points.as_array());
    let (above, below) = (Scalars(columns.above.as_array()), Scalars(columns.below.as_array()));
    let (filters, scene, up) = (filters.view(), scene.snapshot(), columns.up.into());
    let slope = SlopeLimit::from_degrees(columns.slope_degrees)
        .map_err(|error| Fault::from(error).raise(py))?;
    call.fill_ragged::<SupportColumns>(py, |index, rows| {
        let (above_at, below_at) = (above.get(index), below.get(index));
        let column = Column::new(points.get(index), up, above_at, below_at).map_err(
            |error: ShapeError| {
                let rows = match error.field() {
                    "above" => above.len(),
                    "below" => below.len(),
                    field if field.starts_with("up") => 1,
                    _ => points.len(),
                };
                at(rows, index)(error)
            },
        )?;
        let mut found = Vec::new();
        scene.supports(&column, slope, &filters.get(index), &mut found);
        rows.extend(found.iter().map(SupportRow::from));
        Ok(())
    })
}

fn point(points: &Vectors<'_>, index: usize) -> Result<Point, Fault> {
    Point::new(points.get(index)).map_err(at(points.len(), index))
}

#[pyfunction]
pub(crate) fn liquid<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    points: PyReadonlyArray2<'py, f64>,
) -> Answer<'py> {
    let (points, scene) = (Vectors(points.as_array()), scene.snapshot());
    let invalid = LiquidRow { invalid: true, ..LiquidRow::NONE };
    call.fill::<LiquidColumns>(py, invalid, |index| {
        let found = scene.liquid_at(&point(&points, index)?);
        Ok(found.as_ref().map_or(LiquidRow::NONE, LiquidRow::from))
    })
}

#[pyfunction]
pub(crate) fn liquids_over<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    points: PyReadonlyArray2<'py, f64>,
) -> Answer<'py> {
    let (points, scene) = (Vectors(points.as_array()), scene.snapshot());
    call.fill_ragged::<LiquidColumns>(py, |index, rows| {
        let mut found = Vec::new();
        scene.liquids_over(&point(&points, index)?, &mut found);
        rows.extend(found.iter().map(LiquidRow::from));
        Ok(())
    })
}

#[pyfunction]
pub(crate) fn depenetrate<'py>(
    py: Python<'py>,
    call: Call,
    scene: &SceneCore,
    capsules: CapsuleArgs<'py>,
    filters: FilterArgs<'py>,
) -> Answer<'py> {
    let (capsules, filters, scene) = (capsules.view(), filters.view(), scene.snapshot());
    let invalid = PushRow { invalid: true, ..PushRow::NONE };
    call.fill::<PushColumns>(py, invalid, |index| {
        Ok(scene.depenetrate(&capsules.get(index)?, &filters.get(index)).into())
    })
}

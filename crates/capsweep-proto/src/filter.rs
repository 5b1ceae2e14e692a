//! Filters.

use crate::column::{Column, shortened};
use crate::enums::{
    bodies, encode_bodies, encode_sides, encode_start_overlaps, sides, start_overlaps,
};
use crate::{FieldError, v1};
use capsweep::scene::Filter;

impl From<Filter> for v1::Filter {
    fn from(filter: Filter) -> Self {
        Self {
            mask: (filter.mask != u32::MAX).then_some(filter.mask),
            sides: encode_sides(filter.sides),
            bodies: encode_bodies(filter.bodies),
            start_overlaps: encode_start_overlaps(filter.start_overlaps),
        }
    }
}

pub(crate) fn filter(filter: Option<&v1::Filter>) -> Result<Filter, FieldError> {
    let Some(filter) = filter else { return Ok(Filter::default()) };
    Ok(Filter {
        mask: filter.mask.unwrap_or(u32::MAX),
        sides: sides("filter.sides", filter.sides)?,
        bodies: bodies("filter.bodies", filter.bodies)?,
        start_overlaps: start_overlaps("filter.start_overlaps", filter.start_overlaps)?,
    })
}

/// Columns of filters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filters<'a> {
    mask: Column<'a, u32>,
    sides: Column<'a, i32>,
    bodies: Column<'a, i32>,
    start_overlaps: Column<'a, i32>,
    /// The filter of all rows, if no column has more than one value and all are good. To read it
    /// row by row, the processor would wait until its parts are written, and all answers before.
    of_all: Option<Filter>,
}

impl<'a> Filters<'a> {
    pub(crate) fn new(
        columns: Option<&'a v1::FilterColumns>,
        rows: usize,
    ) -> Result<Self, FieldError> {
        const NONE: &v1::FilterColumns = &v1::FilterColumns {
            mask: Vec::new(),
            sides: Vec::new(),
            bodies: Vec::new(),
            start_overlaps: Vec::new(),
        };
        let v1::FilterColumns { mask, sides, bodies, start_overlaps } = columns.unwrap_or(NONE);
        let longest = mask.len().max(sides.len()).max(bodies.len()).max(start_overlaps.len());
        let mut filters = Self {
            mask: Column::new("filters.mask", mask, 1, rows)?,
            sides: Column::new("filters.sides", sides, 1, rows)?,
            bodies: Column::new("filters.bodies", bodies, 1, rows)?,
            start_overlaps: Column::new("filters.start_overlaps", start_overlaps, 1, rows)?,
            of_all: None,
        };
        if longest <= 1 {
            // Bad values are errors of each row.
            filters.of_all = filters.read(0).ok();
        }
        Ok(filters)
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<Filter, FieldError> {
        match self.of_all {
            Some(filter) => Ok(filter),
            None => self.read(row),
        }
    }

    /// Whether all rows have the same filter, which is good.
    pub(crate) fn are_same(&self) -> bool {
        self.of_all.is_some()
    }

    fn read(&self, row: usize) -> Result<Filter, FieldError> {
        let start = self.start_overlaps.get(row).unwrap_or(0);
        Ok(Filter {
            mask: self.mask.get(row).unwrap_or(u32::MAX),
            sides: sides("filters.sides", self.sides.get(row).unwrap_or(0))?,
            bodies: bodies("filters.bodies", self.bodies.get(row).unwrap_or(0))?,
            start_overlaps: start_overlaps("filters.start_overlaps", start)?,
        })
    }
}

pub(crate) fn encode_filters(
    filters: impl Iterator<Item = Filter> + Clone,
) -> Option<v1::FilterColumns> {
    let columns = v1::FilterColumns {
        mask: shortened(filters.clone().map(|filter| filter.mask), Some(u32::MAX)),
        sides: shortened(filters.clone().map(|filter| encode_sides(filter.sides)), Some(0)),
        bodies: shortened(filters.clone().map(|filter| encode_bodies(filter.bodies)), Some(0)),
        start_overlaps: shortened(
            filters.map(|filter| encode_start_overlaps(filter.start_overlaps)),
            Some(0),
        ),
    };
    (columns != v1::FilterColumns::default()).then_some(columns)
}

//! The surroundings of characters: filters, ignored bodies and carriers.

use crate::column::{Column, shortened};
use crate::enums::enum_pair;
use crate::error::Within as _;
use crate::filter::{Filters, encode_filters, filter};
use crate::geometry::pose;
use crate::target::body_id;
use crate::{FieldError, v1};
use capsweep::controller::{Carrier, Ride, Surroundings};
use capsweep::scene::BodyId;

enum_pair!(encode_ride, ride: Ride = Ride { Full, Vertical, Manual, Boarded });

impl From<&Carrier> for v1::Carrier {
    fn from(carrier: &Carrier) -> Self {
        Self {
            body: Some(carrier.body.into()),
            previous: Some(carrier.previous.into()),
            next: Some(carrier.next.into()),
            ride: encode_ride(carrier.ride),
        }
    }
}

pub(crate) fn carrier(given: &v1::Carrier) -> Result<Carrier, FieldError> {
    Ok(Carrier {
        body: body_id("body", given.body)?,
        previous: pose("previous", given.previous.as_ref())?,
        next: pose("next", given.next.as_ref())?,
        ride: ride("ride", given.ride)?,
    })
}

/// All carriers of a field. An error names the index of the bad one.
pub(crate) fn carriers(field: &str, given: &[v1::Carrier]) -> Result<Vec<Carrier>, FieldError> {
    let one = |(index, given)| carrier(given).within(&format!("{field}[{index}]"));
    given.iter().enumerate().map(one).collect()
}

pub(crate) fn surroundings(
    of: Option<&v1::Filter>,
    ignore: Option<v1::BodyId>,
) -> Result<Surroundings, FieldError> {
    Ok(Surroundings { filter: filter(of)?, ignore: ignore.map(BodyId::from) })
}

/// Columns of surroundings.
pub(super) struct Around<'a> {
    filters: Filters<'a>,
    ignored: &'a [v1::BodyId],
    ignore: Column<'a, u32>,
    carriers: Vec<Carrier>,
    carrier: Column<'a, u32>,
    /// As [`Filters`] has one for all rows.
    of_all: Option<Surroundings>,
}

/// A value of a table by its number, from 1; 0 is none.
#[inline]
fn numbered<'a, T>(
    field: &str,
    table: &'a [T],
    number: Option<u32>,
) -> Result<Option<&'a T>, FieldError> {
    let Some(index) = number.unwrap_or(0).checked_sub(1) else { return Ok(None) };
    let missing = || {
        let message = format!("there is no entry {} among {}", index + 1, table.len());
        FieldError::new(field, message)
    };
    table.get(index as usize).map(Some).ok_or_else(missing)
}

impl<'a> Around<'a> {
    pub(super) fn new(
        columns: Option<&'a v1::SurroundingsColumns>,
        rows: usize,
    ) -> Result<Self, FieldError> {
        let Some(of) = columns else {
            return Ok(Self {
                filters: Filters::new(None, rows)?,
                ignored: &[],
                ignore: Column::new("", &[], 1, rows)?,
                carriers: Vec::new(),
                carrier: Column::new("", &[], 1, rows)?,
                of_all: Some(Surroundings::default()),
            });
        };
        let mut around = Self {
            filters: Filters::new(of.filters.as_ref(), rows).within("surroundings")?,
            ignored: &of.ignored,
            ignore: Column::new("surroundings.ignore", &of.ignore, 1, rows)?,
            carriers: carriers("surroundings.carriers", &of.carriers)?,
            carrier: Column::new("surroundings.carrier", &of.carrier, 1, rows)?,
            of_all: None,
        };
        if of.ignore.len() <= 1 && around.filters.are_same() {
            around.of_all = around.read(0).ok();
        }
        Ok(around)
    }

    #[inline]
    pub(super) fn surroundings(&self, row: usize) -> Result<Surroundings, FieldError> {
        match self.of_all {
            Some(surroundings) => Ok(surroundings),
            None => self.read(row),
        }
    }

    fn read(&self, row: usize) -> Result<Surroundings, FieldError> {
        let ignore = numbered("surroundings.ignore", self.ignored, self.ignore.get(row))?;
        let filter = self.filters.get(row).within("surroundings")?;
        Ok(Surroundings { filter, ignore: ignore.copied().map(BodyId::from) })
    }

    /// By reference: a carrier is large, and most characters have none.
    #[inline]
    pub(super) fn carrier(&self, row: usize) -> Result<Option<&Carrier>, FieldError> {
        numbered("surroundings.carrier", &self.carriers, self.carrier.get(row))
    }
}

/// The number of a value in a table. A new value is added.
fn number_of<T: PartialEq>(table: &mut Vec<T>, value: Option<T>) -> u32 {
    let Some(value) = value else { return 0 };
    let index = table.iter().position(|other| *other == value).unwrap_or_else(|| {
        table.push(value);
        table.len() - 1
    });
    index as u32 + 1
}

pub(super) fn surroundings_columns(
    all: impl Iterator<Item = (Surroundings, Option<Carrier>)> + Clone,
) -> Option<v1::SurroundingsColumns> {
    let mut columns = v1::SurroundingsColumns {
        filters: encode_filters(all.clone().map(|(surroundings, _)| surroundings.filter)),
        ..v1::SurroundingsColumns::default()
    };
    for (Surroundings { ignore, .. }, carrier) in all {
        let number = number_of(&mut columns.ignored, ignore.map(v1::BodyId::from));
        columns.ignore.push(number);
        let carrier = carrier.as_ref().map(v1::Carrier::from);
        let number = number_of(&mut columns.carriers, carrier);
        columns.carrier.push(number);
    }
    columns.ignore = shortened(columns.ignore, Some(0));
    columns.carrier = shortened(columns.carrier, Some(0));
    (columns != v1::SurroundingsColumns::default()).then_some(columns)
}

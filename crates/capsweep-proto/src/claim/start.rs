//! Starts of chains of claims.

use super::rules::ClaimPlace;
use crate::batch::{Answers, Queries, common_parts, join};
use crate::column::{Column, rows_of};
use crate::{FieldError, v1};
use capsweep::validate::{SpeedLimits, Validator};
use glam::DVec3;

/// The start of one chain of claims.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartQuery {
    /// Feet of the character.
    pub feet: DVec3,
    /// Its velocity, if it is known.
    pub velocity: Option<DVec3>,
    /// Its largest speeds.
    pub speeds: SpeedLimits,
}

/// Checked columns of starts.
pub struct StartColumns<'a> {
    rows: usize,
    feet: Column<'a, f64>,
    velocity: Column<'a, f64>,
    speeds: Column<'a, v1::SpeedLimits>,
}

impl v1::StartRequest {
    /// The starts.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<StartColumns<'_>, FieldError> {
        let rows = rows_of("feet", self.feet.len(), 3)?;
        Ok(StartColumns {
            rows,
            feet: Column::new("feet", &self.feet, 3, rows)?,
            velocity: Column::new("velocity", &self.velocity, 3, rows)?,
            speeds: Column::new("speeds", &self.speeds, 1, rows)?,
        })
    }

    /// A request for starts. It has velocities only if all are known.
    pub fn new(validator: &Validator, place: &ClaimPlace, queries: &[StartQuery]) -> Self {
        let known = queries.iter().filter_map(|query| query.velocity);
        let velocity: Vec<f64> = known.flat_map(|velocity| velocity.to_array()).collect();
        let all_known = velocity.len() == 3 * queries.len();
        Self {
            config: Some(validator.into()),
            claim_world: Some(place.into()),
            feet: queries.iter().flat_map(|query| query.feet.to_array()).collect(),
            velocity: if all_known { velocity } else { Vec::new() },
            speeds: queries.iter().map(|query| query.speeds.into()).collect(),
            ..Self::default()
        }
    }
}

impl Queries for StartColumns<'_> {
    type Query = StartQuery;

    fn rows(&self) -> usize {
        self.rows
    }

    fn query(&self, row: usize) -> Result<StartQuery, FieldError> {
        let speeds = self.speeds.get(row).ok_or_else(|| FieldError::missing("speeds"))?;
        Ok(StartQuery {
            feet: self.feet.vector(row).unwrap_or_default(),
            velocity: self.velocity.vector(row),
            speeds: speeds.into(),
        })
    }
}

impl Answers for v1::StartResponse {
    type Answer = Vec<u8>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        self.accepted.reserve(rows);
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other; errors, query, accepted);
    }

    fn push(&mut self, query: u32, accepted: &Vec<u8>) {
        self.query.push(query);
        self.accepted.push(accepted.clone());
    }

    fn answers(&self) -> Result<Vec<(u32, Vec<u8>)>, FieldError> {
        if self.query.len() != self.accepted.len() {
            return Err(FieldError::new("accepted", "it has another length than `query`"));
        }
        Ok(self.query.iter().copied().zip(self.accepted.iter().cloned()).collect())
    }
}

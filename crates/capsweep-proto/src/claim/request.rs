//! Claims: their requests.

use super::changes::Changes;
use super::rules::ClaimPlace;
use crate::accepted::decode_accepted;
use crate::batch::Queries;
use crate::character::{encode_mode, mode};
use crate::column::{Column, rows_of, shortened};
use crate::geometry::vector;
use crate::{FieldError, v1};
use capsweep::controller::Mode;
use capsweep::validate::{Accepted, Claim, ClaimTick, Validator};
use glam::DVec3;

/// A claim with its inputs, and the accepted state before it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimQuery {
    /// The last accepted state, with the changes since.
    pub accepted: Accepted,
    /// Claimed feet.
    pub feet: DVec3,
    /// Seconds by the client's clock.
    pub dt: f64,
    /// Seconds by the server's clock.
    pub server_dt: f64,
    /// Claimed velocity.
    pub velocity: Option<DVec3>,
    /// Claimed mode.
    pub mode: Option<Mode>,
    /// Claimed world.
    pub world: u64,
    /// Claimed inputs.
    pub inputs: Vec<ClaimTick>,
}

impl ClaimQuery {
    /// The library's claim.
    pub fn claim(&self) -> Claim<'_> {
        Claim {
            feet: self.feet,
            dt: self.dt,
            server_dt: self.server_dt,
            velocity: self.velocity,
            mode: self.mode,
            world: self.world,
            inputs: &self.inputs,
        }
    }
}

/// A claim as a client of the service sends it.
#[derive(Debug, Clone, Copy)]
pub struct ClaimSent<'a> {
    /// The bytes of the last accepted state.
    pub accepted: &'a [u8],
    /// Changes that the server has made since.
    pub changes: Option<Changes>,
    /// The claim.
    pub claim: Claim<'a>,
}

impl v1::ValidateRequest {
    /// The claim and the accepted state before it.
    ///
    /// # Errors
    /// If a value of the caller is bad. Bad numbers of the claim itself are left to the verdict.
    pub fn query(&self) -> Result<ClaimQuery, FieldError> {
        let mut accepted = decode_accepted(&self.accepted)?;
        if let Some(changes) = &self.changes {
            Changes::from(changes).apply(&mut accepted)?;
        }
        let claim = self.claim.as_ref().ok_or_else(|| FieldError::missing("claim"))?;
        let tick = |tick: &v1::ClaimTick| ClaimTick {
            walk: tick.walk.map_or(DVec3::ZERO, DVec3::from),
            jump: tick.jump,
            dt: tick.dt,
        };
        Ok(ClaimQuery {
            accepted,
            feet: vector("claim.feet", claim.feet.as_ref())?,
            dt: claim.dt,
            server_dt: claim.server_dt.unwrap_or(claim.dt),
            velocity: claim.velocity.map(DVec3::from),
            mode: mode("claim.mode", claim.mode)?,
            world: claim.world,
            inputs: claim.inputs.iter().map(tick).collect(),
        })
    }

    /// A request to judge a claim.
    pub fn new(validator: &Validator, place: &ClaimPlace, sent: &ClaimSent<'_>) -> Self {
        let claim = &sent.claim;
        let tick = |tick: &ClaimTick| v1::ClaimTick {
            walk: Some(tick.walk.into()),
            jump: tick.jump,
            dt: tick.dt,
        };
        let claim = v1::Claim {
            feet: Some(claim.feet.into()),
            dt: claim.dt,
            server_dt: Some(claim.server_dt),
            velocity: claim.velocity.map(v1::Vector::from),
            mode: claim.mode.map_or(0, encode_mode),
            world: claim.world,
            inputs: claim.inputs.iter().map(tick).collect(),
        };
        Self {
            config: Some(validator.into()),
            claim_world: Some(place.into()),
            accepted: sent.accepted.to_vec(),
            changes: sent.changes.as_ref().map(v1::Changes::from),
            claim: Some(claim),
            ..Self::default()
        }
    }
}

/// Checked columns of claims.
pub struct ClaimColumns<'a> {
    of: &'a v1::ValidateBatchRequest,
    feet: Column<'a, f64>,
    dt: Column<'a, f64>,
    server_dt: Column<'a, f64>,
    flags: Column<'a, u32>,
    velocity: Column<'a, f64>,
    mode: Column<'a, i32>,
    world: Column<'a, u64>,
    /// Where the inputs of each claim start; one more for the end.
    input_starts: Vec<usize>,
}

impl v1::ValidateBatchRequest {
    /// The claims.
    ///
    /// # Errors
    /// If a column has a wrong length.
    pub fn queries(&self) -> Result<ClaimColumns<'_>, FieldError> {
        let rows = rows_of("accepted", self.accepted.len(), 1)?;
        let counts = Column::new("input_count", &self.input_count, 1, rows)?;
        let ticks = self.input_dt.len();
        let mut input_starts = vec![0];
        let mut end = 0;
        for row in 0..rows {
            end += counts.get(row).unwrap_or(0) as usize;
            input_starts.push(end);
        }
        if end != ticks {
            let message = format!("their sum is {end}, and there are {ticks} inputs");
            return Err(FieldError::new("input_count", message));
        }
        Column::full("input_walk", &self.input_walk, 3, ticks)?;
        Column::full("input_jump", &self.input_jump, 1, ticks)?;
        if self.changes.len() != self.changes_query.len() {
            return Err(FieldError::new("changes", "it has another length than `changes_query`"));
        }
        if !self.changes_query.is_sorted() {
            return Err(FieldError::new("changes_query", "it is not in ascending order"));
        }
        if let Some(last) = self.changes_query.last().filter(|last| **last as usize >= rows) {
            let message = format!("there is no claim {last} among {rows}");
            return Err(FieldError::new("changes_query", message));
        }
        Ok(ClaimColumns {
            of: self,
            feet: Column::new("feet", &self.feet, 3, rows)?,
            dt: Column::new("dt", &self.dt, 1, rows)?,
            server_dt: Column::new("server_dt", &self.server_dt, 1, rows)?,
            flags: Column::new("flags", &self.flags, 1, rows)?,
            velocity: Column::new("velocity", &self.velocity, 3, rows)?,
            mode: Column::new("mode", &self.mode, 1, rows)?,
            world: Column::new("claimed_world", &self.claimed_world, 1, rows)?,
            input_starts,
        })
    }

    /// A request to judge claims.
    pub fn new(validator: &Validator, place: &ClaimPlace, sent: &[ClaimSent<'_>]) -> Self {
        let claims = sent.iter().map(|sent| &sent.claim);
        let ticks = claims.clone().flat_map(|claim| claim.inputs);
        let changed = sent.iter().zip(0_u32..);
        let changed = changed.filter_map(|(sent, query)| Some((query, sent.changes?)));
        let any_velocity = claims.clone().any(|claim| claim.velocity.is_some());
        let velocities = claims.clone().map(|claim| claim.velocity.unwrap_or(DVec3::ZERO));
        let velocities = velocities.flat_map(|velocity| velocity.to_array());
        let counts = claims.clone().map(|claim| claim.inputs.len() as u32);
        let modes = claims.clone().map(|claim| claim.mode.map_or(0, encode_mode));
        Self {
            config: Some(validator.into()),
            claim_world: Some(place.into()),
            accepted: sent.iter().map(|sent| sent.accepted.to_vec()).collect(),
            changes_query: changed.clone().map(|(query, _)| query).collect(),
            changes: changed.map(|(_, changes)| v1::Changes::from(&changes)).collect(),
            feet: claims.clone().flat_map(|claim| claim.feet.to_array()).collect(),
            dt: shortened(claims.clone().map(|claim| claim.dt), None),
            server_dt: shortened(claims.clone().map(|claim| claim.server_dt), None),
            flags: shortened(claims.clone().map(|claim| claim.velocity.is_some().into()), Some(0)),
            velocity: if any_velocity { velocities.collect() } else { Vec::new() },
            mode: shortened(modes, Some(0)),
            claimed_world: shortened(claims.clone().map(|claim| claim.world), Some(0)),
            input_count: shortened(counts, Some(0)),
            input_walk: ticks.clone().flat_map(|tick| tick.walk.to_array()).collect(),
            input_jump: ticks.clone().map(|tick| tick.jump).collect(),
            input_dt: ticks.map(|tick| tick.dt).collect(),
            ..Self::default()
        }
    }
}

impl ClaimColumns<'_> {
    /// The claimed inputs of a row.
    fn inputs(&self, row: usize) -> Vec<ClaimTick> {
        let ticks = self.input_starts[row]..self.input_starts[row + 1];
        let tick = |tick: usize| {
            let walk = &self.of.input_walk[3 * tick..3 * tick + 3];
            ClaimTick {
                walk: DVec3::from_slice(walk),
                jump: self.of.input_jump[tick],
                dt: self.of.input_dt[tick],
            }
        };
        ticks.map(tick).collect()
    }
}

impl Queries for ClaimColumns<'_> {
    type Query = ClaimQuery;

    fn rows(&self) -> usize {
        self.of.accepted.len()
    }

    fn query(&self, row: usize) -> Result<ClaimQuery, FieldError> {
        let mut accepted = decode_accepted(&self.of.accepted[row])?;
        let number = row as u32;
        let first = self.of.changes_query.partition_point(|query| *query < number);
        for (query, changes) in self.of.changes_query.iter().zip(&self.of.changes).skip(first) {
            if *query != number {
                break;
            }
            Changes::from(changes).apply(&mut accepted)?;
        }
        let dt = self.dt.get(row).ok_or_else(|| FieldError::missing("dt"))?;
        let velocity = match self.flags.get(row).unwrap_or(0) {
            0 => None,
            1 => {
                let velocity = self.velocity.vector(row);
                Some(velocity.ok_or_else(|| FieldError::missing("velocity"))?)
            }
            flags => return Err(FieldError::new("flags", format!("{flags} has unknown bits"))),
        };
        Ok(ClaimQuery {
            accepted,
            feet: self.feet.vector(row).ok_or_else(|| FieldError::missing("feet"))?,
            dt,
            server_dt: self.server_dt.get(row).unwrap_or(dt),
            velocity,
            mode: mode("mode", self.mode.get(row).unwrap_or(0))?,
            world: self.world.get(row).unwrap_or(0),
            inputs: self.inputs(row),
        })
    }
}

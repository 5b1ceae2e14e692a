//! Claims and judgements.

use crate::accepted::{decode_accepted, encode_accepted};
use crate::batch::{Answers, Queries, common_parts};
use crate::character::{encode_mode, mode};
use crate::column::{Column, rows_of, shortened};
use crate::error::Within as _;
use crate::geometry::vector;
use crate::hit::push3;
use crate::moves::{carrier, encode_water, surroundings, water};
use crate::{FieldError, config, v1};
use capsweep::controller::{Abilities, Carrier, Mode, Surroundings, Water};
use capsweep::scene::SceneHit;
use capsweep::validate::{
    Accepted, Allowances, Claim, ClaimTick, ClaimWorld, Judgement, Reason, SpeedLimits, Validator,
    ValidatorConfig, Verdict,
};
use glam::DVec3;

/// The validator of a configuration.
///
/// # Errors
/// If a value is bad.
pub fn validator(given: Option<&v1::ValidatorConfig>) -> Result<Validator, FieldError> {
    let none = v1::ValidatorConfig::default();
    let given = given.unwrap_or(&none);
    let locomotion = config::locomotion(given.config.as_ref(), given.locomotion.as_ref());
    let base = ValidatorConfig::default();
    let Allowances { position, latency, clock } = base.allowances;
    let config = ValidatorConfig {
        allowances: Allowances {
            position: given.position_allowance.unwrap_or(position),
            latency: given.latency_allowance.unwrap_or(latency),
            clock: given.clock_allowance.unwrap_or(clock),
        },
        max_queries: given.max_queries.unwrap_or(base.max_queries),
    };
    Validator::new(locomotion.within("config")?, config)
        .map_err(|error| FieldError::config("config", error))
}

impl From<&Validator> for v1::ValidatorConfig {
    fn from(validator: &Validator) -> Self {
        let ValidatorConfig { allowances, max_queries } = *validator.config();
        Self {
            config: Some(validator.locomotion().controller().config().into()),
            locomotion: Some(validator.locomotion().config().into()),
            position_allowance: Some(allowances.position),
            latency_allowance: Some(allowances.latency),
            clock_allowance: Some(allowances.clock),
            max_queries: Some(max_queries),
        }
    }
}

/// The world of claims, without its scene.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPlace {
    /// What the characters collide with.
    pub surroundings: Surroundings,
    /// Where the water is.
    pub water: Water,
    /// What moved since the last claim.
    pub moved: Vec<Carrier>,
    /// The caller's number for this world.
    pub id: u64,
}

impl Default for ClaimPlace {
    /// Everything counts, nothing moves, and the number is 0.
    fn default() -> Self {
        let (surroundings, water) = (Surroundings::default(), Water::Scene);
        Self { surroundings, water, moved: Vec::new(), id: 0 }
    }
}

impl ClaimPlace {
    /// The place of a message.
    ///
    /// # Errors
    /// If a value is bad.
    pub fn decode(given: Option<&v1::ClaimWorld>) -> Result<Self, FieldError> {
        let Some(given) = given else { return Ok(Self::default()) };
        let place = |given: &v1::ClaimWorld| -> Result<Self, FieldError> {
            let moved = given.moved.iter().map(carrier).collect::<Result<_, _>>();
            Ok(Self {
                surroundings: surroundings(given.filter.as_ref(), given.ignore)?,
                water: water(given.water.as_ref())?,
                moved: moved.within("moved")?,
                id: given.id,
            })
        };
        place(given).within("claim_world")
    }

    /// The world with a scene.
    pub fn in_scene<'a>(&'a self, scene: &'a capsweep::scene::Scene) -> ClaimWorld<'a> {
        let Self { surroundings, water, moved, id } = self;
        ClaimWorld { scene, surroundings: *surroundings, water: *water, moved, id: *id }
    }
}

impl From<&ClaimPlace> for v1::ClaimWorld {
    fn from(place: &ClaimPlace) -> Self {
        Self {
            filter: Some(place.surroundings.filter.into()),
            ignore: place.surroundings.ignore.map(v1::BodyId::from),
            water: encode_water(place.water),
            moved: place.moved.iter().map(v1::Carrier::from).collect(),
            id: place.id,
        }
    }
}

/// What the server did to a character since its last claim.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Changes {
    /// New speeds.
    pub speeds: Option<SpeedLimits>,
    /// New abilities.
    pub abilities: Option<Abilities>,
    /// A knock-back (m/s).
    pub knock_back: Option<DVec3>,
    /// A displacement (metres).
    pub displacement: Option<DVec3>,
    /// Seconds within which the client learns of it.
    pub window: f64,
}

impl Changes {
    /// Makes the changes: speeds, abilities, knock-back, displacement.
    ///
    /// # Errors
    /// If a number is bad.
    pub fn apply(&self, accepted: &mut Accepted) -> Result<(), FieldError> {
        // False for NaN.
        if !(self.window >= 0.0 && self.window <= capsweep::MAX_SIZE) {
            let message = format!("{} is not a number of seconds", self.window);
            return Err(FieldError::new("changes.window", message));
        }
        if let Some(speeds) = self.speeds {
            accepted.change_speeds(speeds, self.window).within("changes")?;
        }
        if let Some(abilities) = self.abilities {
            if !(abilities.hover >= 0.0 && abilities.hover <= capsweep::MAX_SIZE) {
                let message = format!("{} is not a height", abilities.hover);
                return Err(FieldError::new("changes.abilities.hover", message));
            }
            accepted.set_abilities(abilities);
        }
        if let Some(velocity) = self.knock_back {
            accepted.knock_back(velocity, self.window).within("changes.knock_back")?;
        }
        if let Some(displacement) = self.displacement {
            accepted.displace(displacement).within("changes")?;
        }
        Ok(())
    }
}

impl From<&v1::Changes> for Changes {
    fn from(given: &v1::Changes) -> Self {
        Self {
            speeds: given.speeds.map(SpeedLimits::from),
            abilities: given.abilities.map(Abilities::from),
            knock_back: given.knock_back.map(DVec3::from),
            displacement: given.displacement.map(DVec3::from),
            window: given.window,
        }
    }
}

impl From<&Changes> for v1::Changes {
    fn from(changes: &Changes) -> Self {
        Self {
            speeds: changes.speeds.map(v1::SpeedLimits::from),
            abilities: changes.abilities.map(v1::Abilities::from),
            knock_back: changes.knock_back.map(v1::Vector::from),
            displacement: changes.displacement.map(v1::Vector::from),
            window: changes.window,
        }
    }
}

impl From<SpeedLimits> for v1::SpeedLimits {
    fn from(SpeedLimits { ground, swim, fly }: SpeedLimits) -> Self {
        Self { ground, swim, fly }
    }
}

impl From<v1::SpeedLimits> for SpeedLimits {
    fn from(v1::SpeedLimits { ground, swim, fly }: v1::SpeedLimits) -> Self {
        Self { ground, swim, fly }
    }
}

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

    /// A request for starts. The velocities count if all are known.
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
    /// What was done to the character since.
    pub changes: Option<Changes>,
    /// The claim.
    pub claim: Claim<'a>,
}

impl v1::ValidateRequest {
    /// The claim and the accepted state before it.
    ///
    /// # Errors
    /// If a value of the caller is bad. Bad numbers of the claim itself are judged.
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
    /// Number of claimed inputs in a row.
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

/// The judgement of a claim, as the service gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The bytes of the state for the next claim.
    pub accepted: Vec<u8>,
    /// Its feet.
    pub feet: DVec3,
    /// Number of scene queries.
    pub queries: u32,
}

impl TryFrom<&Judgement> for Judged {
    type Error = FieldError;

    fn try_from(judgement: &Judgement) -> Result<Self, FieldError> {
        Ok(Self {
            verdict: judgement.verdict,
            accepted: encode_accepted(&judgement.next)?,
            feet: judgement.next.feet(),
            queries: judgement.queries,
        })
    }
}

fn encode_reason(reason: &Reason) -> (v1::Reason, f64) {
    match *reason {
        Reason::TooFast { excess } => (v1::Reason::TooFast, excess),
        Reason::ThroughSurface { .. } => (v1::Reason::ThroughSurface, 0.0),
        Reason::InsideGeometry { depth } => (v1::Reason::InsideGeometry, depth),
        Reason::TooSteep => (v1::Reason::TooSteep, 0.0),
        Reason::TooHigh { excess } => (v1::Reason::TooHigh, excess),
        Reason::Hovering { since } => (v1::Reason::Hovering, since),
        Reason::WrongMode => (v1::Reason::WrongMode, 0.0),
        Reason::ClockAhead { excess } => (v1::Reason::ClockAhead, excess),
        Reason::WrongWorld => (v1::Reason::WrongWorld, 0.0),
        Reason::InvalidNumber => (v1::Reason::InvalidNumber, 0.0),
        // A reason that this version of the protocol does not know.
        _ => (v1::Reason::None, 0.0),
    }
}

fn reason(value: i32, amount: f64, hit: Option<&v1::SweepHit>) -> Result<Reason, FieldError> {
    Ok(match v1::Reason::try_from(value) {
        Ok(v1::Reason::TooFast) => Reason::TooFast { excess: amount },
        Ok(v1::Reason::ThroughSurface) => {
            let hit = hit.ok_or_else(|| FieldError::missing("hit"))?;
            Reason::ThroughSurface { hit: SceneHit::try_from(hit)? }
        }
        Ok(v1::Reason::InsideGeometry) => Reason::InsideGeometry { depth: amount },
        Ok(v1::Reason::TooSteep) => Reason::TooSteep,
        Ok(v1::Reason::TooHigh) => Reason::TooHigh { excess: amount },
        Ok(v1::Reason::Hovering) => Reason::Hovering { since: amount },
        Ok(v1::Reason::WrongMode) => Reason::WrongMode,
        Ok(v1::Reason::ClockAhead) => Reason::ClockAhead { excess: amount },
        Ok(v1::Reason::WrongWorld) => Reason::WrongWorld,
        Ok(v1::Reason::InvalidNumber) => Reason::InvalidNumber,
        Ok(v1::Reason::None) | Err(_) => return Err(FieldError::unknown("reason", value)),
    })
}

fn surface(reason: &Reason) -> Option<v1::SweepHit> {
    match reason {
        Reason::ThroughSurface { hit } => Some(hit.into()),
        _ => None,
    }
}

impl From<&Judged> for v1::Judgement {
    fn from(judged: &Judged) -> Self {
        let mut message = Self {
            accepted: judged.accepted.clone(),
            feet: Some(judged.feet.into()),
            queries: judged.queries,
            ..Self::default()
        };
        match &judged.verdict {
            Verdict::Possible => message.verdict = v1::Verdict::Possible as i32,
            Verdict::Undecided => message.verdict = v1::Verdict::Undecided as i32,
            Verdict::Impossible { reason, at } => {
                let (kind, amount) = encode_reason(reason);
                message.verdict = v1::Verdict::Impossible as i32;
                message.reason = kind as i32;
                message.amount = Some(amount);
                message.at = Some((*at).into());
                message.hit = surface(reason);
            }
        }
        message
    }
}

impl TryFrom<v1::Judgement> for Judged {
    type Error = FieldError;

    fn try_from(given: v1::Judgement) -> Result<Self, FieldError> {
        let verdict = match v1::Verdict::try_from(given.verdict) {
            Ok(v1::Verdict::Possible) => Verdict::Possible,
            Ok(v1::Verdict::Undecided) => Verdict::Undecided,
            Ok(v1::Verdict::Impossible) => Verdict::Impossible {
                reason: reason(
                    given.reason,
                    given.amount.unwrap_or_default(),
                    given.hit.as_ref(),
                )?,
                at: vector("at", given.at.as_ref())?,
            },
            Err(_) => return Err(FieldError::unknown("verdict", given.verdict)),
        };
        let feet = vector("feet", given.feet.as_ref())?;
        Ok(Self { verdict, accepted: given.accepted, feet, queries: given.queries })
    }
}

impl Answers for v1::ValidateBatchResponse {
    type Answer = Judged;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        self.accepted.reserve(rows);
        self.feet.reserve(3 * rows);
    }

    fn push(&mut self, query: u32, judged: &Judged) {
        self.query.push(query);
        self.accepted.push(judged.accepted.clone());
        self.queries.push(judged.queries);
        push3(&mut self.feet, judged.feet);
        let verdict = match &judged.verdict {
            Verdict::Possible => v1::Verdict::Possible,
            Verdict::Undecided => v1::Verdict::Undecided,
            Verdict::Impossible { reason, at } => {
                let (kind, amount) = encode_reason(reason);
                self.impossible_query.push(query);
                self.reason.push(kind as i32);
                self.amount.push(amount);
                push3(&mut self.at, *at);
                if let Some(hit) = surface(reason) {
                    self.hit_query.push(query);
                    self.hit.push(hit);
                }
                v1::Verdict::Impossible
            }
        };
        self.verdict.push(verdict as i32);
    }

    fn answers(&self) -> Result<Vec<(u32, Judged)>, FieldError> {
        let rows = self.query.len();
        let verdicts = Column::full("verdict", &self.verdict, 1, rows)?;
        let queries = Column::full("queries", &self.queries, 1, rows)?;
        let feet = Column::full("feet", &self.feet, 3, rows)?;
        if self.accepted.len() != rows || self.hit.len() != self.hit_query.len() {
            return Err(FieldError::new("accepted", "columns have different lengths"));
        }
        let count = self.impossible_query.len();
        let reasons = Column::full("reason", &self.reason, 1, count)?;
        let amounts = Column::full("amount", &self.amount, 1, count)?;
        let at = Column::full("at", &self.at, 3, count)?;
        let answer = |(row, &query): (usize, &u32)| {
            let mut given = v1::Judgement {
                verdict: verdicts.get(row).unwrap_or(0),
                accepted: self.accepted[row].clone(),
                feet: feet.vector(row).map(v1::Vector::from),
                queries: queries.get(row).unwrap_or(0),
                ..v1::Judgement::default()
            };
            if let Ok(place) = self.impossible_query.binary_search(&query) {
                given.reason = reasons.get(place).unwrap_or(0);
                given.amount = amounts.get(place);
                given.at = at.vector(place).map(v1::Vector::from);
            }
            if let Ok(place) = self.hit_query.binary_search(&query) {
                given.hit = self.hit.get(place).copied();
            }
            Ok((query, Judged::try_from(given)?))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}

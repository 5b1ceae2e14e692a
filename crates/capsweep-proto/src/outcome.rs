//! Outcomes of moves and ticks.

use crate::batch::{Answers, common_parts};
use crate::character::{Characters, InMotion, encode_motion, encode_state, motion_state, state};
use crate::column::{Column, shortened};
use crate::geometry::{
    Targets, encode_feature, encode_region, enum_pair, feature, feature_message, normal, region,
    target, vector,
};
use crate::hit::{push3, push3f};
use crate::{FieldError, v1};
use capsweep::controller::{
    Carried, CharacterState, Contact, Controller, Ground, LocomotionState, MoveOutcome, MoveStats,
    Obstruction, Pass, Recovery, Touching,
};
use glam::{DQuat, DVec3};

/// The answer to a move.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The outcome.
    pub outcome: MoveOutcome,
    /// The character's feet after it.
    pub feet: DVec3,
}

/// The answer to a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticked {
    /// The character after the tick.
    pub state: LocomotionState,
    /// The outcome of its move.
    pub outcome: MoveOutcome,
    /// The character's feet after it.
    pub feet: DVec3,
}

enum_pair!(encode_pass, pass: Pass = Pass { Ride, Recovery, Up, Side, Step, Down, Free });

fn encode_obstruction(obstruction: &Obstruction) -> (i32, f64) {
    let (kind, amount) = match *obstruction {
        Obstruction::None => (v1::Obstruction::None, 0.0),
        Obstruction::Blocked => (v1::Obstruction::Blocked, 0.0),
        Obstruction::Squeezed { depth } => (v1::Obstruction::Squeezed, depth),
        Obstruction::Crushed { missing } => (v1::Obstruction::Crushed, missing),
    };
    (kind as i32, amount)
}

fn obstruction(kind: i32, amount: f64) -> Result<Obstruction, FieldError> {
    match v1::Obstruction::try_from(kind) {
        Ok(v1::Obstruction::None) => Ok(Obstruction::None),
        Ok(v1::Obstruction::Blocked) => Ok(Obstruction::Blocked),
        Ok(v1::Obstruction::Squeezed) => Ok(Obstruction::Squeezed { depth: amount }),
        Ok(v1::Obstruction::Crushed) => Ok(Obstruction::Crushed { missing: amount }),
        Err(_) => Err(FieldError::unknown("obstruction", kind)),
    }
}

fn encode_stats(stats: &MoveStats) -> [u32; 7] {
    let &MoveStats { up, side, step, sensor, down, overlaps, pushes } = stats;
    [up, side, step, sensor, down, overlaps, pushes].map(u32::from)
}

fn stats(numbers: [u32; 7]) -> MoveStats {
    // A server sends no larger ones.
    let [up, side, step, sensor, down, overlaps, pushes] =
        numbers.map(|number| u16::try_from(number).unwrap_or(u16::MAX));
    MoveStats { up, side, step, sensor, down, overlaps, pushes }
}

impl From<&Ground> for v1::Ground {
    fn from(ground: &Ground) -> Self {
        Self {
            point: Some(ground.point.into()),
            normal: Some(ground.normal.into()),
            face_normal: Some(ground.face_normal.into()),
            target: Some(ground.target.into()),
            walkable: ground.walkable,
            distance: Some(ground.distance),
            touched: ground.touched,
            velocity: Some(ground.velocity.into()),
        }
    }
}

impl TryFrom<&v1::Ground> for Ground {
    type Error = FieldError;

    fn try_from(given: &v1::Ground) -> Result<Self, FieldError> {
        Ok(Self {
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            target: target(given.target.as_ref())?,
            walkable: given.walkable,
            distance: given.distance.unwrap_or_default(),
            touched: given.touched,
            velocity: vector("velocity", given.velocity.as_ref())?,
        })
    }
}

impl From<&Contact> for v1::Contact {
    fn from(contact: &Contact) -> Self {
        Self {
            pass: encode_pass(contact.pass),
            point: Some(contact.point.into()),
            normal: Some(contact.normal.into()),
            face_normal: Some(contact.face_normal.into()),
            feature: Some(contact.feature.into()),
            region: encode_region(contact.region),
            target: Some(contact.target.into()),
        }
    }
}

impl TryFrom<&v1::Contact> for Contact {
    type Error = FieldError;

    fn try_from(given: &v1::Contact) -> Result<Self, FieldError> {
        Ok(Self {
            pass: pass("pass", given.pass)?,
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            feature: feature_message(given.feature)?,
            region: region("region", given.region)?,
            target: target(given.target.as_ref())?,
        })
    }
}

/// The message of an outcome without its state.
fn encode_outcome(outcome: &MoveOutcome) -> v1::MoveOutcome {
    let (obstruction, obstruction_amount) = encode_obstruction(&outcome.obstruction);
    let [up, side, step, sensor, down, overlaps, pushes] = encode_stats(&outcome.stats);
    v1::MoveOutcome {
        state: None,
        touching_sides: outcome.touching.sides,
        touching_above: outcome.touching.above,
        touching_below: outcome.touching.below,
        ground: outcome.ground.as_ref().map(v1::Ground::from),
        contacts: outcome.contacts.iter().map(v1::Contact::from).collect(),
        requested: Some(outcome.requested.into()),
        achieved: Some(outcome.achieved.into()),
        carried: Some(outcome.carried.displacement.into()),
        carried_rotation: Some(outcome.carried.rotation.into()),
        carried_blocked: outcome.carried.blocked,
        recovery: Some(outcome.recovery.displacement.into()),
        recovery_left: Some(outcome.recovery.left),
        obstruction,
        obstruction_amount: Some(obstruction_amount),
        stepped: outcome.stepped,
        snapped: outcome.snapped,
        stats: Some(v1::MoveStats { up, side, step, sensor, down, overlaps, pushes }),
    }
}

fn outcome(given: &v1::MoveOutcome, state: CharacterState) -> Result<MoveOutcome, FieldError> {
    let rotation = given.carried_rotation.map_or(DQuat::IDENTITY, DQuat::from);
    let numbers = given.stats.unwrap_or_default();
    let v1::MoveStats { up, side, step, sensor, down, overlaps, pushes } = numbers;
    Ok(MoveOutcome {
        state,
        touching: Touching {
            sides: given.touching_sides,
            above: given.touching_above,
            below: given.touching_below,
        },
        ground: given.ground.as_ref().map(Ground::try_from).transpose()?,
        contacts: given.contacts.iter().map(Contact::try_from).collect::<Result<_, _>>()?,
        requested: vector("requested", given.requested.as_ref())?,
        achieved: vector("achieved", given.achieved.as_ref())?,
        carried: Carried {
            displacement: vector("carried", given.carried.as_ref())?,
            rotation,
            blocked: given.carried_blocked,
        },
        recovery: Recovery {
            displacement: vector("recovery", given.recovery.as_ref())?,
            left: given.recovery_left.unwrap_or_default(),
        },
        obstruction: obstruction(given.obstruction, given.obstruction_amount.unwrap_or_default())?,
        stepped: given.stepped,
        snapped: given.snapped,
        stats: stats([up, side, step, sensor, down, overlaps, pushes]),
    })
}

impl From<&Moved> for v1::MoveOutcome {
    fn from(moved: &Moved) -> Self {
        let state = encode_state(&moved.outcome.state, Some(moved.feet));
        Self { state: Some(state), ..encode_outcome(&moved.outcome) }
    }
}

impl v1::MoveOutcome {
    /// The answer to a move by this controller.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn moved(&self, controller: &Controller) -> Result<Moved, FieldError> {
        let state = state(self.state.as_ref(), controller)?;
        let given = self.state.as_ref().and_then(|state| state.feet);
        let feet = vector("state.feet", given.as_ref())?;
        Ok(Moved { outcome: outcome(self, state)?, feet })
    }
}

impl From<&Ticked> for v1::TickResponse {
    fn from(ticked: &Ticked) -> Self {
        Self {
            revision: 0,
            state: Some(encode_motion(&ticked.state, Some(ticked.feet))),
            outcome: Some(encode_outcome(&ticked.outcome)),
        }
    }
}

impl v1::TickResponse {
    /// The answer to a tick by this controller.
    ///
    /// # Errors
    /// If a field is missing or its value is bad.
    pub fn ticked(&self, controller: &Controller) -> Result<Ticked, FieldError> {
        let state = motion_state(self.state.as_ref(), controller)?;
        let character = self.state.as_ref().and_then(|state| state.character.as_ref());
        let feet = character.and_then(|character| character.feet);
        let given = self.outcome.as_ref().ok_or_else(|| FieldError::missing("outcome"))?;
        Ok(Ticked {
            state,
            outcome: outcome(given, state.character)?,
            feet: vector("state.character.feet", feet.as_ref())?,
        })
    }
}

mod flag {
    pub(super) const SIDES: u32 = 1;
    pub(super) const ABOVE: u32 = 2;
    pub(super) const BELOW: u32 = 4;
    pub(super) const STEPPED: u32 = 8;
    pub(super) const SNAPPED: u32 = 16;
    pub(super) const CARRIED_BLOCKED: u32 = 32;
    pub(super) const WALKABLE: u32 = 1;
    pub(super) const TOUCHED: u32 = 2;
}

impl v1::OutcomeColumns {
    fn reserve(&mut self, rows: usize) {
        self.state.get_or_insert_default().reserve(rows);
        self.requested.reserve(3 * rows);
        self.achieved.reserve(3 * rows);
        self.query.reserve(rows);
        self.flags.reserve(rows);
        self.stats.reserve(7 * rows);
        self.ground.get_or_insert_default().reserve(rows);
        self.contacts.get_or_insert_default().reserve(rows);
    }

    fn push(&mut self, query: u32, outcome: &MoveOutcome, feet: DVec3) {
        self.query.push(query);
        self.state.get_or_insert_default().push(&outcome.state, Some(feet));
        let Touching { sides, above, below } = outcome.touching;
        self.flags.push(
            u32::from(sides) * flag::SIDES
                + u32::from(above) * flag::ABOVE
                + u32::from(below) * flag::BELOW
                + u32::from(outcome.stepped) * flag::STEPPED
                + u32::from(outcome.snapped) * flag::SNAPPED
                + u32::from(outcome.carried.blocked) * flag::CARRIED_BLOCKED,
        );
        push3(&mut self.requested, outcome.requested);
        push3(&mut self.achieved, outcome.achieved);
        self.stats.extend_from_slice(&encode_stats(&outcome.stats));
        if let Some(ground) = &outcome.ground {
            self.ground.get_or_insert_default().push(query, ground);
        }
        if !outcome.contacts.is_empty() {
            let contacts = self.contacts.get_or_insert_default();
            outcome.contacts.iter().for_each(|contact| contacts.push(query, contact));
        }
        self.push_rare(query, outcome);
    }

    /// Adds what few moves have. Values are compared by their bits: −0 is none.
    fn push_rare(&mut self, query: u32, outcome: &MoveOutcome) {
        let bits = |vector: DVec3| vector.to_array().map(f64::to_bits);
        let Carried { displacement, rotation, .. } = outcome.carried;
        let turned =
            rotation.to_array().map(f64::to_bits) != DQuat::IDENTITY.to_array().map(f64::to_bits);
        if turned || bits(displacement) != [0; 3] {
            self.carried_query.push(query);
            push3(&mut self.carried, displacement);
            self.carried_rotation.extend_from_slice(&rotation.to_array());
        }
        let Recovery { displacement, left } = outcome.recovery;
        if left.to_bits() != 0 || bits(displacement) != [0; 3] {
            self.recovery_query.push(query);
            push3(&mut self.recovery, displacement);
            self.recovery_left.push(left);
        }
        if outcome.obstruction != Obstruction::None {
            let (kind, amount) = encode_obstruction(&outcome.obstruction);
            self.obstruction_query.push(query);
            self.obstruction.push(kind);
            self.obstruction_amount.push(amount);
        }
    }

    fn shorten(&mut self) {
        if let Some(state) = &mut self.state {
            state.shorten();
        }
        if let Some(ground) = &mut self.ground
            && ground.velocity.iter().all(|value| value.to_bits() == 0)
        {
            ground.velocity.clear();
        }
        self.flags = shortened(core::mem::take(&mut self.flags), None);
    }

    /// All outcomes, with their characters' feet.
    fn outcomes(&self) -> Result<Vec<(u32, Moved)>, FieldError> {
        let rows = self.query.len();
        if rows == 0 {
            return Ok(Vec::new());
        }
        let characters = Characters::new(self.state.as_ref(), None)?;
        let feet = self.state.as_ref().map_or(&[][..], |state| &state.feet);
        let feet = Column::full("state.feet", feet, 3, rows)?;
        let flags = Column::new("flags", &self.flags, 1, rows)?;
        let requested = Column::full("requested", &self.requested, 3, rows)?;
        let achieved = Column::full("achieved", &self.achieved, 3, rows)?;
        let numbers = Column::full("stats", &self.stats, 7, rows)?;
        let mut all = Vec::with_capacity(rows);
        for (row, &query) in self.query.iter().enumerate() {
            let bits = flags.get(row).unwrap_or(0);
            let has = |bit: u32| bits & bit != 0;
            let outcome = MoveOutcome {
                state: characters.get(row)?,
                touching: Touching {
                    sides: has(flag::SIDES),
                    above: has(flag::ABOVE),
                    below: has(flag::BELOW),
                },
                ground: None,
                contacts: Vec::new(),
                requested: requested.vector(row).unwrap_or_default(),
                achieved: achieved.vector(row).unwrap_or_default(),
                carried: Carried { blocked: has(flag::CARRIED_BLOCKED), ..Carried::default() },
                recovery: Recovery::default(),
                obstruction: Obstruction::None,
                stepped: has(flag::STEPPED),
                snapped: has(flag::SNAPPED),
                stats: stats(numbers.array(row).unwrap_or_default()),
            };
            all.push((query, Moved { outcome, feet: feet.vector(row).unwrap_or_default() }));
        }
        self.add_rare(&mut Rows(&mut all))?;
        Ok(all)
    }

    fn add_rare(&self, rows: &mut Rows<'_>) -> Result<(), FieldError> {
        if let Some(ground) = &self.ground {
            ground.add_to(rows)?;
        }
        if let Some(contacts) = &self.contacts {
            contacts.add_to(rows)?;
        }
        let count = self.carried_query.len();
        let displacements = Column::full("carried", &self.carried, 3, count)?;
        let rotations = Column::full("carried_rotation", &self.carried_rotation, 4, count)?;
        for (row, &query) in self.carried_query.iter().enumerate() {
            let carried = &mut rows.of(query)?.carried;
            carried.displacement = displacements.vector(row).unwrap_or_default();
            carried.rotation = rotations.array(row).map(DQuat::from_array).unwrap_or_default();
        }
        let count = self.recovery_query.len();
        let displacements = Column::full("recovery", &self.recovery, 3, count)?;
        let left = Column::full("recovery_left", &self.recovery_left, 1, count)?;
        for (row, &query) in self.recovery_query.iter().enumerate() {
            let displacement = displacements.vector(row).unwrap_or_default();
            rows.of(query)?.recovery =
                Recovery { displacement, left: left.get(row).unwrap_or_default() };
        }
        let count = self.obstruction_query.len();
        let kinds = Column::full("obstruction", &self.obstruction, 1, count)?;
        let amounts = Column::full("obstruction_amount", &self.obstruction_amount, 1, count)?;
        for (row, &query) in self.obstruction_query.iter().enumerate() {
            let (kind, amount) = (kinds.get(row), amounts.get(row));
            rows.of(query)?.obstruction =
                obstruction(kind.unwrap_or(0), amount.unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Outcomes by the numbers of their queries.
struct Rows<'a>(&'a mut Vec<(u32, Moved)>);

impl Rows<'_> {
    fn of(&mut self, query: u32) -> Result<&mut MoveOutcome, FieldError> {
        match self.0.binary_search_by_key(&query, |(query, _)| *query) {
            Ok(row) => Ok(&mut self.0[row].1.outcome),
            Err(_) => Err(FieldError::new("query", format!("{query} has no outcome"))),
        }
    }
}

impl v1::GroundColumns {
    fn reserve(&mut self, rows: usize) {
        self.query.reserve(rows);
        self.flags.reserve(rows);
        self.distance.reserve(rows);
        self.point.reserve(3 * rows);
        self.velocity.reserve(3 * rows);
        self.normal.reserve(3 * rows);
        self.face_normal.reserve(3 * rows);
        self.target.get_or_insert_default().reserve(rows);
    }

    fn push(&mut self, query: u32, ground: &Ground) {
        self.query.push(query);
        push3(&mut self.point, ground.point);
        push3f(&mut self.normal, ground.normal);
        push3f(&mut self.face_normal, ground.face_normal);
        self.target.get_or_insert_default().push(&ground.target);
        self.flags.push(
            u32::from(ground.walkable) * flag::WALKABLE
                + u32::from(ground.touched) * flag::TOUCHED,
        );
        self.distance.push(ground.distance);
        push3(&mut self.velocity, ground.velocity);
    }

    fn add_to(&self, rows: &mut Rows<'_>) -> Result<(), FieldError> {
        let count = self.query.len();
        let point = Column::full("ground.point", &self.point, 3, count)?;
        let normal = Column::full("ground.normal", &self.normal, 3, count)?;
        let face_normal = Column::full("ground.face_normal", &self.face_normal, 3, count)?;
        let targets = Targets::new(self.target.as_ref(), count)?;
        let flags = Column::full("ground.flags", &self.flags, 1, count)?;
        let distance = Column::full("ground.distance", &self.distance, 1, count)?;
        let velocity = Column::new("ground.velocity", &self.velocity, 3, count)?;
        for (row, &query) in self.query.iter().enumerate() {
            let bits = flags.get(row).unwrap_or(0);
            rows.of(query)?.ground = Some(Ground {
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                target: targets.get(row)?,
                walkable: bits & flag::WALKABLE != 0,
                distance: distance.get(row).unwrap_or_default(),
                touched: bits & flag::TOUCHED != 0,
                velocity: velocity.vector(row).unwrap_or_default(),
            });
        }
        Ok(())
    }
}

impl v1::ContactColumns {
    fn reserve(&mut self, rows: usize) {
        self.query.reserve(rows);
        self.pass.reserve(rows);
        self.feature.reserve(rows);
        self.feature_number.reserve(rows);
        self.region.reserve(rows);
        self.point.reserve(3 * rows);
        self.normal.reserve(3 * rows);
        self.face_normal.reserve(3 * rows);
        self.target.get_or_insert_default().reserve(rows);
    }

    fn push(&mut self, query: u32, contact: &Contact) {
        self.query.push(query);
        self.pass.push(encode_pass(contact.pass));
        push3(&mut self.point, contact.point);
        push3f(&mut self.normal, contact.normal);
        push3f(&mut self.face_normal, contact.face_normal);
        let (kind, number) = encode_feature(contact.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.region.push(encode_region(contact.region));
        self.target.get_or_insert_default().push(&contact.target);
    }

    fn add_to(&self, rows: &mut Rows<'_>) -> Result<(), FieldError> {
        let count = self.query.len();
        let passes = Column::full("contacts.pass", &self.pass, 1, count)?;
        let point = Column::full("contacts.point", &self.point, 3, count)?;
        let normal = Column::full("contacts.normal", &self.normal, 3, count)?;
        let face_normal = Column::full("contacts.face_normal", &self.face_normal, 3, count)?;
        let kinds = Column::full("contacts.feature", &self.feature, 1, count)?;
        let numbers = Column::full("contacts.feature_number", &self.feature_number, 1, count)?;
        let regions = Column::full("contacts.region", &self.region, 1, count)?;
        let targets = Targets::new(self.target.as_ref(), count)?;
        for (row, &query) in self.query.iter().enumerate() {
            let contact = Contact {
                pass: pass("contacts.pass", passes.get(row).unwrap_or(0))?,
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                feature: feature(kinds.get(row).unwrap_or(0), numbers.get(row).unwrap_or(0))?,
                region: region("contacts.region", regions.get(row).unwrap_or(0))?,
                target: targets.get(row)?,
            };
            rows.of(query)?.contacts.push(contact);
        }
        Ok(())
    }
}

impl Answers for v1::MoveBatchResponse {
    type Answer = Moved;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        self.outcomes.get_or_insert_default().reserve(rows);
    }

    fn push(&mut self, query: u32, moved: &Moved) {
        self.outcomes.get_or_insert_default().push(query, &moved.outcome, moved.feet);
    }

    fn finish(&mut self) {
        self.outcomes.get_or_insert_default().shorten();
    }

    fn answers(&self) -> Result<Vec<(u32, Moved)>, FieldError> {
        self.outcomes.as_ref().map_or(Ok(Vec::new()), v1::OutcomeColumns::outcomes)
    }
}

impl Answers for v1::TickBatchResponse {
    type Answer = Ticked;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        self.outcomes.get_or_insert_default().reserve(rows);
    }

    fn push(&mut self, query: u32, ticked: &Ticked) {
        self.outcomes.get_or_insert_default().push(query, &ticked.outcome, ticked.feet);
        self.motion.get_or_insert_default().push(&ticked.state);
    }

    fn finish(&mut self) {
        self.outcomes.get_or_insert_default().shorten();
        self.motion.get_or_insert_default().shorten();
    }

    fn answers(&self) -> Result<Vec<(u32, Ticked)>, FieldError> {
        let Some(outcomes) = &self.outcomes else { return Ok(Vec::new()) };
        let motion = InMotion::new(self.motion.as_ref(), outcomes.query.len())?;
        let ticked = |(row, (query, Moved { outcome, feet }))| {
            let state = motion.get(row, outcome.state)?;
            Ok((query, Ticked { state, outcome, feet }))
        };
        outcomes.outcomes()?.into_iter().enumerate().map(ticked).collect()
    }
}

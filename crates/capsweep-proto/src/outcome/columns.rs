//! The outcomes of many moves.

use super::single::{encode_obstruction, encode_stats, obstruction, stats};
use super::{Moved, Omit, Ticked};
use crate::batch::{Answers, common_parts, join};
use crate::character::{Characters, InMotion};
use crate::column::{Column, shorten};
use crate::geometry::push3;
use crate::{FieldError, v1};
use capsweep::controller::{Carried, MoveOutcome, Obstruction, Recovery, Touching};
use glam::{DQuat, DVec3};

/// Bits of an outcome.
mod flag {
    pub(super) const SIDES: u32 = 1;
    pub(super) const ABOVE: u32 = 2;
    pub(super) const BELOW: u32 = 4;
    pub(super) const STEPPED: u32 = 8;
    pub(super) const SNAPPED: u32 = 16;
    pub(super) const CARRIED_BLOCKED: u32 = 32;
}

/// Whether all numbers are +0. Not by arrays: to compare those, the processor would wait until all
/// columns are written.
#[inline]
fn is_zero(DVec3 { x, y, z }: DVec3) -> bool {
    x.to_bits() | y.to_bits() | z.to_bits() == 0
}

/// Whether this is the identity, bit by bit.
#[inline]
fn is_identity(DQuat { x, y, z, w }: DQuat) -> bool {
    is_zero(DVec3 { x, y, z }) && w.to_bits() == 1.0_f64.to_bits()
}

impl v1::OutcomeColumns {
    fn reserve(&mut self, rows: usize, omit: Omit) {
        self.query.reserve(rows);
        self.state.get_or_insert_default().reserve(rows, omit.keeps(Omit::FEET));
        self.flags.reserve(rows);
        if omit.keeps(Omit::DISPLACEMENTS) {
            self.requested.reserve(3 * rows);
            self.achieved.reserve(3 * rows);
        }
        if omit.keeps(Omit::STATS) {
            self.stats.reserve(7 * rows);
        }
        if omit.keeps(Omit::GROUND) {
            self.ground.get_or_insert_default().reserve(rows);
        }
        if omit.keeps(Omit::CONTACTS) {
            self.contacts.get_or_insert_default().reserve(rows);
        }
    }

    fn push(&mut self, query: u32, outcome: &MoveOutcome, feet: DVec3, omit: Omit) {
        self.query.push(query);
        let feet = omit.keeps(Omit::FEET).then_some(feet);
        self.state.get_or_insert_default().push(&outcome.state, feet);
        let Touching { sides, above, below } = outcome.touching;
        self.flags.push(
            u32::from(sides) * flag::SIDES
                + u32::from(above) * flag::ABOVE
                + u32::from(below) * flag::BELOW
                + u32::from(outcome.stepped) * flag::STEPPED
                + u32::from(outcome.snapped) * flag::SNAPPED
                + u32::from(outcome.carried.blocked) * flag::CARRIED_BLOCKED,
        );
        if omit.keeps(Omit::DISPLACEMENTS) {
            push3(&mut self.requested, outcome.requested);
            push3(&mut self.achieved, outcome.achieved);
            self.push_rare(query, outcome);
        }
        if omit.keeps(Omit::STATS) {
            self.stats.extend_from_slice(&encode_stats(&outcome.stats));
        }
        if omit.keeps(Omit::GROUND)
            && let Some(ground) = &outcome.ground
        {
            self.ground.get_or_insert_default().push(query, ground);
        }
        if omit.keeps(Omit::CONTACTS) && !outcome.contacts.is_empty() {
            let contacts = self.contacts.get_or_insert_default();
            outcome.contacts.iter().for_each(|contact| contacts.push(query, contact));
        }
        if outcome.obstruction != Obstruction::None {
            let (kind, amount) = encode_obstruction(&outcome.obstruction);
            self.obstruction_query.push(query);
            self.obstruction.push(kind);
            self.obstruction_amount.push(amount);
        }
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other;
            query, flags, requested, achieved, stats, carried_query, carried, carried_rotation,
            recovery_query, recovery, recovery_left, obstruction_query, obstruction,
            obstruction_amount;
            state);
        // Memory of an earlier part is no reason to send an empty message.
        if let Some(ground) = other.ground.as_mut().filter(|ground| !ground.query.is_empty()) {
            self.ground.get_or_insert_default().append(ground);
        }
        if let Some(contacts) = other.contacts.as_mut().filter(|of| !of.query.is_empty()) {
            self.contacts.get_or_insert_default().append(contacts);
        }
    }

    /// Adds the displacements that few moves have. It compares bits, so −0 is not left out.
    fn push_rare(&mut self, query: u32, outcome: &MoveOutcome) {
        let Carried { displacement, rotation, .. } = outcome.carried;
        if !is_identity(rotation) || !is_zero(displacement) {
            self.carried_query.push(query);
            push3(&mut self.carried, displacement);
            self.carried_rotation.extend_from_slice(&rotation.to_array());
        }
        let Recovery { displacement, left } = outcome.recovery;
        if left.to_bits() != 0 || !is_zero(displacement) {
            self.recovery_query.push(query);
            push3(&mut self.recovery, displacement);
            self.recovery_left.push(left);
        }
    }

    fn shorten(&mut self) {
        if let Some(state) = &mut self.state {
            state.shorten();
        }
        if let Some(ground) = &mut self.ground {
            ground.shorten();
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.target.get_or_insert_default().shorten();
        }
        shorten(&mut self.flags, None);
    }

    /// All outcomes, with their characters' feet.
    fn outcomes(&self) -> Result<Vec<(u32, Moved)>, FieldError> {
        let rows = self.query.len();
        if rows == 0 {
            return Ok(Vec::new());
        }
        let characters = Characters::new(self.state.as_ref(), None)?;
        let feet = self.state.as_ref().map_or(&[][..], |state| &state.feet);
        let feet = Column::kept("state.feet", feet, 3, rows)?;
        let flags = Column::new("flags", &self.flags, 1, rows)?;
        let requested = Column::kept("requested", &self.requested, 3, rows)?;
        let achieved = Column::kept("achieved", &self.achieved, 3, rows)?;
        let numbers = Column::kept("stats", &self.stats, 7, rows)?;
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
        self.add_rare(&mut Rows { all: &mut all, last: 0 })?;
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
pub(super) struct Rows<'a> {
    all: &'a mut [(u32, Moved)],
    /// The row that was found last.
    last: usize,
}

impl Rows<'_> {
    pub(super) fn of(&mut self, query: u32) -> Result<&mut MoveOutcome, FieldError> {
        // Columns ascend, so it is most likely the last row or the one behind it.
        let is_near = |row: &usize| self.all.get(*row).is_some_and(|(of, _)| *of == query);
        let near = [self.last, self.last + 1].into_iter().find(is_near);
        let find = || self.all.binary_search_by_key(&query, |(of, _)| *of).ok();
        match near.or_else(find) {
            Some(row) => {
                self.last = row;
                Ok(&mut self.all[row].1.outcome)
            }
            None => Err(FieldError::new("query", format!("{query} has no outcome"))),
        }
    }
}

impl Answers for v1::MoveBatchResponse {
    type Answer = Moved;

    common_parts!(outcomes);

    fn reserve(&mut self, rows: usize) {
        self.reserve_without(rows, Omit::NONE);
    }

    fn reserve_without(&mut self, rows: usize, omit: Omit) {
        self.outcomes.get_or_insert_default().reserve(rows, omit);
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other; errors; outcomes);
    }

    fn push(&mut self, query: u32, moved: &Moved) {
        self.push_without(query, moved, Omit::NONE);
    }

    #[inline]
    fn push_without(&mut self, query: u32, moved: &Moved, omit: Omit) {
        let Moved { outcome, feet } = moved;
        self.outcomes.get_or_insert_default().push(query, outcome, *feet, omit);
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

    common_parts!(outcomes);

    fn reserve(&mut self, rows: usize) {
        self.reserve_without(rows, Omit::NONE);
    }

    fn reserve_without(&mut self, rows: usize, omit: Omit) {
        self.outcomes.get_or_insert_default().reserve(rows, omit);
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other; errors; outcomes, motion);
    }

    fn push(&mut self, query: u32, ticked: &Ticked) {
        self.push_without(query, ticked, Omit::NONE);
    }

    #[inline]
    fn push_without(&mut self, query: u32, ticked: &Ticked, omit: Omit) {
        let Ticked { state: _, outcome, feet } = ticked;
        self.outcomes.get_or_insert_default().push(query, outcome, *feet, omit);
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

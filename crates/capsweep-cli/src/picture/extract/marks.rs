//! The contacts and events of a walk.

use crate::walk::character::{Tick, is_stuck};
use crate::walk::report::is_footing;
use capsweep::controller::{CharacterState, Contact, Controller, Pass};
use capsweep::scene::BodyId;
use glam::{DVec3, Vec3};

/// Smallest distance between two marks of one kind on a short walk, in metres.
const MIN_SPACING: f64 = 0.8;
/// Most contacts in a picture. On long walks the spacing grows until they fit.
const MAX_MARKS: usize = 150;
/// Time in the air from which it counts as a fall, in seconds.
const MIN_FALL_TIME: f64 = 0.15;
/// Time without progress from which it counts as blocked, in seconds.
const MIN_BLOCKED_TIME: f64 = 0.3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContactKind {
    Wall,
    Step,
    Ceiling,
    Landing,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactMark {
    pub(crate) kind: ContactKind,
    /// Index of its move.
    pub(crate) tick: usize,
    pub(crate) point: DVec3,
    pub(crate) normal: Vec3,
    body: BodyId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    Start,
    LegEnd,
    Blocked,
    TakeOff,
    Landing,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    /// Index of the move that ends with the event; 0 for the start too.
    pub(crate) tick: usize,
    pub(crate) feet: DVec3,
    pub(crate) height: f64,
}

/// The contacts of a walk, thinned out.
pub(crate) fn contact_marks(ticks: &[Tick]) -> Vec<ContactMark> {
    let all = all_contact_marks(ticks);
    let mut spacing = MIN_SPACING;
    loop {
        let kept = thinned(&all, spacing);
        if kept.len() <= MAX_MARKS {
            return kept;
        }
        spacing *= 1.5;
    }
}

/// Drops each mark that is too near to an earlier one of its kind.
fn thinned(all: &[ContactMark], spacing: f64) -> Vec<ContactMark> {
    let mut kept: Vec<ContactMark> = Vec::new();
    for mark in all {
        let is_near = |other: &ContactMark| {
            // Another body or normal is more interesting: a corner, a step after a step.
            let is_other = other.normal.dot(mark.normal) < 0.9 || other.body != mark.body;
            let spacing = if is_other { spacing * 0.3 } else { spacing };
            other.kind == mark.kind && other.point.distance(mark.point) < spacing
        };
        if !kept.iter().any(is_near) {
            kept.push(*mark);
        }
    }
    kept
}

fn all_contact_marks(ticks: &[Tick]) -> Vec<ContactMark> {
    let mut marks = Vec::new();
    let mut air_time = 0.0;
    for (index, tick) in ticks.iter().enumerate() {
        let outcome = &tick.record.outcome;
        let mark = |kind, contact: &Contact| {
            let (point, normal, body) = (contact.point, contact.normal, contact.target.body);
            ContactMark { kind, tick: index, point, normal, body }
        };
        for contact in outcome.contacts.iter().filter(|contact| !is_footing(contact)) {
            let kind = match contact.pass {
                _ if contact.normal.z < -0.5 => ContactKind::Ceiling,
                Pass::Step => ContactKind::Step,
                _ if outcome.stepped => ContactKind::Step,
                _ => ContactKind::Wall,
            };
            marks.push(mark(kind, contact));
        }
        let ground = outcome.ground.filter(|ground| ground.touched);
        if let Some(ground) = ground.filter(|_| air_time > MIN_FALL_TIME) {
            let (point, normal, body) = (ground.point, ground.normal, ground.target.body);
            marks.push(ContactMark {
                kind: ContactKind::Landing,
                tick: index,
                point,
                normal,
                body,
            });
        }
        air_time = if ground.is_some() { 0.0 } else { air_time + tick.record.input.dt };
    }
    marks
}

/// The events of a walk, in order.
pub(crate) fn events(ticks: &[Tick], controller: &Controller) -> Vec<Event> {
    let Some(first) = ticks.first() else { return Vec::new() };
    let start = &first.record.state;
    let height = |state: &CharacterState| f64::from(state.total_height());
    let mut events = vec![Event {
        kind: EventKind::Start,
        tick: 0,
        feet: controller.feet(start),
        height: height(start),
    }];
    let (mut air_time, mut blocked_time) = (0.0, 0.0);
    for (index, tick) in ticks.iter().enumerate() {
        let (outcome, dt) = (&tick.record.outcome, tick.record.input.dt);
        let mut push = |kind| {
            let state = &outcome.state;
            let (feet, height) = (controller.feet(state), height(state));
            events.push(Event { kind, tick: index, feet, height });
        };
        let grounded = outcome.ground.is_some_and(|ground| ground.touched);
        if grounded && air_time > MIN_FALL_TIME {
            push(EventKind::Landing);
        }
        if !grounded && air_time <= MIN_FALL_TIME && air_time + dt > MIN_FALL_TIME {
            push(EventKind::TakeOff);
        }
        air_time = if grounded { 0.0 } else { air_time + dt };
        let stuck = is_stuck(outcome);
        if stuck && blocked_time <= MIN_BLOCKED_TIME && blocked_time + dt > MIN_BLOCKED_TIME {
            push(EventKind::Blocked);
        }
        blocked_time = if stuck { blocked_time + dt } else { 0.0 };
        if ticks.get(index + 1).is_none_or(|next| next.leg != tick.leg) {
            push(EventKind::LegEnd);
        }
    }
    events
}

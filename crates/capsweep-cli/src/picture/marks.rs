//! What a picture tells of a walk besides its path: where it touched, and what happened.

use crate::walk::report::is_footing;
use crate::walk::walker::{Tick, is_stuck};
use capsweep::controller::{CharacterState, Contact, Controller, Pass};
use capsweep::scene::BodyId;
use glam::{DVec3, Vec3};

/// Contacts of one kind that are nearer than this to each other are one (metres), on a short walk.
const APART: f64 = 0.8;
/// Most contacts in a picture: on long walks they are further apart.
const MOST: usize = 150;
/// A fall is told of if it takes longer than this (seconds).
const FALL: f64 = 0.15;
/// Being blocked is told of if it takes longer than this (seconds).
const BLOCKED: f64 = 0.3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    Wall,
    Step,
    Ceiling,
    Landing,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) touch: Touch,
    /// The move that it belongs to.
    pub(super) tick: usize,
    pub(super) point: DVec3,
    pub(super) normal: Vec3,
    body: BodyId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Happening {
    Start,
    LegEnd,
    Blocked,
    TakeOff,
    Landing,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) happening: Happening,
    /// The move after which it was so; the start is before the first.
    pub(super) tick: usize,
    pub(super) feet: DVec3,
    pub(super) height: f64,
}

/// Contacts, thinned out.
pub(super) fn marks(ticks: &[Tick]) -> Vec<Mark> {
    let all: Vec<Mark> = all_marks(ticks);
    let mut apart = APART;
    loop {
        let kept = thinned(&all, apart);
        if kept.len() <= MOST {
            return kept;
        }
        apart *= 1.5;
    }
}

fn thinned(all: &[Mark], apart: f64) -> Vec<Mark> {
    let mut kept: Vec<Mark> = Vec::new();
    for mark in all {
        let near = |other: &Mark| {
            let turned = other.normal.dot(mark.normal) < 0.9 || other.body != mark.body;
            // Another direction there is worth telling: a corner, a step after a step.
            let apart = if turned { apart * 0.3 } else { apart };
            other.touch == mark.touch && other.point.distance(mark.point) < apart
        };
        if !kept.iter().any(near) {
            kept.push(*mark);
        }
    }
    kept
}

fn all_marks(ticks: &[Tick]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut air = 0.0;
    for (tick, made) in ticks.iter().enumerate() {
        let outcome = &made.step.outcome;
        let mark = |touch, contact: &Contact| {
            let (point, normal, body) = (contact.point, contact.normal, contact.target.body);
            Mark { touch, tick, point, normal, body }
        };
        for contact in outcome.contacts.iter().filter(|contact| !is_footing(contact)) {
            let touch = match contact.pass {
                _ if contact.normal.z < -0.5 => Touch::Ceiling,
                Pass::Step => Touch::Step,
                _ if outcome.stepped => Touch::Step,
                _ => Touch::Wall,
            };
            marks.push(mark(touch, contact));
        }
        let ground = outcome.ground.filter(|ground| ground.touched);
        if let Some(ground) = ground.filter(|_| air > FALL) {
            let (point, normal, body) = (ground.point, ground.normal, ground.target.body);
            marks.push(Mark { touch: Touch::Landing, tick, point, normal, body });
        }
        air = if ground.is_some() { 0.0 } else { air + made.step.input.dt };
    }
    marks
}

/// What happened, in order.
pub(super) fn events(ticks: &[Tick], controller: &Controller) -> Vec<Event> {
    let Some(first) = ticks.first() else { return Vec::new() };
    let start = &first.step.state;
    let height = |state: &CharacterState| f64::from(state.total_height());
    let mut events = vec![Event {
        happening: Happening::Start,
        tick: 0,
        feet: controller.feet(start),
        height: height(start),
    }];
    let (mut air, mut blocked) = (0.0, 0.0);
    for (tick, made) in ticks.iter().enumerate() {
        let (outcome, dt) = (&made.step.outcome, made.step.input.dt);
        let mut happened = |happening| {
            let state = &outcome.state;
            events.push(Event {
                happening,
                tick,
                feet: controller.feet(state),
                height: height(state),
            });
        };
        let grounded = outcome.ground.is_some_and(|ground| ground.touched);
        if grounded && air > FALL {
            happened(Happening::Landing);
        }
        if !grounded && air <= FALL && air + dt > FALL {
            happened(Happening::TakeOff);
        }
        air = if grounded { 0.0 } else { air + dt };
        let stuck = is_stuck(outcome);
        if stuck && blocked <= BLOCKED && blocked + dt > BLOCKED {
            happened(Happening::Blocked);
        }
        blocked = if stuck { blocked + dt } else { 0.0 };
        if ticks.get(tick + 1).is_none_or(|next| next.leg != made.leg) {
            happened(Happening::LegEnd);
        }
    }
    events
}

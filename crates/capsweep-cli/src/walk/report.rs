//! What came of each leg, from the moves that were made.

use super::leg::Leg;
use super::walker::{Tick, is_stuck, level_lengths};
use capsweep::controller::{Contact, Controller, Pass};
use capsweep::scene::HitTarget;
use capsweep_formats::Names;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Everything is in metres and seconds.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LegReport {
    /// From 1.
    pub(crate) leg: usize,
    pub(crate) asked_for: Leg,
    pub(crate) seconds: f64,
    /// How far it wanted to walk, seen from above.
    pub(crate) asked: f64,
    /// How far it got, seen from above, what carried it included.
    pub(crate) achieved: f64,
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// What it stands on at the end; `None` in the air.
    pub(crate) ground: Option<GroundReport>,
    pub(crate) flags: Flags,
    /// Every surface that stopped or turned it, once each.
    pub(crate) contacts: Vec<ContactReport>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct GroundReport {
    pub(crate) name: String,
    pub(crate) slope_degrees: f64,
    pub(crate) walkable: bool,
}

/// What happened, and for how long or how often.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Flags {
    /// Seconds in which a wall, or something too steep, was in the way.
    pub(crate) sides: f64,
    /// Seconds in which a ceiling was.
    pub(crate) above: f64,
    /// Seconds in which it hardly got on.
    pub(crate) blocked: f64,
    /// Seconds in the air.
    pub(crate) airborne: f64,
    /// Seconds on ground that is too steep to walk.
    pub(crate) steep: f64,
    /// Moves that climbed a step.
    pub(crate) steps: u32,
    /// Moves that kept to ground that fell away.
    pub(crate) snaps: u32,
    /// Metres that something carried it.
    pub(crate) carried: f64,
    /// Metres that it was pushed out of something.
    pub(crate) recovered: f64,
    /// Whether it jumped.
    pub(crate) jumped: bool,
    /// Whether it wanted to stand taller than there was room for.
    pub(crate) no_room: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ContactReport {
    pub(crate) name: String,
    pub(crate) pass: Pass,
    pub(crate) point: DVec3,
    pub(crate) normal: Vec3,
    pub(crate) triangle: Option<u32>,
}

/// One report a leg; a leg that was there already has no moves and stays where the one before ended.
pub(crate) fn reports(
    legs: &[Leg],
    ticks: &[Tick],
    controller: &Controller,
    names: &Names,
) -> Vec<LegReport> {
    let mut reports: Vec<LegReport> = Vec::new();
    let start = ticks.first().map_or(DVec3::ZERO, |tick| controller.feet(&tick.step.state));
    for (number, leg) in legs.iter().enumerate() {
        let first = ticks.partition_point(|tick| tick.leg < number);
        let made = &ticks[first..ticks.partition_point(|tick| tick.leg <= number)];
        let from = reports.last().map_or(start, |report| report.to);
        let mut report = LegReport {
            leg: number + 1,
            asked_for: leg.clone(),
            seconds: 0.0,
            asked: 0.0,
            achieved: 0.0,
            from,
            to: from,
            ground: reports.last().and_then(|report| report.ground.clone()),
            flags: Flags { jumped: leg.jump && !made.is_empty(), ..Flags::default() },
            contacts: Vec::new(),
        };
        for tick in made {
            report.add(tick, names);
        }
        if let Some(last) = made.last() {
            let outcome = &last.step.outcome;
            report.to = controller.feet(&outcome.state);
            report.flags.no_room =
                leg.height.is_some_and(|height| height > outcome.state.total_height());
            report.ground = outcome.ground.filter(|ground| ground.touched).map(|ground| {
                let rise = f64::from(ground.face_normal.z).clamp(-1.0, 1.0);
                GroundReport {
                    name: name(names, &ground.target),
                    slope_degrees: rise.acos().to_degrees(),
                    walkable: ground.walkable,
                }
            });
        }
        reports.push(report);
    }
    reports
}

impl LegReport {
    fn add(&mut self, tick: &Tick, names: &Names) {
        let (outcome, dt) = (&tick.step.outcome, tick.step.input.dt);
        let (asked, got) = level_lengths(outcome);
        self.seconds += dt;
        self.asked += asked;
        self.achieved += got;
        let flags = &mut self.flags;
        let ground = outcome.ground.filter(|ground| ground.touched);
        let during = |yes: bool| if yes { dt } else { 0.0 };
        flags.sides += during(outcome.touching.sides);
        flags.above += during(outcome.touching.above);
        flags.blocked += during(is_stuck(outcome));
        flags.airborne += during(ground.is_none());
        flags.steep += during(ground.is_some_and(|ground| !ground.walkable));
        flags.steps += u32::from(outcome.stepped);
        flags.snaps += u32::from(outcome.snapped);
        flags.carried += outcome.carried.displacement.length();
        flags.recovered += outcome.recovery.displacement.length();
        for contact in outcome.contacts.iter().filter(|contact| !is_footing(contact)) {
            let report = ContactReport {
                name: name(names, &contact.target),
                pass: contact.pass,
                point: contact.point,
                normal: contact.normal,
                triangle: contact.target.triangle,
            };
            let known = |other: &ContactReport| {
                other.triangle == report.triangle && other.name == report.name
            };
            if !self.contacts.iter().any(known) {
                self.contacts.push(report);
            }
        }
    }
}

/// Whether a contact is merely what the walker stands or walks on.
pub(crate) fn is_footing(contact: &Contact) -> bool {
    matches!(contact.pass, Pass::Down | Pass::Ride) || contact.normal.z > 0.7
}

/// What somebody would call what was touched.
pub(crate) fn name(names: &Names, target: &HitTarget) -> String {
    let tag = names.tag(target.tag).filter(|_| target.tag != 0);
    let name = match (names.body(target.key), tag) {
        (Some(body), Some(tag)) if body != tag => return format!("{body}/{tag}"),
        (Some(name), _) | (None, Some(name)) => name,
        (None, None) => return format!("body {}", target.key),
    };
    name.to_owned()
}

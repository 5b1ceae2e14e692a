//! The report on each leg, computed from the recorded moves.

use super::character::{Tick, ground_lengths, is_stuck};
use super::leg::Leg;
use crate::load;
use capsweep::Region;
use capsweep::controller::{Contact, Controller, Pass};
use capsweep::scene::HitTarget;
use capsweep_formats::Level;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// The report on one leg, in units of the level and seconds. The fields are the keys of `walk
/// --json`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LegReport {
    /// Number of the leg, from 1.
    pub(crate) leg: usize,
    pub(crate) asked_for: Leg,
    pub(crate) seconds: f64,
    /// Requested distance in the ground plane.
    pub(crate) asked: f64,
    /// Achieved distance in the ground plane, including the ride on a platform.
    pub(crate) achieved: f64,
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// The ground at the end of the leg; `None` in the air.
    pub(crate) ground: Option<GroundReport>,
    pub(crate) flags: Flags,
    /// Every surface that stopped or deflected the character, once each.
    pub(crate) contacts: Vec<ContactReport>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct GroundReport {
    pub(crate) name: String,
    pub(crate) slope_degrees: f64,
    pub(crate) walkable: bool,
}

/// Events of a leg: their duration or their number.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Flags {
    /// Seconds in contact with walls or ground too steep to walk on.
    pub(crate) sides: f64,
    /// Seconds in contact with a ceiling.
    pub(crate) above: f64,
    /// Seconds with hardly any progress (see [`is_stuck`]).
    pub(crate) blocked: f64,
    /// Seconds in the air.
    pub(crate) airborne: f64,
    /// Seconds on ground too steep to walk on.
    pub(crate) steep: f64,
    /// Number of moves that climbed a step.
    pub(crate) steps: u32,
    /// Number of moves that followed ground down.
    pub(crate) snaps: u32,
    /// Metres that a platform carried the character.
    pub(crate) carried: f64,
    /// Metres of depenetration.
    pub(crate) recovered: f64,
    /// Whether the character jumped.
    pub(crate) jumped: bool,
    /// Whether there was no room for the height of the leg.
    pub(crate) no_room: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ContactReport {
    pub(crate) name: String,
    pub(crate) pass: Pass,
    pub(crate) point: DVec3,
    pub(crate) normal: Vec3,
    pub(crate) region: Region,
    pub(crate) triangle: Option<u32>,
}

/// One report per leg. A leg whose goal is already reached has no moves and keeps the position.
pub(crate) fn reports(
    legs: &[Leg],
    ticks: &[Tick],
    controller: &Controller,
    level: &Level,
) -> Vec<LegReport> {
    let mut reports: Vec<LegReport> = Vec::new();
    let start = ticks.first().map_or(DVec3::ZERO, |tick| controller.feet(&tick.record.state));
    for (number, leg) in legs.iter().enumerate() {
        let first = ticks.partition_point(|tick| tick.leg < number);
        let leg_ticks = &ticks[first..ticks.partition_point(|tick| tick.leg <= number)];
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
            flags: Flags { jumped: leg.jump && !leg_ticks.is_empty(), ..Flags::default() },
            contacts: Vec::new(),
        };
        for tick in leg_ticks {
            report.add(tick, level);
        }
        if let Some(last) = leg_ticks.last() {
            let outcome = &last.record.outcome;
            report.to = controller.feet(&outcome.state);
            report.flags.no_room =
                leg.height.is_some_and(|height| height > outcome.state.total_height());
            report.ground = outcome.ground.filter(|ground| ground.touched).map(|ground| {
                let cos_slope = f64::from(ground.face_normal.z).clamp(-1.0, 1.0);
                GroundReport {
                    name: target_name(level, &ground.target),
                    slope_degrees: cos_slope.acos().to_degrees(),
                    walkable: ground.walkable,
                }
            });
        }
        reports.push(report);
    }
    reports
}

impl LegReport {
    fn add(&mut self, tick: &Tick, level: &Level) {
        let (outcome, dt) = (&tick.record.outcome, tick.record.input.dt);
        let (requested, achieved) = ground_lengths(outcome);
        self.seconds += dt;
        self.asked += requested;
        self.achieved += achieved;
        let flags = &mut self.flags;
        let ground = outcome.ground.filter(|ground| ground.touched);
        let during = |is_true: bool| if is_true { dt } else { 0.0 };
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
                name: target_name(level, &contact.target),
                pass: contact.pass,
                point: contact.point,
                normal: contact.normal,
                region: contact.region,
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

/// Whether a contact is only the ground under the character.
pub(crate) fn is_footing(contact: &Contact) -> bool {
    matches!(contact.pass, Pass::Down | Pass::Ride) || contact.normal.z > 0.7
}

/// The name of a touched body and its tag, for reports.
fn target_name(level: &Level, target: &HitTarget) -> String {
    let tag = level.names.tag(target.tag).filter(|_| target.tag != 0);
    let name = match (load::body_name(level, target), tag) {
        (Some(body), Some(tag)) if body != tag => return format!("{body}/{tag}"),
        (Some(name), _) | (None, Some(name)) => name,
        (None, None) => return format!("body {}", target.key),
    };
    name.to_owned()
}

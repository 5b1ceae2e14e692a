//! The judge: compares the library's three answers to a case with the oracle.

mod contact;
mod expected;

use crate::oracle::{Closest, PushOut, Solid, push_out, segment_distance};
use crate::{Answers, Case, TargetShape};
use capsweep::{CONTACT_TOLERANCE, SweepHit};
use contact::Contact;
use expected::ExpectedSweep;
use glam::DVec3;

/// Distance (2 nm) from a threshold within which both answers are accepted.
///
/// The library counts a touch up to 1 nm past the end of the motion as a touch at the end. The
/// oracle's own error is below 0.1 nm for shapes of up to 4 km.
pub(crate) const ORACLE_ERROR: f64 = 2e-9;

/// Distance of axis and core (1 µm) below which the oracle searches for the depth.
///
/// The direction between the closest points has too few correct digits there.
const PIERCED_DISTANCE: f64 = 1e-6;

/// A rule that an answer breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// There is a hit, but none was reported.
    Missed,
    /// There is no hit, but one was reported.
    Invented,
    /// The hit is right, but its kind is wrong: overlap at the start, touch at the start, or
    /// later.
    WrongStart,
    /// A field contradicts the others, or the contract.
    Broken(&'static str),
}

/// The result of one case.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Whether the sweep reported a hit.
    pub hit: bool,
    /// Whether the capsule overlaps at the start.
    pub overlap: bool,
    /// Whether rounding decides between hit and miss, so that both answers are accepted.
    pub ambiguous: bool,
    /// |distance at the reported time − sum of the radii|, in metres.
    pub gap: f64,
    /// Gap that is left after moving out by the reported depth, in metres.
    pub push_out: f64,
    /// Reported depth minus the shortest push-out of the oracle, in metres.
    pub depth: f64,
    /// Angle between the reported normal and the line between the closest points, in degrees.
    pub normal: f64,
    /// Largest error of a reported point, in metres.
    pub point: f64,
    /// The rules that are broken.
    pub faults: Vec<Fault>,
}

/// Judges the library's answers to `case`.
pub fn judge(case: &Case, answers: &Answers) -> Verdict {
    let origin = case.capsule.p0();
    let solid = Solid::relative_to(&case.target, origin);
    let axis = case.capsule.p1() - origin;
    let radius = f64::from(case.capsule.radius());
    let start = segment_distance(&solid.core, DVec3::ZERO, axis);
    let judge = Judge {
        case,
        answers,
        solid,
        origin,
        axis,
        radius,
        reach: radius + solid.radius,
        start,
        shortest: None,
        verdict: Verdict::default(),
    };
    judge.run()
}

struct Judge<'a> {
    case: &'a Case,
    answers: &'a Answers,
    solid: Solid,
    origin: DVec3,
    axis: DVec3,
    radius: f64,
    /// Sum of the radii: the distance of axis and core at which the surfaces touch.
    reach: f64,
    start: Closest,
    /// The shortest push-out from a pierced core, once it has been searched for.
    shortest: Option<PushOut>,
    verdict: Verdict,
}

impl Judge<'_> {
    fn run(mut self) -> Verdict {
        self.verdict.overlap = self.start.distance < self.reach - CONTACT_TOLERANCE;
        let push_out = self.overlap();
        self.closest();
        self.sweep(push_out);
        self.verdict
    }

    /// Records a broken rule unless it holds.
    fn require(&mut self, holds: bool, rule: &'static str) {
        if !holds {
            self.verdict.faults.push(Fault::Broken(rule));
        }
    }

    /// Whether the axis crosses the core, so that the closest points give no direction.
    fn is_pierced(&self) -> bool {
        !matches!(self.case.target, TargetShape::HalfSpace(_))
            && self.start.distance < PIERCED_DISTANCE
    }

    /// Judges `overlap_*`; returns the library's push-out direction.
    fn overlap(&mut self) -> Option<DVec3> {
        let found = self.answers.overlap;
        let d = self.start.distance;
        if d < self.reach - CONTACT_TOLERANCE - ORACLE_ERROR {
            self.require(found.is_some(), "overlap: missed");
        } else if d > self.reach + ORACLE_ERROR {
            self.require(found.is_none(), "overlap: invented");
        }
        let found = found?;
        let offset = self.judge_push_out(found.normal.as_dvec3(), found.depth);
        self.contact(&Contact::from_overlap(&found), offset, 0.0);
        Some(found.normal.as_dvec3())
    }

    /// Judges a depth and its direction; returns the displacement that frees the capsule.
    fn judge_push_out(&mut self, direction: DVec3, depth: f64) -> DVec3 {
        self.require(depth > 0.0, "overlap: depth is not greater than zero");
        // A caller moves by normal · depth with the f32 normal as it is. Its length is off by up
        // to 3e-8, which over a depth of 100 m is 3 µm unless the depth makes up for it.
        let offset = direction * depth;
        let depth = offset.length();
        let freed = segment_distance(&self.solid.core, offset, self.axis);
        keep_worst(&mut self.verdict.push_out, (freed.distance - self.reach).abs());
        if self.is_pierced() {
            let (core, axis, reach) = (&self.solid.core, self.axis, self.reach);
            let shortest = *self.shortest.get_or_insert_with(|| push_out(core, axis, reach));
            keep_worst(&mut self.verdict.depth, depth - shortest.depth);
        } else {
            keep_worst(
                &mut self.verdict.depth,
                (depth - (self.reach - self.start.distance)).abs(),
            );
            keep_worst(&mut self.verdict.normal, degrees(direction, self.start.normal));
        }
        offset
    }

    /// Judges `closest_*`.
    fn closest(&mut self) {
        let found = self.answers.closest;
        let normal = found.normal.as_dvec3();
        let contact = Contact::from_closest(&found);
        // Rounding a normal to f32 turns it by up to 6e-8, and moves the points apart as much.
        let blur = 1e-7 * found.distance.abs();
        let between = found.on_geometry - found.on_capsule + normal * found.distance;
        keep_worst(&mut self.verdict.point, between.length() - blur);
        if found.distance < 0.0 && self.start.distance < self.reach - ORACLE_ERROR {
            // The distance does not make up for the length of the f32 normal.
            let normal = normal.normalize();
            let offset = self.judge_push_out(normal, -found.distance);
            self.contact(&contact, offset, 0.0);
            return;
        }
        let error = found.distance - (self.start.distance - self.reach);
        self.require(error.abs() < ORACLE_ERROR, "closest: distance");
        if !self.is_pierced() {
            keep_worst(&mut self.verdict.normal, degrees(normal, self.start.normal));
        }
        self.contact(&contact, DVec3::ZERO, found.distance);
        let local = found.on_capsule - self.origin;
        let from_axis = crate::oracle::on_segment(local, DVec3::ZERO, self.axis).distance(local);
        keep_worst(&mut self.verdict.point, (from_axis - self.radius).abs() - blur);
    }

    /// Judges `sweep_*`.
    fn sweep(&mut self, push_out: Option<DVec3>) {
        let found = self.answers.sweep;
        self.verdict.hit = found.is_some();
        let expected = self.expected_sweep(push_out);
        self.verdict.ambiguous = expected == ExpectedSweep::Unsure;
        let fault = match (&found, expected) {
            (None, ExpectedSweep::Miss) | (_, ExpectedSweep::Unsure) => None,
            (None, _) => Some(Fault::Missed),
            (Some(_), ExpectedSweep::Miss) => Some(Fault::Invented),
            (Some(hit), ExpectedSweep::StartOverlap) => {
                (!hit.starts_overlapping()).then_some(Fault::WrongStart)
            }
            (Some(hit), ExpectedSweep::StartTouch) => {
                (hit.time != 0.0 || hit.depth != 0.0).then_some(Fault::WrongStart)
            }
            (Some(hit), ExpectedSweep::Later) => {
                (hit.time == 0.0 || hit.depth != 0.0).then_some(Fault::WrongStart)
            }
            (Some(hit), ExpectedSweep::AtEnd) => {
                (hit.time < 1.0 - 1e-12 || hit.depth != 0.0).then_some(Fault::WrongStart)
            }
        };
        self.verdict.faults.extend(fault);
        if let Some(hit) = &found {
            self.hit(hit);
        }
    }

    /// Judges the fields of a hit.
    fn hit(&mut self, hit: &SweepHit) {
        let motion = self.case.motion.vector();
        let length = self.case.motion.length();
        self.require((0.0..=1.0).contains(&hit.time), "sweep: time is not in 0..=1");
        let along = (hit.distance - hit.time * length).abs();
        self.require(along <= 1e-12 * length, "sweep: distance is not time × length");
        let contact = Contact::from_sweep(hit);
        if hit.starts_overlapping() {
            self.require(hit.time == 0.0, "sweep: overlaps at the start, later");
            let offset = self.judge_push_out(hit.normal.as_dvec3(), hit.depth);
            self.contact(&contact, offset, 0.0);
            return;
        }
        self.require(hit.depth == 0.0, "sweep: depth is negative");
        let offset = motion * hit.time;
        let closest = segment_distance(&self.solid.core, offset, self.axis);
        let gap = closest.distance - self.reach;
        if hit.time > 0.0 {
            keep_worst(&mut self.verdict.gap, gap.abs());
        }
        keep_worst(&mut self.verdict.normal, degrees(hit.normal.as_dvec3(), closest.normal));
        let opposes = hit.normal.as_dvec3().dot(motion) <= 1e-6 * length;
        self.require(opposes, "sweep: the normal does not oppose the motion");
        self.contact(&contact, offset, gap);
    }
}

/// Keeps the larger of two errors; a NaN counts as infinite.
fn keep_worst(worst: &mut f64, value: f64) {
    if value.is_nan() {
        *worst = f64::INFINITY;
    } else if value > *worst {
        *worst = value;
    }
}

/// Angle between two directions in degrees.
///
/// From the chord, because the cosine loses its digits at small angles.
fn degrees(a: DVec3, b: DVec3) -> f64 {
    let chord = a.normalize_or_zero().distance(b.normalize_or_zero());
    (2.0 * (0.5 * chord).min(1.0).asin()).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Pair, generate};
    use capsweep::Feature;

    /// Whether the judge rejects the answers after `spoil` changed them. `None` if it changed
    /// nothing, or if both answers to the case are right.
    fn caught(case: &Case, spoil: impl Fn(&mut Answers) -> bool) -> Option<bool> {
        let mut answers = case.answers();
        if judge(case, &answers).ambiguous || !spoil(&mut answers) {
            return None;
        }
        let verdict = judge(case, &answers);
        let measures = verdict.gap > 2.002e-6
            || verdict.push_out > 5e-6
            || verdict.depth > 5e-6
            || verdict.normal > 0.5
            || verdict.point > 1e-4;
        Some(measures || !verdict.faults.is_empty())
    }

    /// Spoils many cases of every pair and requires that the judge rejects each of them.
    fn always_caught(spoil: impl Fn(&mut Answers) -> bool) {
        let mut spoiled = 0;
        for pair in Pair::ALL {
            for index in 0..300 {
                let case = generate(pair, Family::General, 3, index);
                if let Some(caught) = caught(&case, &spoil) {
                    assert!(caught, "{} {index}: {case:?}", pair.name());
                    spoiled += 1;
                }
            }
        }
        assert!(spoiled > 30, "only {spoiled} cases were spoiled");
    }

    fn later_hit(answers: &mut Answers) -> Option<&mut SweepHit> {
        answers.sweep.as_mut().filter(|hit| hit.time > 0.0)
    }

    #[test]
    fn a_lost_hit_is_caught() {
        always_caught(|a| a.sweep.take().is_some());
    }

    #[test]
    fn a_lost_or_shortened_overlap_is_caught() {
        always_caught(|a| a.overlap.take().is_some());
        always_caught(|a| a.overlap.as_mut().map(|o| o.depth -= 1e-5).is_some());
        always_caught(|a| a.overlap.as_mut().map(|o| o.depth += 1e-5).is_some());
    }

    #[test]
    fn an_invented_hit_is_caught() {
        // A hit from the closest points, as if they touched.
        always_caught(|a| {
            let far = a.sweep.is_none() && a.closest.distance > 1e-3;
            if far {
                a.sweep = Some(SweepHit {
                    time: 0.5,
                    distance: 0.0,
                    point: a.closest.on_geometry,
                    normal: a.closest.normal,
                    face_normal: a.closest.face_normal,
                    depth: 0.0,
                    feature: a.closest.feature,
                    barycentrics: a.closest.barycentrics,
                    region: a.closest.region,
                });
            }
            far
        });
    }

    #[test]
    fn a_turned_normal_is_caught() {
        always_caught(|a| later_hit(a).map(|hit| hit.normal = -hit.normal).is_some());
        always_caught(|a| {
            let turn = 0.02 * a.closest.normal.any_orthonormal_vector();
            a.closest.normal = (a.closest.normal + turn).normalize();
            true
        });
    }

    #[test]
    fn a_shifted_point_or_time_is_caught() {
        always_caught(|a| {
            later_hit(a).map(|hit| hit.point += 3e-4 * hit.normal.as_dvec3()).is_some()
        });
        // A tenth of the motion, so at least 5 cm. At a grazing angle a shorter shift may stay
        // within the bound.
        always_caught(|a| {
            later_hit(a)
                .filter(|hit| hit.time > 0.1)
                .map(|hit| {
                    hit.distance *= (hit.time - 0.1) / hit.time;
                    hit.time -= 0.1;
                })
                .is_some()
        });
    }

    #[test]
    fn a_wrong_corner_is_caught() {
        always_caught(|a| {
            let hit = later_hit(a);
            hit.is_some_and(|hit| match &mut hit.feature {
                Feature::Vertex(i) => {
                    *i ^= 1;
                    true
                }
                _ => false,
            })
        });
    }
}

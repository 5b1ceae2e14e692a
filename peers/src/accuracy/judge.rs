//! The oracle's answer to a case, and the error of an engine's answer.

use super::case::SweepCase;
use crate::engine::{Answer, Hit};
use anyhow::Result;
use capsweep::Sides;
use capsweep_testkit::TargetShape;
use capsweep_testkit::oracle::{Closest, Core, Solid, Sweep, segment_distance, sweep};
use glam::DVec3;
use serde::Serialize;

/// Distance (metres) below which both answers to a touch are accepted: f32 cannot decide it.
pub(super) const TOUCH_TOLERANCE: f64 = 1e-4;

/// Cosine between normal and motion below which the side is ambiguous (no unit).
const EDGE_ON: f64 = 1e-5;

/// Width over length below which a triangle is degenerate and has no sides, as in capsweep.
const DEGENERATE: f64 = 1.0 / (1_u64 << 40) as f64;

/// The kind of answer that is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Nothing,
    Overlap,
    Later,
    Either,
}

/// The oracle's answer to a case.
pub(super) struct OracleAnswer {
    core: Core,
    axis: DVec3,
    motion: DVec3,
    reach: f64,
    sides: Sides,
    expected: Expected,
}

impl OracleAnswer {
    /// The answer if `sides` of the triangle are seen; `None` if the case is not valid.
    pub(super) fn new(case: &SweepCase, sides: Sides) -> Option<Self> {
        let (capsule, triangle) = (case.capsule().ok()?, case.triangle().ok()?);
        let core = Solid::relative_to(&TargetShape::Triangle(triangle), capsule.p0()).core;
        let axis = capsule.p1() - capsule.p0();
        let motion = case.motion.as_dvec3();
        let reach = f64::from(case.radius);
        let start = segment_distance(&core, DVec3::ZERO, axis);
        let mut answer = Self { core, axis, motion, reach, sides, expected: Expected::Either };
        answer.expected = answer.expected(&start);
        Some(answer)
    }

    fn expected(&self, start: &Closest) -> Expected {
        if self.motion.length() < TOUCH_TOLERANCE {
            return Expected::Either;
        }
        match self.facing() {
            _ if self.sides == Sides::Both => {}
            cosine if cosine < -EDGE_ON => {}
            cosine if cosine > EDGE_ON => return Expected::Nothing,
            _ => return Expected::Either,
        }
        let above = start.distance - self.reach;
        if above.abs() < TOUCH_TOLERANCE {
            return Expected::Either;
        }
        if above < 0.0 {
            return Expected::Overlap;
        }
        match sweep(&self.core, self.axis, self.motion, (self.reach, TOUCH_TOLERANCE), start) {
            Sweep::Hit { .. } => Expected::Later,
            Sweep::Miss => Expected::Nothing,
            Sweep::Unsure => Expected::Either,
        }
    }

    /// Cosine between the front normal and the motion; −1 for a degenerate triangle, which is seen
    /// from every side.
    fn facing(&self) -> f64 {
        let Core::Triangle(triangle) = &self.core else { return -1.0 };
        if triangle.width < DEGENERATE * triangle.length || triangle.length == 0.0 {
            return -1.0;
        }
        let [a, b, c] = triangle.corners;
        (b - a).cross(c - a).normalize_or_zero().dot(self.motion.normalize())
    }

    /// The gap at a hit in metres, and the error of its normal in degrees.
    ///
    /// With both sides the sign of the normal is not judged: `PhysX` then reports the front
    /// normal, as its documentation says.
    fn measure(&self, hit: &Hit) -> (f64, f64) {
        let offset = self.motion.normalize() * hit.distance;
        let closest = segment_distance(&self.core, offset, self.axis);
        let normal = hit.normal.as_dvec3().normalize_or_zero();
        let chord = match self.sides {
            Sides::Front => normal.distance(closest.normal),
            Sides::Both => normal.distance(closest.normal).min((-normal).distance(closest.normal)),
        };
        ((closest.distance - self.reach).abs(), (2.0 * (0.5 * chord).min(1.0).asin()).to_degrees())
    }
}

/// Counts of one engine's answers.
#[derive(Default)]
pub(super) struct Tally {
    asked: u64,
    left_out: u64,
    refused: u64,
    hits: u64,
    missed: u64,
    invented: u64,
    wrong_start: u64,
    gaps: Vec<f64>,
    normal_max: f64,
    examples: Vec<Example>,
    worst_gap: Option<(f64, Example)>,
}

/// The first case with a fault, or the one with the largest gap.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Example {
    fault: &'static str,
    center: [f32; 3],
    half_axis: [f32; 3],
    radius: f32,
    motion: [f32; 3],
    triangle: [[f32; 3]; 3],
    sides: &'static str,
    /// The engine's answer, in metres along the motion.
    answer: Option<f64>,
}

impl Example {
    fn new(
        fault: &'static str,
        case: &SweepCase,
        expected: &OracleAnswer,
        answer: Answer,
    ) -> Self {
        Self {
            fault,
            center: case.center.to_array(),
            half_axis: case.half_axis.to_array(),
            radius: case.radius,
            motion: case.motion.to_array(),
            triangle: case.corners.map(|corner| corner.to_array()),
            sides: if expected.sides == Sides::Front { "front" } else { "both" },
            answer: answer.map(|hit| hit.distance),
        }
    }
}

/// A [`Tally`] as files show it.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// Cases.
    pub(super) asked: u64,
    /// Cases with two accepted answers.
    pub(super) left_out: u64,
    /// Triangles that the engine refuses.
    pub(super) refused: u64,
    /// Hits after the start, with measured gaps.
    pub(super) hits: u64,
    /// There is a hit, but the engine finds none.
    pub(super) missed: u64,
    /// There is no hit, but the engine finds one.
    pub(super) invented: u64,
    /// An overlap at the start is reported as a later hit, or vice versa.
    pub(super) wrong_start: u64,
    /// Metres: |distance at the reported time − radius|.
    pub(super) gap_p50: Option<f64>,
    /// The same, at 99.9 per cent.
    pub(super) gap_p999: Option<f64>,
    /// The largest.
    pub(super) gap_max: Option<f64>,
    /// Degrees between the reported normal and the true one.
    pub(super) normal_max: f64,
    /// One case for each kind of fault, and the case with the largest gap.
    pub(super) examples: Vec<Example>,
}

impl Tally {
    /// Counts an engine's answer to a case. A case without an oracle answer is not counted.
    pub(super) fn add(
        &mut self,
        case: &SweepCase,
        expected: Option<&OracleAnswer>,
        found: &Result<Answer>,
    ) {
        let Some(expected) = expected else { return };
        self.asked += 1;
        let &Ok(answer) = found else {
            self.refused += 1;
            return;
        };
        let fault = match (expected.expected, answer) {
            (Expected::Either, _) => {
                self.left_out += 1;
                None
            }
            (Expected::Nothing, None) => None,
            (Expected::Nothing, Some(_)) => Some((&mut self.invented, "invented")),
            (_, None) => Some((&mut self.missed, "missed")),
            (Expected::Overlap, Some(hit)) => {
                (hit.distance > TOUCH_TOLERANCE).then_some((&mut self.wrong_start, "wrong start"))
            }
            (Expected::Later, Some(hit)) if hit.distance == 0.0 => {
                Some((&mut self.wrong_start, "wrong start"))
            }
            (Expected::Later, Some(hit)) => {
                let (gap, normal) = expected.measure(&hit);
                self.hits += 1;
                self.gaps.push(gap);
                self.normal_max = self.normal_max.max(normal);
                if gap > self.worst_gap.as_ref().map_or(0.0, |(worst, _)| *worst) {
                    self.worst_gap = Some((gap, Example::new("gap", case, expected, answer)));
                }
                None
            }
        };
        if let Some((count, fault)) = fault {
            *count += 1;
            self.keep(Example::new(fault, case, expected, answer));
        }
    }

    /// Keeps the first example of its kind.
    fn keep(&mut self, example: Example) {
        if self.examples.iter().all(|known| known.fault != example.fault) {
            self.examples.push(example);
        }
    }

    /// Counts another tally's answers too.
    pub(super) fn merge(&mut self, other: &Self) {
        self.asked += other.asked;
        self.left_out += other.left_out;
        self.refused += other.refused;
        self.hits += other.hits;
        self.missed += other.missed;
        self.invented += other.invented;
        self.wrong_start += other.wrong_start;
        self.gaps.extend(&other.gaps);
        self.normal_max = self.normal_max.max(other.normal_max);
        other.examples.iter().for_each(|example| self.keep(example.clone()));
        let worst = |worst: &Option<(f64, Example)>| worst.as_ref().map_or(0.0, |(gap, _)| *gap);
        if worst(&other.worst_gap) > worst(&self.worst_gap) {
            self.worst_gap.clone_from(&other.worst_gap);
        }
    }

    pub(super) fn summary(&self) -> Summary {
        let mut gaps = self.gaps.clone();
        gaps.sort_by(f64::total_cmp);
        let share = |share: f64| {
            let last = gaps.len().checked_sub(1)?;
            gaps.get((share * last as f64).round() as usize).copied()
        };
        Summary {
            asked: self.asked,
            left_out: self.left_out,
            refused: self.refused,
            hits: self.hits,
            missed: self.missed,
            invented: self.invented,
            wrong_start: self.wrong_start,
            gap_p50: share(0.5),
            gap_p999: share(0.999),
            gap_max: share(1.0),
            normal_max: self.normal_max,
            examples: self
                .examples
                .iter()
                .chain(self.worst_gap.as_ref().map(|(_, example)| example))
                .cloned()
                .collect(),
        }
    }
}

//! What is true of a question, and how far an answer is from it.

use super::question::Question;
use crate::engine::{Answer, Hit};
use anyhow::Result;
use capsweep::Sides;
use capsweep_testkit::TargetShape;
use capsweep_testkit::oracle::{Closest, Core, Solid, Sweep, segment_distance, sweep};
use glam::DVec3;
use serde::Serialize;

/// Where a touch hangs on less than this (metres), either answer is right: f32 engines cannot know better.
pub(super) const DOUBT: f64 = 1e-4;

/// Cosine between face and motion below which it is not clear which side is seen (no unit).
const EDGE_ON: f64 = 1e-5;

/// Width over length below which a triangle is a segment, and has no sides: as capsweep defines it.
const DEGENERATE: f64 = 1.0 / (1_u64 << 40) as f64;

/// The kind of answer that is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    Nothing,
    Overlap,
    Later,
    Either,
}

/// What the oracle says.
pub(super) struct Truth {
    core: Core,
    axis: DVec3,
    motion: DVec3,
    reach: f64,
    sides: Sides,
    right: Right,
}

impl Truth {
    /// The truth about `question` when `sides` of the triangle are seen.
    pub(super) fn of(question: &Question, sides: Sides) -> Option<Self> {
        let (capsule, triangle) = (question.capsule().ok()?, question.triangle().ok()?);
        let core = Solid::relative_to(&TargetShape::Triangle(triangle), capsule.p0()).core;
        let axis = capsule.p1() - capsule.p0();
        let motion = question.motion.as_dvec3();
        let reach = f64::from(question.radius);
        let start = segment_distance(&core, DVec3::ZERO, axis);
        let mut truth = Self { core, axis, motion, reach, sides, right: Right::Either };
        truth.right = truth.right(&start);
        Some(truth)
    }

    fn right(&self, start: &Closest) -> Right {
        if self.motion.length() < DOUBT {
            return Right::Either;
        }
        match self.faces() {
            _ if self.sides == Sides::Both => {}
            cosine if cosine < -EDGE_ON => {}
            cosine if cosine > EDGE_ON => return Right::Nothing,
            _ => return Right::Either,
        }
        let above = start.distance - self.reach;
        if above.abs() < DOUBT {
            return Right::Either;
        }
        if above < 0.0 {
            return Right::Overlap;
        }
        match sweep(&self.core, self.axis, self.motion, (self.reach, DOUBT), start) {
            Sweep::Hit { .. } => Right::Later,
            Sweep::Miss => Right::Nothing,
            Sweep::Unsure => Right::Either,
        }
    }

    /// Cosine between the front's normal and the motion; −1, seen from any side, where there is no front.
    fn faces(&self) -> f64 {
        let Core::Triangle(flat) = &self.core else { return -1.0 };
        if flat.width < DEGENERATE * flat.length || flat.length == 0.0 {
            return -1.0;
        }
        let [a, b, c] = flat.corners;
        (b - a).cross(c - a).normalize_or_zero().dot(self.motion.normalize())
    }

    /// The gap that is left at a hit, in metres, and how far its normal is off, in degrees.
    ///
    /// Where both sides are seen, the sign of a normal is not judged: `PhysX` documents that it then reports the front's.
    fn measure(&self, hit: &Hit) -> (f64, f64) {
        let offset = self.motion.normalize() * hit.distance;
        let there = segment_distance(&self.core, offset, self.axis);
        let normal = hit.normal.as_dvec3().normalize_or_zero();
        let chord = match self.sides {
            Sides::Front => normal.distance(there.normal),
            Sides::Both => normal.distance(there.normal).min((-normal).distance(there.normal)),
        };
        ((there.distance - self.reach).abs(), (2.0 * (0.5 * chord).min(1.0).asin()).to_degrees())
    }
}

/// The answers of one engine, counted.
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

/// The first question that shows a fault, or the one with the largest gap.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Example {
    fault: &'static str,
    center: [f32; 3],
    half_axis: [f32; 3],
    radius: f32,
    motion: [f32; 3],
    triangle: [[f32; 3]; 3],
    sides: &'static str,
    /// What the engine said, in metres along the motion.
    answer: Option<f64>,
}

impl Example {
    fn new(fault: &'static str, question: &Question, truth: &Truth, answer: Answer) -> Self {
        Self {
            fault,
            center: question.center.to_array(),
            half_axis: question.half_axis.to_array(),
            radius: question.radius,
            motion: question.motion.to_array(),
            triangle: question.corners.map(|corner| corner.to_array()),
            sides: if truth.sides == Sides::Front { "front" } else { "both" },
            answer: answer.map(|hit| hit.distance),
        }
    }
}

/// What becomes of a [`Tally`] in files.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// Questions.
    pub(super) asked: u64,
    /// Questions to which either answer is right.
    pub(super) left_out: u64,
    /// Triangles that the engine does not take.
    pub(super) refused: u64,
    /// Hits later than the start, whose gaps were measured.
    pub(super) hits: u64,
    /// There is a hit; the engine finds none.
    pub(super) missed: u64,
    /// There is none; the engine finds one.
    pub(super) invented: u64,
    /// An overlap at the start is reported as a later hit, or the other way round.
    pub(super) wrong_start: u64,
    /// Metres: |distance at the reported time − radius|.
    pub(super) gap_p50: Option<f64>,
    /// The same, at 99.9 per cent.
    pub(super) gap_p999: Option<f64>,
    /// The largest.
    pub(super) gap_max: Option<f64>,
    /// Degrees between the reported normal and the true one.
    pub(super) normal_max: f64,
    /// One question for each kind of fault, and that with the largest gap.
    pub(super) examples: Vec<Example>,
}

impl Tally {
    /// Counts what an engine says about a question; a question that is none is not counted.
    pub(super) fn add(
        &mut self,
        question: &Question,
        truth: Option<&Truth>,
        said: &Result<Answer>,
    ) {
        let Some(truth) = truth else { return };
        self.asked += 1;
        let &Ok(answer) = said else {
            self.refused += 1;
            return;
        };
        let fault = match (truth.right, answer) {
            (Right::Either, _) => {
                self.left_out += 1;
                None
            }
            (Right::Nothing, None) => None,
            (Right::Nothing, Some(_)) => Some((&mut self.invented, "invented")),
            (_, None) => Some((&mut self.missed, "missed")),
            (Right::Overlap, Some(hit)) => {
                (hit.distance > DOUBT).then_some((&mut self.wrong_start, "wrong start"))
            }
            (Right::Later, Some(hit)) if hit.distance == 0.0 => {
                Some((&mut self.wrong_start, "wrong start"))
            }
            (Right::Later, Some(hit)) => {
                let (gap, normal) = truth.measure(&hit);
                self.hits += 1;
                self.gaps.push(gap);
                self.normal_max = self.normal_max.max(normal);
                if gap > self.worst_gap.as_ref().map_or(0.0, |(worst, _)| *worst) {
                    self.worst_gap = Some((gap, Example::new("gap", question, truth, answer)));
                }
                None
            }
        };
        if let Some((count, fault)) = fault {
            *count += 1;
            self.keep(Example::new(fault, question, truth, answer));
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

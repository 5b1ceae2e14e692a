//! The sweep answer that the contract demands, from the oracle's distances alone.

use super::{Judge, ORACLE_ERROR};
use crate::oracle::{OracleTriangle, Sweep, segment_distance, sweep};
use crate::{Expect, TargetShape};
use capsweep::{CONTACT_TOLERANCE, Sides};
use glam::DVec3;

/// Cosine (no unit) below which the sign of the oracle's own normal against a motion is uncertain.
///
/// The oracle finds the closest point along the axis as the minimum of the distance, which is flat
/// there. A rounding error of ε in the distance leaves √ε ≈ 1.5e-8 in the position along the axis.
/// The normal along the axis gets that error times the axis length over the distance.
const NORMAL_ERROR: f64 = 1e-7;

/// The kind of answer that is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedSweep {
    Miss,
    /// Time 0, depth greater than 0.
    StartOverlap,
    /// Time 0, depth 0.
    StartTouch,
    /// A time greater than 0.
    Later,
    /// Time 1.
    AtEnd,
    /// Rounding decides: every answer is accepted.
    Unsure,
}

/// The sign of a dot product, if it is certain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Negative,
    NotNegative,
    Unsure,
}

impl Judge<'_> {
    /// The answer that is right. `push_out` is the library's own direction out of an overlap.
    pub(super) fn expected_sweep(&self, push_out: Option<DVec3>) -> ExpectedSweep {
        match self.case.expect {
            Some(Expect::Nothing) => return ExpectedSweep::Miss,
            Some(Expect::TouchAtStart) => return ExpectedSweep::StartTouch,
            Some(Expect::TouchAtEnd) => return ExpectedSweep::AtEnd,
            None => {}
        }
        let motion = self.case.motion.vector();
        let front = self.case.sides == Sides::Front && motion != DVec3::ZERO;
        if let (true, TargetShape::Triangle(triangle)) = (front, &self.case.target) {
            // World coordinates: coordinates relative to the capsule would be rounded once more.
            match facing(&OracleTriangle::new(triangle.vertices()), motion) {
                Sign::Negative => {}
                Sign::NotNegative => return ExpectedSweep::Miss,
                Sign::Unsure => return ExpectedSweep::Unsure,
            }
        }
        let above = self.start.distance - self.reach;
        if (above.abs() - CONTACT_TOLERANCE).abs() < ORACLE_ERROR {
            return ExpectedSweep::Unsure;
        }
        if above < -CONTACT_TOLERANCE {
            return if front && self.case.target.is_solid() {
                self.expected_of_overlap(push_out)
            } else {
                ExpectedSweep::StartOverlap
            };
        }
        if motion == DVec3::ZERO {
            return ExpectedSweep::Miss;
        }
        if above < CONTACT_TOLERANCE {
            return match sign(self.start.normal, motion, NORMAL_ERROR) {
                Sign::Negative => ExpectedSweep::StartTouch,
                Sign::NotNegative => ExpectedSweep::Miss,
                Sign::Unsure => ExpectedSweep::Unsure,
            };
        }
        match sweep(&self.solid.core, self.axis, motion, (self.reach, ORACLE_ERROR), &self.start) {
            Sweep::Hit { .. } => ExpectedSweep::Later,
            Sweep::Miss if self.confirms_touch() => ExpectedSweep::Unsure,
            Sweep::Miss => ExpectedSweep::Miss,
            Sweep::Unsure => ExpectedSweep::Unsure,
        }
    }

    /// Whether the oracle's own distance confirms the touch that the library reports.
    ///
    /// The search for the smallest gap follows the sign of its slope, which is rounding noise on a
    /// graze. It may then end beside a minimum that is sharp in time. The distance at a given time
    /// has no such error.
    fn confirms_touch(&self) -> bool {
        self.answers.sweep.is_some_and(|hit| {
            let offset = self.case.motion.vector() * hit.time;
            let closest = segment_distance(&self.solid.core, offset, self.axis);
            hit.depth == 0.0 && (closest.distance - self.reach).abs() < ORACLE_ERROR
        })
    }

    /// The answer for an overlapped solid with `Sides::Front`: none if the motion leaves it, so if
    /// the push-out points along the motion.
    ///
    /// A pierced core may have several shortest push-outs. There the library's own direction
    /// counts, whose depth is judged elsewhere. An f32 normal decides the sign down to 1e-6.
    fn expected_of_overlap(&self, push_out: Option<DVec3>) -> ExpectedSweep {
        let motion = self.case.motion.vector();
        let along = if self.is_pierced() {
            push_out.map_or(Sign::Unsure, |direction| sign(direction, motion, 1e-6))
        } else {
            sign(self.start.normal, motion, NORMAL_ERROR)
        };
        match along {
            Sign::Negative => ExpectedSweep::StartOverlap,
            Sign::NotNegative => ExpectedSweep::Miss,
            Sign::Unsure => ExpectedSweep::Unsure,
        }
    }
}

/// The sign of `a · b` for a unit vector `a` with an error of up to `error` radians.
fn sign(a: DVec3, b: DVec3, error: f64) -> Sign {
    let cosine = a.dot(b) / b.length();
    if (a * b).abs() == DVec3::ZERO {
        // Every product is exactly zero, so there is no rounding error.
        Sign::NotNegative
    } else if cosine.abs() < error {
        Sign::Unsure
    } else if cosine < 0.0 {
        Sign::Negative
    } else {
        Sign::NotNegative
    }
}

/// The sign of the motion along the front normal: negative if the motion enters the front.
///
/// Also negative for a degenerate triangle, which has no sides to skip.
fn facing(triangle: &OracleTriangle, motion: DVec3) -> Sign {
    // The library's limit for degenerate triangles.
    let degenerate = 1.0 / (1_u64 << 40) as f64;
    let thinness = if triangle.length > 0.0 { triangle.width / triangle.length } else { 0.0 };
    if thinness < 0.99 * degenerate {
        return Sign::Negative;
    }
    if thinness < 1.01 * degenerate {
        return Sign::Unsure;
    }
    let [a, b, c] = triangle.corners;
    let (ab, ac) = (b - a, c - a);
    let area = ab.cross(ac);
    if (area * motion).abs() == DVec3::ZERO {
        return Sign::NotNegative;
    }
    let dot = area.dot(motion);
    // The cross product has an error of up to 2⁻⁵² of the product of the two longest edges, even
    // if most of it cancels.
    let error = 8.0 * f64::EPSILON * triangle.length * triangle.length * motion.length();
    if dot.abs() <= error {
        Sign::Unsure
    } else if dot < 0.0 {
        Sign::Negative
    } else {
        Sign::NotNegative
    }
}

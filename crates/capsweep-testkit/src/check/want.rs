//! What the contract wants of a sweep, from the oracle's distances alone.

use super::{DOUBT, Judge};
use crate::oracle::{Flat, Sweep, segment_distance, sweep};
use crate::{Expect, TargetShape};
use capsweep::{CONTACT_TOLERANCE, Sides};
use glam::DVec3;

/// Slope (no unit) below which the sign of the oracle's own normal against a motion is not sure.
///
/// The oracle finds the closest point along the axis as the minimum of the distance, which is flat there: a rounding of ε in the
/// distance leaves √ε ≈ 1.5e-8 in the place, and so in the normal along the axis, times the axis over the distance.
const TILT: f64 = 1e-7;

/// The kind of answer that is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Nothing,
    /// Time 0, depth greater than 0.
    Overlap,
    /// Time 0, depth 0.
    Touch,
    /// A time greater than 0.
    Later,
    /// Time 1.
    AtEnd,
    /// Rounding decides: any of them.
    Unsure,
}

/// The sign of a dot product, where it is certain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Negative,
    NotNegative,
    Unsure,
}

impl Judge<'_> {
    pub(super) fn want(&self, way_out: Option<DVec3>) -> Want {
        match self.case.expect {
            Some(Expect::Nothing) => return Want::Nothing,
            Some(Expect::TouchAtStart) => return Want::Touch,
            Some(Expect::TouchAtEnd) => return Want::AtEnd,
            None => {}
        }
        let motion = self.case.motion.vector();
        let front = self.case.sides == Sides::Front && motion != DVec3::ZERO;
        if let (true, TargetShape::Triangle(triangle)) = (front, &self.case.target) {
            // From the corners as they are: seen from the capsule they would be rounded once more.
            match facing(&Flat::new(triangle.vertices()), motion) {
                Sign::Negative => {}
                Sign::NotNegative => return Want::Nothing,
                Sign::Unsure => return Want::Unsure,
            }
        }
        let above = self.start.distance - self.reach;
        if (above.abs() - CONTACT_TOLERANCE).abs() < DOUBT {
            return Want::Unsure;
        }
        if above < -CONTACT_TOLERANCE {
            let is_triangle = matches!(self.case.target, TargetShape::Triangle(_));
            return if front && !is_triangle { self.leaving(way_out) } else { Want::Overlap };
        }
        if motion == DVec3::ZERO {
            return Want::Nothing;
        }
        if above < CONTACT_TOLERANCE {
            return match sign(self.start.normal, motion, TILT) {
                Sign::Negative => Want::Touch,
                Sign::NotNegative => Want::Nothing,
                Sign::Unsure => Want::Unsure,
            };
        }
        match sweep(&self.solid.core, self.axis, motion, (self.reach, DOUBT), &self.start) {
            Sweep::Hit { .. } => Want::Later,
            Sweep::Miss if self.confirms_touch() => Want::Unsure,
            Sweep::Miss => Want::Nothing,
            Sweep::Unsure => Want::Unsure,
        }
    }

    /// Whether the oracle's own distance confirms the touch that the library reports.
    ///
    /// The search for the smallest gap follows the sign of its slope, which on a graze is rounding; it may then end beside a
    /// minimum that is sharp in time. The distance at a given time has no such doubt.
    fn confirms_touch(&self) -> bool {
        self.answers.sweep.is_some_and(|hit| {
            let offset = self.case.motion.vector() * hit.time;
            let there = segment_distance(&self.solid.core, offset, self.axis);
            hit.depth == 0.0 && (there.distance - self.reach).abs() < DOUBT
        })
    }

    /// An overlapped solid in `Front`: skipped where the push-out leads along the motion.
    ///
    /// A pierced core may have several shortest ways out. There the library's own counts, which is judged by its
    /// length; an f32 normal decides down to 1e-6.
    fn leaving(&self, way_out: Option<DVec3>) -> Want {
        let motion = self.case.motion.vector();
        let leads = if self.is_pierced() {
            way_out.map_or(Sign::Unsure, |direction| sign(direction, motion, 1e-6))
        } else {
            sign(self.start.normal, motion, TILT)
        };
        match leads {
            Sign::Negative => Want::Overlap,
            Sign::NotNegative => Want::Nothing,
            Sign::Unsure => Want::Unsure,
        }
    }
}

/// The sign of `a · b` for a unit `a` whose direction is known to `doubt` radians.
fn sign(a: DVec3, b: DVec3, doubt: f64) -> Sign {
    let cosine = a.dot(b) / b.length();
    if (a * b).abs() == DVec3::ZERO {
        // Every product is zero: no rounding took part.
        Sign::NotNegative
    } else if cosine.abs() < doubt {
        Sign::Unsure
    } else if cosine < 0.0 {
        Sign::Negative
    } else {
        Sign::NotNegative
    }
}

/// Whether the motion enters the front of a triangle: negative if so. Without area there is no side: negative too.
fn facing(flat: &Flat, motion: DVec3) -> Sign {
    let degenerate = 1.0 / (1_u64 << 40) as f64;
    let thinness = if flat.length > 0.0 { flat.width / flat.length } else { 0.0 };
    if thinness < 0.99 * degenerate {
        return Sign::Negative;
    }
    if thinness < 1.01 * degenerate {
        return Sign::Unsure;
    }
    let [a, b, c] = flat.corners;
    let (ab, ac) = (b - a, c - a);
    let area = ab.cross(ac);
    if (area * motion).abs() == DVec3::ZERO {
        return Sign::NotNegative;
    }
    let dot = area.dot(motion);
    // The cross product is off by up to 2⁻⁵² of the product of the two longest edges, whatever is left of it.
    let doubt = 8.0 * f64::EPSILON * flat.length * flat.length * motion.length();
    if dot.abs() <= doubt {
        Sign::Unsure
    } else if dot < 0.0 {
        Sign::Negative
    } else {
        Sign::NotNegative
    }
}

//! First time at which a moving segment comes within a distance of a convex core.

use super::distance::{Closest, segment_distance};
use super::shape::Core;
use glam::DVec3;

/// Result of sweeping an axis that starts farther than `reach` (sum of the radii) from the core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sweep {
    /// The gap falls to the reach, first at `time`.
    Hit {
        /// Fraction of the motion.
        time: f64,
    },
    /// The gap stays above the reach.
    Miss,
    /// The smallest gap over the motion is so close to the reach that rounding decides.
    Unsure,
}

/// The gap at one time, with its derivative by time.
#[derive(Clone, Copy)]
struct Sample {
    t: f64,
    gap: f64,
    slope: f64,
}

/// Sweeps the axis `s·axis`, `0 ≤ s ≤ 1`, by `motion` until it is within `reach` of `core`.
///
/// The gap is convex in time. The sign of its slope brackets the minimum, until a gap below `reach
/// − error` is found or the tangents prove that it stays above `reach + error`. Then the first
/// crossing is bracketed. `start` is the closest pair at time 0.
pub fn sweep(
    core: &Core,
    axis: DVec3,
    motion: DVec3,
    (reach, error): (f64, f64),
    start: &Closest,
) -> Sweep {
    let sample = |t: f64| {
        let at = segment_distance(core, motion * t, axis);
        Sample { t, gap: at.distance, slope: at.normal.dot(motion) }
    };
    let from = Sample { t: 0.0, gap: start.distance, slope: start.normal.dot(motion) };
    match find_inside(&sample, from, reach, error) {
        Ok(inside) => Sweep::Hit { time: first_crossing(&sample, from, inside, reach) },
        Err(decided) => decided,
    }
}

/// A time at which the gap is below `reach − error`, or the answer if there is none.
fn find_inside(
    sample: &impl Fn(f64) -> Sample,
    from: Sample,
    reach: f64,
    error: f64,
) -> Result<Sample, Sweep> {
    let by_gap = |gap: f64| Err(if gap > reach + error { Sweep::Miss } else { Sweep::Unsure });
    if from.slope >= 0.0 {
        return by_gap(from.gap);
    }
    let (mut low, mut high) = (from, sample(1.0));
    let (mut low_weight, mut high_weight) = (1.0, 1.0);
    let mut bisect = false;
    for _ in 0..200 {
        if high.gap < reach - error {
            return Ok(high);
        }
        if high.slope <= 0.0 {
            return by_gap(high.gap);
        }
        let width = high.t - low.t;
        // The tangents meet at `x`, at a lower bound of the gap in the bracket.
        let x = (high.gap - low.gap - high.slope * width) / (low.slope - high.slope);
        let bound = low.gap + low.slope * x;
        let best = low.gap.min(high.gap);
        if bound > reach + error || best - bound < 1e-13 {
            return by_gap(best);
        }
        // Half the slope of the squared gap is piecewise linear, so secants reach its root.
        let (a, b) = (low.gap * low.slope * low_weight, high.gap * high.slope * high_weight);
        let secant = low.t - a * width / (b - a);
        let inside = !bisect && secant > low.t && secant < high.t;
        let t = if inside { secant } else { low.t + 0.5 * width };
        if t <= low.t || t >= high.t {
            return by_gap(best);
        }
        let next = sample(t);
        if next.gap < reach - error {
            return Ok(next);
        }
        if next.slope < 0.0 {
            low = next;
            (low_weight, high_weight) = (1.0, high_weight * 0.5);
        } else {
            high = next;
            (low_weight, high_weight) = (low_weight * 0.5, 1.0);
        }
        bisect = high.t - low.t > 0.5 * width;
    }
    by_gap(low.gap.min(high.gap))
}

/// The first time at which the gap is `reach`, between `low` (outside, falling) and `high`
/// (inside).
///
/// The gap is convex, so the tangent at `low` reaches `reach` before the gap does, and the chord
/// after it. Both keep the bracket.
fn first_crossing(
    sample: &impl Fn(f64) -> Sample,
    mut low: Sample,
    mut high: Sample,
    reach: f64,
) -> f64 {
    for _ in 0..100 {
        if low.gap - reach < 1e-13 || reach - high.gap < 1e-13 || high.t - low.t <= 1e-15 {
            break;
        }
        let tangent = low.t + (low.gap - reach) / -low.slope;
        let chord = low.t + (high.t - low.t) * (low.gap - reach) / (low.gap - high.gap);
        let before = high.t - low.t;
        for t in [tangent, chord] {
            if t > low.t && t < high.t {
                let next = sample(t);
                let end = if next.gap > reach && next.slope < 0.0 { &mut low } else { &mut high };
                *end = next;
            }
        }
        // Rounding can stop both steps. The bracket is then as narrow as f64 allows.
        if high.t - low.t == before {
            break;
        }
    }
    if low.gap - reach < reach - high.gap { low.t } else { high.t }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(core: &Core, start: DVec3, axis: DVec3, motion: DVec3, reach: f64) -> Sweep {
        let origin = segment_distance(core, DVec3::ZERO, axis);
        assert_eq!(start, DVec3::ZERO, "the axis starts at the origin");
        sweep(core, axis, motion, (reach, 1e-9), &origin)
    }

    #[test]
    fn a_sphere_meets_a_point() {
        // Point at (5, 0.6, 0), reach 1: touches when the distance along x is 0.8.
        let core = Core::Point(DVec3::new(5.0, 0.6, 0.0));
        let found = run(&core, DVec3::ZERO, DVec3::ZERO, DVec3::new(10.0, 0.0, 0.0), 1.0);
        let Sweep::Hit { time } = found else { panic!("{found:?}") };
        assert!((time - 0.42).abs() < 1e-14, "{time}");
    }

    #[test]
    fn a_falling_axis_meets_a_plane_with_its_lower_end() {
        let core = Core::HalfSpace(DVec3::new(0.0, 0.0, -3.0), DVec3::Z);
        let axis = DVec3::new(1.0, 0.0, -1.0);
        let found = run(&core, DVec3::ZERO, axis, DVec3::new(0.0, 0.0, -4.0), 0.5);
        let Sweep::Hit { time } = found else { panic!("{found:?}") };
        assert!((time - 0.375).abs() < 1e-15, "{time}");
    }

    #[test]
    fn passing_by_is_a_miss_and_a_graze_is_unsure() {
        let motion = DVec3::new(10.0, 0.0, 0.0);
        for (height, expected) in [(1.001, Sweep::Miss), (1.0, Sweep::Unsure)] {
            let core = Core::Point(DVec3::new(5.0, height, 0.0));
            assert_eq!(run(&core, DVec3::ZERO, DVec3::ZERO, motion, 1.0), expected);
        }
    }
}

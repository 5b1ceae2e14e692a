//! Closest points of a segment and a box.

use crate::Feature;
use crate::kernel::{ClosestPair, RelativeSegment};
use crate::tolerance::LINE_CONTACT_GAP;
use glam::DVec3;

/// The closest points of a segment and the box `|x| ≤ half`, both in the box's frame. Their
/// distance is zero where the segment enters the box.
///
/// The squared distance from the point at parameter `t` to the box is `Σ max(|x_i(t)| − half_i,
/// 0)²`. It is convex, and quadratic between the at most six parameters where the segment crosses
/// a face's plane. Half its slope, `Σ d_i·(x_i − clamp(x_i))`, grows piecewise linearly. The
/// minimum is where the slope crosses zero: visit the crossings in order. No case distinction by
/// regions of the box is needed.
pub(crate) fn closest_segment_box(axis: &RelativeSegment, half: DVec3) -> ClosestPair {
    let slope = DistanceSlope::new(axis, half);
    slope.closest_pair_at(slope.first_at_least(0.0))
}

/// The middle of the line contact that the closest point belongs to.
///
/// The gap's derivative is the slope divided by the gap. Where that stays below
/// [`LINE_CONTACT_GAP`] along the axis, all of it touches.
pub(crate) fn line_contact_box(axis: &RelativeSegment, half: DVec3) -> ClosestPair {
    let slope = DistanceSlope::new(axis, half);
    let lowest = slope.first_at_least(0.0);
    let flat = LINE_CONTACT_GAP * slope.outside(lowest).length();
    let (from, to) = (slope.first_at_least(-flat), slope.last_at_most(flat));
    slope.closest_pair_at(if from < to { 0.5 * (from + to) } else { lowest })
}

/// Half the derivative of the squared distance to the box along the segment. It never falls.
struct DistanceSlope<'a> {
    axis: &'a RelativeSegment,
    half: DVec3,
    /// Parameters between which the slope is linear.
    stops: [f64; 8],
}

impl<'a> DistanceSlope<'a> {
    fn new(axis: &'a RelativeSegment, half: DVec3) -> Self {
        Self { axis, half, stops: crossings(axis, half) }
    }

    /// The vector from the box to the point at `t`; zero inside.
    fn outside(&self, t: f64) -> DVec3 {
        let x = self.axis.at(t);
        x - x.clamp(-self.half, self.half)
    }

    fn at(&self, t: f64) -> f64 {
        self.outside(t).dot(self.axis.vector)
    }

    /// First parameter at which the slope is at least `level`; the end if it never is.
    fn first_at_least(&self, level: f64) -> f64 {
        let mut before = (0.0, self.at(0.0));
        for t in self.stops {
            let here = (t, self.at(t));
            if here.1 >= level {
                return crossing(before, here, level);
            }
            before = here;
        }
        1.0
    }

    /// Last parameter at which the slope is at most `level`; the start if it never is.
    fn last_at_most(&self, level: f64) -> f64 {
        let mut after = (1.0, self.at(1.0));
        for t in self.stops.into_iter().rev() {
            let here = (t, self.at(t));
            if here.1 <= level {
                return crossing(here, after, level);
            }
            after = here;
        }
        0.0
    }

    fn closest_pair_at(&self, axis_t: f64) -> ClosestPair {
        let on_axis = self.axis.at(axis_t);
        let on_target = on_axis.clamp(-self.half, self.half);
        ClosestPair { axis_t, on_axis, on_target, feature: box_feature(on_axis, self.half) }
    }
}

/// Parameter at which the line through two points `(parameter, slope)` reaches `level`, which lies
/// between their slopes.
fn crossing(before: (f64, f64), after: (f64, f64), level: f64) -> f64 {
    let rise = after.1 - before.1;
    if rise > 0.0 {
        let fraction = ((level - before.1) / rise).clamp(0.0, 1.0);
        before.0 + (after.0 - before.0) * fraction
    } else {
        after.0
    }
}

/// In order: 0, 1 and the parameters between them at which the segment crosses the plane of a
/// face. A plane that it does not cross adds another 0.
fn crossings(axis: &RelativeSegment, half: DVec3) -> [f64; 8] {
    let mut stops = [0.0; 8];
    stops[7] = 1.0;
    for i in 0..3 {
        let speed = axis.vector[i];
        for (slot, face) in [(1 + 2 * i, -half[i]), (2 + 2 * i, half[i])] {
            let t = (face - axis.start[i]) / speed;
            // Division by zero gives infinity or NaN, which is no crossing.
            stops[slot] = if t > 0.0 && t < 1.0 { t } else { 0.0 };
        }
    }
    stops.sort_by(f64::total_cmp);
    stops
}

/// The feature of the box that is closest to a point outside; [`Feature`] has the numbering.
pub(crate) fn box_feature(point: DVec3, half: DVec3) -> Feature {
    let clamped = [0, 1, 2].map(|i| point[i].abs() >= half[i]);
    let side = |i: usize| u8::from(point[i] > 0.0);
    match clamped {
        [true, true, true] => Feature::Vertex(side(0) | side(1) << 1 | side(2) << 2),
        [false, true, true] => Feature::Edge(side(1) | side(2) << 1),
        [true, false, true] => Feature::Edge(4 + (side(2) | side(0) << 1)),
        [true, true, false] => Feature::Edge(8 + (side(0) | side(1) << 1)),
        _ => Feature::Face,
    }
}

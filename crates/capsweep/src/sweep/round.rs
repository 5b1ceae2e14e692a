//! A point against round things: the balls and tubes at the corners and edges of a prism.

use super::Approach;
use glam::DVec3;

/// Time at which a point at `offset` from the centre, moving by `motion` in unit time, enters the
/// ball of `radius`. `None` if it starts inside, moves away, passes by, or enters after `limit`.
///
/// With `b = −o·m`, `d = |o|` and `q` the offset at the closest approach, the entry root of
/// `|o + t·m|² = r²` is `(d − r)(d + r) / (b + √(m²·(r − |q|)(r + |q|)))`. No term cancels: the
/// textbook `b² − m²·(d² − r²)` loses everything once the point starts 10⁸ radii away, and `c / 2a`
/// divides by nothing when the motion vanishes.
pub(crate) fn enter_ball(offset: DVec3, way: &Approach, motion: DVec3, limit: f64) -> Option<f64> {
    let radius = way.radius;
    let towards = -offset.dot(motion);
    if towards <= 0.0 {
        return None;
    }
    let speed_squared = motion.length_squared();
    let missed_by = (offset + motion * (towards / speed_squared)).length();
    // A motion too slow to square makes NaN here; it arrives nowhere.
    if missed_by >= radius + way.seam || missed_by.is_nan() {
        return None;
    }
    let distance = offset.length();
    let gap = distance - radius;
    if gap <= 0.0 {
        return None;
    }
    let chord = (speed_squared * (radius - missed_by).max(0.0) * (radius + missed_by)).sqrt();
    let time = gap * (distance + radius) / (towards + chord);
    (time <= limit).then_some(time)
}

/// All tubes around edges of one direction: what they share, worked out once.
///
/// The parts of offset and motion across the edge move in a plane, against a disc. A motion along
/// the edge has none and never enters the wall; an origin inside the endless tube is past an end.
pub(crate) struct Tubes<'a> {
    way: &'a Approach,
    edge: DVec3,
    /// `1 / |edge|²`.
    inverse: f64,
    /// Motion along the edge, in edge lengths.
    along: f64,
    across: DVec3,
}

impl<'a> Tubes<'a> {
    /// `None` if the edge has no length.
    pub(crate) fn new(edge: DVec3, way: &'a Approach) -> Option<Self> {
        let length_squared = edge.length_squared();
        if length_squared == 0.0 {
            return None;
        }
        let inverse = 1.0 / length_squared;
        let along = way.motion.dot(edge) * inverse;
        Some(Self { way, edge, inverse, along, across: way.motion - edge * along })
    }

    /// Time at which the moving point enters the tube around the edge from `start`, through the
    /// round wall; the balls at its ends are somebody else's.
    pub(crate) fn enter(&self, start: DVec3, limit: f64) -> Option<f64> {
        let offset_along = -start.dot(self.edge) * self.inverse;
        let offset_across = -start - self.edge * offset_along;
        enter_ball(offset_across, self.way, self.across, limit)
            .filter(|time| (0.0..=1.0).contains(&(offset_along + time * self.along)))
    }
}

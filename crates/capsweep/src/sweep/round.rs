//! A point against round things: the balls and tubes at the corners and edges of a prism.

use glam::DVec3;

/// Time at which a point at `offset` from the centre, moving by `motion` in unit time, enters the
/// ball of `radius`. `None` if it starts inside, moves away, passes by, or enters after `limit`.
///
/// With `b = −o·m`, `d = |o|` and `q` the offset at the closest approach, the entry root of
/// `|o + t·m|² = r²` is `(d − r)(d + r) / (b + √(m²·(r − |q|)(r + |q|)))`. No term cancels: the
/// textbook `b² − m²·(d² − r²)` loses everything once the point starts 10⁸ radii away, and `c / 2a`
/// divides by nothing when the motion vanishes.
pub(crate) fn enter_ball(offset: DVec3, motion: DVec3, radius: f64, limit: f64) -> Option<f64> {
    let towards = -offset.dot(motion);
    if towards <= 0.0 {
        return None;
    }
    let speed_squared = motion.length_squared();
    let missed_by = (offset + motion * (towards / speed_squared)).length();
    // A motion too slow to square makes NaN here; it arrives nowhere.
    if missed_by >= radius || missed_by.is_nan() {
        return None;
    }
    let distance = offset.length();
    let gap = distance - radius;
    if gap <= 0.0 {
        return None;
    }
    let chord = (speed_squared * (radius - missed_by) * (radius + missed_by)).sqrt();
    let time = gap * (distance + radius) / (towards + chord);
    (time <= limit).then_some(time)
}

/// Time at which the moving point enters the tube of `radius` around the edge from its start to
/// `start + edge`, through the round wall; the balls at its ends are somebody else's.
///
/// The perpendicular parts of offset and motion move in a plane, against a disc. A motion along
/// the edge has none and never enters the wall; an origin inside the endless tube is past an end.
pub(crate) fn enter_tube(
    offset: DVec3,
    edge: DVec3,
    motion: DVec3,
    radius: f64,
    limit: f64,
) -> Option<f64> {
    let length_squared = edge.length_squared();
    if length_squared == 0.0 {
        return None;
    }
    let offset_along = offset.dot(edge) / length_squared;
    let motion_along = motion.dot(edge) / length_squared;
    let offset_across = offset - edge * offset_along;
    let motion_across = motion - edge * motion_along;
    enter_ball(offset_across, motion_across, radius, limit)
        .filter(|time| (0.0..=1.0).contains(&(offset_along + time * motion_along)))
}

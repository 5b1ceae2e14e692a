use super::Segment;
use super::point_segment::clamped_parameter;

/// Parameters of the closest points of two segments.
///
/// With `d1`, `d2` the vectors and `r` from the start of `second` to the start of `first`, the
/// squared gap `|r + s·d1 − t·d2|²` is convex in `(s, t)`. Eliminating `t` leaves the parts
/// perpendicular to `d2`: `s = −(r⊥ · d1⊥) / |d1⊥|²`. The textbook denominator
/// `|d1|²|d2|² − (d1·d2)²` is the same number with the perpendicular parts taken *after* squaring,
/// which loses twice the digits: at an angle of 10⁻⁷ it is 1 % wrong. Taken before, the error in
/// `s` is `ε·|r| / |d1⊥|`, which moves the gap by `ε·|r|` at any angle. Clamp `s`, solve `t`,
/// and where `t` was clamped solve `s` again: two steps settle a convex problem on a rectangle.
pub(crate) fn segment_segment(first: &Segment, second: &Segment) -> (f64, f64) {
    let (d1, d2) = (first.vector, second.vector);
    let r = first.start - second.start;
    let length_squared = d2.length_squared();
    if length_squared == 0.0 {
        return (clamped_parameter(-r, d1), 0.0);
    }
    let d1_along = d1.dot(d2) / length_squared;
    let r_along = r.dot(d2) / length_squared;
    let d1_perp = d1 - d2 * d1_along;
    let r_perp = r - d2 * r_along;
    let perp_squared = d1_perp.length_squared();
    // Exactly parallel, any `s` is as good as another; the clamps below still find the overlap.
    let s = if perp_squared > 0.0 {
        (-r_perp.dot(d1_perp) / perp_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = r_along + s * d1_along;
    if (0.0..=1.0).contains(&t) {
        (s, t)
    } else {
        let t = t.clamp(0.0, 1.0);
        (clamped_parameter(d2 * t - r, d1), t)
    }
}

//! Pitfalls B.1 and B.2: the skin, measured along the motion.

/// B.1: how far to move so that a skin of `contact_offset` is left along the motion.
pub fn advance_keeping_skin(hit_distance: f64, contact_offset: f64) -> f64 {
    hit_distance - contact_offset
}

/// B.2: the same, never backwards.
pub fn safe_advance(hit_distance: f64, contact_offset: f64) -> f64 {
    advance_keeping_skin(hit_distance, contact_offset).max(0.0)
}

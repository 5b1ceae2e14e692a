//! Pitfalls B.1 and B.2: the contact offset, measured along the motion.

/// B.1: the advance that leaves `contact_offset` along the motion.
pub fn advance_keeping_skin(hit_distance: f64, contact_offset: f64) -> f64 {
    hit_distance - contact_offset
}

/// B.2: the same, but never negative.
pub fn safe_advance(hit_distance: f64, contact_offset: f64) -> f64 {
    advance_keeping_skin(hit_distance, contact_offset).max(0.0)
}

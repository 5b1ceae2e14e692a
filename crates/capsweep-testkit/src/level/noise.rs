//! Noise for terrain and rocks.

use crate::rng::{hash_cell, unit_f32};

/// Value noise from −1 to 1: random heights on a lattice of `spacing` cells, interpolated with a
/// smoothstep.
pub(crate) fn noise(x: f32, y: f32, spacing: f32, seed: u32) -> f32 {
    let (x, y) = (x / spacing, y / spacing);
    let (left, below) = (x.floor(), y.floor());
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - left), smooth(y - below));
    let at = |i: i32, j: i32| {
        let (column, row) = (left as i32 + i, below as i32 + j);
        unit_f32(hash_cell(column.cast_unsigned(), row.cast_unsigned(), seed)) * 2.0 - 1.0
    };
    let lower = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let upper = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    lower + (upper - lower) * v
}

/// Rolling hills with some steep slopes: heights within ± 25 m.
pub(crate) fn hills(x: f32, y: f32) -> f32 {
    noise(x, y, 128.0, 1) * 16.0
        + noise(x, y, 37.0, 2) * 6.0
        + noise(x, y, 11.0, 3) * 2.0
        + noise(x, y, 3.0, 4) * 0.5
}

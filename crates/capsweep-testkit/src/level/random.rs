//! Numbers that look random and depend on nothing but what they are asked for.

/// A well mixed number for a cell of a grid.
pub(super) fn hash(x: u32, y: u32, seed: u32) -> u64 {
    let cell = u64::from(x) << 32 | u64::from(y);
    mix(mix(cell) ^ u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The finaliser of `SplitMix64`.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// From 0 to below 1, with the 24 bits that an f32 can hold.
pub(super) fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1_u32 << 24) as f32
}

/// `SplitMix64`.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// From `low` to below `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(self.next())
    }

    /// Below `count`.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        (((self.next() >> 32) * u64::from(count)) >> 32) as u32
    }
}

/// Value noise from −1 to 1: random heights on a lattice of `spacing` cells, smoothly joined.
pub(super) fn noise(x: f32, y: f32, spacing: f32, seed: u32) -> f32 {
    let (x, y) = (x / spacing, y / spacing);
    let (left, below) = (x.floor(), y.floor());
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - left), smooth(y - below));
    let at = |i: i32, j: i32| {
        let (column, row) = (left as i32 + i, below as i32 + j);
        unit(hash(column.cast_unsigned(), row.cast_unsigned(), seed)) * 2.0 - 1.0
    };
    let lower = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let upper = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    lower + (upper - lower) * v
}

/// Rolling hills with some steep slopes: heights within ± 25 m.
pub(super) fn hills(x: f32, y: f32) -> f32 {
    noise(x, y, 128.0, 1) * 16.0
        + noise(x, y, 37.0, 2) * 6.0
        + noise(x, y, 11.0, 3) * 2.0
        + noise(x, y, 3.0, 4) * 0.5
}

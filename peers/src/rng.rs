//! A small deterministic source of random numbers (`SplitMix64`), the same on every platform.

use glam::{Vec2, Vec3};

/// One stream of random numbers.
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream that `seed` names.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// Uniform in `low..high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits: every value is exact in f32 and below 1.
        let unit = (self.bits() >> 40) as f32 / (1u32 << 24) as f32;
        low + (high - low) * unit
    }

    /// Uniform in `0..count`; `count` must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// A unit vector in the plane, every direction equally likely.
    pub(crate) fn on_circle(&mut self) -> Vec2 {
        loop {
            let point = Vec2::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// A unit vector in space, every direction equally likely.
    pub(crate) fn on_sphere(&mut self) -> Vec3 {
        loop {
            let point = self.in_cube(1.0);
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// A point in the cube of side `2 · half` around the origin.
    pub(crate) fn in_cube(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    /// Puts `items` into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Scatters the bits of `value`: the finaliser of `SplitMix64`.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

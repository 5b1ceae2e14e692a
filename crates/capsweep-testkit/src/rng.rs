//! The random generator of all tests and benchmarks: `SplitMix64`.

use glam::{DVec3, Vec2, Vec3};

/// Increment of the state: 2⁶⁴ divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A small deterministic generator (`SplitMix64`).
///
/// The same seed gives the same numbers on every platform. Golden hashes, generated levels and
/// case families depend on them, so no method may change the numbers that it gives.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of a sequence of numbers, such as a seed and an index.
    ///
    /// Every sequence has a stream of its own: each number is mixed into the state.
    pub fn new(parts: &[u64]) -> Self {
        let mut rng = Self::from_seed(0);
        for part in parts {
            rng.state = rng.state.wrapping_add(*part);
            rng.state = rng.bits();
        }
        rng
    }

    /// The generator with `seed` as its state, as in the reference implementation.
    pub fn from_seed(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in `0 ≤ x < 1`.
    pub fn unit(&mut self) -> f64 {
        // 53 bits: as many as the significand holds.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform between `low` and `high`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the logarithm between `low` and `high`, both greater than zero.
    pub fn log_range(&mut self, low: f64, high: f64) -> f64 {
        (self.range(low.ln(), high.ln())).exp()
    }

    /// One of `0..count`, from the upper 32 bits.
    pub fn below(&mut self, count: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(count)) >> 32) as u32
    }

    /// One of `0..count`, from all 64 bits; `count` must not be 0.
    pub fn index(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// An integer from `low` to `high`, both included, as a float.
    pub fn integer(&mut self, low: i32, high: i32) -> f64 {
        f64::from(low) + f64::from(self.below(high.abs_diff(low) + 1))
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// 1 or −1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// A point uniform in the cube of `±reach`.
    pub fn cube(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.range(-reach, reach), self.range(-reach, reach), self.range(-reach, reach))
    }

    /// A direction uniform on the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.cube(1.0);
            let length = v.length();
            // Rejection keeps it uniform; the lower limit keeps the division exact enough.
            if (0.01..=1.0).contains(&length) {
                return v / length;
            }
        }
    }

    /// Uniform in `0 ≤ x < 1`, in f32.
    pub fn unit_f32(&mut self) -> f32 {
        unit_f32(self.bits())
    }

    /// Uniform between `low` and `high`, in f32.
    pub fn range_f32(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit_f32()
    }

    /// A point uniform in the cube of `±reach`, in f32.
    pub fn cube_f32(&mut self, reach: f32) -> Vec3 {
        let mut coordinate = || self.range_f32(-reach, reach);
        Vec3::new(coordinate(), coordinate(), coordinate())
    }

    /// A direction uniform on the unit sphere, in f32.
    pub fn direction_f32(&mut self) -> Vec3 {
        loop {
            let point = self.cube_f32(1.0);
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// A direction uniform on the unit circle, in f32.
    pub fn circle_f32(&mut self) -> Vec2 {
        loop {
            let point = Vec2::new(self.range_f32(-1.0, 1.0), self.range_f32(-1.0, 1.0));
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

/// Mixes the bits of `value`: the output function of `SplitMix64`, one to one.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Random bits as a number in `0 ≤ x < 1`: the upper 24 bits, as many as the significand holds.
pub(crate) fn unit_f32(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1_u32 << 24) as f32
}

/// Random bits for a cell of a grid: they depend on nothing but the arguments.
pub(crate) fn hash_cell(x: u32, y: u32, seed: u32) -> u64 {
    let cell = u64::from(x) << 32 | u64::from(y);
    mix(mix(cell) ^ u64::from(seed).wrapping_mul(GOLDEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation by Vigna for the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut rng = Rng::from_seed(1_234_567);
        let wanted = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(wanted.map(|_| rng.bits()), wanted);
    }
}

use glam::DVec3;

/// A small deterministic generator (`SplitMix64`): the same seed gives the same cases on every platform.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator of its own for every combination of `parts`.
    pub fn new(parts: &[u64]) -> Self {
        let mut rng = Self { state: 0 };
        for part in parts {
            rng.state = rng.state.wrapping_add(*part);
            rng.state = rng.bits();
        }
        rng
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
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

    /// One of `0..count`.
    pub fn below(&mut self, count: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(count)) >> 32) as u32
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
}

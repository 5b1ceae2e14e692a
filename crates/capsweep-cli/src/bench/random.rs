//! `SplitMix64`: random numbers that are the same on every run.

use glam::DVec3;

pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in `0 ≤ x < 1`.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of `0..count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// A unit vector in the ground plane.
    pub(super) fn heading(&mut self) -> DVec3 {
        let (sin, cos) = (self.unit() * core::f64::consts::TAU).sin_cos();
        DVec3::new(cos, sin, 0.0)
    }

    /// A unit vector.
    pub(super) fn direction(&mut self) -> DVec3 {
        let z = 2.0 * self.unit() - 1.0;
        self.heading() * (1.0 - z * z).sqrt() + DVec3::Z * z
    }
}

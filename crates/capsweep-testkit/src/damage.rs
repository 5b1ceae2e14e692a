//! Damage to bytes, as a hostile or broken sender does it.

use crate::Rng;

/// Bytes that can be damaged.
pub trait Damage {
    /// Changes, adds or removes bytes at a random place.
    fn damage(&mut self, rng: &mut Rng);
}

impl Damage for Vec<u8> {
    fn damage(&mut self, rng: &mut Rng) {
        if self.is_empty() {
            self.push(rng.bits() as u8);
            return;
        }
        let at = rng.index(self.len());
        match rng.below(6) {
            0 => self.truncate(at),
            1 => self.insert(at, rng.bits() as u8),
            2 => {
                self.remove(at);
            }
            // Numbers that are hard on arithmetic.
            3 if at + 8 <= self.len() => {
                let hard = [f64::NAN, f64::INFINITY, -0.0, 1e300, 1e9, -1e9, 5e-324];
                self[at..at + 8].copy_from_slice(&hard[rng.index(hard.len())].to_le_bytes());
            }
            4 => self[at] = [0, 1, 0x7f, 0x80, 0xff][rng.index(5)],
            _ => self[at] ^= 1 << rng.below(8),
        }
    }
}

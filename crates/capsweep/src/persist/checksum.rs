//! A checksum of 64 bits: four state words, each of which mixes in every fourth word of the data.
//!
//! Mixing is `x → (x ⊕ word) · odd, rotated`: a bijection in `x` and in `word`. So is combining
//! the four words at the end. Data that differ in a single word, for example by a flipped byte,
//! thus always differ in the sum. Other data agree by chance once in 2⁶⁴. The checksum guards
//! against accidents, not against forgery.

/// Bytes that are mixed in at a time; the length of data is a multiple of it.
pub(super) const BLOCK: usize = 32;

const START: [u64; 4] =
    [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93];

const ODD: u64 = 0xFF51_AFD7_ED55_8CCD;

fn mix(state: u64, word: u64) -> u64 {
    (state ^ word).wrapping_mul(ODD).rotate_left(29)
}

/// The sum of the concatenated parts. Bytes after the last whole [`BLOCK`] of a part are ignored.
pub(super) fn checksum<const N: usize>(parts: [&[u8]; N]) -> u64 {
    let mut state = START;
    for part in parts {
        for block in part.as_chunks::<BLOCK>().0 {
            for (state, word) in state.iter_mut().zip(block.as_chunks::<8>().0) {
                *state = mix(*state, u64::from_le_bytes(*word));
            }
        }
    }
    let combined = state.into_iter().fold(ODD, mix);
    // The last words have so far reached only the upper bits.
    let mixed = (combined ^ (combined >> 32)).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_changes_the_sum() {
        let data: Vec<u8> = (0..4 * BLOCK as u32).map(|i| (i * 37 % 251) as u8).collect();
        let sum = checksum([&data, &[]]);
        for bit in 0..8 * data.len() {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum([&flipped, &[]]), sum, "bit {bit}");
        }
    }

    #[test]
    fn parts_sum_up_like_the_whole_and_their_order_counts() {
        let data: Vec<u8> = (0..=255).collect();
        let (first, second) = data.split_at(3 * BLOCK);
        assert_eq!(checksum([first, second]), checksum([&data, &[]]));
        assert_ne!(checksum([second, first]), checksum([&data, &[]]));
        // Whole blocks of zeros count too.
        assert_ne!(checksum([&data, &[0; BLOCK]]), checksum([&data, &[]]));
    }

    /// Files must be readable for years: the sum is part of the format.
    #[test]
    fn the_sum_of_known_bytes_stays_what_it_is() {
        let data: Vec<u8> = (0..64).collect();
        assert_eq!(checksum([&data, &[]]), KNOWN);
    }

    const KNOWN: u64 = 7_830_666_593_498_035_018;
}

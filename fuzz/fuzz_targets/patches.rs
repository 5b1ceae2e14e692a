//! Changes of a valid file. A fuzzer that mutates whole files mostly breaks their structure; a
//! short list of changes keeps the rest.
//!
//! A patch is an offset (u16), a byte that says how, and for a number of its own its bytes.

/// Numbers that checks and arithmetic treat differently. Small and large integers come from the
/// fuzzer itself.
const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    // The smallest and largest that shapes, poses and grids accept, and the next beyond.
    1e-6,
    1e6,
    1e9,
    -1e9,
    1.000_001e9,
    0.5,
];

/// Applies a list of patches; those outside of the file, and an incomplete last one, do nothing.
pub fn apply(file: &mut [u8], mut patches: &[u8]) {
    while let Some(([low, high, how], rest)) = patches.split_first_chunk() {
        let at = usize::from(u16::from_le_bytes([*low, *high]));
        let float = FLOATS[usize::from(how >> 4)];
        let (value, rest): (Vec<u8>, _) = match how & 7 {
            0 => ((float as f32).to_le_bytes().to_vec(), rest),
            1 => (float.to_le_bytes().to_vec(), rest),
            width @ 2.. => {
                let width = [1, 1, 2, 4, 4, 8][usize::from(width) - 2];
                let Some((value, rest)) = rest.split_at_checked(width) else { return };
                (value.to_vec(), rest)
            }
        };
        patches = rest;
        if let Some(place) = file.get_mut(at..at + value.len()) {
            place.copy_from_slice(&value);
        }
    }
}

use super::buckets::Buckets;
use glam::Vec3;

/// For each vertex the first one at the same position, itself included.
///
/// Positions are the same when their numbers are: −0 equals 0, and nothing else is rounded.
pub(super) fn weld(vertices: &[Vec3]) -> Vec<u32> {
    let count = vertices.len().next_power_of_two();
    let shift = 64 - count.trailing_zeros();
    let hashed = vertices.iter().zip(0_u32..).map(|(&vertex, index)| {
        let hash = hash(key(vertex));
        (hash.checked_shr(shift).unwrap_or(0) as u32, index)
    });
    let mut first = vec![0; vertices.len()];
    let key_of = |index: u32| key(vertices[index as usize]);
    Buckets::distribute(count, hashed).each_sorted(
        |bucket| bucket.sort_unstable_by_key(|&index| (key_of(index), index)),
        |bucket| {
            for same in bucket.chunk_by(|&i, &j| key_of(i) == key_of(j)) {
                for &index in same {
                    first[index as usize] = same[0];
                }
            }
        },
    );
    first
}

/// Equal for equal positions.
fn key(vertex: Vec3) -> [u32; 3] {
    // Adding zero turns −0 into 0.
    vertex.to_array().map(|coordinate| (coordinate + 0.0).to_bits())
}

/// The upper bits are spread evenly; only the speed depends on it.
fn hash([x, y, z]: [u32; 3]) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let xy = u64::from(x) | u64::from(y) << 32;
    let mixed = (xy ^ (xy >> 29)).wrapping_mul(MIX) ^ u64::from(z);
    (mixed ^ (mixed >> 32)).wrapping_mul(MIX)
}

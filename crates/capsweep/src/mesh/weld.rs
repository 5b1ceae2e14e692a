//! Welding: vertices at the same position become one.

use crate::mesh::buckets::Buckets;
use glam::Vec3;

/// Vertices in a bucket, at most on average. Few enough that a bucket is sorted in the L1 cache,
/// many enough that there are few buckets to distribute to. Only the speed depends on it.
const BUCKET_SIZE: usize = 64;

/// For each vertex, the first vertex at the same position; it may be the vertex itself.
///
/// Positions are the same if their coordinates are equal. No tolerance applies; −0 equals 0.
pub(crate) fn weld(vertices: &[Vec3]) -> Vec<u32> {
    let count = vertices.len().div_ceil(BUCKET_SIZE).next_power_of_two();
    let keyed = vertices.iter().zip(0_u32..).map(|(&vertex, index)| {
        let position = bits(vertex);
        let bucket = hash(position) & (count as u64 - 1);
        let [x, y, z] = position.map(u128::from);
        (bucket as u32, x << 96 | y << 64 | z << 32 | u128::from(index))
    });
    let mut first = vec![0; vertices.len()];
    let sort = |bucket: &mut [u128]| bucket.sort_unstable();
    Buckets::distribute(count, keyed).each_sorted(sort, |bucket| {
        for same in bucket.chunk_by(|one, other| one >> 32 == other >> 32) {
            for &item in same {
                first[item as u32 as usize] = same[0] as u32;
            }
        }
    });
    first
}

/// The bits of a position, the same for equal positions.
fn bits(vertex: Vec3) -> [u32; 3] {
    // Adding zero turns −0 into 0.
    vertex.to_array().map(|coordinate| (coordinate + 0.0).to_bits())
}

/// Spreads positions over the buckets. A poor spread costs only time.
fn hash([x, y, z]: [u32; 3]) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let xy = u64::from(x) | u64::from(y) << 32;
    let mixed = (xy ^ (xy >> 29)).wrapping_mul(MIX) ^ u64::from(z);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(MIX);
    mixed >> 32
}

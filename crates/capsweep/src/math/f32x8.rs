//! Eight f32 lanes, for culling.

use crate::math::operators::scalar_operators;
use crate::math::{F32x4, F64x4, Lane, LaneFn};

/// Number of lanes: the children of a node, and the triangles of a packet.
pub(crate) const WIDTH: usize = 8;

/// Eight f32 lanes. `min` and `max` return the second operand unless the first is smaller
/// (larger), as the vector instructions do.
pub(crate) trait F32x8: Lane {
    /// The four f64 lanes of the same implementation.
    type F64x4: F64x4;
    /// The four f32 lanes of the same implementation: one per axis.
    type F32x4: F32x4;

    /// Rounds to the nearest f32.
    fn narrowed(four: Self::F64x4) -> Self::F32x4;
    /// The value of one axis in every lane.
    fn splat_axis<const AXIS: usize>(quad: Self::F32x4) -> Self;
    /// The mask of the lanes whose byte intervals overlap `low` to `high` on all three axes.
    /// `spans` holds the lower and the upper ends for each axis. `low` and `high` are truncated
    /// to whole numbers from 0 to 255.
    fn overlap_u8(spans: &[[[u8; WIDTH]; 2]; 3], low: Self::F32x4, high: Self::F32x4) -> u32;
    fn splat(value: f32) -> Self;
    fn load(values: &[f32; WIDTH]) -> Self;
    /// Unsigned bytes as floats.
    fn load_bytes(values: [u8; WIDTH]) -> Self;
    fn store(self) -> [f32; WIDTH];
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// `self`, negated where `by` has a minus sign.
    fn negated_if_negative(self, by: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Estimate of `1 / √self` for a normal number, good to eleven bits. Processors differ in
    /// the others.
    fn rsqrt_estimate(self) -> Self;
    /// `self` and `other`, swapped where `by` has a minus sign.
    fn swapped_if_negative(self, other: Self, by: Self) -> (Self, Self);
    /// `self` where `a ≤ b`; infinity elsewhere.
    fn if_at_most(self, a: Self, b: Self) -> Self;
    /// `self` where the bit is set; infinity elsewhere.
    fn if_set(self, bits: u32) -> Self;
    /// Minus infinity where the word equals `value`; `self` elsewhere.
    fn neg_infinity_where(self, words: &[u32; WIDTH], value: u32) -> Self;
    /// The index of a lane with the smallest value. No lane may be NaN.
    fn min_lane(self) -> usize;
    /// `keys` and `words` of the lanes whose bit is set, in descending order of `self`.
    ///
    /// The order ignores differences of a few ulps, whose bits hold the lane number. Of equals the
    /// higher lane comes first. The places after the selected lanes hold anything.
    fn sort_descending(
        self,
        bits: u32,
        keys: Self,
        words: &[u32; WIDTH],
    ) -> ([f32; WIDTH], [u32; WIDTH]);
    /// The mask of the lanes where `self ≤ other`; never set for NaN.
    fn le_mask(self, other: Self) -> u32;

    /// The mask of the lanes where `self ≤ √squared`, computed without the root. It holds for
    /// every negative `self`.
    #[inline(always)]
    fn le_sqrt_mask(self, squared: Self) -> u32 {
        (self * self.abs()).le_mask(squared)
    }

    /// Runs `f` with these lanes as a function of its own: for code that several callers share,
    /// or that rarely runs.
    fn call<F: LaneFn>(f: F) -> F::Output;
}

/// The low bits of a sort key, which hold the lane number.
const LANE_BITS: i32 = 7;

const LANE_NUMBERS: [i32; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Truncates to a whole number from 0 to 255.
#[allow(clippy::cast_sign_loss, reason = "the cast saturates at 0")]
fn byte(value: f32) -> u8 {
    value as u8
}

/// Eight f32 as an array, computed in loops.
#[derive(Clone, Copy)]
pub(crate) struct Scalar([f32; WIDTH]);

scalar_operators!(f32);

impl Lane for Scalar {}

impl F32x8 for Scalar {
    type F64x4 = crate::math::f64x4::Scalar;
    type F32x4 = crate::math::f32x4::Scalar;

    #[inline(always)]
    fn narrowed(four: Self::F64x4) -> Self::F32x4 {
        crate::math::f32x4::Scalar(four.0.map(|value| value as f32))
    }

    #[inline(always)]
    fn splat_axis<const AXIS: usize>(quad: Self::F32x4) -> Self {
        Self::splat(quad.0[AXIS])
    }

    #[inline(always)]
    fn overlap_u8(spans: &[[[u8; WIDTH]; 2]; 3], low: Self::F32x4, high: Self::F32x4) -> u32 {
        let mut bits = 0;
        for i in 0..WIDTH {
            let shares = |axis: usize| {
                let [from, to] = &spans[axis];
                from[i] <= byte(high.0[axis]) && byte(low.0[axis]) <= to[i]
            };
            bits |= u32::from(shares(0) && shares(1) && shares(2)) << i;
        }
        bits
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn load_bytes(values: [u8; WIDTH]) -> Self {
        Self(values.map(f32::from))
    }

    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        self.0
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn negated_if_negative(self, by: Self) -> Self {
        self.zip(by, |value, by| if by.is_sign_negative() { -value } else { value })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn rsqrt_estimate(self) -> Self {
        Self(self.0.map(|value| 1.0 / value.sqrt()))
    }

    #[inline(always)]
    fn if_at_most(self, a: Self, b: Self) -> Self {
        self.if_set(a.le_mask(b))
    }

    #[inline(always)]
    fn if_set(self, bits: u32) -> Self {
        let select = |i: usize| if bits >> i & 1 == 0 { f32::INFINITY } else { self.0[i] };
        Self(core::array::from_fn(select))
    }

    #[inline(always)]
    fn neg_infinity_where(self, words: &[u32; WIDTH], value: u32) -> Self {
        let select = |i: usize| if words[i] == value { f32::NEG_INFINITY } else { self.0[i] };
        Self(core::array::from_fn(select))
    }

    #[inline(always)]
    fn min_lane(self) -> usize {
        let smaller = |best, i| if self.0[i] < self.0[best] { i } else { best };
        (1..WIDTH).fold(0, smaller)
    }

    #[inline(always)]
    fn sort_descending(
        self,
        bits: u32,
        keys: Self,
        words: &[u32; WIDTH],
    ) -> ([f32; WIDTH], [u32; WIDTH]) {
        let order = |lane: usize| {
            let bits = self.0[lane].to_bits().cast_signed();
            // Negative floats order in reverse as integers, so flip all bits but the sign.
            let ordered = if bits < 0 { bits ^ i32::MAX } else { bits };
            (ordered & !LANE_BITS) | LANE_NUMBERS[lane]
        };
        let mut lanes: [usize; WIDTH] = core::array::from_fn(|lane| lane);
        lanes.sort_unstable_by_key(|&lane| {
            (bits >> lane & 1 == 0, core::cmp::Reverse(order(lane)))
        });
        (lanes.map(|lane| keys.0[lane]), lanes.map(|lane| words[lane]))
    }

    #[inline(always)]
    fn swapped_if_negative(self, other: Self, by: Self) -> (Self, Self) {
        let select = |i: usize| {
            if by.0[i].is_sign_negative() {
                (other.0[i], self.0[i])
            } else {
                (self.0[i], other.0[i])
            }
        };
        (Self(core::array::from_fn(|i| select(i).0)), Self(core::array::from_fn(|i| select(i).1)))
    }

    #[inline(always)]
    fn le_mask(self, other: Self) -> u32 {
        let mut bits = 0;
        for i in 0..WIDTH {
            bits |= u32::from(self.0[i] <= other.0[i]) << i;
        }
        bits
    }

    #[inline]
    fn call<F: LaneFn>(f: F) -> F::Output {
        crate::math::run_scalar(f)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{F32x8, LANE_BITS, LANE_NUMBERS, Lane, LaneFn, WIDTH};
    use crate::math::operators::register_operators;
    use core::arch::x86_64::{
        __m256, __m256i, _CMP_LE_OQ, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128,
        _mm_cvttps_epi32, _mm_loadu_si128, _mm_min_epu8, _mm_min_ps, _mm_movemask_epi8,
        _mm_or_si128, _mm_packus_epi32, _mm_permute_ps, _mm_set_epi32, _mm_set1_ps,
        _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_xor_si128, _mm256_add_epi32, _mm256_add_ps,
        _mm256_and_ps, _mm256_and_si256, _mm256_andnot_ps, _mm256_andnot_si256,
        _mm256_blendv_epi8, _mm256_blendv_ps, _mm256_broadcastd_epi32, _mm256_broadcastss_ps,
        _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmp_ps,
        _mm256_cmpeq_epi32, _mm256_cmpgt_epi32, _mm256_cvtepi32_ps, _mm256_cvtepu8_epi32,
        _mm256_cvtpd_ps, _mm256_div_ps, _mm256_extracti128_si256, _mm256_fmadd_ps,
        _mm256_fnmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_ps, _mm256_min_ps,
        _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_permute_ps,
        _mm256_permute2f128_ps, _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32,
        _mm256_permutevar8x32_ps, _mm256_rsqrt_ps, _mm256_set1_epi32, _mm256_set1_ps,
        _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_slli_epi32,
        _mm256_sllv_epi32, _mm256_sqrt_ps, _mm256_srai_epi32, _mm256_srli_epi32,
        _mm256_srlv_epi32, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_epi32, _mm256_sub_ps,
        _mm256_xor_ps, _mm256_xor_si256,
    };

    /// Eight f32 in one register. Only code that runs after [`has_avx2`](crate::math::has_avx2)
    /// returned true may use it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256);

    register_operators!(Avx2: _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps);

    /// The shuffle that broadcasts the ends of a box on one axis: eight bytes of its high end,
    /// then eight of its low end. Each end is the low byte of a 16-bit word, low ends first.
    const fn broadcast_ends(axis: u128) -> u128 {
        let (eight_times, low) = (0x0101_0101_0101_0101, 2 * axis);
        (eight_times * (8 + low)) | ((eight_times * low) << 64)
    }

    static BROADCAST_ENDS: [u128; 3] = [broadcast_ends(0), broadcast_ends(1), broadcast_ends(2)];

    impl Lane for Avx2 {
        #[inline(always)]
        fn plus_product(self, a: Self, b: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 and FMA do.
            Self(unsafe { _mm256_fmadd_ps(a.0, b.0, self.0) })
        }

        #[inline(always)]
        fn minus_product(self, a: Self, b: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 and FMA do.
            Self(unsafe { _mm256_fnmadd_ps(a.0, b.0, self.0) })
        }
    }

    /// All ones in the lanes whose bit is set, zero in the others.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes_of(bits: u32) -> __m256i {
        let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits.cast_signed()), bit), bit)
    }

    impl F32x8 for Avx2 {
        type F64x4 = crate::math::f64x4::Avx2;
        type F32x4 = crate::math::f32x4::Sse;

        #[inline(always)]
        fn narrowed(four: Self::F64x4) -> Self::F32x4 {
            // SAFETY: values of this type exist only where AVX2 does.
            crate::math::f32x4::Sse(unsafe { _mm256_cvtpd_ps(four.0) })
        }

        #[inline(always)]
        fn splat_axis<const AXIS: usize>(quad: Self::F32x4) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                match AXIS {
                    0 => _mm256_broadcastss_ps(quad.0),
                    1 => _mm256_broadcastss_ps(_mm_permute_ps::<0b01_01_01_01>(quad.0)),
                    _ => _mm256_broadcastss_ps(_mm_permute_ps::<0b10_10_10_10>(quad.0)),
                }
            })
        }

        /// Upper ends of the spans and the low end of the box are complemented (255 − x), so
        /// that all comparisons have the same direction.
        #[inline(always)]
        fn overlap_u8(spans: &[[[u8; WIDTH]; 2]; 3], low: Self::F32x4, high: Self::F32x4) -> u32 {
            // SAFETY: as `splat`. The spans of an axis and each shuffle are 16 bytes, and the
            // loads are unaligned.
            unsafe {
                let top = _mm_set1_ps(255.0);
                let low = _mm_cvttps_epi32(_mm_min_ps(low.0, top));
                let high = _mm_cvttps_epi32(_mm_min_ps(high.0, top));
                let ends = _mm_packus_epi32(low, high);
                let ends = _mm_xor_si128(ends, _mm_set_epi32(0, 0, 0xff_00ff, 0xff_00ff));
                let complement_upper = _mm_set_epi32(-1, -1, 0, 0);
                let within = |axis: usize| {
                    let shuffle = _mm_loadu_si128((&raw const BROADCAST_ENDS[axis]).cast());
                    let ends = _mm_shuffle_epi8(ends, shuffle);
                    let span = _mm_loadu_si128((&raw const spans[axis]).cast());
                    let span = _mm_xor_si128(span, complement_upper);
                    _mm_cmpeq_epi8(_mm_min_epu8(span, ends), span)
                };
                let all = _mm_and_si128(_mm_and_si128(within(0), within(1)), within(2));
                let bits = _mm_movemask_epi8(all).cast_unsigned();
                bits & (bits >> 8)
            }
        }

        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: reached only where `has_avx2` returned true.
            Self(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        fn load(values: &[f32; WIDTH]) -> Self {
            // SAFETY: as `splat`. The array holds eight floats, and the load is unaligned.
            Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
        }

        #[inline(always)]
        fn load_bytes(values: [u8; WIDTH]) -> Self {
            // SAFETY: as `splat`.
            Self(unsafe {
                let bytes = _mm_cvtsi64_si128(i64::from_le_bytes(values));
                _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes))
            })
        }

        #[inline(always)]
        fn store(self) -> [f32; WIDTH] {
            let mut values = [0.0; WIDTH];
            // SAFETY: as `splat`. The array has room for eight floats.
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
            values
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_min_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }

        #[inline(always)]
        fn negated_if_negative(self, by: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_xor_ps(self.0, _mm256_and_ps(_mm256_set1_ps(-0.0), by.0)) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn rsqrt_estimate(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_rsqrt_ps(self.0) })
        }

        #[inline(always)]
        fn if_at_most(self, a: Self, b: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                let infinite = _mm256_set1_ps(f32::INFINITY);
                _mm256_blendv_ps(infinite, self.0, _mm256_cmp_ps::<_CMP_LE_OQ>(a.0, b.0))
            })
        }

        #[inline(always)]
        fn if_set(self, bits: u32) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                let infinite = _mm256_set1_ps(f32::INFINITY);
                _mm256_blendv_ps(infinite, self.0, _mm256_castsi256_ps(lanes_of(bits)))
            })
        }

        #[inline(always)]
        fn neg_infinity_where(self, words: &[u32; WIDTH], value: u32) -> Self {
            // SAFETY: values of this type exist only where AVX2 does. The array holds eight
            // words, and the load is unaligned.
            Self(unsafe {
                let words = _mm256_loadu_si256(words.as_ptr().cast());
                let is_value = _mm256_cmpeq_epi32(words, _mm256_set1_epi32(value.cast_signed()));
                let infinity = _mm256_set1_ps(f32::NEG_INFINITY);
                _mm256_blendv_ps(self.0, infinity, _mm256_castsi256_ps(is_value))
            })
        }

        #[inline(always)]
        fn min_lane(self) -> usize {
            // SAFETY: values of this type exist only where AVX2 does.
            let bits = unsafe {
                let two = _mm256_min_ps(self.0, _mm256_permute_ps::<0b10_11_00_01>(self.0));
                let four = _mm256_min_ps(two, _mm256_permute_ps::<0b01_00_11_10>(two));
                let all = _mm256_min_ps(four, _mm256_permute2f128_ps::<1>(four, four));
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, all))
            };
            bits.trailing_zeros() as usize % WIDTH
        }

        #[inline(always)]
        fn sort_descending(
            self,
            bits: u32,
            keys: Self,
            words: &[u32; WIDTH],
        ) -> ([f32; WIDTH], [u32; WIDTH]) {
            let (mut sorted_keys, mut sorted_words) = ([0.0; WIDTH], [0; WIDTH]);
            // SAFETY: values of this type exist only where AVX2 does. The arrays hold eight
            // words, and loads and stores are unaligned.
            unsafe {
                let numbers = _mm256_loadu_si256(LANE_NUMBERS.as_ptr().cast());
                let bits_of = _mm256_castps_si256(self.0);
                // Negative floats order in reverse as integers, so flip all bits but the sign.
                let below_zero = _mm256_srli_epi32::<1>(_mm256_srai_epi32::<31>(bits_of));
                let ordered = _mm256_xor_si256(bits_of, below_zero);
                let rounded = _mm256_andnot_si256(_mm256_set1_epi32(LANE_BITS), ordered);
                let order = _mm256_blendv_epi8(
                    _mm256_set1_epi32(i32::MIN),
                    _mm256_or_si256(rounded, numbers),
                    lanes_of(bits),
                );
                // For each lane, count the other lanes with a larger key.
                let halves_swapped = _mm256_permute2x128_si256::<1>(order, order);
                let larger = |others| _mm256_cmpgt_epi32(others, order);
                let counts = [
                    larger(_mm256_shuffle_epi32::<0b00_11_10_01>(order)),
                    larger(_mm256_shuffle_epi32::<0b01_00_11_10>(order)),
                    larger(_mm256_shuffle_epi32::<0b10_01_00_11>(order)),
                    larger(halves_swapped),
                    larger(_mm256_shuffle_epi32::<0b00_11_10_01>(halves_swapped)),
                    larger(_mm256_shuffle_epi32::<0b01_00_11_10>(halves_swapped)),
                    larger(_mm256_shuffle_epi32::<0b10_01_00_11>(halves_swapped)),
                ];
                let add = |a, b| _mm256_add_epi32(a, b);
                let [a, b, c, d, e, f, g] = counts;
                let minus_count = add(add(add(a, b), add(c, d)), add(add(e, f), g));
                // Invert the permutation: four bits per place hold the number of its lane. Lanes
                // that are not selected share the place after the last.
                let place =
                    _mm256_slli_epi32::<2>(_mm256_sub_epi32(_mm256_setzero_si256(), minus_count));
                let at_place = _mm256_sllv_epi32(numbers, place);
                let half = _mm_or_si128(
                    _mm256_castsi256_si128(at_place),
                    _mm256_extracti128_si256::<1>(at_place),
                );
                let quarter = _mm_or_si128(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
                let all = _mm_or_si128(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
                let place_bits = _mm256_slli_epi32::<2>(numbers);
                let lanes = _mm256_srlv_epi32(_mm256_broadcastd_epi32(all), place_bits);
                let words = _mm256_loadu_si256(words.as_ptr().cast());
                let words = _mm256_permutevar8x32_epi32(words, lanes);
                _mm256_storeu_si256(sorted_words.as_mut_ptr().cast(), words);
                let keys = _mm256_permutevar8x32_ps(keys.0, lanes);
                _mm256_storeu_ps(sorted_keys.as_mut_ptr(), keys);
                (sorted_keys, sorted_words)
            }
        }

        #[inline(always)]
        fn swapped_if_negative(self, other: Self, by: Self) -> (Self, Self) {
            // SAFETY: values of this type exist only where AVX2 does.
            unsafe {
                let first = _mm256_blendv_ps(self.0, other.0, by.0);
                (Self(first), Self(_mm256_blendv_ps(other.0, self.0, by.0)))
            }
        }

        #[inline(always)]
        fn le_mask(self, other: Self) -> u32 {
            // SAFETY: values of this type exist only where AVX2 does.
            let mask = unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)) };
            mask.cast_unsigned()
        }

        #[inline(always)]
        fn call<F: LaneFn>(f: F) -> F::Output {
            // SAFETY: as `splat`.
            unsafe { crate::math::run_avx2(f) }
        }
    }
}

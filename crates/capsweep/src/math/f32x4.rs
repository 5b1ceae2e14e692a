//! Four f32 lanes, one per axis and a spare one: values that all children of a node share.

use crate::math::Lane;
use crate::math::operators::scalar_operators;

/// Four f32 lanes, for culling.
pub(crate) trait F32x4: Lane {
    fn splat(value: f32) -> Self;
    fn load(values: [f32; 4]) -> Self;
    fn store(self) -> [f32; 4];
    fn abs(self) -> Self;
    /// The second operand unless the first is larger.
    fn max(self, other: Self) -> Self;
    /// The magnitude of `self` with the sign of `other`.
    fn with_sign_of(self, other: Self) -> Self;
    /// 1 where a lane has a minus sign, else 0.
    fn signs(self) -> [u32; 4];
    /// Truncates numbers from 0 on to whole ones. Any of at least 2³¹ becomes at least 2³¹.
    fn truncated(self) -> [u32; 4];
    /// The sum of the first three lanes.
    fn sum_of_three(self) -> f32;
    /// Whether `self ≤ other` in all four lanes; false for NaN.
    fn all_le(self, other: Self) -> bool;
    /// Powers of two, from the biased exponents of f32: above 0 and below 255.
    fn powers_of_two(exponents: [u8; 4]) -> Self;
    /// The reciprocals of [`F32x4::powers_of_two`].
    fn over_powers_of_two(exponents: [u8; 4]) -> Self;
}

/// Four f32 as an array, computed in loops.
#[derive(Clone, Copy)]
pub(crate) struct Scalar(pub(crate) [f32; 4]);

scalar_operators!(f32);

impl Lane for Scalar {}

impl F32x4 for Scalar {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn all_le(self, other: Self) -> bool {
        (0..4).all(|i| self.0[i] <= other.0[i])
    }

    #[inline(always)]
    fn load(values: [f32; 4]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn store(self) -> [f32; 4] {
        self.0
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.zip(other, f32::copysign)
    }

    #[inline(always)]
    fn signs(self) -> [u32; 4] {
        self.0.map(|value| u32::from(value.is_sign_negative()))
    }

    #[inline(always)]
    #[allow(clippy::cast_sign_loss, reason = "the cast saturates at 0")]
    fn truncated(self) -> [u32; 4] {
        self.0.map(|value| value as u32)
    }

    #[inline(always)]
    fn sum_of_three(self) -> f32 {
        let [a, b, c, _] = self.0;
        a + b + c
    }

    #[inline(always)]
    fn powers_of_two(exponents: [u8; 4]) -> Self {
        Self(exponents.map(|exponent| f32::from_bits(u32::from(exponent) << 23)))
    }

    #[inline(always)]
    fn over_powers_of_two(exponents: [u8; 4]) -> Self {
        Self::powers_of_two(exponents.map(|exponent| 254_u8.wrapping_sub(exponent)))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use sse::Sse;

#[cfg(target_arch = "x86_64")]
mod sse {
    use super::{F32x4, Lane};
    use crate::math::operators::register_operators;
    use core::arch::x86_64::{
        __m128, _mm_add_ps, _mm_add_ss, _mm_and_ps, _mm_andnot_ps, _mm_castps_si128,
        _mm_castsi128_ps, _mm_cmple_ps, _mm_cvtepu8_epi32, _mm_cvtsi32_si128, _mm_cvtss_f32,
        _mm_cvttps_epi32, _mm_div_ps, _mm_loadu_ps, _mm_max_ps, _mm_movehdup_ps, _mm_movehl_ps,
        _mm_movemask_ps, _mm_mul_ps, _mm_or_ps, _mm_set1_epi32, _mm_set1_ps, _mm_slli_epi32,
        _mm_srli_epi32, _mm_storeu_ps, _mm_storeu_si128, _mm_sub_epi32, _mm_sub_ps,
    };

    /// Four f32 in one register. Only code that runs after [`crate::math::has_avx2`] returned
    /// true may use it.
    #[derive(Clone, Copy)]
    pub(crate) struct Sse(pub(crate) __m128);

    register_operators!(Sse: _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps);

    impl Lane for Sse {}

    impl F32x4 for Sse {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: as `load`.
            Self(unsafe { _mm_set1_ps(value) })
        }

        #[inline(always)]
        fn all_le(self, other: Self) -> bool {
            // SAFETY: values of this type exist only where AVX2 does.
            unsafe { _mm_movemask_ps(_mm_cmple_ps(self.0, other.0)) == 0b1111 }
        }

        #[inline(always)]
        fn store(self) -> [f32; 4] {
            let mut values = [0.0; 4];
            // SAFETY: as `load`. The array has room for four floats.
            unsafe { _mm_storeu_ps(values.as_mut_ptr(), self.0) };
            values
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), self.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn with_sign_of(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                let sign = _mm_set1_ps(-0.0);
                _mm_or_ps(_mm_andnot_ps(sign, self.0), _mm_and_ps(sign, other.0))
            })
        }

        #[inline(always)]
        fn signs(self) -> [u32; 4] {
            let mut signs = [0; 4];
            // SAFETY: values of this type exist only where AVX2 does. The array has room for four
            // words.
            unsafe {
                let bits = _mm_srli_epi32::<31>(_mm_castps_si128(self.0));
                _mm_storeu_si128(signs.as_mut_ptr().cast(), bits);
            }
            signs
        }

        #[inline(always)]
        fn truncated(self) -> [u32; 4] {
            let mut whole = [0; 4];
            // SAFETY: values of this type exist only where AVX2 does. The array has room for four
            // words. Numbers that do not fit into an i32 become 2³¹.
            unsafe { _mm_storeu_si128(whole.as_mut_ptr().cast(), _mm_cvttps_epi32(self.0)) };
            whole
        }

        #[inline(always)]
        fn sum_of_three(self) -> f32 {
            // SAFETY: values of this type exist only where AVX2 does.
            unsafe {
                let sum = _mm_add_ss(self.0, _mm_movehdup_ps(self.0));
                _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehl_ps(self.0, self.0)))
            }
        }

        #[inline(always)]
        fn load(values: [f32; 4]) -> Self {
            // SAFETY: reached only where `has_avx2` returned true. The array holds four floats,
            // and the load is unaligned.
            Self(unsafe { _mm_loadu_ps(values.as_ptr()) })
        }

        #[inline(always)]
        fn powers_of_two(exponents: [u8; 4]) -> Self {
            // SAFETY: as `load`.
            Self(unsafe {
                let exponents =
                    _mm_cvtepu8_epi32(_mm_cvtsi32_si128(i32::from_le_bytes(exponents)));
                _mm_castsi128_ps(_mm_slli_epi32::<23>(exponents))
            })
        }

        #[inline(always)]
        fn over_powers_of_two(exponents: [u8; 4]) -> Self {
            // SAFETY: as `load`.
            Self(unsafe {
                let exponents =
                    _mm_cvtepu8_epi32(_mm_cvtsi32_si128(i32::from_le_bytes(exponents)));
                let opposite = _mm_sub_epi32(_mm_set1_epi32(254), exponents);
                _mm_castsi128_ps(_mm_slli_epi32::<23>(opposite))
            })
        }
    }
}

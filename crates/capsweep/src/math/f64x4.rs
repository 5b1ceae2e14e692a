//! Four f64 lanes, for the solver that decides hits.

use crate::math::Lane;
use crate::math::operators::scalar_operators;
use glam::DVec3;

/// Four f64 lanes. `min` and `max` return the second operand unless the first is smaller
/// (larger), as the vector instructions do.
pub(crate) trait F64x4: Lane {
    fn splat(value: f64) -> Self;
    fn load(values: [f64; 4]) -> Self;
    fn widen(values: [f32; 4]) -> Self;
    /// The value of one lane in every lane.
    fn splat_lane<const LANE: usize>(self) -> Self;
    fn store(self) -> [f64; 4];
    /// Lane 0.
    fn first(self) -> f64;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The mask of the lanes where `self ≤ other`; never set for NaN.
    fn le_mask(self, other: Self) -> u32;
    /// The mask of the lanes where `self < other`; never set for NaN.
    fn lt_mask(self, other: Self) -> u32;
    /// Rotates lanes that repeat every `N`: lane `i` gets the value of lane `(i + 1) % N`.
    fn next<const N: usize>(self) -> Self;
    /// Lanes of `yes` where `self < other`, of `no` elsewhere.
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self;
    /// The sum of the first three lanes, added in order.
    fn sum_of_three(self) -> f64;

    /// A vector, one lane per axis; the last lane repeats z.
    #[inline(always)]
    fn of_vector(vector: DVec3) -> Self {
        Self::load([vector.x, vector.y, vector.z, vector.z])
    }

    /// The dot product of two vectors.
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        (self * other).sum_of_three()
    }

    /// The cross product of two vectors; the last lane holds anything.
    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        (self * other.next::<3>() - self.next::<3>() * other).next::<3>()
    }
}

/// Four f64 as an array, computed in loops.
#[derive(Clone, Copy)]
pub(crate) struct Scalar(pub(crate) [f64; 4]);

scalar_operators!(f64);

impl Scalar {
    #[inline(always)]
    fn bits(self, other: Self, f: impl Fn(f64, f64) -> bool) -> u32 {
        let mut bits = 0;
        for i in 0..4 {
            bits |= u32::from(f(self.0[i], other.0[i])) << i;
        }
        bits
    }
}

impl Lane for Scalar {}

impl F64x4 for Scalar {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn load(values: [f64; 4]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn widen(values: [f32; 4]) -> Self {
        Self(values.map(f64::from))
    }

    #[inline(always)]
    fn splat_lane<const LANE: usize>(self) -> Self {
        Self([self.0[LANE]; 4])
    }

    #[inline(always)]
    fn store(self) -> [f64; 4] {
        self.0
    }

    #[inline(always)]
    fn first(self) -> f64 {
        self.0[0]
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
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn le_mask(self, other: Self) -> u32 {
        self.bits(other, |a, b| a <= b)
    }

    #[inline(always)]
    fn lt_mask(self, other: Self) -> u32 {
        self.bits(other, |a, b| a < b)
    }

    #[inline(always)]
    fn next<const N: usize>(self) -> Self {
        Self(core::array::from_fn(|i| self.0[(i + 1) % N]))
    }

    #[inline(always)]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        Self(core::array::from_fn(|i| if self.0[i] < other.0[i] { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn sum_of_three(self) -> f64 {
        let [a, b, c, _] = self.0;
        a + b + c
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{F64x4, Lane};
    use crate::math::operators::register_operators;
    use core::arch::x86_64::{
        __m256d, _CMP_LE_OQ, _CMP_LT_OQ, _mm_add_sd, _mm_cvtsd_f64, _mm_loadu_ps, _mm_unpackhi_pd,
        _mm256_add_pd, _mm256_andnot_pd, _mm256_blendv_pd, _mm256_castpd256_pd128, _mm256_cmp_pd,
        _mm256_cvtps_pd, _mm256_cvtsd_f64, _mm256_div_pd, _mm256_extractf128_pd, _mm256_loadu_pd,
        _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute4x64_pd,
        _mm256_set1_pd, _mm256_sqrt_pd, _mm256_storeu_pd, _mm256_sub_pd,
    };

    /// Four f64 in one register. Only code that runs after [`crate::math::has_avx2`] returned
    /// true may use it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(pub(crate) __m256d);

    register_operators!(Avx2: _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd);

    impl Lane for Avx2 {}

    impl F64x4 for Avx2 {
        #[inline(always)]
        fn splat(value: f64) -> Self {
            // SAFETY: reached only where `has_avx2` returned true.
            Self(unsafe { _mm256_set1_pd(value) })
        }

        #[inline(always)]
        fn load(values: [f64; 4]) -> Self {
            // SAFETY: as `splat`. The array holds four doubles, and the load is unaligned.
            Self(unsafe { _mm256_loadu_pd(values.as_ptr()) })
        }

        #[inline(always)]
        fn widen(values: [f32; 4]) -> Self {
            // SAFETY: as `splat`. The array holds four floats, and the load is unaligned.
            Self(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(values.as_ptr())) })
        }

        #[inline(always)]
        fn splat_lane<const LANE: usize>(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                match LANE {
                    0 => _mm256_permute4x64_pd::<0b00_00_00_00>(self.0),
                    1 => _mm256_permute4x64_pd::<0b01_01_01_01>(self.0),
                    2 => _mm256_permute4x64_pd::<0b10_10_10_10>(self.0),
                    _ => _mm256_permute4x64_pd::<0b11_11_11_11>(self.0),
                }
            })
        }

        #[inline(always)]
        fn store(self) -> [f64; 4] {
            let mut values = [0.0; 4];
            // SAFETY: as `splat`. The array has room for four doubles.
            unsafe { _mm256_storeu_pd(values.as_mut_ptr(), self.0) };
            values
        }

        #[inline(always)]
        fn first(self) -> f64 {
            // SAFETY: values of this type exist only where AVX2 does.
            unsafe { _mm256_cvtsd_f64(self.0) }
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_min_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_max_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn le_mask(self, other: Self) -> u32 {
            // SAFETY: values of this type exist only where AVX2 does.
            let mask = unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0)) };
            mask.cast_unsigned()
        }

        #[inline(always)]
        fn lt_mask(self, other: Self) -> u32 {
            // SAFETY: values of this type exist only where AVX2 does.
            let mask = unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) };
            mask.cast_unsigned()
        }

        #[inline(always)]
        fn next<const N: usize>(self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                match N {
                    1 => _mm256_permute4x64_pd::<0>(self.0),
                    2 => _mm256_permute4x64_pd::<0b00_01_00_01>(self.0),
                    3 => _mm256_permute4x64_pd::<0b01_00_10_01>(self.0),
                    _ => _mm256_permute4x64_pd::<0b00_11_10_01>(self.0),
                }
            })
        }

        #[inline(always)]
        fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
            // SAFETY: values of this type exist only where AVX2 does.
            Self(unsafe {
                _mm256_blendv_pd(no.0, yes.0, _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0))
            })
        }

        #[inline(always)]
        fn sum_of_three(self) -> f64 {
            // SAFETY: values of this type exist only where AVX2 does.
            unsafe {
                let first = _mm256_castpd256_pd128(self.0);
                let sum = _mm_add_sd(first, _mm_unpackhi_pd(first, first));
                _mm_cvtsd_f64(_mm_add_sd(sum, _mm256_extractf128_pd::<1>(self.0)))
            }
        }
    }
}

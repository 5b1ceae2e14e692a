//! SIMD types with a scalar fallback, the normals of triangles, and sines.
//!
//! Each type has two implementations: AVX2 with FMA where the processor has them, scalar loops
//! elsewhere.
//!
//! - [`F64x4`] decides hits. It has only operations that IEEE 754 rounds in one way (+, −, ×,
//!   ÷, √, comparison, selection), never a fused multiply-add. So both implementations agree
//!   in every bit, which the tests check.
//! - [`F32x8`] and [`F32x4`] cull, with margins above the rounding of every operation. They may
//!   fuse a product and a sum, and use estimates that differ between processors.
//!
//! This is the only module of the library with `unsafe`.

#![allow(unsafe_code, reason = "vector instructions, behind a run-time check")]
#![allow(
    clippy::inline_always,
    reason = "a function that is called instead is compiled without the vector instructions"
)]

mod f32x4;
mod f32x8;
mod f64x4;
pub(crate) mod normals;
mod operators;
#[cfg(test)]
mod tests;
pub(crate) mod trig;
mod vec3_soa;

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use core::ops::{Add, Div, Mul, Sub};
pub(crate) use f32x4::F32x4;
#[cfg(target_arch = "x86_64")]
pub(crate) use f32x8::Avx2 as Widest;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use f32x8::Scalar as Widest;
pub(crate) use f32x8::{F32x8, Scalar, WIDTH};
pub(crate) use f64x4::F64x4;
use glam::Vec3;
pub(crate) use vec3_soa::Vec3Soa;

/// Arithmetic lane by lane: what a [`Vec3Soa`] needs of its coordinates.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// `self + a · b`.
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self + a * b
    }

    /// `self − a · b`.
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        self - a * b
    }
}

/// A function that is generic over the lanes: compiled once for each implementation of [`F32x8`].
///
/// Closures implement it: they capture the type of the lanes from the code around them.
pub(crate) trait LaneFn {
    type Output;

    /// Runs with one implementation. It must be `#[inline(always)]`, and so must all that it
    /// calls.
    fn run<L: F32x8>(self) -> Self::Output;
}

// `FnMut`, not `FnOnce`: most closures need a shim to be called once, which is never inlined.
impl<R, F: FnMut() -> R> LaneFn for F {
    type Output = R;

    #[inline(always)]
    fn run<L: F32x8>(mut self) -> R {
        self()
    }
}

/// Evaluates an expression with the widest lanes of this processor: `with_lanes!(|L| f::<L>(x))`.
///
/// It reads like a closure that is generic over the type `L`, which Rust does not have. The
/// expression becomes a function of its own for each implementation of [`F32x8`], and takes what
/// it uses by value.
macro_rules! with_lanes {
    (|$lanes:ident| $expression:expr) => {
        if $crate::math::has_avx2() {
            type $lanes = $crate::math::Widest;
            <$lanes as $crate::math::F32x8>::call(
                #[inline(always)]
                move || $expression,
            )
        } else {
            type $lanes = $crate::math::Scalar;
            <$lanes as $crate::math::F32x8>::call(
                #[inline(always)]
                move || $expression,
            )
        }
    };
}

pub(crate) use with_lanes;

/// Runs `f` with the widest lanes of this processor.
#[inline]
pub(crate) fn dispatch<F: LaneFn>(f: F) -> F::Output {
    if has_avx2() { Widest::call(f) } else { Scalar::call(f) }
}

/// A call of its own: inlined, its stack frame would burden the AVX2 path as well.
#[inline(never)]
fn run_scalar<F: LaneFn>(f: F) -> F::Output {
    f.run::<Scalar>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn run_avx2<F: LaneFn>(f: F) -> F::Output {
    f.run::<Widest>()
}

/// Whether the processor has AVX2, and FMA, which came with it.
#[inline]
pub(crate) fn has_avx2() -> bool {
    #[cfg(test)]
    if scalar_only::is_requested() {
        return false;
    }
    // std caches both features.
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Prefetches a value that is read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    prefetch_at(core::slice::from_ref(value), 0);
}

/// Prefetches the value at `index`, which may be past the end.
#[inline(always)]
pub(crate) fn prefetch_at<T>(values: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        let address = values.as_ptr().wrapping_add(index).cast::<i8>().wrapping_add(line);
        // SAFETY: a prefetch reads nothing and never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
}

/// A vector padded with 0 to the width of [`F32x4`].
#[inline(always)]
pub(crate) const fn quad(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

/// Lets a test run the scalar implementation on any processor.
#[cfg(test)]
pub(crate) mod scalar_only {
    use std::cell::Cell;

    thread_local! {
        static REQUESTED: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn is_requested() -> bool {
        REQUESTED.get()
    }

    /// Runs `work` on this thread without vector instructions.
    pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
        REQUESTED.set(true);
        let answer = work();
        REQUESTED.set(false);
        answer
    }
}

//! Several numbers at once: AVX2 and FMA where the processor has them, plain loops where it has not, the same answers.
//!
//! [`F64x4`] decides: it uses only operations that IEEE 754 rounds in one way (+, −, ×, ÷, √, comparisons, selection), never a fused
//! multiply-add, so the two implementations agree in every bit; tests hold them to it. [`F32x8`] only cull, with margins above the
//! rounding of every operation: there a product may be added to without being rounded first, and what is only guessed may be an
//! estimate, which is not the same on every processor. This is the only module of the library with `unsafe`.

#![allow(unsafe_code, reason = "vector instructions, behind a run-time check")]
#![allow(
    clippy::inline_always,
    reason = "a call would leave the code that may use the instructions"
)]

mod f32x4;
mod f32x8;
mod f64x4;
pub(crate) mod normals;
mod operators;
#[cfg(test)]
mod tests;
mod vec3_soa;

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use core::ops::{Add, Div, Mul, Sub};
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering};
pub(crate) use f32x4::F32x4;
#[cfg(target_arch = "x86_64")]
use f32x8::Avx2;
pub(crate) use f32x8::{F32x8, Plain, WIDTH};
pub(crate) use f64x4::F64x4;
use glam::Vec3;
pub(crate) use vec3_soa::Vec3Soa;

/// What a [`Vec3Soa`] is made of.
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

/// A computation written once over any [`F32x8`].
pub(crate) trait Kernel {
    type Output;

    /// Runs with one implementation; must be `#[inline(always)]`, as must what it calls.
    fn run<L: F32x8>(self) -> Self::Output;
}

/// Runs `kernel` with the widest instructions that this processor has.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(test)]
    if plain_only::is_asked_for() {
        return run_plain(kernel);
    }
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has AVX2 and FMA.
        return unsafe { run_avx2(kernel) };
    }
    run_plain(kernel)
}

/// Not part of [`dispatch`], which would have to make room for all that it keeps on the stack.
#[inline(never)]
fn run_plain<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Plain>()
}

/// Whether the processor has AVX2, and FMA, which came with it; asked once.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    match AVX2.load(Ordering::Relaxed) {
        UNKNOWN => ask_for_avx2(),
        answer => answer == YES,
    }
}

#[cfg(target_arch = "x86_64")]
static AVX2: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
#[cfg(target_arch = "x86_64")]
const YES: u8 = 1;
#[cfg(target_arch = "x86_64")]
const NO: u8 = 2;

#[cfg(target_arch = "x86_64")]
#[cold]
fn ask_for_avx2() -> bool {
    let has =
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    AVX2.store(if has { YES } else { NO }, Ordering::Relaxed);
    has
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// Asks for the memory of a value that is looked at soon.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    prefetch_at(core::slice::from_ref(value), 0);
}

/// As [`fetch`], for the value at `index`.
#[inline(always)]
pub(crate) fn prefetch_at<T>(values: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        let at = values.as_ptr().wrapping_add(index).cast::<i8>().wrapping_add(line);
        // SAFETY: it only takes time, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at) };
    }
}

/// A vector, and something else.
#[inline(always)]
pub(crate) const fn quad(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

/// Lets a test do without vector instructions.
#[cfg(test)]
pub(crate) mod plain_only {
    use std::cell::Cell;

    thread_local! {
        static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn is_asked_for() -> bool {
        ASKED_FOR.get()
    }

    /// Runs `work` in plain loops, on this thread.
    pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
        ASKED_FOR.set(true);
        let answer = work();
        ASKED_FOR.set(false);
        answer
    }
}

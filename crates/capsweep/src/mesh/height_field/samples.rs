//! The heights of a field: one number per grid point, stored as f32, as u16, or once for all.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::buffer::Buffer;
use crate::math::prefetch_at;

/// The heights of a [`HeightField`](crate::scene::HeightField).
///
/// First come the corners of the cells, `(rows + 1) · (columns + 1)` of them, row by row. If cells
/// have centres, `rows · columns` heights of centres follow, row by row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Heights {
    /// One f32 each.
    F32(Vec<f32>),
    /// One u16 each: 0 is the lower end of the range and 65535 the upper. The height is
    /// `low + raw · (high − low) / 65535`, computed in f64 and rounded once to f32.
    U16 {
        /// The numbers.
        raw: Vec<u16>,
        /// Height of the number 0.
        low: f32,
        /// Height of the number 65535.
        high: f32,
    },
    /// The same height everywhere. It takes no memory.
    Flat(f32),
}

impl Heights {
    /// Number of heights; `None` if one number stands for all.
    pub(super) fn count(&self) -> Option<usize> {
        match self {
            Self::F32(heights) => Some(heights.len()),
            Self::U16 { raw, .. } => Some(raw.len()),
            Self::Flat(_) => None,
        }
    }
}

/// [`Heights`] as a field stores them.
#[derive(Debug, Clone)]
pub(crate) enum Samples {
    F32(Buffer<f32>),
    U16 { raw: Buffer<u16>, low: f32, high: f32 },
    Flat(f32),
}

impl From<Heights> for Samples {
    fn from(heights: Heights) -> Self {
        match heights {
            Heights::F32(heights) => Self::F32(heights.into()),
            Heights::U16 { raw, low, high } => Self::U16 { raw: raw.into(), low, high },
            Heights::Flat(height) => Self::Flat(height),
        }
    }
}

impl Samples {
    /// The heights, resolved once: they may lie in a memory-mapped file, behind a pointer.
    #[inline(always)]
    pub(crate) fn view(&self) -> SamplesView<'_> {
        match self {
            Self::F32(heights) => SamplesView::F32(heights),
            Self::U16 { raw, low, high } => {
                let (low, high) = (f64::from(*low), f64::from(*high));
                SamplesView::U16 { raw, low, step: (high - low) / 65535.0 }
            }
            Self::Flat(height) => SamplesView::Flat(*height),
        }
    }

    /// Number of heights that are stored; `None` if one number stands for all.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Self::F32(heights) => Some(heights.len()),
            Self::U16 { raw, .. } => Some(raw.len()),
            Self::Flat(_) => None,
        }
    }

    /// How a file stores them: the form, and the range of u16 or the one height twice.
    pub(crate) fn form(&self) -> (u32, [f32; 2]) {
        match self {
            Self::F32(_) => (0, [0.0; 2]),
            Self::U16 { low, high, .. } => (1, [*low, *high]),
            Self::Flat(height) => (2, [*height; 2]),
        }
    }

    /// Bytes of memory beside the field itself.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::F32(heights) => size_of_val(&**heights),
            Self::U16 { raw, .. } => size_of_val(&**raw),
            Self::Flat(_) => 0,
        }
    }
}

/// Heights that can be read quickly.
#[derive(Clone, Copy)]
pub(crate) enum SamplesView<'a> {
    F32(&'a [f32]),
    U16 { raw: &'a [u16], low: f64, step: f64 },
    Flat(f32),
}

impl SamplesView<'_> {
    /// Prefetches the heights from each of these indices on.
    #[inline(always)]
    pub(super) fn prefetch<const N: usize>(&self, indices: [usize; N]) {
        for index in indices {
            match *self {
                Self::F32(heights) => prefetch_at(heights, index),
                Self::U16 { raw, .. } => prefetch_at(raw, index),
                Self::Flat(_) => {}
            }
        }
    }

    /// The height with this index; 0 if there is none, which no index of a checked field gives.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> f32 {
        match *self {
            Self::F32(heights) => heights.get(index).copied().unwrap_or(0.0),
            Self::U16 { raw, low, step } => {
                let raw = raw.get(index).copied().unwrap_or(0);
                (low + f64::from(raw) * step) as f32
            }
            Self::Flat(height) => height,
        }
    }

    /// `N` heights from an index on.
    #[inline(always)]
    pub(crate) fn run<const N: usize>(&self, index: usize) -> [f32; N] {
        match *self {
            Self::F32(heights) => {
                let run = heights.get(index..).and_then(<[f32]>::first_chunk);
                run.copied().unwrap_or([0.0; N])
            }
            Self::U16 { raw, low, step } => {
                let run: [u16; N] =
                    raw.get(index..).and_then(<[u16]>::first_chunk).copied().unwrap_or([0; N]);
                // Not by `map`: it is a call for each height.
                let mut heights = [0.0; N];
                for (height, raw) in heights.iter_mut().zip(run) {
                    *height = (low + f64::from(raw) * step) as f32;
                }
                heights
            }
            Self::Flat(height) => [height; N],
        }
    }
}

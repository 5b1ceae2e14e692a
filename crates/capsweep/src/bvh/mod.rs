//! A tree over boxes, eight children wide (rule 3.2). It knows nothing of what the boxes hold.
//!
//! Boxes are f32 and may only be too large. A leaf holds up to eight items and has a number, so that
//! whoever owns the tree can keep the items' data in the same order, eight by eight.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

mod build;
mod figures;
mod moving;
#[cfg(test)]
mod moving_tests;
mod refit;
#[cfg(test)]
mod tests;
mod validate;
mod walk;

#[cfg(test)]
pub(crate) use crate::simd::Plain;
#[cfg(test)]
pub(crate) use crate::simd::plain_only;
pub(crate) use crate::simd::{Kernel, Lanes, WIDTH, dispatch};
pub(crate) use build::build;
pub use figures::TreeFigures;
pub(crate) use moving::MovingBvh;
pub use validate::BvhDefect;
pub(crate) use walk::{Entered, Probe, choose, nearest, visit};

use crate::buffer::Buffer;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// An f32 box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Vec3,
    pub(crate) max: Vec3,
}

impl Bounds {
    /// Holds nothing; the start of a union.
    pub(crate) const EMPTY: Self =
        Self { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) };

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether it holds nothing, not even a point.
    pub(crate) fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Whether the two share a point.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Half the surface; 0 for an empty box.
    fn half_area(&self) -> f32 {
        let size = (self.max - self.min).max(Vec3::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// Marks an unused lane of a leaf and an unused child of a node.
pub(crate) const NONE: u32 = u32::MAX;

/// Set in a child that is a leaf; the other bits are the leaf's number.
const LEAF: u32 = 1 << 31;

/// Deepest level of any tree, so that the walks that go on in other walks have a bound.
const MAX_DEPTH: usize = 64;

/// Eight children: their boxes as bytes on a grid that spans the node's own box, and what they are.
///
/// 96 bytes. The grid's pitch is a power of two per axis, so `origin + byte · pitch` rounds once;
/// the builder rounds outward and checks the result, so a decoded box is never too small.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Node {
    origin: [f32; 3],
    /// Biased exponents of the pitch, as f32 stores them.
    exponents: [u8; 3],
    /// Bit `i` is set where there is a child `i`.
    used: u8,
    /// Lower and upper planes of the children on each axis.
    planes: [[[u8; WIDTH]; 2]; 3],
    children: [u32; WIDTH],
}

const _: () = assert!(size_of::<Node>() == 96);

impl Node {
    #[inline(always)]
    fn pitch(&self, axis: usize) -> f32 {
        f32::from_bits(u32::from(self.exponents[axis]) << 23)
    }

    /// Lower and upper plane of child `i` on `axis`, as every walk decodes them.
    fn decoded(&self, i: usize, axis: usize) -> (f32, f32) {
        let at = |byte: u8| f32::from(byte) * self.pitch(axis) + self.origin[axis];
        let [low, high] = self.planes[axis];
        (at(low[i]), at(high[i]))
    }

    /// Bits of the lanes that hold a child.
    #[inline(always)]
    pub(crate) fn used(&self) -> u32 {
        u32::from(self.used)
    }

    /// The children's boxes.
    #[inline(always)]
    pub(crate) fn boxes<L: Lanes>(&self) -> Boxes<L> {
        Boxes {
            min: [self.plane(0, 0), self.plane(1, 0), self.plane(2, 0)],
            max: [self.plane(0, 1), self.plane(1, 1), self.plane(2, 1)],
        }
    }

    #[inline(always)]
    fn plane<L: Lanes>(&self, axis: usize, side: usize) -> L {
        let bytes = L::load_bytes(self.planes[axis][side]);
        L::splat(self.origin[axis]).plus_product(bytes, L::splat(self.pitch(axis)))
    }

    /// When a point passes the lower (`side` 0) or upper (1) planes on `axis`, if it passes `start` at time 0 and a metre
    /// takes `pace`. Two roundings of the planes' distance from `start` and from the node's origin.
    #[inline(always)]
    pub(crate) fn passes<L: Lanes>(&self, axis: usize, side: usize, start: f32, pace: f32) -> L {
        let bytes = L::load_bytes(self.planes[axis][side]);
        L::splat((self.origin[axis] - start) * pace)
            .plus_product(bytes, L::splat(self.pitch(axis) * pace))
    }
}

/// The boxes of a node's children, decoded.
pub(crate) struct Boxes<L> {
    pub(crate) min: [L; 3],
    pub(crate) max: [L; 3],
}

impl<L: Lanes> Boxes<L> {
    #[inline(always)]
    pub(crate) fn of(bounds: &[Bounds; WIDTH]) -> Self {
        let lanes = |value: fn(&Bounds) -> f32| {
            let [a, b, c, d, e, f, g, h] = bounds;
            [value(a), value(b), value(c), value(d), value(e), value(f), value(g), value(h)]
        };
        let (min_x, min_y, min_z) = (lanes(|b| b.min.x), lanes(|b| b.min.y), lanes(|b| b.min.z));
        let (max_x, max_y, max_z) = (lanes(|b| b.max.x), lanes(|b| b.max.y), lanes(|b| b.max.z));
        Self {
            min: [L::load(&min_x), L::load(&min_y), L::load(&min_z)],
            max: [L::load(&max_x), L::load(&max_y), L::load(&max_z)],
        }
    }

    /// Bits of the lanes that hold a box.
    #[inline(always)]
    pub(crate) fn filled(&self) -> u32 {
        let ([x, y, z], [to_x, to_y, to_z]) = (self.min, self.max);
        x.at_most(to_x) & y.at_most(to_y) & z.at_most(to_z)
    }
}

/// The tree. An empty one has no nodes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bvh {
    pub(crate) nodes: Buffer<Node>,
    /// Eight per leaf; unused lanes are [`NONE`].
    pub(crate) items: Buffer<u32>,
    /// Levels of nodes.
    depth: usize,
}

impl Bvh {
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn leaf_count(&self) -> usize {
        self.items.len() / WIDTH
    }

    /// The items of a leaf, lane by lane.
    pub(crate) fn leaf_items(&self, leaf: usize) -> &[u32] {
        &self.items[leaf * WIDTH..(leaf + 1) * WIDTH]
    }

    /// Bytes that the tree occupies.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.items)
    }
}

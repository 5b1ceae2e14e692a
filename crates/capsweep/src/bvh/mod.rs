//! A bounding volume hierarchy with eight children per node, over boxes of any items.
//!
//! Boxes are f32 and never too small. A leaf holds up to eight items and has an index. So the
//! owner of the tree can store the items' data in the same order, eight by eight.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

mod build;
mod dynamic;
#[cfg(test)]
mod dynamic_tests;
mod grid;
mod refit;
mod stats;
#[cfg(test)]
mod tests;
mod traverse;
mod validate;

#[cfg(test)]
pub(crate) use crate::math::Scalar;
#[cfg(test)]
pub(crate) use crate::math::scalar_only;
pub(crate) use crate::math::{F32x4, F32x8, LaneFn, WIDTH, dispatch};
pub(crate) use build::build;
pub(crate) use dynamic::DynamicBvh;
pub(crate) use grid::build_grid;
pub use stats::BvhStats;
pub(crate) use traverse::{Entered, NodeVisitor, VisitOrder, choose, traverse};
pub use validate::BvhDefect;

use crate::buffer::Buffer;
use crate::math::quad;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// An f32 box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Vec3,
    pub(crate) max: Vec3,
}

impl Bounds {
    /// Holds nothing; the neutral element of a union.
    pub(crate) const EMPTY: Self =
        Self { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) };

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box around all.
    pub(crate) fn union_of(boxes: &[Self]) -> Self {
        boxes.iter().fold(Self::EMPTY, |all, one| all.union(*one))
    }

    /// Whether it holds no point.
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

    /// Half the surface area; 0 for an empty box.
    fn half_area(&self) -> f32 {
        let size = (self.max - self.min).max(Vec3::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// An unused lane of a leaf, or an unused child of a node.
pub(crate) const NONE: u32 = u32::MAX;

/// Set in a child that is a leaf; the other bits are the leaf's index.
const LEAF: u32 = 1 << 31;

/// Largest number of levels of any tree. It bounds the recursion of traversals.
const MAX_DEPTH: usize = 64;

/// Up to eight children, and their boxes as bytes on a grid that spans the node's own box.
///
/// 96 bytes. The grid's pitch is a power of two per axis, so `origin + byte · pitch` rounds once.
/// The builder rounds outward and checks the result, so a decoded box is never too small.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Node {
    origin: [f32; 3],
    /// Biased exponents of the pitch on each axis, as f32 stores them.
    exponents: [u8; 3],
    /// Bit `i` is set if there is a child `i`.
    used: u8,
    /// Lower and upper planes of the children on each axis, in units of the pitch.
    planes: [[[u8; WIDTH]; 2]; 3],
    children: [u32; WIDTH],
}

const _: () = assert!(size_of::<Node>() == 96);

impl Node {
    #[inline(always)]
    fn pitch(&self, axis: usize) -> f32 {
        f32::from_bits(u32::from(self.exponents[axis]) << 23)
    }

    /// Lower and upper plane of child `i` on `axis`, with the bits that traversals decode.
    fn decoded_planes(&self, i: usize, axis: usize) -> (f32, f32) {
        let at = |byte: u8| f32::from(byte) * self.pitch(axis) + self.origin[axis];
        let [low, high] = self.planes[axis];
        (at(low[i]), at(high[i]))
    }

    /// Bits of the lanes that hold a child.
    #[inline(always)]
    pub(crate) fn used(&self) -> u32 {
        u32::from(self.used)
    }

    /// `value` in the lanes that hold a child, less than any number in the others.
    #[inline(always)]
    pub(crate) fn if_used<L: F32x8>(&self, value: L) -> L {
        value.neg_infinity_where(&self.children, NONE)
    }

    /// The children's boxes.
    #[inline(always)]
    pub(crate) fn boxes<L: F32x8>(&self) -> Boxes<L> {
        Boxes {
            min: [self.plane(0, 0), self.plane(1, 0), self.plane(2, 0)],
            max: [self.plane(0, 1), self.plane(1, 1), self.plane(2, 1)],
        }
    }

    #[inline(always)]
    fn plane<L: F32x8>(&self, axis: usize, side: usize) -> L {
        let bytes = L::load_bytes(self.planes[axis][side]);
        L::splat(self.origin[axis]).plus_product(bytes, L::splat(self.pitch(axis)))
    }

    /// The grid's origin and the exponents of its pitch. The fourth lanes have no meaning: one
    /// load of 16 bytes reads `origin`, `exponents` and `used`.
    #[inline(always)]
    fn grid(&self) -> ([f32; 4], [u8; 4]) {
        let [head, ..]: &[[f32; 4]; 6] = bytemuck::cast_ref(self);
        (*head, head[3].to_bits().to_le_bytes())
    }

    /// The times at which moving points pass planes of the grid; `pace` is the time per unit of
    /// length on each axis.
    #[inline(always)]
    pub(crate) fn plane_times<L: F32x8>(&self, pace: [f32; 4]) -> PlaneTimes<'_, L> {
        let (origin, exponents) = self.grid();
        let (origin, pace) = (L::F32x4::load(origin), L::F32x4::load(pace));
        let pitch_time = L::F32x4::powers_of_two(exponents) * pace;
        PlaneTimes { node: self, origin, pace, pitch_time }
    }

    /// Bits of the children whose boxes may share a point with a box.
    ///
    /// The box is moved onto the grid, which is cheaper than to decode eight boxes: bytes are then
    /// compared with bytes.
    #[inline(always)]
    pub(crate) fn overlapping<L: F32x8>(&self, GridBox { low, high }: GridBox) -> u32 {
        let (origin, exponents) = self.grid();
        let (origin, over_pitch) =
            (L::F32x4::load(origin), L::F32x4::over_powers_of_two(exponents));
        let on_grid = |corner: [f32; 4]| (L::F32x4::load(corner) - origin) * over_pitch;
        L::overlap_u8(&self.planes, on_grid(low), on_grid(high)) & self.used()
    }
}

/// A box to test against the grids of nodes.
///
/// It must be wider than the box that is searched, on each side by eight ulps of the largest
/// coordinate. That covers the rounding of decoded boxes and of its own distance from a grid.
/// Aligned, so that no corner straddles two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(crate) struct GridBox {
    low: [f32; 4],
    high: [f32; 4],
}

impl GridBox {
    #[inline(always)]
    pub(crate) fn new(min: Vec3, max: Vec3) -> Self {
        Self { low: quad(min), high: quad(max) }
    }

    /// Its lower and its upper corner. Fourth numbers have no meaning.
    #[inline(always)]
    pub(crate) fn corners(&self) -> ([f32; 4], [f32; 4]) {
        (self.low, self.high)
    }

    /// The box around a moving box's whole path.
    #[inline(always)]
    pub(crate) fn along<L: F32x8>(
        center: L::F32x4,
        half_extents: L::F32x4,
        path: L::F32x4,
    ) -> Self {
        let zero = L::F32x4::load([0.0; 4]);
        let (back, ahead) = (zero.max(zero - path), zero.max(path));
        Self {
            low: (center - half_extents - back).store(),
            high: (center + half_extents + ahead).store(),
        }
    }

    /// Bits of the boxes, given by f32 corners, that share a point with it.
    #[inline(always)]
    pub(crate) fn overlapping<L: F32x8>(&self, min: [L; 3], max: [L; 3]) -> u32 {
        let overlap_on = |axis: usize| {
            let (low, high) = (L::splat(self.low[axis]), L::splat(self.high[axis]));
            min[axis].le_mask(high) & low.le_mask(max[axis])
        };
        overlap_on(0) & overlap_on(1) & overlap_on(2)
    }
}

/// The times at which points of a moving box pass the planes of a node's children.
///
/// Times are linear on the grid, so no plane has to be decoded: one multiply-add per plane.
pub(crate) struct PlaneTimes<'a, L: F32x8> {
    node: &'a Node,
    origin: L::F32x4,
    /// Time per unit of length on each axis, and per pitch of the grid.
    pace: L::F32x4,
    pitch_time: L::F32x4,
}

impl<L: F32x8> PlaneTimes<'_, L> {
    /// When a point that starts at `start` passes the grid's origin on each axis.
    #[inline(always)]
    pub(crate) fn at_origin(&self, start: [f32; 4]) -> L::F32x4 {
        (self.origin - L::F32x4::load(start)) * self.pace
    }

    /// When a point passes the lower (`side` 0) or upper (1) planes on an axis, if it passes the
    /// origin at these times. The error is two roundings: of the planes' distance from the start,
    /// and of that from the origin.
    #[inline(always)]
    pub(crate) fn at_planes<const AXIS: usize>(&self, side: usize, at_origin: L::F32x4) -> L {
        let bytes = L::load_bytes(self.node.planes[AXIS][side]);
        L::splat_axis::<AXIS>(at_origin)
            .plus_product(bytes, L::splat_axis::<AXIS>(self.pitch_time))
    }
}

/// Eight boxes in registers, one per lane.
pub(crate) struct Boxes<L> {
    pub(crate) min: [L; 3],
    pub(crate) max: [L; 3],
}

impl<L: F32x8> Boxes<L> {
    /// Bits of the lanes that hold a box.
    #[inline(always)]
    pub(crate) fn filled(&self) -> u32 {
        let ([x, y, z], [to_x, to_y, to_z]) = (self.min, self.max);
        x.le_mask(to_x) & y.le_mask(to_y) & z.le_mask(to_z)
    }
}

/// Eight boxes in memory, one per lane: their lower and upper planes on each axis.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct LaneBounds([[[f32; WIDTH]; 2]; 3]);

impl LaneBounds {
    pub(crate) const EMPTY: Self = Self([[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3]);

    pub(crate) fn set(&mut self, lane: usize, bounds: Bounds) {
        for (axis, [low, high]) in self.0.iter_mut().enumerate() {
            (low[lane], high[lane]) = (bounds.min[axis], bounds.max[axis]);
        }
    }

    pub(crate) fn get(&self, lane: usize) -> Bounds {
        let [min, max] = [0, 1].map(|side| {
            Vec3::new(self.0[0][side][lane], self.0[1][side][lane], self.0[2][side][lane])
        });
        Bounds { min, max }
    }

    #[inline(always)]
    pub(crate) fn boxes<L: F32x8>(&self) -> Boxes<L> {
        let [[x, to_x], [y, to_y], [z, to_z]] = &self.0;
        Boxes {
            min: [L::load(x), L::load(y), L::load(z)],
            max: [L::load(to_x), L::load(to_y), L::load(to_z)],
        }
    }
}

/// The tree. The root is node 0, and children come after their parents; an empty tree has no
/// nodes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bvh {
    pub(crate) nodes: Buffer<Node>,
    /// Eight per leaf; unused lanes are [`NONE`].
    pub(crate) items: Buffer<u32>,
    /// Number of levels of nodes.
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

    /// Bytes of memory that the tree takes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.items)
    }
}

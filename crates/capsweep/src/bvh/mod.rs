//! A tree over boxes, eight children wide (rule 3.2). It knows nothing of what the boxes hold.
//!
//! Boxes are f32 and may only be too large. A leaf holds up to eight items and has a number, so that
//! whoever owns the tree can keep the items' data in the same order, eight by eight.

mod build;
mod lanes;
#[cfg(test)]
mod tests;
mod validate;
mod walk;

pub(crate) use build::build;
#[cfg(test)]
pub(crate) use lanes::Plain;
#[cfg(test)]
pub(crate) use lanes::plain_only;
pub(crate) use lanes::{Kernel, Lanes, WIDTH, dispatch};
pub use validate::BvhDefect;
pub(crate) use walk::{Boxes, Probe, nearest, visit};

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

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
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

/// Deepest level of any tree, so that a walk's stack has a fixed size.
const MAX_DEPTH: usize = 32;

/// Eight children: their boxes as bytes on a grid that spans the node's own box, and what they are.
///
/// 104 bytes. The grid's pitch is a power of two per axis, so `origin + byte · pitch` rounds once;
/// the builder rounds outward and checks the result, so a decoded box is never too small.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    origin: [f32; 3],
    pitch: [f32; 3],
    low: [[u8; WIDTH]; 3],
    high: [[u8; WIDTH]; 3],
    children: [u32; WIDTH],
}

impl Node {
    /// Lower and upper plane of child `i` on `axis`, as every walk decodes them.
    fn decoded(&self, i: usize, axis: usize) -> (f32, f32) {
        let at = |byte: u8| f32::from(byte) * self.pitch[axis] + self.origin[axis];
        (at(self.low[axis][i]), at(self.high[axis][i]))
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

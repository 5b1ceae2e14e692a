//! Checks that a tree is one: for tests and for trees that come from a file.

use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, LEAF, MAX_DEPTH, NONE, Node, WIDTH};
use core::fmt;
use glam::Vec3;

/// What is wrong with a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BvhDefect {
    /// A child points to a node or a leaf that is not there, that has a parent already, or that comes before its parent.
    BadChild {
        /// The node that points there.
        node: usize,
    },
    /// A node or a leaf is reachable from nowhere.
    Unreachable,
    /// The tree is deeper than any tree may be.
    TooDeep,
    /// An item is missing, or is there twice, or does not exist.
    BadItem {
        /// The item.
        item: u32,
    },
    /// A child's box does not hold what is below it.
    BoxTooSmall {
        /// The node that holds the box.
        node: usize,
    },
}

impl fmt::Display for BvhDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadChild { node } => write!(f, "node {node} has a child that is not its own"),
            Self::Unreachable => write!(f, "a part of the tree cannot be reached"),
            Self::TooDeep => write!(f, "the tree is deeper than {MAX_DEPTH} levels"),
            Self::BadItem { item } => write!(f, "item {item} is missing, doubled or unknown"),
            Self::BoxTooSmall { node } => write!(f, "a box of node {node} is too small"),
        }
    }
}

impl core::error::Error for BvhDefect {}

impl Bvh {
    /// A tree that was kept elsewhere, if it is one over `boxes`.
    pub(crate) fn from_parts(
        nodes: Buffer<Node>,
        items: Buffer<u32>,
        boxes: &[Bounds],
    ) -> Result<Self, BvhDefect> {
        let mut bvh = Self { nodes, items, depth: 0 };
        bvh.depth = bvh.measure(boxes)?;
        Ok(bvh)
    }

    /// Whether every item of `boxes` that is not empty is in the tree once, inside every box above it, and no other is.
    pub(crate) fn validate(&self, boxes: &[Bounds]) -> Result<(), BvhDefect> {
        self.measure(boxes).map(|_| ())
    }

    /// How many levels a tree has, if it is one.
    fn measure(&self, boxes: &[Bounds]) -> Result<usize, BvhDefect> {
        let mut seen = Seen {
            levels: 0,
            nodes: vec![false; self.nodes.len()],
            leaves: vec![false; self.leaf_count()],
            items: vec![false; boxes.len()],
        };
        if !self.nodes.is_empty() {
            seen.nodes[0] = true;
            self.below(0, 1, boxes, &mut seen)?;
        }
        if seen.nodes.contains(&false) || seen.leaves.contains(&false) {
            return Err(BvhDefect::Unreachable);
        }
        let misplaced = |(seen, bounds): (&bool, &Bounds)| *seen == bounds.is_empty();
        match seen.items.iter().zip(boxes).position(misplaced) {
            Some(item) => Err(BvhDefect::BadItem { item: item as u32 }),
            None => Ok(seen.levels),
        }
    }

    /// Checks the subtree of `node`; the box of all items in it.
    fn below(
        &self,
        node: usize,
        depth: usize,
        boxes: &[Bounds],
        seen: &mut Seen,
    ) -> Result<Bounds, BvhDefect> {
        if depth > MAX_DEPTH {
            return Err(BvhDefect::TooDeep);
        }
        seen.levels = seen.levels.max(depth);
        let mut all = Bounds::EMPTY;
        for i in 0..WIDTH {
            let child = self.nodes[node].children[i];
            let used = self.nodes[node].used() >> i & 1 == 1;
            if child == NONE {
                // A walk must never enter it.
                if used {
                    return Err(BvhDefect::BadChild { node });
                }
                continue;
            }
            let below = if child & LEAF != 0 {
                let leaf = (child & !LEAF) as usize;
                mark(&mut seen.leaves, leaf).ok_or(BvhDefect::BadChild { node })?;
                self.leaf_bounds(leaf, boxes, seen)?
            } else {
                let is_after = child as usize > node;
                let marked = mark(&mut seen.nodes, child as usize).filter(|()| is_after);
                marked.ok_or(BvhDefect::BadChild { node })?;
                self.below(child as usize, depth + 1, boxes, seen)?
            };
            // What a walk never enters must be empty.
            let holds = used && self.child_bounds(node, i).contains(&below);
            if !holds && !below.is_empty() {
                return Err(BvhDefect::BoxTooSmall { node });
            }
            all = all.union(below);
        }
        Ok(all)
    }

    fn leaf_bounds(
        &self,
        leaf: usize,
        boxes: &[Bounds],
        seen: &mut Seen,
    ) -> Result<Bounds, BvhDefect> {
        let mut all = Bounds::EMPTY;
        for &item in self.leaf_items(leaf).iter().filter(|item| **item != NONE) {
            mark(&mut seen.items, item as usize).ok_or(BvhDefect::BadItem { item })?;
            all = all.union(boxes[item as usize]);
        }
        Ok(all)
    }

    pub(crate) fn child_bounds(&self, node: usize, i: usize) -> Bounds {
        let [x, y, z] = [0, 1, 2].map(|axis| self.nodes[node].decoded(i, axis));
        Bounds { min: Vec3::new(x.0, y.0, z.0), max: Vec3::new(x.1, y.1, z.1) }
    }
}

struct Seen {
    levels: usize,
    nodes: Vec<bool>,
    leaves: Vec<bool>,
    items: Vec<bool>,
}

/// Marks `index`; `None` if it is out of range or was marked before.
fn mark(seen: &mut [bool], index: usize) -> Option<()> {
    let slot = seen.get_mut(index)?;
    (!core::mem::replace(slot, true)).then_some(())
}

//! Validation of trees: for tests, and for trees that were read from a file.

use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, LEAF, MAX_DEPTH, NONE, Node, WIDTH};
use core::fmt;
use glam::Vec3;

/// A defect of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BvhDefect {
    /// A child is a node or a leaf that does not exist, that has another parent, or that comes
    /// before its parent.
    BadChild {
        /// The node with that child.
        node: usize,
    },
    /// No path leads from the root to a node or a leaf.
    Unreachable,
    /// The tree has more levels than a traversal supports.
    TooDeep,
    /// An item is missing, occurs twice, or does not exist.
    BadItem {
        /// The item.
        item: u32,
    },
    /// A child's box does not contain the boxes of all items below it.
    BoxTooSmall {
        /// The node that holds the box.
        node: usize,
    },
}

impl fmt::Display for BvhDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadChild { node } => write!(f, "node {node} has an invalid child"),
            Self::Unreachable => write!(f, "a node or a leaf cannot be reached from the root"),
            Self::TooDeep => write!(f, "the tree is deeper than {MAX_DEPTH} levels"),
            Self::BadItem { item } => {
                write!(f, "item {item} is missing, occurs twice or does not exist")
            }
            Self::BoxTooSmall { node } => write!(f, "a box of node {node} is too small"),
        }
    }
}

impl core::error::Error for BvhDefect {}

impl Bvh {
    /// The tree with these nodes and leaves, if it is valid over `boxes`.
    pub(crate) fn from_parts(
        nodes: Buffer<Node>,
        items: Buffer<u32>,
        boxes: &[Bounds],
    ) -> Result<Self, BvhDefect> {
        let mut bvh = Self { nodes, items, depth: 0 };
        bvh.depth = bvh.valid_depth(boxes)?;
        Ok(bvh)
    }

    /// Checks that the tree holds exactly the items of `boxes` that are not empty, each once and
    /// inside every box above it.
    pub(crate) fn validate(&self, boxes: &[Bounds]) -> Result<(), BvhDefect> {
        self.valid_depth(boxes).map(|_| ())
    }

    /// Number of levels of a valid tree.
    fn valid_depth(&self, boxes: &[Bounds]) -> Result<usize, BvhDefect> {
        let mut visited = Visited {
            levels: 0,
            nodes: vec![false; self.nodes.len()],
            leaves: vec![false; self.leaf_count()],
            items: vec![false; boxes.len()],
        };
        if !self.nodes.is_empty() {
            visited.nodes[0] = true;
            self.validate_subtree(0, 1, boxes, &mut visited)?;
        }
        if visited.nodes.contains(&false) || visited.leaves.contains(&false) {
            return Err(BvhDefect::Unreachable);
        }
        let is_wrong = |(visited, bounds): (&bool, &Bounds)| *visited == bounds.is_empty();
        match visited.items.iter().zip(boxes).position(is_wrong) {
            Some(item) => Err(BvhDefect::BadItem { item: item as u32 }),
            None => Ok(visited.levels),
        }
    }

    /// Checks the subtree of `node` and returns the box around all items in it.
    fn validate_subtree(
        &self,
        node: usize,
        depth: usize,
        boxes: &[Bounds],
        visited: &mut Visited,
    ) -> Result<Bounds, BvhDefect> {
        if depth > MAX_DEPTH {
            return Err(BvhDefect::TooDeep);
        }
        visited.levels = visited.levels.max(depth);
        let mut all = Bounds::EMPTY;
        for i in 0..WIDTH {
            let child = self.nodes[node].children[i];
            let used = self.nodes[node].used() >> i & 1 == 1;
            if child == NONE {
                // A traversal must not enter an unused lane.
                if used {
                    return Err(BvhDefect::BadChild { node });
                }
                continue;
            }
            let below = if child & LEAF != 0 {
                let leaf = (child & !LEAF) as usize;
                mark(&mut visited.leaves, leaf).ok_or(BvhDefect::BadChild { node })?;
                self.validate_leaf(leaf, boxes, visited)?
            } else {
                let is_after = child as usize > node;
                let marked = mark(&mut visited.nodes, child as usize).filter(|()| is_after);
                marked.ok_or(BvhDefect::BadChild { node })?;
                self.validate_subtree(child as usize, depth + 1, boxes, visited)?
            };
            // A lane that no traversal enters must hold no items.
            let holds = used && self.child_bounds(node, i).contains(&below);
            if !holds && !below.is_empty() {
                return Err(BvhDefect::BoxTooSmall { node });
            }
            all = all.union(below);
        }
        Ok(all)
    }

    /// Checks a leaf and returns the box around its items.
    fn validate_leaf(
        &self,
        leaf: usize,
        boxes: &[Bounds],
        visited: &mut Visited,
    ) -> Result<Bounds, BvhDefect> {
        let mut all = Bounds::EMPTY;
        for &item in self.leaf_items(leaf).iter().filter(|item| **item != NONE) {
            mark(&mut visited.items, item as usize).ok_or(BvhDefect::BadItem { item })?;
            all = all.union(boxes[item as usize]);
        }
        Ok(all)
    }

    /// The decoded box of child `i` of `node`.
    pub(crate) fn child_bounds(&self, node: usize, i: usize) -> Bounds {
        let [x, y, z] = [0, 1, 2].map(|axis| self.nodes[node].decoded_planes(i, axis));
        Bounds { min: Vec3::new(x.0, y.0, z.0), max: Vec3::new(x.1, y.1, z.1) }
    }
}

/// The parts of a tree that a validation has visited.
struct Visited {
    /// Number of levels down to the deepest node.
    levels: usize,
    nodes: Vec<bool>,
    leaves: Vec<bool>,
    items: Vec<bool>,
}

/// Marks `index`; `None` if it is out of range or was marked before.
fn mark(visited: &mut [bool], index: usize) -> Option<()> {
    let is_visited = visited.get_mut(index)?;
    (!core::mem::replace(is_visited, true)).then_some(())
}

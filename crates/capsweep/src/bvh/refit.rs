//! Fitting the boxes of a tree to items that have moved, without changing what is below what.

use crate::bvh::build::encode;
use crate::bvh::{Bounds, Bvh, LEAF, NONE, Node, WIDTH};

impl Bvh {
    /// Fits every box to items that have moved; item `i` is box `i`.
    ///
    /// The tree is as right as a new one. It is as fast while items that were close to each other are so still.
    pub(crate) fn refit(&mut self, boxes: &[Bounds]) {
        let mut around = vec![Bounds::EMPTY; self.nodes.len()];
        // Children come after their parents.
        for node in (0..self.nodes.len()).rev() {
            around[node] = self.fit(node, boxes, &around);
        }
    }

    /// Fits the boxes of a node's children, and gives the box around them all. `around` has those of the nodes below.
    pub(crate) fn fit(&mut self, node: usize, boxes: &[Bounds], around: &[Bounds]) -> Bounds {
        let bounds = self.boxes_below(node, boxes, around);
        let children = self.nodes[node].children;
        self.nodes[node] = Node { children, ..encode(&bounds) };
        union(&bounds)
    }

    /// The boxes of a node's children before they are rounded to its grid; empty ones where there is no child.
    pub(crate) fn boxes_below(
        &self,
        node: usize,
        boxes: &[Bounds],
        around: &[Bounds],
    ) -> [Bounds; WIDTH] {
        self.nodes[node].children.map(|child| match child {
            NONE => Bounds::EMPTY,
            leaf if leaf & LEAF != 0 => self.leaf_box((leaf & !LEAF) as usize, boxes),
            inner => around[inner as usize],
        })
    }

    fn leaf_box(&self, leaf: usize, boxes: &[Bounds]) -> Bounds {
        let items = self.leaf_items(leaf).iter().filter(|item| **item != NONE);
        items.fold(Bounds::EMPTY, |all, item| all.union(boxes[*item as usize]))
    }
}

pub(crate) fn union(bounds: &[Bounds]) -> Bounds {
    bounds.iter().fold(Bounds::EMPTY, |all, one| all.union(*one))
}

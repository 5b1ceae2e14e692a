//! Refitting: new boxes for items that have moved, while the structure of the tree stays.

use crate::bvh::build::encode;
use crate::bvh::{Bounds, Bvh, LEAF, NONE, Node, WIDTH};

impl Bvh {
    /// Recomputes every box from the items' boxes; item `i` has box `i`.
    ///
    /// The tree is as correct as a new one, and as fast while items that were close stay close.
    pub(crate) fn refit(&mut self, boxes: &[Bounds]) {
        let mut node_bounds = vec![Bounds::EMPTY; self.nodes.len()];
        // Children come after their parents.
        for node in (0..self.nodes.len()).rev() {
            node_bounds[node] = self.fit(node, boxes, &node_bounds);
        }
    }

    /// Recomputes the boxes of a node's children and returns the box around them all.
    /// `node_bounds` has the boxes around the nodes below.
    pub(crate) fn fit(&mut self, node: usize, boxes: &[Bounds], node_bounds: &[Bounds]) -> Bounds {
        let bounds = self.child_boxes(node, boxes, node_bounds);
        let children = self.nodes[node].children;
        self.nodes[node] = Node { children, ..encode(&bounds) };
        Bounds::union_of(&bounds)
    }

    /// The boxes of a node's children before they are rounded to its grid; empty without a child.
    pub(crate) fn child_boxes(
        &self,
        node: usize,
        boxes: &[Bounds],
        node_bounds: &[Bounds],
    ) -> [Bounds; WIDTH] {
        self.nodes[node].children.map(|child| match child {
            NONE => Bounds::EMPTY,
            leaf if leaf & LEAF != 0 => self.leaf_box((leaf & !LEAF) as usize, boxes),
            inner => node_bounds[inner as usize],
        })
    }

    fn leaf_box(&self, leaf: usize, boxes: &[Bounds]) -> Bounds {
        let items = self.leaf_items(leaf).iter().filter(|item| **item != NONE);
        items.fold(Bounds::EMPTY, |all, item| all.union(boxes[*item as usize]))
    }
}

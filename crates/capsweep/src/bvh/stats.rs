//! Statistics of a tree.

use crate::bvh::{Bounds, Bvh, LEAF, NONE, WIDTH};

/// Size and quality of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BvhStats {
    /// Number of nodes, of up to eight children each.
    pub nodes: usize,
    /// Number of leaves, of up to eight items each.
    pub leaves: usize,
    /// Number of levels of nodes.
    pub levels: usize,
    /// Share of the leaves' lanes that hold an item, 0 to 1.
    pub fill: f64,
    /// Nodes that a random line through the root's box enters on average, by the surface area
    /// heuristic.
    pub nodes_on_a_line: f64,
    /// Leaves that such a line enters on average.
    pub leaves_on_a_line: f64,
}

impl Bvh {
    pub(crate) fn stats(&self) -> BvhStats {
        let (nodes, leaves) = (self.nodes.len(), self.leaf_count());
        if nodes == 0 {
            return BvhStats::default();
        }
        let child_boxes = |node: usize| {
            let children = self.nodes[node].children.iter().enumerate();
            let used = children.filter(|(_, child)| **child != NONE);
            used.map(move |(i, child)| (self.child_bounds(node, i), child & LEAF != 0))
        };
        let root = child_boxes(0).fold(Bounds::EMPTY, |all, (bounds, _)| all.union(bounds));
        // A random line through a box enters a box inside it with the ratio of their areas.
        let root = f64::from(root.half_area());
        let probability =
            |bounds: Bounds| if root > 0.0 { f64::from(bounds.half_area()) / root } else { 1.0 };
        let mut on_a_line = [1.0, 0.0];
        for (bounds, is_leaf) in (0..nodes).flat_map(child_boxes) {
            on_a_line[usize::from(is_leaf)] += probability(bounds);
        }
        let used = self.items.iter().filter(|item| **item != NONE).count();
        BvhStats {
            nodes,
            leaves,
            levels: self.depth,
            fill: used as f64 / (leaves * WIDTH).max(1) as f64,
            nodes_on_a_line: on_a_line[0],
            leaves_on_a_line: on_a_line[1],
        }
    }
}

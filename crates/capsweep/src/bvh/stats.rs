use crate::bvh::{Bounds, Bvh, LEAF, NONE, WIDTH};

/// What can be said about a tree in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BvhStats {
    /// Nodes, of up to eight children each.
    pub nodes: usize,
    /// Leaves, of up to eight items each.
    pub leaves: usize,
    /// Levels of nodes.
    pub levels: usize,
    /// Part of the leaves' places that is taken, 0 to 1.
    pub fill: f64,
    /// Nodes that a line across the whole tree enters on average (the surface area heuristic).
    pub nodes_on_a_line: f64,
    /// Leaves that such a line enters.
    pub leaves_on_a_line: f64,
}

impl Bvh {
    pub(crate) fn figures(&self) -> BvhStats {
        let (nodes, leaves) = (self.nodes.len(), self.leaf_count());
        if nodes == 0 {
            return BvhStats::default();
        }
        let boxes_of = |node: usize| {
            let children = self.nodes[node].children.iter().enumerate();
            let taken = children.filter(|(_, child)| **child != NONE);
            taken.map(move |(i, child)| (self.child_bounds(node, i), child & LEAF != 0))
        };
        let root = boxes_of(0).fold(Bounds::EMPTY, |all, (bounds, _)| all.union(bounds));
        // A line that enters a box enters a box within it in proportion to their surfaces.
        let root = f64::from(root.half_area());
        let share =
            |bounds: Bounds| if root > 0.0 { f64::from(bounds.half_area()) / root } else { 1.0 };
        let mut on_a_line = [1.0, 0.0];
        for (bounds, is_leaf) in (0..nodes).flat_map(boxes_of) {
            on_a_line[usize::from(is_leaf)] += share(bounds);
        }
        let taken = self.items.iter().filter(|item| **item != NONE).count();
        BvhStats {
            nodes,
            leaves,
            levels: self.depth,
            fill: taken as f64 / (leaves * WIDTH).max(1) as f64,
            nodes_on_a_line: on_a_line[0],
            leaves_on_a_line: on_a_line[1],
        }
    }
}

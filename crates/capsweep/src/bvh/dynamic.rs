//! [`DynamicBvh`]: a tree whose items can be inserted, moved and removed.
//!
//! A change updates the path from a leaf to the root. The cost of the tree is measured once per as
//! many changes as there are items, and a degraded tree is rebuilt. So a change costs O(log n) on
//! average. Only the speed of queries depends on any of this.

use crate::bvh::build::encode;
use crate::bvh::{Bounds, Bvh, BvhDefect, LEAF, LaneBounds, MAX_DEPTH, NONE, Node, WIDTH, build};
use std::collections::BinaryHeap;

/// The tree is rebuilt if more than one item in this many is new: a build gives a better tree than
/// insertions do.
const REBUILD_IF_NEW: usize = 4;

/// The tree is rebuilt when the [cost](DynamicBvh::cost) per item has grown by this factor.
const MAX_DEGRADATION: f64 = 1.5;

/// Unused lanes of leaves allowed per item, and for a tree of any size. A built tree has at most
/// three unused lanes per item.
const SPARE_LANES_PER_ITEM: usize = 8;
const SPARE_LANES: usize = 64;

/// A [`Bvh`] and the data that it takes to change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct DynamicBvh {
    tree: Bvh,
    /// By item: its box; empty if the item is not in the tree.
    boxes: Vec<Bounds>,
    /// By item: its leaf.
    leaves: Vec<u32>,
    /// By leaf: the boxes of its items, one per lane, for traversals.
    leaf_boxes: Vec<LaneBounds>,
    /// Number of items in the tree.
    count: usize,
    /// By node: the exact box around the items below it.
    node_bounds: Vec<Bounds>,
    /// By node: its parent.
    parents: Vec<u32>,
    /// By leaf: its parent.
    leaf_parents: Vec<u32>,
    /// Changes since the cost was last measured.
    changes: usize,
    /// Cost when the tree was last built.
    built_cost: f64,
}

/// Nodes whose boxes must be recomputed. The largest index comes first, so children come before
/// their parents.
type Stale = BinaryHeap<u32>;

/// A leaf's position in the tree: a lane of a node, and the node's level.
struct LeafPosition {
    node: usize,
    lane: usize,
    depth: usize,
}

impl DynamicBvh {
    pub(crate) fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The box around all items; empty if there are none.
    pub(crate) fn bounds(&self) -> Bounds {
        self.node_bounds.first().copied().unwrap_or(Bounds::EMPTY)
    }

    /// Gives items new boxes. An empty box removes an item, any other inserts or moves it.
    pub(crate) fn update(&mut self, changes: &[(u32, Bounds)]) {
        let items = changes.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0);
        if items > self.boxes.len() {
            self.boxes.resize(items, Bounds::EMPTY);
            self.leaves.resize(items, NONE);
        }
        let is_new =
            |(item, to): &&(u32, Bounds)| self.boxes[*item as usize].is_empty() && !to.is_empty();
        if changes.iter().filter(is_new).count() * REBUILD_IF_NEW > self.count {
            for &(item, to) in changes {
                self.boxes[item as usize] = to;
            }
            self.rebuild();
            return;
        }
        let mut stale = Stale::new();
        for &(item, to) in changes {
            self.change(item, to, &mut stale);
        }
        while let Some(node) = stale.pop() {
            // Duplicates come one after another; the last of them is handled.
            if stale.peek() != Some(&node) {
                self.refit_node(node, &mut stale);
            }
        }
        if self.is_degraded() {
            self.rebuild();
        }
    }

    /// The boxes of the items in a leaf, lane by lane; unused lanes are empty.
    #[inline]
    pub(crate) fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds {
        &self.leaf_boxes[leaf]
    }

    /// Checks the tree against the boxes.
    pub(crate) fn validate(&self) -> Result<(), BvhDefect> {
        self.tree.validate(&self.boxes)
    }

    /// Gives one item a new box. The boxes above it are left to `stale`.
    fn change(&mut self, item: u32, to: Bounds, stale: &mut Stale) {
        let from = core::mem::replace(&mut self.boxes[item as usize], to);
        if from == to {
            return;
        }
        self.changes += 1;
        match (from.is_empty(), to.is_empty()) {
            (true, true) => {}
            (true, false) => self.insert(item, stale),
            (false, true) => self.remove(item, stale),
            (false, false) => {
                let parent = self.leaf_parents[self.leaves[item as usize] as usize];
                // Inside its parent's box it stays in its leaf, which costs the tree little.
                if parent == 0 || self.node_bounds[parent as usize].contains(&to) {
                    stale.push(parent);
                } else {
                    self.remove(item, stale);
                    self.insert(item, stale);
                }
            }
        }
    }

    /// Recomputes a node's boxes. If the box around them changes, its parent becomes stale.
    fn refit_node(&mut self, node: u32, stale: &mut Stale) {
        let index = node as usize;
        let bounds = self.tree.fit(index, &self.boxes, &self.node_bounds);
        self.leaf_boxes.resize(self.tree.leaf_count(), LaneBounds::EMPTY);
        for child in self.tree.nodes[index].children {
            if child != NONE && child & LEAF != 0 {
                self.copy_leaf_boxes((child & !LEAF) as usize);
            }
        }
        if self.node_bounds[index] != bounds {
            self.node_bounds[index] = bounds;
            if node != 0 {
                stale.push(self.parents[index]);
            }
        }
    }

    /// Copies the boxes of a leaf's items to its lanes.
    fn copy_leaf_boxes(&mut self, leaf: usize) {
        let lanes = &mut self.leaf_boxes[leaf];
        for (lane, &item) in self.tree.leaf_items(leaf).iter().enumerate() {
            lanes.set(lane, self.boxes.get(item as usize).copied().unwrap_or(Bounds::EMPTY));
        }
    }

    /// Inserts an item: from the root down, it follows the child whose box grows least.
    fn insert(&mut self, item: u32, stale: &mut Stale) {
        let bounds = self.boxes[item as usize];
        self.count += 1;
        let (mut node, mut depth) = (0, 1);
        loop {
            let lane = self.least_growth(node, &bounds);
            let child = self.tree.nodes[node].children[lane];
            if child & LEAF == 0 {
                node = child as usize;
                depth += 1;
                continue;
            }
            let leaf = (child & !LEAF) as usize;
            let used = self.tree.leaf_items(leaf).iter().take_while(|item| **item != NONE).count();
            if used < WIDTH {
                self.put(item, leaf, used);
                stale.push(node as u32);
            } else {
                let other = self.split(item, leaf);
                stale.push(self.attach(other, &LeafPosition { node, lane, depth }));
            }
            return;
        }
    }

    /// The child of `node` whose area grows least by adding `bounds`; of equals the smallest, then
    /// the first.
    fn least_growth(&self, node: usize, bounds: &Bounds) -> usize {
        let mut best = (0, [f32::INFINITY; 2]);
        for (lane, &child) in self.tree.nodes[node].children.iter().enumerate() {
            if child == NONE {
                continue;
            }
            let now = self.tree.child_bounds(node, lane);
            let area = now.half_area();
            let cost = [now.union(*bounds).half_area() - area, area];
            if cost < best.1 {
                best = (lane, cost);
            }
        }
        best.0
    }

    fn put(&mut self, item: u32, leaf: usize, lane: usize) {
        self.tree.items[leaf * WIDTH + lane] = item;
        self.leaves[item as usize] = leaf as u32;
    }

    /// Splits a full leaf to make room for `item`, at the median along the longest axis. Returns
    /// the new leaf, which holds the second half.
    fn split(&mut self, item: u32, leaf: usize) -> usize {
        let mut items = [item; WIDTH + 1];
        items[..WIDTH].copy_from_slice(self.tree.leaf_items(leaf));
        let boxes = &self.boxes;
        let all = Bounds::union_of(&items.map(|item| boxes[item as usize]));
        let center = |item: u32| boxes[item as usize].min + boxes[item as usize].max;
        let axis = (all.max - all.min).max_position();
        items.sort_unstable_by(|&a, &b| {
            center(a)[axis].total_cmp(&center(b)[axis]).then(a.cmp(&b))
        });
        let (near, far) = items.split_at(WIDTH / 2);
        let other = self.tree.leaf_count();
        self.tree.items.to_mut().extend([NONE; WIDTH]);
        self.tree.items[leaf * WIDTH..][near.len()..WIDTH].fill(NONE);
        for (leaf, items) in [(leaf, near), (other, far)] {
            for (lane, &item) in items.iter().enumerate() {
                self.put(item, leaf, lane);
            }
        }
        other
    }

    /// Adds a new leaf next to the one at `position`, and returns the parent of both.
    fn attach(&mut self, other: usize, position: &LeafPosition) -> u32 {
        let LeafPosition { node: parent, lane, depth } = *position;
        let children = &mut self.tree.nodes[parent].children;
        if let Some(free) = children.iter().position(|child| *child == NONE) {
            children[free] = LEAF | other as u32;
            self.leaf_parents.push(parent as u32);
            return parent as u32;
        }
        // The parent is full: a new node takes the leaf's lane and holds both leaves. If it is too
        // deep, the update ends with a rebuild.
        let node = self.node_bounds.len() as u32;
        let leaf = core::mem::replace(&mut children[lane], node);
        let mut children = [NONE; WIDTH];
        children[..2].copy_from_slice(&[leaf, LEAF | other as u32]);
        self.tree.nodes.to_mut().push(Node { children, ..encode(&[Bounds::EMPTY; WIDTH]) });
        self.tree.depth = self.tree.depth.max(depth + 1);
        self.node_bounds.push(Bounds::EMPTY);
        self.parents.push(parent as u32);
        self.leaf_parents[(leaf & !LEAF) as usize] = node;
        self.leaf_parents.push(node);
        node
    }

    /// Removes an item from its leaf. An empty leaf stays for later insertions.
    fn remove(&mut self, item: u32, stale: &mut Stale) {
        let leaf = core::mem::replace(&mut self.leaves[item as usize], NONE) as usize;
        let items = &mut self.tree.items[leaf * WIDTH..(leaf + 1) * WIDTH];
        let used = items.iter().take_while(|item| **item != NONE).count();
        if let Some(lane) = items.iter().position(|other| *other == item) {
            items[lane] = items[used - 1];
            items[used - 1] = NONE;
        }
        self.count -= 1;
        stale.push(self.leaf_parents[leaf]);
    }

    /// Whether the tree is too deep, too empty or too loose. Measuring its cost is linear in its
    /// size, so that is done once per as many changes as there are items.
    fn is_degraded(&mut self) -> bool {
        let lanes = self.tree.leaf_count() * WIDTH;
        let most_lanes = self.count * (1 + SPARE_LANES_PER_ITEM) + SPARE_LANES;
        if self.tree.depth > MAX_DEPTH || lanes > most_lanes {
            return true;
        }
        if self.changes <= self.count {
            return false;
        }
        self.changes = 0;
        self.count == 0 || self.cost() > MAX_DEGRADATION * self.built_cost
    }

    /// Cost of a traversal per item by the surface area heuristic: the areas of all boxes.
    pub(crate) fn cost(&self) -> f64 {
        let mut areas = 0.0;
        for node in 0..self.tree.nodes.len() {
            let boxes = self.tree.child_boxes(node, &self.boxes, &self.node_bounds);
            areas += boxes.iter().map(|bounds| f64::from(bounds.half_area())).sum::<f64>();
        }
        areas / self.count.max(1) as f64
    }

    fn rebuild(&mut self) {
        self.tree = build(&self.boxes);
        let nodes = self.tree.nodes.len();
        self.count = 0;
        self.leaf_parents = vec![0; self.tree.leaf_count()];
        self.parents = vec![0; nodes];
        self.node_bounds = vec![Bounds::EMPTY; nodes];
        for node in (0..nodes).rev() {
            let children = self.tree.child_boxes(node, &self.boxes, &self.node_bounds);
            self.node_bounds[node] = Bounds::union_of(&children);
            for child in self.tree.nodes[node].children {
                match child {
                    NONE => {}
                    leaf if leaf & LEAF != 0 => {
                        self.leaf_parents[(leaf & !LEAF) as usize] = node as u32;
                    }
                    inner => self.parents[inner as usize] = node as u32,
                }
            }
        }
        self.leaves.fill(NONE);
        for (item, slot) in self.tree.items.iter().zip(0_u32..) {
            if *item != NONE {
                self.leaves[*item as usize] = slot / WIDTH as u32;
                self.count += 1;
            }
        }
        self.leaf_boxes = vec![LaneBounds::EMPTY; self.tree.leaf_count()];
        for leaf in 0..self.tree.leaf_count() {
            self.copy_leaf_boxes(leaf);
        }
        self.changes = 0;
        self.built_cost = self.cost();
    }
}

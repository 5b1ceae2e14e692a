//! A tree whose items come, go and move.
//!
//! A change costs the way from a leaf to the root. What that does to the tree is looked at now and then, and where it has
//! become too loose it is built anew: no more often than after as many changes as there are items, so a change costs
//! O(log n) on average. Only the speed of queries depends on any of this.

use crate::bvh::build::encode;
use crate::bvh::refit::union;
use crate::bvh::{Bounds, Bvh, BvhDefect, LEAF, LaneBounds, MAX_DEPTH, NONE, Node, WIDTH, build};
use std::collections::BinaryHeap;

/// A part of so many new items, one in this number, is worth a new tree: a built one is better than a grown one.
const BULK: usize = 4;

/// The tree is built anew when what a walk pays for an item has grown by this factor.
const WORN: f64 = 1.5;

/// Lanes of leaves that may be unused for each item (a built tree has at most three), and for the tree.
const SPARE: usize = 8;
const SPARE_AT_LEAST: usize = 64;

/// See the module.
#[derive(Debug, Clone, Default)]
pub(crate) struct DynamicBvh {
    tree: Bvh,
    /// By item: its box, empty where it is not in the tree; and its leaf.
    boxes: Vec<Bounds>,
    leaves: Vec<u32>,
    /// By leaf: the boxes of its items, side by side for those who walk the tree.
    leaf_boxes: Vec<LaneBounds>,
    /// How many items are in the tree.
    count: usize,
    /// By node: the box around what is below it, exactly.
    around: Vec<Bounds>,
    /// The node above a node and above a leaf.
    parents: Vec<u32>,
    leaf_parents: Vec<u32>,
    /// Changes since somebody last looked at the tree, and what an item cost when it was built.
    changes: usize,
    built_cost: f64,
}

/// Nodes whose boxes must be fitted: the last first, so that children come before parents.
type Stale = BinaryHeap<u32>;

/// Where a leaf hangs: a lane of a node, and the node's level.
struct Place {
    node: usize,
    lane: usize,
    depth: usize,
}

impl DynamicBvh {
    pub(crate) fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The box around everything; empty if there is nothing.
    pub(crate) fn bounds(&self) -> Bounds {
        self.around.first().copied().unwrap_or(Bounds::EMPTY)
    }

    /// Gives items their new boxes. An empty box takes an item out, any other puts it in or moves it.
    pub(crate) fn update(&mut self, changes: &[(u32, Bounds)]) {
        let items = changes.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0);
        if items > self.boxes.len() {
            self.boxes.resize(items, Bounds::EMPTY);
            self.leaves.resize(items, NONE);
        }
        let is_new =
            |(item, to): &&(u32, Bounds)| self.boxes[*item as usize].is_empty() && !to.is_empty();
        if changes.iter().filter(is_new).count() * BULK > self.count {
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
            // Each once, however many items below it have changed.
            if stale.peek() != Some(&node) {
                self.fit(node, &mut stale);
            }
        }
        if self.is_worn() {
            self.rebuild();
        }
    }

    /// The boxes of the items in a leaf, lane by lane; empty where there is none.
    #[inline]
    pub(crate) fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds {
        &self.leaf_boxes[leaf]
    }

    /// Checks the tree against the boxes.
    pub(crate) fn validate(&self) -> Result<(), BvhDefect> {
        self.tree.validate(&self.boxes)
    }

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
                // Within its leaf's neighbourhood it may stay.
                if parent == 0 || self.around[parent as usize].contains(&to) {
                    stale.push(parent);
                } else {
                    self.remove(item, stale);
                    self.insert(item, stale);
                }
            }
        }
    }

    /// Fits a node's boxes; if the box around them changes, its parent's are next.
    fn fit(&mut self, node: u32, stale: &mut Stale) {
        let at = node as usize;
        let around = self.tree.fit(at, &self.boxes, &self.around);
        self.leaf_boxes.resize(self.tree.leaf_count(), LaneBounds::EMPTY);
        for child in self.tree.nodes[at].children {
            if child != NONE && child & LEAF != 0 {
                self.line_up((child & !LEAF) as usize);
            }
        }
        if self.around[at] != around {
            self.around[at] = around;
            if node != 0 {
                stale.push(self.parents[at]);
            }
        }
    }

    /// Puts the boxes of a leaf's items side by side.
    fn line_up(&mut self, leaf: usize) {
        let lanes = &mut self.leaf_boxes[leaf];
        for (lane, &item) in self.tree.leaf_items(leaf).iter().enumerate() {
            lanes.set(lane, self.boxes.get(item as usize).copied().unwrap_or(Bounds::EMPTY));
        }
    }

    /// Puts an item into the leaf whose box, and the boxes above it, grow least.
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
                stale.push(self.hang(other, &Place { node, lane, depth }));
            }
            return;
        }
    }

    /// The child of `node` that grows least by taking in `bounds`, of equals the smallest, then the first.
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

    /// Parts a full leaf so that `item` has room too; the new leaf with its second half.
    fn split(&mut self, item: u32, leaf: usize) -> usize {
        let mut items = [item; WIDTH + 1];
        items[..WIDTH].copy_from_slice(self.tree.leaf_items(leaf));
        let boxes = &self.boxes;
        let all = union(&items.map(|item| boxes[item as usize]));
        let center = |item: u32| boxes[item as usize].min + boxes[item as usize].max;
        let axis = (all.max - all.min).max_position();
        items
            .sort_unstable_by(|&a, &b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.cmp(&b)));
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

    /// Hangs a new leaf beside the one in `place`; the node that has both.
    fn hang(&mut self, other: usize, place: &Place) -> u32 {
        let children = &mut self.tree.nodes[place.node].children;
        if let Some(free) = children.iter().position(|child| *child == NONE) {
            children[free] = LEAF | other as u32;
            self.leaf_parents.push(place.node as u32);
            return place.node as u32;
        }
        // A new node in the leaf's place, above both. One that comes too deep stays until the tree is built anew.
        let node = self.around.len() as u32;
        let leaf = core::mem::replace(&mut children[place.lane], node);
        let mut children = [NONE; WIDTH];
        children[..2].copy_from_slice(&[leaf, LEAF | other as u32]);
        self.tree.nodes.to_mut().push(Node { children, ..encode(&[Bounds::EMPTY; WIDTH]) });
        self.tree.depth = self.tree.depth.max(place.depth + 1);
        self.around.push(Bounds::EMPTY);
        self.parents.push(place.node as u32);
        self.leaf_parents[(leaf & !LEAF) as usize] = node;
        self.leaf_parents.push(node);
        node
    }

    /// Takes an item out of its leaf, which stays, for others to come.
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

    fn is_worn(&mut self) -> bool {
        let lanes = self.tree.leaf_count() * WIDTH;
        if self.tree.depth > MAX_DEPTH || lanes > self.count * (1 + SPARE) + SPARE_AT_LEAST {
            return true;
        }
        if self.changes <= self.count {
            return false;
        }
        self.changes = 0;
        self.count == 0 || self.cost() > WORN * self.built_cost
    }

    /// What a walk pays for an item, by the areas of the boxes that it may enter.
    pub(crate) fn cost(&self) -> f64 {
        let mut areas = 0.0;
        for node in 0..self.tree.nodes.len() {
            let boxes = self.tree.boxes_below(node, &self.boxes, &self.around);
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
        self.around = vec![Bounds::EMPTY; nodes];
        for node in (0..nodes).rev() {
            self.around[node] = union(&self.tree.boxes_below(node, &self.boxes, &self.around));
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
        for (item, place) in self.tree.items.iter().zip(0_u32..) {
            if *item != NONE {
                self.leaves[*item as usize] = place / WIDTH as u32;
                self.count += 1;
            }
        }
        self.leaf_boxes = vec![LaneBounds::EMPTY; self.tree.leaf_count()];
        for leaf in 0..self.tree.leaf_count() {
            self.line_up(leaf);
        }
        self.changes = 0;
        self.built_cost = self.cost();
    }
}

//! Building a tree: a binary tree top down by the binned surface area heuristic, then collapsed
//! into nodes of eight children at the least cost.
//!
//! The same boxes give the same tree, bit for bit, with or without threads. A subtree depends only
//! on its own items, and subtrees are joined in order.

#![allow(clippy::cast_sign_loss, reason = "a cast to unsigned saturates at 0, which is intended")]

use crate::bvh::{Bounds, Bvh, LEAF, MAX_DEPTH, NONE, Node, WIDTH};
use crate::parallel;
use glam::Vec3;

/// Candidate split planes per axis.
const BINS: usize = 16;

/// Size (metres) of a typical query: about that of a person. A ray misses most small boxes, so
/// many small boxes suit rays. A query of this size enters most of them, so fewer boxes are
/// better. A third and twice this size do nearly as well.
const QUERY_SIZE: f32 = 1.0;

/// From this depth on, splits are at the median: no input can make the tree deeper than
/// [`MAX_DEPTH`].
const MEDIAN_FROM: usize = 32;

/// Smallest number of items whose two halves are built in parallel: milliseconds of work. Smaller
/// tasks lose more on a busy machine, where the caller may have to wait for each of them.
const PARALLEL_FROM: usize = 32_768;

/// An item during the build.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    index: u32,
}

impl Item {
    /// Twice the centre; the factor does not matter for splits.
    fn doubled_center(&self) -> Vec3 {
        self.bounds.min + self.bounds.max
    }
}

/// A binary tree over items.
struct BinaryTree {
    bounds: Bounds,
    root: BinaryRoot,
}

enum BinaryRoot {
    Leaf([u32; WIDTH]),
    Node(Box<BinaryNode>),
}

/// Cost of a traversal: the areas of nodes; if those are equal, their number.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Cost {
    area: f32,
    nodes: u32,
}

impl Cost {
    const ZERO: Self = Self { area: 0.0, nodes: 0 };

    fn plus(self, other: Self) -> Self {
        Self { area: self.area + other.area, nodes: self.nodes + other.nodes }
    }
}

/// Two subtrees, and their best division among the children of a wide node.
struct BinaryNode {
    left: BinaryTree,
    right: BinaryTree,
    /// `costs[i]`: least cost of the nodes below if at most `i + 1` children hold both subtrees.
    costs: [Cost; WIDTH],
    /// `left_share[i]`: how many of `i + 1` children hold the left subtree; 0 if `i` children cost
    /// no more.
    left_share: [u8; WIDTH],
}

/// The tree over `boxes`. Item `i` has box `i`; items with an empty box are left out.
pub(crate) fn build(boxes: &[Bounds]) -> Bvh {
    let items = boxes.iter().zip(0..).filter(|(bounds, _)| !bounds.is_empty());
    let mut items: Vec<Item> =
        items.map(|(bounds, index)| Item { bounds: *bounds, index }).collect();
    if items.is_empty() {
        return Bvh::default();
    }
    let tree = build_binary(&mut items, 0);
    let mut bvh = Bvh::default();
    append_node(&mut bvh, &tree, 1);
    bvh
}

/// Half the surface area of a box that is inflated by half the query's size. It is proportional to
/// the probability that a query enters the box.
fn inflated_half_area(bounds: Bounds) -> f32 {
    let half = Vec3::splat(0.5 * QUERY_SIZE);
    Bounds { min: bounds.min - half, max: bounds.max + half }.half_area()
}

fn bounds_of(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds))
}

fn build_binary(items: &mut [Item], depth: usize) -> BinaryTree {
    if items.len() <= WIDTH {
        let mut lanes = [NONE; WIDTH];
        for (lane, item) in lanes.iter_mut().zip(&*items) {
            *lane = item.index;
        }
        return BinaryTree { bounds: bounds_of(items), root: BinaryRoot::Leaf(lanes) };
    }
    let count = items.len();
    let middle = split(items, depth);
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = if count >= PARALLEL_FROM {
        parallel::join(|| build_binary(left, depth + 1), || build_binary(right, depth + 1))
    } else {
        (build_binary(left, depth + 1), build_binary(right, depth + 1))
    };
    let bounds = left.bounds.union(right.bounds);
    let root = BinaryRoot::Node(Box::new(BinaryNode::new(bounds, left, right)));
    BinaryTree { bounds, root }
}

impl BinaryNode {
    /// Finds the cheapest collapse bottom up, after Ylitie, Karras and Laine 2017, *Efficient
    /// Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs*. A node costs its area
    /// whatever its parent is; leaves cost the same below any node, so they do not count.
    fn new(bounds: Bounds, left: BinaryTree, right: BinaryTree) -> Self {
        let mut costs = [Cost::ZERO; WIDTH];
        let mut left_share = [0; WIDTH];
        let mut cheapest = Cost { area: f32::INFINITY, nodes: u32::MAX };
        for children in 2..=WIDTH {
            for share in 1..children {
                let cost = left.cost(share).plus(right.cost(children - share));
                if cost < cheapest {
                    cheapest = cost;
                    left_share[children - 1] = share as u8;
                }
            }
            costs[children - 1] = cheapest;
        }
        // A single child must be a node that holds both subtrees.
        costs[0] = Cost { area: inflated_half_area(bounds), nodes: 1 }.plus(cheapest);
        Self { left, right, costs, left_share }
    }
}

impl BinaryTree {
    /// Least cost of the nodes if at most this many children of a wide node hold the tree.
    fn cost(&self, children: usize) -> Cost {
        match &self.root {
            BinaryRoot::Leaf(_) => Cost::ZERO,
            BinaryRoot::Node(node) => node.costs[children - 1],
        }
    }

    /// Appends the subtrees, at most `room`, that become children of a wide node.
    fn collapse<'a>(&'a self, mut room: usize, children: &mut Vec<&'a Self>) {
        match &self.root {
            BinaryRoot::Node(node) if room > 1 => {
                while node.left_share[room - 1] == 0 {
                    room -= 1;
                }
                let share = usize::from(node.left_share[room - 1]);
                node.left.collapse(share, children);
                node.right.collapse(room - share, children);
            }
            BinaryRoot::Leaf(_) | BinaryRoot::Node(_) => children.push(self),
        }
    }
}

/// The items whose centres lie in one of [`BINS`] equal parts of an axis.
#[derive(Clone, Copy)]
struct Bin {
    bounds: Bounds,
    count: usize,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Bounds::EMPTY, count: 0 };

    fn union(self, other: Self) -> Self {
        Self { bounds: self.bounds.union(other.bounds), count: self.count + other.count }
    }

    /// Cost of a traversal: area times leaves. Leaves are tested eight items at a time, so a
    /// part-filled one costs as much as a full one.
    fn cost(&self) -> f32 {
        inflated_half_area(self.bounds) * self.count.div_ceil(WIDTH) as f32
    }
}

/// Reorders `items` and returns where to split them, never at an end.
fn split(items: &mut [Item], depth: usize) -> usize {
    let centers = items.iter().fold(Bounds::EMPTY, |all, item| {
        let center = item.doubled_center();
        all.union(Bounds { min: center, max: center })
    });
    let extent = centers.max - centers.min;
    let best = if depth < MEDIAN_FROM { best_plane(items, &centers) } else { None };
    if let Some((axis, plane)) = best {
        let scale = BINS as f32 / extent[axis];
        let bin = |item: &Item| bin_of(item.doubled_center()[axis], centers.min[axis], scale);
        let middle = partition(items, |item| bin(item) < plane);
        if middle > 0 && middle < items.len() {
            return middle;
        }
    }
    let axis = if extent.x >= extent.y && extent.x >= extent.z {
        0
    } else if extent.y >= extent.z {
        1
    } else {
        2
    };
    // At the median, rounded to whole leaves. The index breaks ties, so the split is unique.
    let middle = items.len().div_ceil(2).div_ceil(WIDTH) * WIDTH;
    let middle = if middle < items.len() { middle } else { items.len() / 2 };
    items.select_nth_unstable_by(middle, |a, b| {
        a.doubled_center()[axis].total_cmp(&b.doubled_center()[axis]).then(a.index.cmp(&b.index))
    });
    // Selection leaves both halves in an unspecified order.
    items[..middle].sort_unstable_by_key(|item| item.index);
    items[middle..].sort_unstable_by_key(|item| item.index);
    middle
}

fn bin_of(center: f32, from: f32, scale: f32) -> usize {
    // A cast saturates: negative and NaN become 0.
    (((center - from) * scale) as usize).min(BINS - 1)
}

/// Axis and bin of the cheapest plane to split `items` at; `None` if their centres coincide.
fn best_plane(items: &[Item], centers: &Bounds) -> Option<(usize, usize)> {
    let extent = centers.max - centers.min;
    let mut bins = [[Bin::EMPTY; BINS]; 3];
    let scale = Vec3::splat(BINS as f32) / extent;
    for item in items {
        let center = item.doubled_center();
        for axis in 0..3 {
            let bin = &mut bins[axis][bin_of(center[axis], centers.min[axis], scale[axis])];
            *bin = bin.union(Bin { bounds: item.bounds, count: 1 });
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        if !(extent[axis] > 0.0 && scale[axis].is_finite()) {
            continue;
        }
        let mut right = [Bin::EMPTY; BINS + 1];
        for i in (0..BINS).rev() {
            right[i] = right[i + 1].union(bins[axis][i]);
        }
        let mut left = Bin::EMPTY;
        for plane in 1..BINS {
            left = left.union(bins[axis][plane - 1]);
            if left.count == 0 || right[plane].count == 0 {
                continue;
            }
            let cost = left.cost() + right[plane].cost();
            if best.is_none_or(|(lowest, ..)| cost < lowest) {
                best = Some((cost, axis, plane));
            }
        }
    }
    best.map(|(_, axis, plane)| (axis, plane))
}

/// Moves the items that satisfy `is_left` to the front, and returns their number.
fn partition(items: &mut [Item], is_left: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..items.len() {
        if is_left(&items[i]) {
            items.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

/// Appends a wide node and everything below it, parents before children. Returns its index.
fn append_node(bvh: &mut Bvh, tree: &BinaryTree, depth: usize) -> u32 {
    let mut children = Vec::with_capacity(WIDTH);
    tree.collapse(WIDTH, &mut children);
    let mut bounds = [Bounds::EMPTY; WIDTH];
    for (slot, child) in bounds.iter_mut().zip(&children) {
        *slot = child.bounds;
    }
    let index = bvh.nodes.len();
    bvh.depth = bvh.depth.max(depth);
    bvh.nodes.to_mut().push(encode(&bounds));
    for (i, child) in children.into_iter().enumerate() {
        bvh.nodes[index].children[i] = append(bvh, child, depth + 1);
    }
    index as u32
}

/// Appends a leaf or a node, and returns its entry in its parent's children.
fn append(bvh: &mut Bvh, tree: &BinaryTree, depth: usize) -> u32 {
    match &tree.root {
        BinaryRoot::Leaf(lanes) => {
            let leaf = bvh.leaf_count() as u32;
            bvh.items.to_mut().extend(lanes);
            LEAF | leaf
        }
        BinaryRoot::Node(_) => append_node(bvh, tree, depth),
    }
}

/// A node with these boxes, rounded outward to its grid, and no children yet. Unused lanes get an
/// inverted box.
pub(crate) fn encode(bounds: &[Bounds; WIDTH]) -> Node {
    let all = Bounds::union_of(bounds);
    // Without children any finite grid will do.
    let all = if all.is_empty() { Bounds { min: Vec3::ZERO, max: Vec3::ZERO } } else { all };
    let mut node = Node {
        origin: all.min.to_array(),
        exponents: [0; 3],
        used: 0,
        planes: [[[u8::MAX; WIDTH], [0; WIDTH]]; 3],
        children: [NONE; WIDTH],
    };
    for axis in 0..3 {
        node.exponents[axis] = pitch_exponent(all.max[axis] - all.min[axis], all.min[axis].abs());
        let pitch = node.pitch(axis);
        for (i, child) in bounds.iter().enumerate() {
            if child.min[axis] > child.max[axis] {
                continue;
            }
            node.used |= 1 << i;
            let at = |byte: u8| f32::from(byte) * pitch + node.origin[axis];
            let grid = |value: f32| ((value - node.origin[axis]) / pitch) as u8;
            let mut low = grid(child.min[axis]);
            while low > 0 && at(low) > child.min[axis] {
                low -= 1;
            }
            let mut high = grid(child.max[axis]);
            while high < u8::MAX && at(high) < child.max[axis] {
                high += 1;
            }
            node.planes[axis][0][i] = low;
            node.planes[axis][1][i] = high;
        }
    }
    node
}

/// Biased exponent of the smallest power of two of which 254 cover `extent`.
///
/// The pitch is not below the resolution of f32 at a coordinate of magnitude `origin`, so that one
/// pitch always changes a coordinate.
fn pitch_exponent(extent: f32, origin: f32) -> u8 {
    let least = (extent / 254.0).max(origin * f32::EPSILON).max(f32::MIN_POSITIVE);
    let bits = least.to_bits();
    let is_power = bits.trailing_zeros() >= 23;
    ((bits >> 23) as u8) + u8::from(!is_power)
}

// 29 median splits turn 2³² items into leaves of eight.
const _: () = assert!(MAX_DEPTH > MEDIAN_FROM + 29);

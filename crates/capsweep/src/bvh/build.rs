//! Building: top down into two by the surface area heuristic; then pairs are gathered into nodes of eight, as is best for a walk.
//!
//! The same boxes give the same tree, bit for bit, with or without threads: a subtree depends on its
//! own items alone, and subtrees are joined in order.

#![allow(clippy::cast_sign_loss, reason = "a cast to unsigned saturates at 0, as wanted")]

use crate::bvh::{Bounds, Bvh, LEAF, MAX_DEPTH, NONE, Node, WIDTH};
use crate::parallel;
use glam::Vec3;

/// Candidate split planes per axis.
const BINS: usize = 16;

/// Size (metres) of a typical query: about that of a person. A ray misses small boxes, so a tree of many is good for rays; a
/// query of this size enters most of them, so few are better. A third and twice as much do nearly as well.
const QUERY_SIZE: f32 = 1.0;

/// From this depth on items are halved by count: no input can make the tree deeper than [`MAX_DEPTH`].
const HALVE_FROM: usize = 32;

/// At least this many items have their halves built by two threads where one is free. Milliseconds of work each: on a
/// busy machine every half that is handed over may have to be waited for.
const FORK: usize = 32_768;

/// An item while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    index: u32,
}

impl Item {
    /// Twice the centre.
    fn center(&self) -> Vec3 {
        self.bounds.min + self.bounds.max
    }
}

/// A subtree of pairs.
struct Pairs {
    bounds: Bounds,
    parts: Parts,
}

enum Parts {
    Leaf([u32; WIDTH]),
    BinaryNode(Box<BinaryNode>),
}

/// What a walk pays for nodes: their areas, and where that says nothing, their number.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Cost {
    area: f32,
    nodes: u32,
}

impl Cost {
    const NOTHING: Self = Self { area: 0.0, nodes: 0 };

    fn and(self, other: Self) -> Self {
        Self { area: self.area + other.area, nodes: self.nodes + other.nodes }
    }
}

/// Two subtrees, and how they are best divided among so many children of a node.
struct BinaryNode {
    left: Pairs,
    right: Pairs,
    /// `costs[i]`: what a walk pays for the nodes below at most `i + 1` children that hold these subtrees together.
    costs: [Cost; WIDTH],
    /// `left_share[i]`: how many of `i + 1` children hold the left subtree; 0 where one child less does as well.
    left_share: [u8; WIDTH],
}

/// The tree over `boxes`; item `i` is box `i`, and is not in the tree where that is empty.
pub(crate) fn build(boxes: &[Bounds]) -> Bvh {
    let items = boxes.iter().zip(0..).filter(|(bounds, _)| !bounds.is_empty());
    let mut items: Vec<Item> =
        items.map(|(bounds, index)| Item { bounds: *bounds, index }).collect();
    if items.is_empty() {
        return Bvh::default();
    }
    let root = pairs(&mut items, 0);
    let mut bvh = Bvh::default();
    place_node(&mut bvh, &root, 1);
    bvh
}

/// Half the surface area of a box that is inflated by half the query's size: in proportion to the probability that a query
/// enters the box.
fn inflated_half_area(bounds: Bounds) -> f32 {
    let half = Vec3::splat(0.5 * QUERY_SIZE);
    Bounds { min: bounds.min - half, max: bounds.max + half }.half_area()
}

fn bounds_of(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds))
}

fn pairs(items: &mut [Item], depth: usize) -> Pairs {
    if items.len() <= WIDTH {
        let mut lanes = [NONE; WIDTH];
        for (lane, item) in lanes.iter_mut().zip(&*items) {
            *lane = item.index;
        }
        return Pairs { bounds: bounds_of(items), parts: Parts::Leaf(lanes) };
    }
    let both = items.len();
    let middle = split(items, depth);
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = if both >= FORK {
        parallel::join(|| pairs(left, depth + 1), || pairs(right, depth + 1))
    } else {
        (pairs(left, depth + 1), pairs(right, depth + 1))
    };
    let bounds = left.bounds.union(right.bounds);
    Pairs { bounds, parts: Parts::BinaryNode(Box::new(BinaryNode::new(bounds, left, right))) }
}

impl BinaryNode {
    /// The cheapest way to gather, found bottom up (after Ylitie, Karras and Laine 2017, *Efficient Incoherent Ray Traversal on GPUs
    /// Through Compressed Wide BVHs*): a node costs its area wherever it stands, and leaves cost the same below any nodes.
    fn new(bounds: Bounds, left: Pairs, right: Pairs) -> Self {
        let mut costs = [Cost::NOTHING; WIDTH];
        let mut left_share = [0; WIDTH];
        let mut cheapest = Cost { area: f32::INFINITY, nodes: u32::MAX };
        for children in 2..=WIDTH {
            for share in 1..children {
                let cost = left.cost(share).and(right.cost(children - share));
                if cost < cheapest {
                    cheapest = cost;
                    left_share[children - 1] = share as u8;
                }
            }
            costs[children - 1] = cheapest;
        }
        // One child is a node of its own.
        costs[0] = Cost { area: inflated_half_area(bounds), nodes: 1 }.and(cheapest);
        Self { left, right, costs, left_share }
    }
}

impl Pairs {
    /// What a walk pays for the nodes below so many children at most.
    fn cost(&self, children: usize) -> Cost {
        match &self.parts {
            Parts::Leaf(_) => Cost::NOTHING,
            Parts::BinaryNode(two) => two.costs[children - 1],
        }
    }

    /// The subtrees that are the children of a node: at most so many.
    fn gather<'a>(&'a self, mut room: usize, children: &mut Vec<&'a Self>) {
        match &self.parts {
            Parts::BinaryNode(two) if room > 1 => {
                while two.left_share[room - 1] == 0 {
                    room -= 1;
                }
                let share = usize::from(two.left_share[room - 1]);
                two.left.gather(share, children);
                two.right.gather(room - share, children);
            }
            Parts::Leaf(_) | Parts::BinaryNode(_) => children.push(self),
        }
    }
}

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

    /// What a walk pays here: leaves are tested eight items at a time, so a part-filled one costs
    /// as much as a full one.
    fn cost(&self) -> f32 {
        inflated_half_area(self.bounds) * self.count.div_ceil(WIDTH) as f32
    }
}

/// Reorders `items` and returns where to part them, never at an end.
fn split(items: &mut [Item], depth: usize) -> usize {
    let centers = items.iter().fold(Bounds::EMPTY, |all, item| {
        let center = item.center();
        all.union(Bounds { min: center, max: center })
    });
    let extent = centers.max - centers.min;
    let best = if depth < HALVE_FROM { best_plane(items, &centers) } else { None };
    if let Some((axis, plane)) = best {
        let scale = BINS as f32 / extent[axis];
        let bin = |item: &Item| bin_of(item.center()[axis], centers.min[axis], scale);
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
    // Half of them, in whole leaves; the index breaks ties so that the order is always the same.
    let middle = items.len().div_ceil(2).div_ceil(WIDTH) * WIDTH;
    let middle = if middle < items.len() { middle } else { items.len() / 2 };
    items.select_nth_unstable_by(middle, |a, b| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(a.index.cmp(&b.index))
    });
    // Selection leaves both halves in an order of its own.
    items[..middle].sort_unstable_by_key(|item| item.index);
    items[middle..].sort_unstable_by_key(|item| item.index);
    middle
}

fn bin_of(center: f32, from: f32, scale: f32) -> usize {
    // A cast saturates: negative and NaN become 0.
    (((center - from) * scale) as usize).min(BINS - 1)
}

/// The cheapest plane to part `items` by; `None` if their centres coincide.
fn best_plane(items: &[Item], centers: &Bounds) -> Option<(usize, usize)> {
    let extent = centers.max - centers.min;
    let mut bins = [[Bin::EMPTY; BINS]; 3];
    let scale = Vec3::splat(BINS as f32) / extent;
    for item in items {
        let center = item.center();
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

/// Moves what fulfils `first` to the front; where the two sides part.
fn partition(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

/// Appends a node with its subtrees; its index. Parents come before children.
fn place_node(bvh: &mut Bvh, subtree: &Pairs, depth: usize) -> u32 {
    let mut children = Vec::with_capacity(WIDTH);
    subtree.gather(WIDTH, &mut children);
    let mut bounds = [Bounds::EMPTY; WIDTH];
    for (slot, child) in bounds.iter_mut().zip(&children) {
        *slot = child.bounds;
    }
    let index = bvh.nodes.len();
    bvh.depth = bvh.depth.max(depth);
    bvh.nodes.to_mut().push(encode(&bounds));
    for (i, child) in children.into_iter().enumerate() {
        bvh.nodes[index].children[i] = place(bvh, child, depth + 1);
    }
    index as u32
}

/// Appends a subtree; what its parent writes down for it.
fn place(bvh: &mut Bvh, subtree: &Pairs, depth: usize) -> u32 {
    match &subtree.parts {
        Parts::Leaf(lanes) => {
            let leaf = bvh.leaf_count() as u32;
            bvh.items.to_mut().extend(lanes);
            LEAF | leaf
        }
        Parts::BinaryNode(_) => place_node(bvh, subtree, depth),
    }
}

/// The boxes on the node's own grid, rounded outward. Unused lanes get a box that is inside out.
pub(crate) fn encode(bounds: &[Bounds; WIDTH]) -> Node {
    let all = bounds.iter().fold(Bounds::EMPTY, |all, child| all.union(*child));
    // A grid for nothing is any grid that is finite.
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

/// Biased exponent of the smallest power of two of which 254 cover `extent` from a coordinate of magnitude `origin`.
///
/// Not below what f32 resolves there, so that a step of the grid always moves.
fn pitch_exponent(extent: f32, origin: f32) -> u8 {
    let least = (extent / 254.0).max(origin * f32::EPSILON).max(f32::MIN_POSITIVE);
    let bits = least.to_bits();
    let is_power = bits.trailing_zeros() >= 23;
    ((bits >> 23) as u8) + u8::from(!is_power)
}

// Halved 29 times, 2³² items are leaves of eight.
const _: () = assert!(MAX_DEPTH > HALVE_FROM + 29);

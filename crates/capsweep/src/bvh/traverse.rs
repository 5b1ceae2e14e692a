//! The only walk over a tree.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, Kernel, LEAF, Node, WIDTH};
use crate::math::prefetch_at;

/// What a walk looks for.
pub(crate) trait NodeVisitor {
    /// Which of a node's boxes to enter.
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L>;

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// A leaf is soon looked into: what it needs may be brought closer.
    #[inline(always)]
    fn prefetch(&self, _leaf: usize) {}

    /// Looks into a leaf; `false` ends the walk.
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool;

    /// Something with this key is entered next, and what was put off and comes before it may be looked at first; `false` ends the walk.
    #[inline(always)]
    fn catch_up<L: F32x8>(&mut self, _key: f32) -> bool {
        true
    }
}

/// Boxes to enter.
pub(crate) struct Entered<L> {
    /// Bits of those.
    pub(crate) bits: u32,
    pub(crate) order: VisitOrder<L>,
}

/// When boxes are entered.
pub(crate) enum VisitOrder<L> {
    /// In any order.
    Any,
    InOrder {
        /// One whose key is beyond the limit by the time of its turn is left out.
        keys: L,
        /// The smallest is entered first. Infinite where nothing is entered, and nowhere else.
        order: L,
    },
}

/// Children that wait for their turn at once. What a tree needs beyond the first four levels is rare, and a larger array
/// costs every walk the time to clear it.
const WAITING: usize = 4 * (WIDTH - 1) + WIDTH;

/// Enters the boxes below a tree's `nodes` that the probe asks for, while keys are within its limit.
#[inline(always)]
pub(crate) fn traverse<L: F32x8>(nodes: &[Node], probe: &mut impl NodeVisitor) {
    if !nodes.is_empty() {
        (Below { nodes, child: 0, probe }).run::<L>();
    }
}

/// Walks what is below a child; `false` if the walk is to end.
struct Below<'a, P> {
    nodes: &'a [Node],
    child: u32,
    probe: &'a mut P,
}

impl<P: NodeVisitor> Kernel for Below<'_, P> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let Self { nodes, mut child, probe } = self;
        let (mut keys, mut children) = ([0.0; WAITING], [0; WAITING]);
        let mut waiting = Stack { keys: &mut keys, children: &mut children, count: 0 };
        loop {
            if child & LEAF != 0 {
                waiting.fetch_next(nodes, probe);
                if !probe.leaf::<L>((child & !LEAF) as usize) {
                    return false;
                }
            } else if waiting.count + WIDTH > WAITING {
                // No room for the children: another walk has some.
                if !L::call(Below { nodes, child, probe: &mut *probe }) {
                    return false;
                }
            } else {
                let node = &nodes[child as usize];
                let entered = probe.enter::<L>(node);
                if let Some(first) = waiting.take_in::<L>(node, entered) {
                    child = first;
                    continue;
                }
            }
            let Some((key, next)) = waiting.next(probe.limit()) else {
                return true;
            };
            if !probe.catch_up::<L>(key) {
                return false;
            }
            child = next;
        }
    }
}

/// Children, and their keys, that wait for their turn: the last comes first.
struct Stack<'a> {
    keys: &'a mut [f32; WAITING],
    children: &'a mut [u32; WAITING],
    count: usize,
}

impl Stack<'_> {
    /// Keeps the children that are to be entered, but for the first, which it returns.
    #[inline(always)]
    fn take_in<L: F32x8>(
        &mut self,
        node: &Node,
        Entered { mut bits, order }: Entered<L>,
    ) -> Option<u32> {
        match order {
            VisitOrder::Any => {
                while bits & bits.wrapping_sub(1) != 0 {
                    self.keep(f32::NEG_INFINITY, node.children[highest(bits)]);
                    bits &= !(1 << highest(bits));
                }
            }
            // Most often a walk goes down one way or two.
            VisitOrder::InOrder { keys, order } => {
                let others = bits & bits.wrapping_sub(1);
                if others & others.wrapping_sub(1) != 0 {
                    return Some(self.keep_in_order(node, bits, keys, order));
                }
                if others != 0 {
                    return Some(self.keep_later(node, [bits, others].map(lowest), keys, order));
                }
            }
        }
        (bits != 0).then(|| node.children[lowest(bits)])
    }

    /// Keeps the later of two children, and returns the other.
    #[inline(always)]
    fn keep_later<L: F32x8>(&mut self, node: &Node, two: [usize; 2], keys: L, order: L) -> u32 {
        let (order, keys) = (order.store(), keys.store());
        let [a, b] = two;
        let (first, later) = if order[b] < order[a] { (b, a) } else { (a, b) };
        self.keep(keys[later], node.children[later]);
        node.children[first]
    }

    /// Keeps the children whose bits are set, each below those that come before it, but for the first, which it returns.
    #[inline(always)]
    fn keep_in_order<L: F32x8>(&mut self, node: &Node, bits: u32, keys: L, order: L) -> u32 {
        let first = order.min_lane();
        let others = bits & !(1 << first);
        let (keys, children) = order.sort_descending(others, keys, &node.children);
        // There is room for all eight; those above the last that is wanted are overwritten.
        let places = self.count..self.count + WIDTH;
        self.keys[places.clone()].copy_from_slice(&keys);
        self.children[places].copy_from_slice(&children);
        self.count += others.count_ones() as usize;
        node.children[first]
    }

    #[inline(always)]
    fn keep(&mut self, key: f32, child: u32) {
        (self.keys[self.count], self.children[self.count]) = (key, child);
        self.count += 1;
    }

    /// Has the child that is entered next brought closer, which takes as long as to look into a leaf.
    #[inline(always)]
    fn fetch_next(&self, nodes: &[Node], probe: &impl NodeVisitor) {
        match self.children[..self.count].last() {
            None => {}
            Some(leaf) if leaf & LEAF != 0 => probe.prefetch((leaf & !LEAF) as usize),
            Some(node) => prefetch_at(nodes, *node as usize),
        }
    }

    /// The next child whose key is within the limit.
    #[inline(always)]
    fn next(&mut self, limit: f32) -> Option<(f32, u32)> {
        while self.count > 0 {
            self.count -= 1;
            if self.keys[self.count] <= limit {
                return Some((self.keys[self.count], self.children[self.count]));
            }
        }
        None
    }
}

/// The lane among those whose bit is set, at least one, that is `better` than those before it.
#[inline(always)]
pub(crate) fn choose(bits: u32, better: impl Fn(usize, usize) -> bool) -> usize {
    let mut best = bits.trailing_zeros() as usize;
    let mut rest = bits & (bits - 1);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if better(lane, best) {
            best = lane;
        }
    }
    best
}

/// The lane with the lowest number whose bit is set; any if there is none.
#[inline(always)]
fn lowest(bits: u32) -> usize {
    bits.trailing_zeros() as usize % WIDTH
}

#[inline(always)]
fn highest(bits: u32) -> usize {
    bits.ilog2() as usize
}

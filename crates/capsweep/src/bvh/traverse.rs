//! [`traverse`]: the only traversal of a tree.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, LEAF, LaneFn, Node, WIDTH};
use crate::math::prefetch_at;

/// Decides which nodes a traversal enters, and handles the leaves.
pub(crate) trait NodeVisitor {
    /// The children of a node to enter.
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L>;

    /// Children with a larger key are skipped.
    fn limit(&self) -> f32;

    /// Prefetches the data of a leaf that is visited soon.
    #[inline(always)]
    fn prefetch(&self, _leaf: usize) {}

    /// Visits a leaf; `false` ends the traversal.
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool;

    /// Called before a child with this key is entered: deferred work that comes before the key can
    /// be done now. `false` ends the traversal.
    #[inline(always)]
    fn flush_deferred<L: F32x8>(&mut self, _key: f32) -> bool {
        true
    }
}

/// The children of a node to enter.
pub(crate) struct Entered<L> {
    /// Their bits.
    pub(crate) bits: u32,
    pub(crate) order: VisitOrder<L>,
}

/// The order in which children are entered.
pub(crate) enum VisitOrder<L> {
    /// In any order.
    Any,
    InOrder {
        /// A child whose key exceeds the limit when its turn comes is skipped.
        keys: L,
        /// The smallest is entered first. Infinite in exactly the lanes that are not entered.
        order: L,
    },
}

/// Size of the stack: enough for four levels. Few traversals need more, and every traversal pays
/// for clearing a larger one.
const STACK_SIZE: usize = 4 * (WIDTH - 1) + WIDTH;

/// Traverses a tree: enters the children that the visitor asks for, while keys are within its
/// limit.
#[inline(always)]
pub(crate) fn traverse<L: F32x8>(nodes: &[Node], visitor: &mut impl NodeVisitor) {
    if !nodes.is_empty() {
        (TraverseSubtree { nodes, child: 0, visitor }).run::<L>();
    }
}

/// Traverses the subtree of a child; gives `false` if the visitor ended the traversal.
struct TraverseSubtree<'a, V> {
    nodes: &'a [Node],
    child: u32,
    visitor: &'a mut V,
}

impl<V: NodeVisitor> LaneFn for TraverseSubtree<'_, V> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let Self { nodes, mut child, visitor } = self;
        let (mut keys, mut children) = ([0.0; STACK_SIZE], [0; STACK_SIZE]);
        let mut stack = Stack { keys: &mut keys, children: &mut children, count: 0 };
        loop {
            if child & LEAF != 0 {
                stack.prefetch_next(nodes, visitor);
                if !visitor.leaf::<L>((child & !LEAF) as usize) {
                    return false;
                }
            } else if stack.count + WIDTH > STACK_SIZE {
                // No room for eight children: recurse with a new stack.
                if !L::call(TraverseSubtree { nodes, child, visitor: &mut *visitor }) {
                    return false;
                }
            } else {
                let node = &nodes[child as usize];
                let entered = visitor.enter::<L>(node);
                if let Some(first) = stack.push_all_but_first::<L>(node, entered) {
                    child = first;
                    continue;
                }
            }
            let Some((key, next)) = stack.pop(visitor.limit()) else {
                return true;
            };
            if !visitor.flush_deferred::<L>(key) {
                return false;
            }
            child = next;
        }
    }
}

/// Children still to enter, with their keys; the last is entered first.
struct Stack<'a> {
    keys: &'a mut [f32; STACK_SIZE],
    children: &'a mut [u32; STACK_SIZE],
    count: usize,
}

impl Stack<'_> {
    /// Pushes the children to enter except the first, which it returns.
    #[inline(always)]
    fn push_all_but_first<L: F32x8>(
        &mut self,
        node: &Node,
        Entered { mut bits, order }: Entered<L>,
    ) -> Option<u32> {
        match order {
            VisitOrder::Any => {
                while bits & bits.wrapping_sub(1) != 0 {
                    self.push(f32::NEG_INFINITY, node.children[highest(bits)]);
                    bits &= !(1 << highest(bits));
                }
            }
            // One or two children are the most frequent cases, and need no sorting.
            VisitOrder::InOrder { keys, order } => {
                let others = bits & bits.wrapping_sub(1);
                if others & others.wrapping_sub(1) != 0 {
                    return Some(self.push_sorted(node, bits, keys, order));
                }
                if others != 0 {
                    return Some(self.push_later(node, [bits, others].map(lowest), keys, order));
                }
            }
        }
        (bits != 0).then(|| node.children[lowest(bits)])
    }

    /// Pushes the later of two children, and returns the other.
    #[inline(always)]
    fn push_later<L: F32x8>(&mut self, node: &Node, two: [usize; 2], keys: L, order: L) -> u32 {
        let (order, keys) = (order.store(), keys.store());
        let [a, b] = two;
        let (first, later) = if order[b] < order[a] { (b, a) } else { (a, b) };
        self.push(keys[later], node.children[later]);
        node.children[first]
    }

    /// Pushes the children whose bits are set, the last one first, except the first, which it
    /// returns.
    #[inline(always)]
    fn push_sorted<L: F32x8>(&mut self, node: &Node, bits: u32, keys: L, order: L) -> u32 {
        let first = order.min_lane();
        let others = bits & !(1 << first);
        let (keys, children) = order.sort_descending(others, keys, &node.children);
        // There is room for all eight; the next push overwrites those beyond the new count.
        let range = self.count..self.count + WIDTH;
        self.keys[range.clone()].copy_from_slice(&keys);
        self.children[range].copy_from_slice(&children);
        self.count += others.count_ones() as usize;
        node.children[first]
    }

    #[inline(always)]
    fn push(&mut self, key: f32, child: u32) {
        (self.keys[self.count], self.children[self.count]) = (key, child);
        self.count += 1;
    }

    /// Prefetches the child that is entered next: a leaf's tests take about as long as the load.
    #[inline(always)]
    fn prefetch_next(&self, nodes: &[Node], visitor: &impl NodeVisitor) {
        match self.children[..self.count].last() {
            None => {}
            Some(leaf) if leaf & LEAF != 0 => visitor.prefetch((leaf & !LEAF) as usize),
            Some(node) => prefetch_at(nodes, *node as usize),
        }
    }

    /// Pops the next child whose key is within the limit.
    #[inline(always)]
    fn pop(&mut self, limit: f32) -> Option<(f32, u32)> {
        while self.count > 0 {
            self.count -= 1;
            if self.keys[self.count] <= limit {
                return Some((self.keys[self.count], self.children[self.count]));
            }
        }
        None
    }
}

/// The best of the lanes whose bits are set, at least one; of equals the first.
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

/// The lowest lane whose bit is set; any lane if there is none.
#[inline(always)]
fn lowest(bits: u32) -> usize {
    bits.trailing_zeros() as usize % WIDTH
}

/// The highest lane whose bit is set; at least one bit must be set.
#[inline(always)]
fn highest(bits: u32) -> usize {
    bits.ilog2() as usize
}

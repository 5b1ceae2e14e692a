//! The only two walks: [`visit`] in any order, [`nearest`] nearest first.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::{Bvh, Kernel, LEAF, Lanes, Node, WIDTH};

/// What a walk looks for.
pub(crate) trait Probe {
    /// Which of a node's boxes to enter.
    fn enter<L: Lanes>(&mut self, node: &Node) -> Entered<L>;

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// Looks into a leaf; `false` ends the walk.
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool;
}

/// Boxes to enter.
pub(crate) struct Entered<L> {
    /// Bits of those.
    pub(crate) bits: u32,
    /// One whose key is beyond the limit by the time of its turn is left out.
    pub(crate) keys: L,
    /// The smallest is entered first.
    pub(crate) order: L,
}

/// Children that wait for their turn at once. What a tree needs beyond the first four levels is rare, and a larger array
/// costs every walk the time to clear it.
const WAITING: usize = 4 * (WIDTH - 1) + WIDTH;

/// Enters every box that the probe asks for, in the order of the tree.
#[inline(always)]
pub(crate) fn visit<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk::<L, _, false>(bvh, probe);
}

/// Enters the boxes that the probe asks for in its order, while keys are within its limit.
#[inline(always)]
pub(crate) fn nearest<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk::<L, _, true>(bvh, probe);
}

#[inline(always)]
fn walk<L: Lanes, P: Probe, const ORDERED: bool>(bvh: &Bvh, probe: &mut P) {
    // Once: the nodes may be kept elsewhere.
    let nodes: &[Node] = &bvh.nodes;
    if !nodes.is_empty() {
        (Below::<P, ORDERED> { nodes, child: 0, probe }).run::<L>();
    }
}

/// Walks what is below a child; `false` if the walk is to end.
struct Below<'a, P, const ORDERED: bool> {
    nodes: &'a [Node],
    child: u32,
    probe: &'a mut P,
}

impl<P: Probe, const ORDERED: bool> Kernel for Below<'_, P, ORDERED> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { nodes, mut child, probe } = self;
        let mut waiting = Waiting { children: [(0.0, 0); WAITING], count: 0 };
        loop {
            if child & LEAF != 0 {
                if !probe.leaf::<L>((child & !LEAF) as usize) {
                    return false;
                }
            } else if waiting.count + WIDTH > WAITING {
                // No room for the children: another walk has some.
                if !L::call(Below::<P, ORDERED> { nodes, child, probe: &mut *probe }) {
                    return false;
                }
            } else {
                let node = &nodes[child as usize];
                let entered = probe.enter::<L>(node);
                if let Some(first) = waiting.take_in::<L, ORDERED>(node, entered) {
                    child = first;
                    continue;
                }
            }
            let Some(next) = waiting.next(|key| !ORDERED || key <= probe.limit()) else {
                return true;
            };
            child = next;
        }
    }
}

/// Children, and their keys, that wait for their turn: the last comes first.
struct Waiting {
    children: [(f32, u32); WAITING],
    count: usize,
}

impl Waiting {
    /// Keeps the children that are to be entered, but for the first, which it returns.
    #[inline(always)]
    fn take_in<L: Lanes, const ORDERED: bool>(
        &mut self,
        node: &Node,
        Entered { mut bits, keys, order }: Entered<L>,
    ) -> Option<u32> {
        if bits == 0 {
            return None;
        }
        // Most often a walk goes down one way.
        if !bits.is_power_of_two() {
            let (keys, order) = (keys.store(), order.store());
            while !bits.is_power_of_two() {
                let lane = if ORDERED { last(bits, &order) } else { highest(bits) };
                bits &= !(1 << lane);
                self.children[self.count] = (keys[lane], node.children[lane]);
                self.count += 1;
            }
        }
        Some(node.children[bits.trailing_zeros() as usize])
    }

    /// The next child whose key is wanted.
    #[inline(always)]
    fn next(&mut self, wanted: impl Fn(f32) -> bool) -> Option<u32> {
        while self.count > 0 {
            self.count -= 1;
            let (key, child) = self.children[self.count];
            if wanted(key) {
                return Some(child);
            }
        }
        None
    }
}

/// The lane with the largest value among those whose bit is set; the last of equals.
#[inline(always)]
fn last(bits: u32, order: &[f32; WIDTH]) -> usize {
    choose(bits, |lane, last| order[lane] >= order[last])
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

#[inline(always)]
fn highest(bits: u32) -> usize {
    bits.ilog2() as usize
}

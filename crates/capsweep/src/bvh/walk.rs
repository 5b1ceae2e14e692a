//! The only two walks: [`visit`] in any order, [`nearest`] nearest first.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::{Bvh, LEAF, Lanes, MAX_DEPTH, Node, WIDTH};

/// What a walk looks for.
pub(crate) trait Probe {
    /// Which of a node's boxes to enter, as bits, and a key for each: the walk enters the smallest first.
    fn enter<L: Lanes>(&mut self, node: &Node) -> (u32, L);

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// Looks into a leaf; `false` ends the walk.
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool;
}

/// Children that can wait at once in a tree of so many levels: seven at each, and the one being entered.
const fn waiting(levels: usize) -> usize {
    (WIDTH - 1) * levels + 1
}

/// Enters every box that the probe asks for, in the order of the tree.
#[inline(always)]
pub(crate) fn visit<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk::<L, false>(bvh, probe);
}

/// Enters the boxes that the probe asks for, smallest key first, while keys are within its limit.
#[inline(always)]
pub(crate) fn nearest<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk::<L, true>(bvh, probe);
}

#[inline(always)]
fn walk<L: Lanes, const ORDERED: bool>(bvh: &Bvh, probe: &mut impl Probe) {
    // Once: the nodes may be kept elsewhere.
    let nodes: &[Node] = &bvh.nodes;
    if nodes.is_empty() {
        return;
    }
    let mut stack = [(0.0_f32, 0_u32); waiting(MAX_DEPTH)];
    let mut top = 0;
    let mut child = 0;
    loop {
        if child & LEAF != 0 {
            if !probe.leaf::<L>((child & !LEAF) as usize) {
                return;
            }
        } else {
            let node = &nodes[child as usize];
            let (mut bits, keys) = probe.enter::<L>(node);
            // Most often a walk goes down one way.
            if bits.is_power_of_two() {
                child = node.children[bits.trailing_zeros() as usize];
                continue;
            }
            let keys = keys.store();
            let bottom = top;
            while bits != 0 {
                let i = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let waiting = (keys[i], node.children[i]);
                if ORDERED {
                    insert(&mut stack[bottom..=top], waiting);
                } else {
                    stack[top] = waiting;
                }
                top += 1;
            }
        }
        loop {
            if top == 0 {
                return;
            }
            top -= 1;
            let (key, next) = stack[top];
            if !ORDERED || key <= probe.limit() {
                child = next;
                break;
            }
        }
    }
}

/// Puts `waiting` where it belongs among those before the last, which are sorted: the largest key at the bottom.
#[inline(always)]
fn insert(sorted: &mut [(f32, u32)], waiting: (f32, u32)) {
    let mut slot = sorted.len() - 1;
    while slot > 0 && sorted[slot - 1].0 < waiting.0 {
        sorted[slot] = sorted[slot - 1];
        slot -= 1;
    }
    sorted[slot] = waiting;
}

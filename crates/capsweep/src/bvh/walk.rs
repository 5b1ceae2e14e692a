//! The only two walks: [`visit`] in any order, [`nearest`] nearest first.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::{Bvh, LEAF, Lanes, MAX_DEPTH, Node, WIDTH};

/// The boxes of a node's children, decoded.
pub(crate) struct Boxes<L> {
    pub(crate) min: [L; 3],
    pub(crate) max: [L; 3],
}

/// What a walk looks for.
pub(crate) trait Probe {
    /// Which of the boxes to enter, as bits, and a key for each: the walk enters the smallest first.
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L);

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// Looks into a leaf; `false` ends the walk.
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool;
}

/// Children that can wait at once in a tree of so many levels: seven at each, and the one being entered.
const fn waiting(levels: usize) -> usize {
    (WIDTH - 1) * levels + 1
}

/// Levels of nearly every tree, a million triangles included. Clearing a stack for more would cost a short query more than its walk.
const USUAL_DEPTH: usize = 9;

#[inline(always)]
fn decode<L: Lanes>(node: &Node) -> Boxes<L> {
    let plane = |bytes: [u8; WIDTH], axis: usize| {
        L::load_bytes(bytes) * L::splat(node.pitch[axis]) + L::splat(node.origin[axis])
    };
    Boxes {
        min: [plane(node.low[0], 0), plane(node.low[1], 1), plane(node.low[2], 2)],
        max: [plane(node.high[0], 0), plane(node.high[1], 1), plane(node.high[2], 2)],
    }
}

/// Enters every box that the probe asks for, in the order of the tree.
#[inline(always)]
pub(crate) fn visit<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk_any::<L, false>(bvh, probe);
}

/// Enters the boxes that the probe asks for, smallest key first, while keys are within its limit.
#[inline(always)]
pub(crate) fn nearest<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk_any::<L, true>(bvh, probe);
}

#[inline(always)]
fn walk_any<L: Lanes, const ORDERED: bool>(bvh: &Bvh, probe: &mut impl Probe) {
    if bvh.depth <= USUAL_DEPTH {
        walk::<L, ORDERED, { waiting(USUAL_DEPTH) }>(bvh, probe);
    } else {
        walk::<L, ORDERED, { waiting(MAX_DEPTH) }>(bvh, probe);
    }
}

#[inline(always)]
fn walk<L: Lanes, const ORDERED: bool, const STACK: usize>(bvh: &Bvh, probe: &mut impl Probe) {
    // Once: the nodes may be kept elsewhere.
    let nodes: &[Node] = &bvh.nodes;
    if nodes.is_empty() {
        return;
    }
    let mut stack = [(0.0_f32, 0_u32); STACK];
    let mut top = 1;
    stack[0] = (f32::NEG_INFINITY, 0);
    while top > 0 {
        top -= 1;
        let (key, child) = stack[top];
        if ORDERED && key > probe.limit() {
            continue;
        }
        if child & LEAF != 0 {
            if !probe.leaf::<L>((child & !LEAF) as usize) {
                return;
            }
            continue;
        }
        let node = &nodes[child as usize];
        let boxes = decode::<L>(node);
        let (mut bits, keys) = probe.enter(&boxes);
        let keys = keys.store();
        let bottom = top;
        while bits != 0 {
            let i = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let mut slot = top;
            top += 1;
            if ORDERED {
                // Keep the new ones sorted, largest key at the bottom.
                while slot > bottom && stack[slot - 1].0 < keys[i] {
                    stack[slot] = stack[slot - 1];
                    slot -= 1;
                }
            }
            stack[slot] = (keys[i], node.children[i]);
        }
    }
}

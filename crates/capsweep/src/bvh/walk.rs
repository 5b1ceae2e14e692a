//! The only two walks: [`visit`] in any order, [`nearest`] nearest first.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::{Bvh, Kernel, LEAF, Lanes, Node, WIDTH};

/// What a walk looks for.
pub(crate) trait Probe {
    /// Which of a node's boxes to enter, as bits, and a key for each: the walk enters the smallest first.
    fn enter<L: Lanes>(&mut self, node: &Node) -> (u32, L);

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// Looks into a leaf; `false` ends the walk.
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool;
}

/// Children that wait for their turn at once. What a tree needs beyond the first four levels is rare, and a larger array
/// costs every walk the time to clear it.
const WAITING: usize = 4 * (WIDTH - 1) + WIDTH;

/// Enters every box that the probe asks for, in the order of the tree.
#[inline(always)]
pub(crate) fn visit<L: Lanes>(bvh: &Bvh, probe: &mut impl Probe) {
    walk::<L, _, false>(bvh, probe);
}

/// Enters the boxes that the probe asks for, smallest key first, while keys are within its limit.
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
        let mut stack = [(0.0_f32, 0_u32); WAITING];
        let mut top = 0;
        loop {
            if child & LEAF != 0 {
                if !probe.leaf::<L>((child & !LEAF) as usize) {
                    return false;
                }
            } else if top + WIDTH > WAITING {
                // No room for the children: another walk has some.
                if !L::call(Below::<P, ORDERED> { nodes, child, probe: &mut *probe }) {
                    return false;
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
                let rest = bits & bits.wrapping_sub(1);
                if ORDERED && rest.is_power_of_two() {
                    let (mut near, mut far) = (bits.trailing_zeros(), rest.trailing_zeros());
                    if keys[far as usize] <= keys[near as usize] {
                        (near, far) = (far, near);
                    }
                    stack[top] = (keys[far as usize], node.children[far as usize]);
                    top += 1;
                    child = node.children[near as usize];
                    continue;
                }
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
                    return true;
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

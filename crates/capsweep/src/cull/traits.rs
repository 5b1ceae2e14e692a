#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, Node};
use crate::math::F32x8;
use crate::mesh::packet::Packet;

/// What tells, in some space, which boxes are worth a look: never too few.
pub(crate) trait CullBoxes {
    /// A node's boxes that may hold something of interest.
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L>;

    /// As [`CullBoxes::enter`] for boxes that are not on a grid: their bits, and their keys. The smallest is looked at first.
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L);

    /// Largest key that is still of interest.
    fn limit(&self) -> f32;

    /// Nothing beyond `limit` is of interest any more.
    fn lower_limit(&mut self, limit: f64);
}

/// As [`CullBoxes`], for triangles as well.
pub(crate) trait Cull: CullBoxes {
    /// What [`Cull::recheck`] needs to know of eight triangles.
    type Seen<L: F32x8>;

    /// As [`CullBoxes::enter`] for triangles; nothing if none is of interest.
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Self::Seen<L>>;

    /// What is left of them now that the limit may be lower.
    fn recheck<L: F32x8>(&self, seen: &Self::Seen<L>) -> Candidates<L>;

    /// Optimistic upper bound on the limit, verified afterwards: what the [sure](Candidates::sure) ones most likely lower it
    /// to. Not a number, or infinite, where nothing is known.
    #[inline(always)]
    fn optimistic_bound<L: F32x8>(&self, _seen: &Self::Seen<L>) -> L {
        L::splat(f32::INFINITY)
    }
}

/// Triangles that may be of interest.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<L> {
    /// Bits of those that are.
    pub(crate) bits: u32,
    /// Bits of those that most likely end the search in their surroundings: they come first. Others may be set.
    pub(crate) sure: u32,
    /// Among these, and among the others, the smallest key comes first.
    pub(crate) keys: L,
}

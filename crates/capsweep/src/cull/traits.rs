//! The interface between culling and traversals.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, GridBox, Node};
use crate::math::F32x8;
use crate::mesh::packet::Packet;

/// The box tests of a [`CullBoxes`] that one of its fields does.
macro_rules! box_tests_of {
    ($field:ident) => {
        #[inline(always)]
        fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
            self.$field.enter_boxes(boxes)
        }

        #[inline(always)]
        fn limit(&self) -> f32 {
            self.$field.limit()
        }

        #[inline(always)]
        fn lower_limit(&mut self, limit: f64) {
            self.$field.lower_limit(limit);
        }
    };
}

pub(super) use box_tests_of;

/// Tells which boxes a traversal must enter. It may keep too many boxes, never too few.
pub(crate) trait CullBoxes {
    /// The children of a node whose boxes may hold an answer.
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L>;

    /// As [`CullBoxes::enter`], for boxes that are not on a grid: their bits and their keys. The
    /// box with the smallest key is entered first.
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L);

    /// Boxes and triangles with a larger key cannot change the answer.
    fn limit(&self) -> f32;

    /// Lowers the limit: answers beyond `limit` no longer count.
    fn lower_limit(&mut self, limit: f64);
}

/// [`CullBoxes`] that also culls the triangles of a packet.
pub(crate) trait Cull: CullBoxes {
    /// A box around all triangles that may hold an answer.
    fn around<L: F32x8>(&self) -> GridBox;

    /// The triangles of a packet that [`Cull::filter`] kept, with the data for [`Cull::recheck`].
    type Filtered<L: F32x8>;

    /// The triangles of a packet that may hold an answer; `None` if none of them does.
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Self::Filtered<L>>;

    /// The triangles among them that are still within the limit, which may be lower by now.
    fn recheck<L: F32x8>(&self, filtered: &Self::Filtered<L>) -> Candidates<L>;

    /// Optimistic upper bound on the limit, verified afterwards: the limit that the
    /// [likely](Candidates::likely) candidates will probably give. NaN or infinite if unknown.
    #[inline(always)]
    fn optimistic_bound<L: F32x8>(&self, _filtered: &Self::Filtered<L>) -> L {
        L::splat(f32::INFINITY)
    }
}

/// Triangles that culling kept and the f64 solver has to decide.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<L> {
    /// Bits of the candidates.
    pub(crate) bits: u32,
    /// Bits of the candidates that will probably give the answer near them; they are solved first.
    /// Bits of other triangles may be set too.
    pub(crate) likely: u32,
    /// Lower bounds of the answers. Among the likely, and then among the others, the smallest key
    /// is solved first.
    pub(crate) keys: L,
}

impl<L: F32x8> Candidates<L> {
    /// The candidates whose keys are within `limit`.
    #[inline(always)]
    pub(crate) fn within(&self, limit: f32) -> Self {
        Self { bits: self.bits & self.keys.le_mask(L::splat(limit)), ..*self }
    }
}

//! [`MovingBox`]: the box around a moving capsule, against the boxes of nodes and bodies.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::Slabs;
use crate::cull::{CullBoxes, box_tests_of};
use crate::tolerance::MAX_TIME;

/// A moving box, in f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingBox {
    /// Centre at the start. The fourth lane has no meaning.
    pub(crate) center: [f32; 4],
    pub(crate) slabs: Slabs,
    /// Whether the path is so short that the box around it culls as well as the times of entry do,
    /// and their order gains little.
    is_short: bool,
    /// The box around the whole path.
    pub(crate) path: GridBox,
}

impl MovingBox {
    /// The half extents must include a margin for rounding, as those of [`Slabs::new`].
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        center: L::F32x4,
        half_extents: L::F32x4,
        motion: L::F32x4,
        limit: f64,
        is_short: bool,
    ) -> Self {
        let path = motion * L::F32x4::splat(limit.min(MAX_TIME) as f32);
        Self {
            center: center.store(),
            slabs: Slabs::new::<L>(center, half_extents, motion, limit),
            is_short,
            path: GridBox::along::<L>(center, half_extents, path),
        }
    }
}

impl CullBoxes for MovingBox {
    /// The boxes that it enters within the limit; keys are the times of entry.
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        if self.is_short {
            return Entered { bits: node.overlapping::<L>(self.path), order: VisitOrder::Any };
        }
        let (bits, keys, order) = self.slabs.enter(node);
        Entered { bits, order: VisitOrder::InOrder { keys, order } }
    }

    box_tests_of!(slabs);
}

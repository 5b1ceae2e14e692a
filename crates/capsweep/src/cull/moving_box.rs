//! The box around what moves, against the boxes of nodes and bodies.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node, VisitOrder};
use crate::cull::CullBoxes;
use crate::cull::slabs::{LATEST, Slabs};

/// A box on its way, in f32: good for culling only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingBox {
    /// Its middle at the start, and something else.
    pub(crate) center: [f32; 4],
    pub(crate) slabs: Slabs,
    /// Whether the way is so short that the box around it tells as much as when and where the moving box meets others, and there
    /// is little to be gained by their order.
    is_short: bool,
    /// That box.
    way: GridBox,
}

impl MovingBox {
    /// The half extents must make room for rounding, as those of [`Slabs::new`].
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(
        center: L::F32x4,
        half_extents: L::F32x4,
        motion: L::F32x4,
        limit: f64,
        is_short: bool,
    ) -> Self {
        let path = motion * L::F32x4::splat(limit.min(LATEST) as f32);
        Self {
            center: center.store(),
            slabs: Slabs::new::<L>(center, half_extents, motion, limit),
            is_short,
            way: GridBox::along::<L>(center, half_extents, path),
        }
    }
}

impl CullBoxes for MovingBox {
    /// Bits of the boxes that it meets within the limit, and when it does.
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        if self.is_short {
            return Entered { bits: node.overlapping::<L>(self.way), order: VisitOrder::Any };
        }
        let (bits, keys, order) = self.slabs.enter(node);
        Entered { bits, order: VisitOrder::InOrder { keys, order } }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        self.slabs.enter_boxes(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.slabs.limit
    }

    #[inline(always)]
    fn lower_limit(&mut self, time: f64) {
        self.slabs.lower_limit(time);
    }
}
